"""The games to come that somebody asked about, as the library takes them: which player, which pool, when."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallymark.cli.endings import hinting, usage
from tallymark.cli.words import shown_id

if TYPE_CHECKING:
    from tallymark import Fixtures, Replay, Snapshot, Table

Id = str | int
_ASKED = 20
"""About so many new players it is asked whether a known one was meant: each is compared with all names."""


@dataclass
class Expecting:
    """What is known, and what is to be said about the games as they were asked for."""

    result: "Replay"
    start: "Snapshot | None"
    at: str | None
    pool: str | None
    notes: list[str] = field(default_factory=list)

    def of_two(self, one: str, other: str) -> "Table":
        """What is expected of a game of two players. Names that are not known are asked about, never changed."""
        from tallymark import predict

        known = self._players()
        a, b = (self._identified(word, known) for word in (one, other))
        self._ask((a, b), known)
        self._check_pools([] if self.pool is None else [self.pool])
        with hinting("name two players, each as the games have them"):
            return predict(self.result, [a], [b], at=self.at, pool=self.pool)

    def of_all(self, fixtures: "Fixtures") -> "Table":
        """What is expected of the games of a file."""
        import numpy as np

        from tallymark import predict
        from tallymark.games.times import NO_TIME, parse_instant

        times = np.full(len(fixtures), NO_TIME) if fixtures.played_at is None else fixtures.played_at
        if self.at is not None:
            with hinting("for example --at 2026-11-29"):
                times = np.where(times == NO_TIME, parse_instant(self.at), times)
        pools = fixtures.pool
        if pools is not None and not any(self._pools()):
            self.notes.append("the games are of one pool: the column of pools counts for nothing")
            pools = None
        if pools is None and self.pool is not None:
            pools = [self.pool] * len(fixtures)
        if pools is not None or len(fixtures):
            self._check_pools(pools or [])
        known = self._players()
        a, b = ([self._identified(one, known) for one in side] for side in (fixtures.player_a, fixtures.player_b))
        self._ask((*a, *b), known)
        return predict(
            self.result,
            a,
            b,
            at=times.view("datetime64[us]"),
            pool=pools,
        )

    def _ask(self, named: Iterable[Id], known: set[Id]) -> None:
        """Asks about the first players that are new and have names like known ones."""
        texts = sorted(player for player in known if isinstance(player, str))
        new = [word for word in dict.fromkeys(named) if word not in known]
        for word in new[:_ASKED]:
            close = difflib.get_close_matches(str(word), texts, n=1)
            if close:
                self.notes.append(f"{word} is new; was {close[0]} meant?")

    def _players(self) -> set[Id]:
        started = () if self.start is None else self.start.player
        return {*self.result.log.players, *started}

    def _pools(self) -> list[str]:
        """The pools that have ratings."""
        log = self.result.log
        return sorted({*(log.pools if len(log) else ()), *(() if self.start is None else self.start.pools)})

    def _check_pools(self, named: Iterable[str]) -> None:
        """Refuses pools that nobody has played in, and none where there are several."""
        pools = self._pools() or [""]
        listed = ", ".join(map(shown_id, pools))
        names = list(dict.fromkeys(named))
        if not names and len(pools) > 1:
            raise usage(f"in which pool? there are {listed}", f"for example --in {pools[0]}")
        for name in names:
            if name not in pools:
                hint = "a pool without games has no ratings yet: leave it out, or mend its name"
                raise usage(f"nobody has played in pool {shown_id(name)}; there are {listed}", hint)

    def _identified(self, word: Id, known: set[Id]) -> Id:
        """The player of a word; where ids are integers, the one that its digits spell."""
        if isinstance(word, str) and word not in known and word.isascii() and word.isdigit():
            number = int(word)
            if str(number) == word and number in known:
                note = "ids are integers: digits are the player with this number"
                if note not in self.notes:
                    self.notes.append(note)
                return number
        return word
