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
from tallymark.ledger.fold.rows import Row, newcomer
from tallymark.methodology import Methodology
from tallymark.replay.single import COUNTS, Rated, rate_singles

_COUNTS: Final = slice(3, 3 + len(COUNTS))
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
        self._state, self._counts = _columns([self._newcomer] * _FIRST)

    def take(self, rows: Mapping[Id, Row]) -> None:
        """These players stand so now; who had no seat gets one."""
        fresh = [name for player in rows if (name := dumps(player)) not in self.seat]
        for name in fresh:
            self.seat[name] = len(self.last)
            self.last.append(0)
            self._seated.append(self._newcomer)
        there = len(self._state)
        if len(self.last) > there:
            state, counts = _columns([self._newcomer] * max(there, len(self.last) - there))
            self._state, self._counts = np.concatenate([self._state, state]), np.concatenate([self._counts, counts])
        if len(fresh) == len(rows):  # a seat is a newcomer's until somebody else sits there
            rows = {player: row for player, row in rows.items() if row != self._newcomer}
        if not rows:
            return
        places = [self.seat[dumps(player)] for player in rows]
        for place, row in zip(places, rows.values(), strict=True):
            self.last[place], self._seated[place] = row.position, row
        self._state[places], self._counts[places] = _columns(list(rows.values()))

    def rate(
        self, a: Sequence[int], b: Sequence[int], score: Sequence[float | None], played: NDArray[np.int64]
    ) -> Rated:
        """Rates games between seats, one after the other: both sides after each of them. All have a score."""
        seats_a, seats_b = np.array(a, np.int64), np.array(b, np.int64)
        scores = np.array(score, np.float64)
        return rate_singles(self.rules, self._state, self._counts, seats_a, seats_b, scores, played)

    def players(self) -> list[Id]:
        """Everybody who has a seat."""
        return [loads(name) for name in self.seat]

    def rows(self, players: Iterable[Id]) -> dict[Id, Row]:
        """Where these players stand, who all have seats."""
        asked = list(players)
        places = [self.seat[dumps(player)] for player in asked]
        states: list[list[float]] = self._state[places].tolist()
        numbers: list[list[int]] = self._counts[places].tolist()
        found: dict[Id, Row] = {}
        for player, place, state, counts in zip(asked, places, states, numbers, strict=True):
            position, seated = self.last[place], self._seated[place]
            # Since it was seated, what made a row settled a match too; what the order of games decides is as it was.
            settled = seated.settled if position == seated.position else position
            shown = (seated.established, seated.has_peak, seated.peak)
            found[player] = Row._make([*state, *counts, *shown, position, 0, settled])
        return found


def _columns(rows: Sequence[Row]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The states of rows, and their counts."""
    return np.array([row[:3] for row in rows], np.float64), np.array([row[_COUNTS] for row in rows], np.int64)
