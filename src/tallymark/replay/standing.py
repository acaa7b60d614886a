"""Where all players stand: in columns, as the fold changes them, or in rows of memory, as the passes do.

One of the two is the truth at a time. Rows are made of columns where a pass begins, and columns of rows where somebody
asks for them: of a million players, either takes as long as many games.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tallymark.replay.columns import NEVER, FloatColumn, IntColumn, Players, as_arrays
from tallymark.replay.kinds import Kinds, Places, kinds_of, words_of
from tallymark.replay.rows import ESTABLISHED, MARKS, PART, Rows, rows_of

Floats: TypeAlias = NDArray[np.float64]
Wholes: TypeAlias = NDArray[np.int64]
Which: TypeAlias = slice | NDArray[np.int64]
"""Some of the players: a part of them, or their places."""

_COUNTS = slice(Players._fields.index("games"), Players._fields.index("losses") + 1)


class Standing:
    """The players of one replay."""

    def __init__(self, players: Players) -> None:
        self._columns = players  # where there are rows, what these began from
        self._rows: Rows | None = None
        self._last_played = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._columns.mu)

    def rows(self, publishing: bool) -> tuple[Rows, Wholes]:
        """The players as rows, and their `last_played`: both are the truth from here on, and theirs who asks."""
        if self._rows is None:
            self._rows = rows_of(self._columns, publishing)
            self._last_played = np.array(self._columns.last_played, np.int64)
        return self._rows, self._last_played

    def columns(self) -> Players:
        """The players as columns, which are the truth from here on."""
        if self._rows is not None:
            self._columns, self._rows = self.copied(), None
        if isinstance(self._columns.mu, np.ndarray):  # what everybody begins with is there once, and cannot change
            self._columns = Players(*(np.require(column, requirements=["C", "W"]) for column in self._columns))
        return self._columns

    def copied(self) -> Players:
        """The players as they stand now, as arrays of their own."""
        if self._rows is None:
            return as_arrays(Players(*map(np.array, self._columns)))
        out = Players(*(np.empty(len(self), np.asarray(column).dtype) for column in as_arrays(self._columns)))
        for low in range(0, len(self), PART):  # part by part, which stays near the processor
            part = slice(low, low + PART)
            values = (
                *self.states(part),
                self.last(part),
                self.rated(part),
                *self.counts(part),
                self.last_played(part),
                *self.published(part),
            )
            for column, found in zip(out, values, strict=True):
                np.asarray(column)[part] = found
        return out

    def states(self, which: Which) -> tuple[Floats, Floats, Floats]:
        """mu, phi^2 and sigma^2."""
        if self._rows is None:
            c = self._columns
            return np.asarray(c.mu)[which], np.asarray(c.phi2)[which], np.asarray(c.sigma2)[which]
        mu, phi2, sigma2 = _taken(self._rows.state, which)
        return mu, phi2, sigma2

    def last(self, which: Which) -> Wholes:
        """The times of the states, on the methodology's clock."""
        if self._rows is None:
            return np.asarray(self._columns.last)[which]
        times = self._rows.last[which, 3]
        return np.where(times != NEVER, times, _before(self._columns.last, which))

    def since(self, part: slice) -> Wholes:
        """The times that players age from; NEVER for who does not age, having no state or no time of it."""
        if self._rows is not None:
            return self._rows.last[part, 3]
        return np.where(self.rated(part), self.last(part), NEVER)

    def rated(self, which: Which) -> NDArray[np.bool_]:
        """Who has a state of their own: with one more result, one is rated."""
        if self._rows is None:
            return np.asarray(self._columns.rated)[which] > 0
        won, drawn, lost = _taken(self._rows.counts, which)
        rated: NDArray[np.bool_] = (won | drawn | lost) > 0
        rated |= _before(self._columns.rated, which) > 0
        return rated

    def how_many_are_rated(self) -> int:
        """How many players have a state of their own."""
        return sum(int(np.count_nonzero(self.rated(slice(low, low + PART)))) for low in range(0, len(self), PART))

    def counts(self, which: Which) -> tuple[Wholes, Wholes, Wholes, Wholes]:
        """Games, wins, draws and losses."""
        columns = self._columns[_COUNTS]
        if self._rows is None:
            games, wins, draws, losses = (np.asarray(column)[which] for column in columns)
            return games, wins, draws, losses
        won, drawn, lost = _taken(self._rows.counts, which)
        games, wins, draws, losses = (more.astype(np.int64) for more in (won + drawn + lost, won, drawn, lost))
        for total, column in zip((games, wins, draws, losses), columns, strict=True):
            total += _before(column, which)
        return games, wins, draws, losses

    def kinds(self) -> Kinds | None:
        """Players that are equal in state and counts; None where few seem to be, or where what is published of them, or
        who they were before the log, may tell equal ones apart."""
        if self._rows is None or len(self._rows.peaks) or np.asarray(self._columns.rated).strides != (0,):
            return None
        return kinds_of([*words_of(self._rows.state, 3), *words_of(self._rows.counts.view(np.int64), 2)])

    def last_played(self, which: slice | Places) -> Wholes:
        """Instants of the last games."""
        values = np.asarray(self._columns.last_played) if self._rows is None else self._last_played
        return values[which] if isinstance(which, slice) else values.take(which)

    def published(self, which: Which) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats]:
        """`established`, `has_peak` and `peak`."""
        c = self._columns
        established, has_peak = np.asarray(c.established)[which] > 0, np.asarray(c.has_peak)[which] > 0
        peak = np.asarray(c.peak)[which]
        if self._rows is None or not len(self._rows.peaks):
            return established, has_peak, peak
        best = self._rows.peaks[which, 3]
        peaked = best > -np.inf
        marked = (self._rows.counts[which, MARKS] & ESTABLISHED) > 0
        return established | marked, has_peak | peaked, np.where(peaked, best, peak)


def _taken(rows: np.ndarray, which: Which) -> tuple[np.ndarray, ...]:
    """The first three columns of some rows. Each is taken out of one long column, which is what numpy is quick at."""
    if isinstance(which, slice):
        part = rows[which]
        return part[:, 0], part[:, 1], part[:, 2]
    flat, at = rows.reshape(-1), which * rows.shape[1]
    return flat.take(at), flat.take(at + 1), flat.take(at + 2)


def _before(column: FloatColumn | IntColumn, which: Which) -> np.ndarray:
    """Some players' values; one alone where everybody has the same."""
    values = np.asarray(column)
    return values[:1] if values.strides == (0,) else values[which]
