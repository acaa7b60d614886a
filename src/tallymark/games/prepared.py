"""Prepared logs: a game log in Parquet as it is, that reads back at once and says where every game came from.

The columns are canonical and readable by anything that reads Parquet. A mark in the file's metadata tells them from any
other Parquet: version, files, form, report, and a digest of it all, so that what was changed is not taken for a log.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np

from tallymark.checked import shortened
from tallymark.duck import connected
from tallymark.errors import InputError, ReadError, WriteError
from tallymark.files import written_beside
from tallymark.games.files.opening import Source
from tallymark.games.files.parquet_file import literal
from tallymark.games.form import Form
from tallymark.games.ids import Id, rank_order
from tallymark.games.log import GameLog
from tallymark.games.orders import NO_ORDER
from tallymark.games.origin import Origin
from tallymark.games.pieces import CODES, TABLES, WHOLE, WORDS, in_pieces, selected_of
from tallymark.games.provenance import Json, Provenance, report_from, report_json, runs_from, runs_of

if TYPE_CHECKING:
    import duckdb

MARK: Final = "tallymark-log"
VERSION: Final = 1
_ARRAYS: Final = (
    "a",
    "b",
    "score",
    "pool",
    "time",
    "match",
    "game",
    *WHOLE,
    "ending",
    "source",
    "komi",
    "order",
    "row",
)
_SAID: Final = {"clock": "times or zone"}
_OF_THE_WHOLE: Final = ("since", "until", "dedupe")
"""What is said of an input as a whole, whatever its files."""
_AGAIN: Final = "prepare the log again"


@dataclass(frozen=True)
class Prepared:
    """A log out of a prepared file, and where it came from."""

    log: GameLog
    provenance: Provenance

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the log, beside the target and then renamed.

        WriteError where that cannot be done, and for ids that would come back as others: both 7 and "7" in a column.
        """
        log = self.log
        try:
            games = in_pieces(log)
        except InputError as error:
            raise WriteError(f"{os.fspath(path)} cannot be written: {error}", hint=error.hint) from None
        mark = _mark(self)
        text = json.dumps(mark | {"digest": _digest(log, mark)}).replace("'", "''")
        with written_beside(path) as beside, connected() as connection:
            connection.register("games", games)
            selected = ", ".join(selected_of(name, log) for name in games.schema.names)
            target = str(beside).replace("'", "''")
            connection.execute(
                f"COPY (SELECT {selected} FROM games) TO '{target}' "
                f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{'{MARK}': '{text}'}})"
            )


def prepared_among(found: Sequence[Source], form: Form) -> list[Prepared | None]:
    """For each of these files the prepared log that it is, None where it is another file.

    `InputError` for a form that would change nothing: what was said when a log was prepared is settled. Several logs,
    and logs among other files, are one input, of which the range and the repeats may still be chosen.
    """
    prepared = [prepared_in(source) for source in found]
    if None in prepared:
        return prepared
    default = Form.of()
    several = len(prepared) > 1
    said = [
        _SAID.get(one.name, one.name)
        for one in fields(Form)
        if getattr(form, one.name) != getattr(default, one.name) and not (several and one.name in _OF_THE_WHOLE)
    ]
    if said:
        names = " and ".join(source.name for source in found[:2]) + (" ..." if len(found) > 2 else "")
        logs = "are prepared logs" if several else "is a prepared log"
        message = f"{names} {logs}: {' and '.join(said)} would change nothing in {'them' if several else 'it'}"
        raise InputError(message, hint="prepare it again with them from the files that it was made of")
    return prepared


