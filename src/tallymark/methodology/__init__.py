"""Methodologies: the complete rules of a pool as data, named, versioned, hashed, and the shipped ones as TOML."""

from tallymark.methodology.changes import Setting, parse_setting
from tallymark.methodology.diff import Difference, diff
from tallymark.methodology.loader import latest, methodology, shipped
from tallymark.methodology.model import Content, Field, Methodology, Value
from tallymark.methodology.rules import ENDINGS, SOURCES, Komi, Published, Rated
from tallymark.methodology.sections import Ageing, Bounds, Numbers, Period

__all__ = [
    "ENDINGS",
    "SOURCES",
    "Ageing",
    "Bounds",
    "Content",
    "Difference",
    "Field",
    "Komi",
    "Methodology",
    "Numbers",
    "Period",
    "Published",
    "Rated",
    "Setting",
    "Value",
    "diff",
    "latest",
    "methodology",
    "parse_setting",
    "shipped",
]
