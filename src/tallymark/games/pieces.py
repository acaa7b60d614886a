"""A log as Arrow, piece by piece: columns that anything can read, made without an object a cell."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.games.log import GameLog
from tallymark.games.orders import NO_ORDER
from tallymark.games.origin import NO_LINE
from tallymark.games.vocabulary import Ending, Source

if TYPE_CHECKING:
    from arro3.core import Array, RecordBatch, RecordBatchReader

TABLES: Final = {"players": ("player_a", "player_b"), "matches": ("match",), "games": ("game",), "pools": ("pool",)}
"""The tables of ids of a log, and the columns that are looked up in each."""
CODES: Final = {"player_a": "a", "player_b": "b", "match": "match", "game": "game", "pool": "pool"}
"""The array of codes behind each of these columns."""
WORDS: Final = {"ending": Ending, "source": Source}
WHOLE: Final = ("steps", "board", "handicap", "band_a", "band_b", "size_a", "size_b")
_PIECE: Final = 1 << 20
"""So many games are made into Arrow at a time: ten million in one piece would be a second log in memory."""
_APART: Final = "write one of them otherwise in the files: one text cannot stand for two ids"


def in_pieces(log: GameLog) -> "RecordBatchReader":
    """The games as a stream of batches; `InputError` for ids that would be one text, before the first batch.

    >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
    >>> in_pieces(log).schema.names
    ['pool', 'player_a', 'player_b', 'score_a', 'row']
    """
    from arro3.core import RecordBatchReader

    lookups = _lookups(log)
    first = _piece(log, lookups, slice(0, 0))
    starts = range(0, len(log), _PIECE)
    pieces: Iterator[RecordBatch] = (_piece(log, lookups, slice(start, start + _PIECE)) for start in starts)
    return RecordBatchReader.from_batches(first.schema, pieces)


def selected_of(name: str, log: GameLog) -> str:
    """A column in SQL, with nulls where the log has numbers that stand for nothing."""
    missing = {**dict.fromkeys(WHOLE, -1), "line": NO_LINE}
    if log.order is not None and log.order.dtype.kind == "i":
        missing["order"] = NO_ORDER
    return f'NULLIF("{name}", {missing[name]}) AS "{name}"' if name in missing else f'"{name}"'


def _lookups(log: GameLog) -> dict[str, "Array"]:
    """By column, what its codes stand for, and a null behind it."""
    from arro3.core import Array, DataType

    found: dict[str, Array] = {}
    for table, names in TABLES.items():
        ids = getattr(log, table)
        if ids is not None:
            found |= dict.fromkeys(names, _id_array(ids, names[0]))
    for name, kind in WORDS.items():
        found[name] = Array([*(member.value for member in kind), None], DataType.string())
    found["file"] = Array([*log.origin.files, None], DataType.string())
    return found


def _piece(log: GameLog, lookups: dict[str, "Array"], part: slice) -> "RecordBatch":
    from arro3.core import Array, DataType, RecordBatch

    columns: dict[str, Array] = {}
    if log.time is not None:
        columns["played_at"] = Array.from_numpy(log.time[part]).cast(DataType.timestamp("us", tz="UTC"))
    for name in ("pool", "match", "game", "player_a", "player_b"):
        codes = getattr(log, CODES[name])
        if codes is not None:
            columns[name] = _looked_up(lookups[name], codes[part])
    columns["score_a"] = Array.from_numpy(log.score[part])
    for name in WORDS:
        if getattr(log, name) is not None:
            columns[name] = _looked_up(lookups[name], getattr(log, name)[part])
    for name in (*WHOLE, "komi", "order"):
        if getattr(log, name) is not None:
            columns[name] = Array.from_numpy(getattr(log, name)[part])
    rows = log.row[part]
    if log.origin.files:
        files = np.searchsorted(np.array(log.origin.starts), rows, side="right") - 1
        columns["file"] = _looked_up(lookups["file"], files)
    if log.origin.lines is not None:
        columns["line"] = Array.from_numpy(np.ascontiguousarray(log.origin.lines[rows]))
    columns["row"] = Array.from_numpy(rows)
    return RecordBatch.from_arrays(list(columns.values()), names=list(columns))


def _id_array(ids: Sequence[Id], name: str) -> "Array":
    """The ids and a null behind them, as integers or as text."""
    from arro3.core import Array, DataType

    if ids and isinstance(ids[-1], int):  # integers come first
        return Array([*ids, None], DataType.int64())
    texts = {one for one in ids if isinstance(one, str)}
    for one in ids:
        if isinstance(one, int) and str(one) in texts:
            raise InputError(f"{name} holds both {one} and {str(one)!r}, which would be one text", hint=_APART)
    return Array([*map(str, ids), None], DataType.string())


def _looked_up(table: "Array", codes: NDArray[np.integer]) -> "Array":
    from arro3.core import Array

    return table.take(Array.from_numpy(np.where(codes < 0, len(table) - 1, codes).astype(np.int32)))