def prepared_in(source: Source) -> Prepared | None:
    """The prepared log that the file is, None where it is another file. ReadError for one that is damaged."""
    if not source.regular:
        return None
    with source.opened() as file:
        if file.read(4) != b"PAR1":
            return None
    path = literal(str(source.path))
    try:
        with connected() as connection:
            found = connection.execute(f"SELECT value FROM parquet_kv_metadata({path}) WHERE key = '{MARK}'").fetchone()
    except OSError:
        return None  # damaged as Parquet: for the reader of Parquet to say
    if found is None:
        return None
    mark = _mark_of(found[0], source.name)
    try:
        with connected() as connection:
            log = _log(connection, f"read_parquet({path}, hive_partitioning = false)", mark)
            good = mark["digest"] == _digest(log, {name: value for name, value in mark.items() if name != "digest"})
            provenance = Provenance.of(mark)
    except (OSError, KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise ReadError(f"{source.name} is a damaged prepared log: {shortened(str(error))}", hint=_AGAIN) from None
    if not good:
        raise ReadError(f"{source.name} is a prepared log that was changed since: its digest differs", hint=_AGAIN)
    return Prepared(log, provenance)


def _mark(prepared: Prepared) -> dict[str, Json]:
    log = prepared.log
    return {
        "version": VERSION,
        "rows": len(log),
        "integers": {name: _integers(getattr(log, name)) for name in TABLES if getattr(log, name) is not None},
        "starts": list(log.origin.starts),
        "lines": None if log.origin.lines is None else runs_of(log.origin.lines),
        "report": report_json(log.report),
        **({} if log.names is None else {"names": [[player, name] for player, name in log.names.items()]}),
        **prepared.provenance.document(),
    }


def _mark_of(value: object, name: str) -> dict[str, Json]:
    try:
        mark = json.loads(cast(bytes, value))
    except (ValueError, TypeError, RecursionError):
        mark = None
    if not isinstance(mark, dict) or "version" not in mark:
        raise ReadError(f"{name} has a damaged mark of a prepared log", hint=_AGAIN)
    if mark["version"] != VERSION or isinstance(mark["version"], bool):
        raise ReadError(
            f"{name} is a prepared log of version {shortened(mark['version'])}; this tallymark reads {VERSION}",
            hint=f"{_AGAIN} with this version, or read it with the one that wrote it",
        )
    return mark


def _integers(table: list[Id]) -> Json:
    """Which ids are integers: all (true), none (false), or these, where both kinds are in one column."""
    integers: list[Json] = [one for one in table if isinstance(one, int)]
    return integers if 0 < len(integers) < len(table) else bool(integers)


def _digest(log: GameLog, mark: Mapping[str, Json]) -> str:
    """Of everything that comes back: arrays, tables, and the rest of the mark."""
    digest = hashlib.sha256(json.dumps(mark, sort_keys=True).encode())
    for name in _ARRAYS:
        values = getattr(log, name)
        if values is not None:
            digest.update(f"{name} {values.dtype.str} {len(values)}\n".encode())
            digest.update(np.ascontiguousarray(values).view(np.uint8).data)
    for name in TABLES:
        digest.update(json.dumps(getattr(log, name)).encode())
    return digest.hexdigest()


def _log(connection: "duckdb.DuckDBPyConnection", scan: str, mark: Mapping[str, Json]) -> GameLog:
    described = connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()
    types = {str(name): str(kind) for name, kind, *_ in described}
    integers = _of(mark, "integers", dict)
    tables: dict[str, list[Id] | None] = {}
    selected: dict[str, str] = {}
    for table, names in TABLES.items():
        tables[table] = None
        if table in integers:
            tables[table] = _ids(connection, scan, names, integers[table])
            for name in names:
                selected[CODES[name]] = _code(connection, name, table, tables[table] or [])
    for name, kind in WORDS.items():
        if name in types:
            selected[name] = _code(connection, name, name, [member.value for member in kind], "TINYINT")
    selected |= {name: f'coalesce("{name}", -1)::INTEGER' for name in WHOLE if name in types}
    if "komi" in types:
        selected["komi"] = '"komi"::DOUBLE'
    if "order" in types:
        whole = types["order"] == "BIGINT"
        selected["order"] = f'coalesce("order", {NO_ORDER})' if whole else '"order"::DOUBLE'
    if "played_at" in types:
        selected["time"] = 'epoch_us("played_at")'
    selected |= {"score": "score_a::DOUBLE", "row": '"row"::BIGINT'}
    expressions = ", ".join(f'{expression} AS "{name}"' for name, expression in selected.items())
    found = connection.execute(f"SELECT {expressions} FROM {scan}").fetchnumpy()
    arrays = {name: _complete(name, values) for name, values in found.items()}
    if not ((arrays["score"] >= 0.0) & (arrays["score"] <= 1.0) & (arrays["a"] != arrays["b"])).all():
        raise ValueError("a game that no log can hold")
    report, lines = report_from(_of(mark, "report", dict)), mark["lines"]
    called = {cast(Id, player): str(name) for player, name in cast(list[list[Json]], mark.get("names", []))}
    # Of the types that `save` wrote: a file whose digest is another one is refused.
    columns: dict[str, Any] = {name: arrays.get(name) for name in _ARRAYS}
    return GameLog(
        **columns,
        matches=tables["matches"],
        games=tables["games"],
        players=tables["players"] or [],
        pools=[str(pool) for pool in tables["pools"] or [""]],
        report=report,
        origin=Origin(
            Provenance.of(mark).names(),
            tuple(int(cast(int, start)) for start in _of(mark, "starts", list)),
            None if lines is None else runs_from(lines, report.rows),
        ),
        names=called or None,
    )


def _ids(connection: "duckdb.DuckDBPyConnection", scan: str, names: tuple[str, ...], integers: Json) -> list[Id]:
    """The ids of columns in rank order; those named by `integers` as integers again."""
    union = " UNION ".join(f'SELECT DISTINCT "{name}" FROM {scan} WHERE "{name}" IS NOT NULL' for name in names)
    found = connection.execute(union).fetchnumpy()[names[0]].tolist()
    if isinstance(integers, list):
        back = {str(one): one for one in integers}
        found = [back.get(one, one) for one in found]
    return rank_order(found)


def _code(
    connection: "duckdb.DuckDBPyConnection", column: str, table: str, ids: Sequence[Id], kind: str = "INTEGER"
) -> str:
    """The expression for the code of an id: its place in the table, -1 for none."""
    import arro3.core

    if len(ids) == 1:
        return f'CASE WHEN "{column}" IS NULL THEN -1 ELSE 0 END::{kind}'
    texts = arro3.core.Array([str(one) for one in ids], arro3.core.DataType.string())
    connection.register(f"{table}_ids", arro3.core.Table.from_arrays([texts], names=["id"]))
    connection.execute(f"CREATE OR REPLACE TYPE {table}_code AS ENUM (SELECT id FROM {table}_ids)")
    return f'coalesce(enum_code("{column}"::VARCHAR::{table}_code)::{kind}, -1)'


def _complete(name: str, values: np.ndarray) -> np.ndarray:
    if np.ma.getmaskarray(values).any():
        raise ValueError(f"{name} has gaps")
    array: np.ndarray = np.asarray(values)
    array.flags.writeable = False
    return array


T = TypeVar("T", list[Json], dict[str, Json])


def _of(mark: Mapping[str, Json], name: str, kind: type[T]) -> T:
    value = mark[name]
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {shortened(value)}")
    return value
