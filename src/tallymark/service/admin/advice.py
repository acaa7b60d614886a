"""What readers of files advise, said for the form: they speak of the options of a call, and a form has fields."""

import re
from ast import literal_eval
from typing import Final

FIELDS: Final = {
    "columns": "Columns",
    "results": "Words for results",
    "aliases": "Names that are one",
    "times": "How times are written",
    "zone": "Whose clock they are of",
    "delimiter": "What separates cells",
    "encoding": "Encoding",
    "dedupe": "Leave out rows that repeat an earlier one",
}
"""The options of reading that the form has, and what it calls them."""
TAB: Final = "tab"
"""What is written for a tab, which no field of a form takes."""
_MAPPED: Final = re.compile(r"\b(columns|results)=(\{[^{}]*\})")
_CHOSEN: Final = re.compile(r"""\b(times|zone|delimiter|encoding)=('[^']*'|"[^"]*")""")
_NAMED: Final = re.compile(r"(?<![\w\"])(columns|results|aliases|times) (says|maps|has)\b")


def for_form(text: str) -> str:
    """A message or hint, with the fields of the form in the place of options.

    >>> for_form("map it: columns={'score_a': 'Points'}; or times='days'")
    'map it: score_a=Points in “Columns”; or days in “How times are written”'
    >>> for_form("2 identical rows; pass ids or --dedupe")
    '2 identical rows; give each game an id in a column, or tick “Leave out rows that repeat an earlier one”'
    """
    text = _MAPPED.sub(lambda found: _pairs(found[1], found[2]), text)
    text = _CHOSEN.sub(lambda found: _one(found[1], found[2]), text)
    text = text.replace("pass ids or --dedupe", f"give each game an id in a column, or tick {_field('dedupe')}")
    text = text.replace("--dedupe rejects", f"{_field('dedupe')} rejects")
    return _NAMED.sub(lambda found: f"{_field(found[1])} {found[2]}", text)


def _pairs(name: str, mapping: str) -> str:
    try:
        told = literal_eval(mapping)
    except (SyntaxError, ValueError):
        return f"{mapping} in {_field(name)}"
    return f"{', '.join(f'{one}={other}' for one, other in told.items())} in {_field(name)}"


def _one(name: str, value: str) -> str:
    word = str(literal_eval(value))
    return f"{TAB if word == chr(9) else word} in {_field(name)}"


def _field(name: str) -> str:
    return f"\N{LEFT DOUBLE QUOTATION MARK}{FIELDS[name]}\N{RIGHT DOUBLE QUOTATION MARK}"
