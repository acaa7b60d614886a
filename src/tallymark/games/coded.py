"""Rows as codes and numbers: what checking makes of columns, and what a log is put in order from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tallymark.games.ids import Id
from tallymark.games.sorting import falls


@dataclass
class Coded:
    """Rows as codes and numbers, still in the order of the input and with the faulty ones among them (see Findings)."""

    players: Sequence[Id]
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    score: NDArray[np.float64]
    pools: list[str]
    pool: NDArray[np.int32]
    row: NDArray[np.int64]
    time: NDArray[np.int64] | None = None
    order: NDArray[np.float64] | NDArray[np.int64] | None = None
    match: NDArray[np.int32] | None = None
    matches: list[Id] | None = None
    game: NDArray[np.int32] | None = None
    games: Sequence[Id] | None = None
    steps: NDArray[np.int32] | None = None
    ending: NDArray[np.int8] | None = None
    source: NDArray[np.int8] | None = None
    board: NDArray[np.int32] | None = None
    komi: NDArray[np.float64] | None = None
    handicap: NDArray[np.int32] | None = None
    band_a: NDArray[np.int32] | None = None
    band_b: NDArray[np.int32] | None = None
    size_a: NDArray[np.int32] | None = None
    size_b: NDArray[np.int32] | None = None

    @cached_property
    def in_time(self) -> bool:
        """Whether the rows, as they were checked, are in the order of time."""
        return self.time is not None and not falls(self.time)

    def per_row(self) -> dict[str, np.ndarray]:
        """The columns that have one value a row, by name."""
        named = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: value for name, value in named.items() if isinstance(value, np.ndarray)}
