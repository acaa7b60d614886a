"""Matches in words: who played whom, how it ended, and when."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from tallymark.games.ids import Id
from tallymark.games.times.iso import EPOCH, MICROSECOND
from tallymark.ledger.fold.played import Match
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.reading.matches import bare_sides
from tallymark.ledger.reading.seats import Side
from tallymark.replay.columns import NEVER
from tallymark.service.pages.named import Names
from tallymark.service.pages.words import day

_MOST: Final = 8
"""Sides of a match, and players of a side, that are named."""


class Title(NamedTuple):
    """A match by its players: `who` played whom, `how` it ended, and the `day` on which it was played, where it says
    so. `corrected`: a correction names it."""

    who: str
    how: str
    day: datetime | None
    corrected: bool = False

    @property
    def short(self) -> str:
        """Who played whom, and when."""
        return self.who if self.day is None else f"{self.who}, {day(self.day)}"

    @property
    def told(self) -> str:
        """Who played whom, and how it ended."""
        return f"{self.who}, {self.how}"


def titles(ledger: Ledger, pool: str, ids: Iterable[Id]) -> dict[Id, Title]:
    """Some matches by their players, as was said last; those that the pool has not received are not there."""
    found = ledger.said(pool, list(ids))
    names = Names(ledger, {player for one in found.values() for player in one.match.people})
    return {id: titled(one.match, names, bool(one.corrections)) for id, one in found.items()}


def titled(match: Match, names: Names, corrected: bool = False) -> Title:
    """A match by its players."""
    sides = bare_sides(match)
    at = None if match.played == NEVER else EPOCH + match.played * MICROSECOND
    return Title(title_of(sides, names), how_of(sides, names), at, corrected)


def changed(before: Match, after: Match, names: Names) -> tuple[str, str]:
    """A match before and after a correction, with as much of it as tells them apart."""
    was, became = titled(before, names), titled(after, names)
    if was.told != became.told:
        return was.told, became.told
    found = tuple(
        f"{one.told}, {day(one.day)}, {match.ending or 'no ending said'}"
        for one, match in ((was, before), (became, after))
    )
    return (found[0], found[1]) if found[0] != found[1] else (was.told, "the same, in its details")


def how_of(sides: tuple[Side, ...], names: Names) -> str:
    """How it ended, as the end of a sentence."""
    found = result_of(sides, names)
    return "no result" if found is None else "drawn" if found == "Drawn" else found


def title_of(sides: tuple[Side, ...], names: Names) -> str:
    """Who played whom."""
    return " v ".join(_side(side, names) for side in sides[:_MOST]) + _more(len(sides))


def result_of(sides: tuple[Side, ...], names: Names) -> str | None:
    """How it ended, in words; None where there is no result."""
    return result_told([(side.rank, _side(side, names)) for side in sides])


def result_told(sides: Sequence[tuple[float | None, str]]) -> str | None:
    """The same of sides by their ranks, and by what they are called.

    >>> result_told([(1, "ann"), (2, "bob")]), result_told([(1, "ann"), (1, "bob")])
    ('ann won', 'Drawn')
    """
    ranks = [rank for rank, _ in sides if rank is not None]
    if len(ranks) < len(sides):
        return None
    best = [called for (_, called), won in zip(sides, winners([rank for rank, _ in sides]), strict=True) if won]
    return f"{' and '.join(best)} won" if best else "Drawn"


def winners(ranks: Sequence[float | None]) -> list[bool]:
    """Who won, by ranks: nobody where all share one, or where there is no result.

    >>> winners([2, 1]), winners([1, 1]), winners([None, None])
    ([False, True], [False, False], [False, False])
    """
    if None in ranks or len(set(ranks)) == 1:
        return [False] * len(ranks)
    best = min(rank for rank in ranks if rank is not None)
    return [rank == best for rank in ranks]


def told_of(sides: tuple[Side, ...], names: Names) -> str:
    """Who played whom, and how it ended."""
    return f"{title_of(sides, names)}, {how_of(sides, names)}"


def _side(side: Side, names: Names) -> str:
    named = (names.called(seat.player) for seat in side.seats[:_MOST])
    return ", ".join(named) + _more(len(side.seats))


def _more(count: int) -> str:
    return f" and {count - _MOST} more" if count > _MOST else ""
