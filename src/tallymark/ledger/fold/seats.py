"""Players in columns for compiled code, each in a seat: taken for one run of matches, or kept from run to run.

A recount keeps them, for rows of players would have to be made into columns and back again for every few thousand
matches, which costs more than rating those.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from orjson import dumps, loads

from tallymark.games.ids import Id
from tallymark.ledger.fold.rows import Row, columns_of, newcomer, rows_of
from tallymark.methodology import Methodology
from tallymark.replay.columns import Games, Players, Steps, Units, as_arrays
from tallymark.replay.engines import Machine
from tallymark.replay.schedule import NONE, read_only

_FIRST: Final = 1024
"""Seats that there are at first; they double when they are taken."""


class Seats:
    """Where players of a pool stand under one methodology, one that `replay.single` can rate."""

    def __init__(self, rules: Methodology) -> None:
        self.rules = rules
        self.seat: dict[bytes, int] = {}
        """By the player's id in JSON."""
        self.last: list[int] = []
        """By seat: the position of the player's last entry."""
        self._seated: list[Row] = []
        self._newcomer = newcomer(rules)
        self._machine = self._with(columns_of([self._newcomer] * _FIRST))
        self._free = _FIRST

    def take(self, rows: Mapping[Id, Row]) -> None:
        """These players stand so now; who had no seat gets one."""
        fresh = [name for player in rows if (name := dumps(player)) not in self.seat]
        for name in fresh:
            self.seat[name] = len(self.last)
            self.last.append(0)
            self._seated.append(self._newcomer)
        if len(self.last) > self._free:
            more = max(self._free, len(self.last) - self._free)
            stood, new = self._machine.standing.copied(), as_arrays(columns_of([self._newcomer] * more))
            self._machine = self._with(Players(*map(np.concatenate, zip(stood, new, strict=True))))
            self._free += more
        if len(fresh) == len(rows):  # a seat is a newcomer's until somebody else sits there
            rows = {player: row for player, row in rows.items() if row != self._newcomer}
        if not rows:
            return
        places = [self.seat[dumps(player)] for player in rows]
        for place, row in zip(places, rows.values(), strict=True):
            self.last[place], self._seated[place] = row.position, row
        columns = self._machine.standing.columns()
        for column, values in zip(columns, as_arrays(columns_of(list(rows.values()))), strict=True):
            np.asarray(column)[places] = values

    def rate(
        self, a: Sequence[int], b: Sequence[int], score: Sequence[float | None], played: NDArray[np.int64]
    ) -> Steps:
        """Rates games between seats, one after the other: both sides after each of them. All have a score."""
        n = len(a)
        games = Games(
            a=np.array(a, np.int32),
            b=np.array(b, np.int32),
            s=np.array(score, np.float64),
            share=np.zeros(0),
            loser_only=NONE,
            peak=NONE,
            at=played,
            start_a=np.zeros(0),
            start_b=np.zeros(0),
        )
        work = self._machine.work(read_only(games), read_only(Units(NONE, played)), 2, False, True)
        self._machine.rate(work, 0, n)
        return work.steps

    def players(self) -> list[Id]:
        """Everybody who has a seat."""
        return [loads(name) for name in self.seat]

    def rows(self, players: Iterable[Id]) -> dict[Id, Row]:
        """Where these players stand, who all have seats."""
        asked = list(players)
        places = [self.seat[dumps(player)] for player in asked]
        which, standing = np.array(places, np.int64), self._machine.standing
        established, has_peak, peak = standing.published(which)
        columns = Players(
            *standing.states(which),
            standing.last(which),
            standing.rated(which).astype(np.int64),
            *standing.counts(which),
            standing.last_played(which),
            established.astype(np.int64),
            has_peak.astype(np.int64),
            peak,
        )
        found: dict[Id, Row] = {}
        for player, place, row in zip(asked, places, rows_of(as_arrays(columns)), strict=True):
            position, seated = self.last[place], self._seated[place]
            # Since it was seated, what made a row settled a match, too.
            settled = seated.settled if position == seated.position else position
            found[player] = row._replace(position=position, settled=settled)
        return found

    def _with(self, players: Players) -> Machine:
        return Machine(self.rules, players, "compiled", 0, 1)
