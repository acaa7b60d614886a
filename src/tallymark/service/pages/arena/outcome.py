"""How matches of the arena ended, in words: who won, by the game's own words why, or who failed and how."""

import re
from typing import Final, NamedTuple

from tallymark.arena.referee.endings import FORFEITS, Reason
from tallymark.service.arena.documents import ListedMatch
from tallymark.service.pages.titles import result_told, winners
from tallymark.service.pages.words import sentence

_FAILED: Final = {
    Reason.TIMEOUT: "let the deadline of an action pass",
    Reason.ILLEGAL: "answered with an action that the game does not allow",
    Reason.DISCONNECT: "lost the connection during the match",
}
_DRAWN: Final = "drawn: "
_TEAM: Final = re.compile(r"(.+) wins?")


class Outcome(NamedTuple):
    """`result`: who won, `Drawn`, or None where there is no result; `why`: the rest of it, None while it is played;
    `won`: by seat: nobody did where all share the place; `named`: `why` begins with an agent's name; `team`: `result`
    names no agent but a team."""

    result: str | None
    why: str | None
    won: list[bool]
    named: bool = False
    team: bool = False

    @property
    def told(self) -> str:
        """`why` as a sentence. Names stay as they are."""
        why = self.why or ""
        return f"{why}." if self.named else sentence(why)

    @property
    def listed(self) -> str | None:
        """In a list, which says by itself which agents won."""
        result = self.result if self.team else "drawn" if self.result == "Drawn" else None
        return self.why if result is None else f"{result}: {self.why}"


def outcome_of(match: ListedMatch, told: str | None) -> Outcome:
    """`told`: the words that the match ended with, where they are known.

    >>> seats = [{"agent": "ann", "rank": 1}, {"agent": "bob", "rank": 2}]
    >>> outcome_of({"seats": seats, "reason": "finished", "told": "..."}, "x has four in a row")[:2]
    ('ann won', 'x has four in a row')
    >>> outcome_of({"seats": seats, "reason": "timeout", "told": "..."}, "no action came")[:2]
    ('ann won', 'bob let the deadline of an action pass')
    """
    names = [seat["agent"] for seat in match["seats"]]
    ranks = [seat["rank"] for seat in match["seats"]]
    result, won = result_told(list(zip(ranks, names, strict=True))), winners(ranks)
    if match["reason"] is None:
        return Outcome(None, None, won)
    reason = Reason(match["reason"])
    if reason in FORFEITS:
        failed = [name for name, one in zip(names, won, strict=True) if not one]
        if len(failed) > 1:
            return Outcome(result, f"both {_FAILED[reason]}", won)
        return Outcome(result, f"{failed[0]} {_FAILED[reason]}", won, named=True)
    if told is None or result is None:
        return Outcome(result, match["told"], won)
    team, colon, why = told.partition(": ")
    named = _TEAM.fullmatch(team) if colon and len(names) > 2 else None
    if named is not None:  # the game says which of its teams that is
        return Outcome(f"{named[1][0].upper()}{named[1][1:]} won", why, won, team=True)
    return Outcome(result, told.removeprefix(_DRAWN), won)
