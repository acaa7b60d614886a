"""Points tables: what players won, whatever their ratings, and the ratings beside it."""

from tallymark.standings.table import standings
from tallymark.standings.tie_breaks import TieBreak

__all__ = ["TieBreak", "standings"]
