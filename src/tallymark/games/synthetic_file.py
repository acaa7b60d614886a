"""Synthetic logs written to Parquet or CSV piece by piece, so that memory does not grow with the games."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tallymark.duck import connected
from tallymark.errors import WriteError
from tallymark.files import written_beside
from tallymark.games.progress import Progress, silent
from tallymark.games.synthetic import Piece, Synthesis
from tallymark.games.vocabulary import Ending, Source

if TYPE_CHECKING:
    from arro3.core import Array, RecordBatch

_WAYS: Final = {
    ".parquet": "FORMAT parquet, COMPRESSION zstd",
    ".csv": "FORMAT csv, HEADER, TIMESTAMPFORMAT '%Y-%m-%dT%H:%M:%S.%fZ'",
}
SUFFIXES: Final = tuple(_WAYS)
"""How the name of a file may end."""


def write_synthetic(path: str | os.PathLike[str], of: Synthesis, progress: Progress = silent) -> None:
    """Writes the games that `synthetic` makes, in canonical columns, to .parquet or .csv.

    The file is written beside its target and renamed. WriteError for another ending, and where it cannot be written.

    >>> write_synthetic("games.txt", Synthesis(games=3, players=2))
    Traceback (most recent call last):
    tallymark.errors.WriteError: games.txt: cannot tell the format
    hint: end the name in .parquet, .csv
    """
    from arro3.core import RecordBatchReader

    suffix = Path(path).suffix.lower()
    if suffix not in _WAYS:
        raise WriteError(f"{os.fspath(path)}: cannot tell the format", hint=f"end the name in {', '.join(SUFFIXES)}")
    zone = "UTC" if suffix == ".parquet" else None  # in CSV the format says so
    names = _names(of)
    schema = _batch(next(Synthesis(1, 2, go=of.go).pieces()), names, zone).schema

    def batches() -> "Iterator[RecordBatch]":
        done = 0
        for piece in of.pieces():
            yield _batch(piece, names, zone)
            done += len(piece.a)
            progress(done, done / of.games)

    # One thread writes a piece before the next is made; several would gather pieces to keep them in order.
    with written_beside(path) as beside, connected(threads="1") as connection:
        connection.register("games", RecordBatchReader.from_batches(schema, batches()))
        target = str(beside).replace("'", "''")
        connection.execute(f"COPY games TO '{target}' ({_WAYS[suffix]})")


def _names(of: Synthesis) -> "Array":
    from arro3.core import Array, DataType

    if of.ids == "integers":
        return Array.from_numpy(np.array(of.names, np.int64))
    return Array(of.names, DataType.string())


def _batch(piece: Piece, names: "Array", zone: str | None) -> "RecordBatch":
    from arro3.core import Array, DataType, RecordBatch

    columns: dict[str, Array] = {
        "played_at": Array.from_numpy(piece.time).cast(DataType.timestamp("us", tz=zone)),
        "player_a": names.take(Array.from_numpy(piece.a)),
        "player_b": names.take(Array.from_numpy(piece.b)),
        "score_a": Array.from_numpy(piece.score),
    }
    for name, codes, kind in (("ending", piece.ending, Ending), ("source", piece.source, Source)):
        if codes is not None:
            words = Array([member.value for member in kind], DataType.string())
            columns[name] = words.take(Array.from_numpy(codes.astype(np.int32)))
    for name, values in (("steps", piece.steps), ("board", piece.board), ("komi", piece.komi)):
        if values is not None:
            columns[name] = Array.from_numpy(values)
    return RecordBatch.from_arrays(list(columns.values()), names=list(columns))
