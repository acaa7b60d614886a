"""Players where plain matches are rated, each in a seat: taken for one run of matches, or kept from run to run.

A recount keeps them. Rows of players do not change: each match would make two new ones, and for compiled code they
would have to be made into columns and back again for every few matches, which costs more than rating those.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tallymark.games.ids import Id
from tallymark.ledger.fold.rows import Row, newcomer
from tallymark.ledger.ids import in_json
from tallymark.methodology import Methodology
from tallymark.replay.single import COUNTS, Rated, rate_singles

_new: Final = tuple.__new__  # what `Row._make` calls, at half its price
_COUNTS: Final = slice(3, 3 + len(COUNTS))
LAST, RATED, GAMES, WINS, DRAWS, LOSSES, LAST_PLAYED = map(Row._fields.index, COUNTS)
POSITION, SETTLED = map(Row._fields.index, ("position", "settled"))
_FIRST: Final = 1024
"""Seats that there are at first; they double when they are taken."""


P = TypeVar("P")


class Seats(ABC, Generic[P]):
    """Where players of a pool stand under one methodology, one that `replay.single` can rate."""

    def __init__(self, rules: Methodology) -> None:
        self.rules = rules
        self.seat: dict[bytes, P] = {}
        """By the player's id in JSON."""

    def places(self, names: Iterable[bytes]) -> list[P] | None:
        """Where these players sit, by their ids in JSON; None where one of them has no seat."""
        try:
            return [*map(self.seat.__getitem__, names)]
        except KeyError:
            return None

    @abstractmethod
    def take(self, rows: Mapping[Id, Row]) -> None:
        """These players stand so now; who had no seat gets one."""

    @abstractmethod
    def rows(self, players: Iterable[Id]) -> dict[Id, Row]:
        """Where these players stand, who all have seats."""


class ListSeats(Seats[list[float]]):
    """A list a player, for the interpreter: the values of a row, which change in their places."""

    def take(self, rows: Mapping[Id, Row]) -> None:
        self.seat |= {in_json(player): list(row) for player, row in rows.items()}

    def rows(self, players: Iterable[Id]) -> dict[Id, Row]:
        return {player: row_of(self.seat[in_json(player)]) for player in players}


def row_of(told: list[float]) -> Row:
    """The row of a player who sits in a list."""
    return _new(Row, told)


def count(told: list[float], score: float, played: int, position: int) -> None:
    """Counts a match of the player's, which the entry at a position settled."""
    if played > told[LAST]:
        told[LAST] = played
    told[RATED] = 1
    told[GAMES] += 1
    told[WINS if score > 0.5 else DRAWS if score == 0.5 else LOSSES] += 1
    if played > told[LAST_PLAYED]:
        told[LAST_PLAYED] = played
    told[POSITION] = told[SETTLED] = position


class ArraySeats(Seats[int]):
    """Columns, for compiled code."""

    def __init__(self, rules: Methodology) -> None:
        super().__init__(rules)
        self.last: list[int] = []
        """By seat: the position of the player's last entry."""
        self._seated: list[Row] = []
        self._newcomer = newcomer(rules)
        self._state, self._counts = _columns([self._newcomer] * _FIRST)

    def take(self, rows: Mapping[Id, Row]) -> None:
        fresh = [name for player in rows if (name := in_json(player)) not in self.seat]
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
        places = [self.seat[in_json(player)] for player in rows]
        for place, row in zip(places, rows.values(), strict=True):
            self.last[place], self._seated[place] = row.position, row
        self._state[places], self._counts[places] = _columns(list(rows.values()))

    def rate(self, a: Sequence[int], b: Sequence[int], score: Sequence[float | None], played: Sequence[int]) -> Rated:
        """Rates games between seats, one after the other: both sides after each of them. All have a score."""
        seats_a, seats_b = np.array(a, np.int64), np.array(b, np.int64)
        scores, at = np.array(score, np.float64), np.array(played, np.int64)
        return rate_singles(self.rules, self._state, self._counts, seats_a, seats_b, scores, at)

    def rows(self, players: Iterable[Id]) -> dict[Id, Row]:
        asked = list(players)
        places = [self.seat[in_json(player)] for player in asked]
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
