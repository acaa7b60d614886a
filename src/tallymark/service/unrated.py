"""Why a match is not rated, and what would change that: for its page, and for the receipt where it says so itself."""

import math
from collections.abc import Callable
from typing import Final, NamedTuple

from tallymark.ledger.fold.played import Match, Side, read_match
from tallymark.ledger.fold.rating import why_not
from tallymark.ledger.fold.reasons import Unrated
from tallymark.ledger.ledger import Ledger
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER
from tallymark.replay.schedule import DAY

_SECONDS: Final = 5.0
"""So long a pool's rules are not looked up again: a hint may be that much behind."""
_SORTS: Final = 1000
"""Sorts of matches that are remembered."""
_ANEW: Final = "Its time is not corrected: send it under another id, with the right one."
_CHANGED: Final = "A correction may change what it says; whether that counts is up to the rules (late)."
_RULES: Final = "Other rules for the pool would rate such matches from then on."


class Why(NamedTuple):
    """A public reason in a sentence, and what would change it."""

    words: str
    remedy: str


WHY: Final = {
    "ending": Why("It ended in a way that these rules do not rate.", f"{_CHANGED} {_RULES}"),
    "source": Why("It came from where matches are not rated.", f"{_CHANGED} {_RULES}"),
    "draw": Why("It was drawn, and draws are not rated here.", f"{_CHANGED} {_RULES}"),
    "short": Why("It has too few steps to be rated.", f"{_CHANGED} {_RULES}"),
    "handicap": Why("It was no even game.", f"{_CHANGED} {_RULES}"),
    "board": Why("Its board is not rated.", f"{_CHANGED} {_RULES}"),
    "komi": Why("Its komi is not rated.", f"{_CHANGED} {_RULES}"),
    "score": Why("It has a score that a contract's integers cannot rate.", _CHANGED),
    "instant": Why("It was played before 1970, which a contract's integers do not have.", _ANEW),
    "teams": Why("It was between teams, which are not rated here.", _RULES),
    "unequal-teams": Why("Its teams were of different sizes.", f"{_CHANGED} {_RULES}"),
    "late": Why(
        "It was played before what was already settled when it came, and these rules refuse what is late.",
        "Rules whose late is recompute or next-period would rate late matches from then on.",
    ),
    "no-result": Why(
        "No result was reported: that is neither a draw nor a win.",
        "A correction may give it one where the rules compute again, or while its period is open; else send it under "
        "another id, with its result.",
    ),
    "no-time": Why(
        "It does not say when it was played, and this pool rates by time.",
        "Send it under another id, with played_at: what was received is never changed.",
    ),
    "future": Why("It is dated more than a day ahead of when it came.", _ANEW),
    "too-late": Why(
        "It was played longer ago than these rules compute again.",
        "Rules with a longer recompute_days would take such matches from then on.",
    ),
    "oneself": Why(
        "It is between two who are one since they were merged.",
        "If they are two after all, part them, and send it under another id.",
    ),
    "invalid": Why("The contract whose rules the pool has would take it for void.", _CHANGED),
    "matchmaker": Why("The contract whose rules the pool has would not have paired these two.", _RULES),
    "referee": Why("The contract whose rules the pool has would have it void by the referee.", _RULES),
    "anchor": Why("The contract whose rules the pool has does not rate such players.", _RULES),
}
"""By the public code. A test holds that every code is here."""


class Forecast:
    """Why matches will not be rated under a methodology, as far as they say so themselves. It asks nobody: each sort of
    match is looked at once, whoever plays it.

    >>> from tallymark.methodology import methodology
    >>> weekly = Forecast(methodology("paper").with_(period="7d"))
    >>> weekly.why_not(b'{"id":1,"player_a":"ann","player_b":"bob","score_a":1}', now=0)
    <Unrated.NO_TIME: 'no-time'>
    """

    def __init__(self, rules: Methodology) -> None:
        self._rules = rules
        self._known: dict[Match, str | None] = {}

    def why_not(self, body: bytes, now: int) -> str | None:
        """The public reason for a match that is received now, in microseconds since 1970 UTC; None where none is known
        yet: who plays, and which periods are over, may be one."""
        match = read_match(body)
        if match.played > now + DAY:
            return Unrated.FUTURE.value
        sort = _sort_of(match, self._rules.rated.minimum_steps)
        if sort not in self._known:
            if len(self._known) >= _SORTS:
                self._known.clear()
            (self._known[sort],) = why_not(self._rules, [sort], {})
        return self._known[sort]


class Forecasts:
    """The forecast of each pool, under the rules that it had some seconds ago at most. `ticks`: seconds that never go
    back."""

    def __init__(self, ledger: Ledger, ticks: Callable[[], float]) -> None:
        self._ledger, self._ticks = ledger, ticks
        self._known: dict[str, tuple[float, str, Forecast]] = {}
        self._renewed: dict[str, float] = {}

    def known(self, pool: str) -> Forecast | None:
        """The forecast of a pool, where nothing has to be looked up for it."""
        found, now = self._known.get(pool), self._ticks()
        if found is None or now - found[0] > _SECONDS or now - self._renewed.get(pool, -math.inf) <= _SECONDS:
            return None
        return found[2]

    def renew(self, pool: str) -> None:
        """Other rules were received for a pool: for some seconds, in which they come into force, nothing is kept."""
        self._renewed[pool] = self._ticks()

    def of(self, pool: str) -> Forecast:
        """The forecast of a pool that there is."""
        known = self.known(pool)
        if known is None:
            rules, before = self._ledger.rules(pool), self._known.get(pool)
            known = before[2] if before is not None and before[1] == rules.hash else Forecast(rules)
            self._known[pool] = self._ticks(), rules.hash, known
        return known


def _sort_of(match: Match, steps: int) -> Match:
    """The match without who plays it, and when."""
    names = iter(range(len(match.people)))
    return match._replace(
        id=0,
        a=0,
        b=1,
        played=NEVER if match.played == NEVER else min(0, max(-1, match.played)),
        sides=tuple(Side(tuple(next(names) for _ in side.players), side.rank) for side in match.sides),
        steps=min(match.steps, steps),
        band_a=-1,
        band_b=-1,
    )
