"""Snapshots as files: one JSON document, whose every value is checked before anything is resumed from it."""

import gzip
import json
import math
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from tallymark.checked import as_float, shortened
from tallymark.errors import InputError, ReadError, SnapshotError
from tallymark.files import written_beside
from tallymark.games import GameLog
from tallymark.games.ids import Id
from tallymark.games.vocabulary import BANDS, BANDS_ARE
from tallymark.replay.columns import NEVER, Players, filled
from tallymark.replay.schedule import Head
from tallymark.systems.rating import LARGEST

FORMAT: Final = "tallymark-snapshot"
VERSION: Final = 1
GAME_COLUMNS: Final = (
    *("player_a", "player_b", "score_a", "played_at", "pool", "game", "match", "steps", "ending", "source", "board"),
    *("komi", "handicap", "band_a", "band_b", "order", "size_a", "size_b"),
)
"""The columns of an open game that a file keeps."""
_COUNTS: Final = ("games", "wins", "draws", "losses")
_MARKS: Final = ("rated", "established", "has_peak")


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """What a snapshot holds, and its file."""

    methodology_id: str | None
    methodology_hash: str | None
    pools: list[str]
    heads: list[Head]
    pool: list[str]
    """Each player's pool."""
    player: list[Id]
    state: Players
    open_games: GameLog | None
    bands: list[int] | None = None
    """Each player's starting band, 0 for none: of who is rated the one stored, else one that a list declared. None
    where nobody has one."""


S = TypeVar("S", bound=Contents)


def save(contents: Contents, path: str | os.PathLike[str]) -> None:
    """Writes the document (gzip where the name ends in .gz), beside the target and then renamed; or `WriteError`."""
    text = json.dumps(document_of(contents), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    body = gzip.compress(text.encode(), mtime=0) if str(path).endswith(".gz") else text.encode()
    with written_beside(path) as beside:
        beside.write_bytes(body)


def load(path: str | os.PathLike[str], kind: type[S]) -> S:
    """Reads what `save` wrote, as that kind of contents.

    `ReadError` for a file that cannot be read, `SnapshotError` for a damaged one.
    """
    try:
        body = Path(path).read_bytes()
        if body[:2] == b"\x1f\x8b":
            body = gzip.decompress(body)
    except (OSError, EOFError, zlib.error) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ReadError(f"{path}: {why}", hint="give the file that a snapshot was saved to") from error
    except ValueError as error:
        raise ReadError(f"{shortened(str(path))} is no name of a file: {error}") from None
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"{path} is not a snapshot: {error}") from error
    try:
        return contents_of(document, kind)
    except (SnapshotError, InputError) as error:
        raise SnapshotError(f"{path}: {error}", hint="take the snapshot again from a replay") from error


def document_of(contents: Contents) -> dict[str, object]:
    """The document, ready for JSON: doubles in shortest decimal (the same bits when read), no instant as null."""
    games = None
    if contents.open_games is not None and len(contents.open_games):
        table = contents.open_games.to_table()
        games = {name: _plain(table[name]) for name in table.columns if name in GAME_COLUMNS}
    state = {
        name: [None if v == NEVER or v != v else v for v in np.asarray(column).tolist()]
        for name, column in zip(contents.state._fields, contents.state, strict=True)
    }
    bands = {} if contents.bands is None else {"band": contents.bands}
    known = contents.methodology_hash is not None
    return {
        "format": FORMAT,
        "version": VERSION,
        "methodology": [contents.methodology_id, contents.methodology_hash] if known else None,
        "pools": [
            {"name": name} | {k: None if v == NEVER else v for k, v in head._asdict().items()}
            for name, head in zip(contents.pools, contents.heads, strict=True)
        ],
        "players": {"pool": contents.pool, "player": contents.player} | state | bands,
        "open_games": games,
    }


def contents_of(document: object, kind: type[S]) -> S:
    """The contents of a document; `SnapshotError` for anything that no replay could have written."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise SnapshotError("this is not a snapshot")
    if type(document.get("version")) is not int or document["version"] != VERSION:
        raise SnapshotError(f"version is {shortened(document.get('version'))}; expected {VERSION}")
    of = document.get("methodology")
    if of is not None and not (isinstance(of, list) and len(of) == 2 and all(isinstance(part, str) for part in of)):
        raise SnapshotError(f"methodology is {shortened(of)}; expected an id and a hash, or null")
    pools = _list(document, "pools")
    names = [_pool_name(pool) for pool in pools]
    if len(set(names)) != len(names):
        raise SnapshotError("a pool stands there twice")
    columns = document.get("players")
    if not isinstance(columns, dict):
        raise SnapshotError(f"players is {shortened(columns)}; expected columns")
    player, pool = _players(columns, names)
    games = document.get("open_games")
    if games is not None and not (isinstance(games, dict) and all(isinstance(v, list) for v in games.values())):
        raise SnapshotError(f"open_games is {shortened(games)}; expected columns, or null")
    if games is not None and not set(games) <= set(GAME_COLUMNS):
        raise SnapshotError(f"open_games has columns {shortened(sorted(games))}; expected {', '.join(GAME_COLUMNS)}")
    state = _state(columns, len(player), displayed=of is None)
    return kind(
        methodology_id=None if of is None else of[0],
        methodology_hash=None if of is None else of[1],
        pools=names,
        heads=[_head(one) for one in pools],
        pool=pool,
        player=player,
        state=state,
        open_games=None if games is None else GameLog.restored(games),
        bands=_bands(columns, state),
    )


def _list(of: Mapping[str, object], name: str) -> list[object]:
    values = of.get(name)
    if not isinstance(values, list):
        raise SnapshotError(f"{name} is {shortened(values)}; expected a list")
    return values


def _pool_name(pool: object) -> str:
    if not isinstance(pool, dict) or not isinstance(pool.get("name"), str):
        raise SnapshotError(f"a pool is {shortened(pool)}; expected an object with a name")
    return str(pool["name"])


def _head(pool: object) -> Head:
    assert isinstance(pool, dict)
    fields = (_whole(f"{of} of pool {pool['name']!r}", pool.get(of)) for of in Head._fields)
    return Head(*fields)


def _whole(name: str, value: object) -> int:
    """A whole number of 62 bits, `NEVER` for null."""
    if value is None:
        return NEVER
    if type(value) is not int or not NEVER < value < -NEVER:
        raise SnapshotError(f"{name} is {shortened(value)}; expected a whole number, or null")
    return value


def _players(columns: Mapping[str, object], names: Sequence[str]) -> tuple[list[Id], list[str]]:
    player, pool = _list(columns, "player"), _list(columns, "pool")
    ids: list[Id] = []
    for name in player:
        if isinstance(name, bool) or not isinstance(name, str | int):
            raise SnapshotError(f"player is {shortened(name)}; expected text or a whole number")
        ids.append(name)
    known = set(names)
    of = [name for name in pool if isinstance(name, str) and name in known]
    if len(of) != len(pool) or len(of) != len(ids):
        raise SnapshotError("the column of pools does not name the pool of each player")
    if len(set(zip(of, ids, strict=True))) != len(ids):
        raise SnapshotError("a player stands there twice in one pool")
    return ids, of


def _state(columns: Mapping[str, object], n: int, displayed: bool) -> Players:
    """The columns of players; `displayed`: on the display scale, where deviation and volatility may be absent."""
    state = filled(Players, n)
    for field, column in zip(Players._fields, state, strict=True):
        values = _list(columns, field)
        if len(values) != n:
            raise SnapshotError(f"{field} has {len(values)} values for {n} players")
        into = np.asarray(column)
        if into.dtype == np.float64:
            lowest = -LARGEST if field in ("mu", "peak") else 0.0
            may_miss = field == "peak" or displayed
            into[:] = [_real(field, value, lowest, may_miss) for value in values]
        else:
            into[:] = [_whole(field, value) for value in values]
            top = 1 if field in _MARKS else -NEVER
            if field in (*_MARKS, *_COUNTS) and ((into < 0) | (into > top)).any():
                raise SnapshotError(f"{field} is {into[(into < 0) | (into > top)][0]}; expected 0 or more")
    if (np.isnan(state.mu) & (np.asarray(state.rated) > 0)).any():
        raise SnapshotError("mu is null of a player who is rated; expected a finite number")
    if (np.asarray(state.games) != np.asarray(state.wins) + state.draws + state.losses).any():
        raise SnapshotError("games are not wins, draws and losses together")
    return state


def _bands(columns: Mapping[str, object], state: Players) -> list[int] | None:
    """The column of starting bands, where there is one; who is not rated is there for its band alone."""
    values = _list(columns, "band") if "band" in columns else None
    bands = [0] * len(state.mu) if values is None else [_whole("band", value) for value in values]
    if len(bands) != len(state.mu) or not set(bands) <= set(range(BANDS + 1)):
        raise SnapshotError(f"band is {shortened(values)}; expected a column: {BANDS_ARE}")
    known, games = (np.asarray(column) > 0 for column in (state.rated, state.games))
    if (~known & ((np.array(bands) == 0) | games)).any():
        raise SnapshotError("a player is not rated, and has games or no starting band")
    return None if values is None else bands


def _real(field: str, value: object, lowest: float, may_miss: bool) -> float:
    if value is None and may_miss:
        return math.nan
    number = as_float(value)
    if not lowest <= number <= LARGEST:
        expected = "a finite number from 0 up" if lowest == 0.0 else "a finite number"
        raise SnapshotError(f"{field} is {shortened(value)}; expected {expected}")
    return number


def _plain(values: np.ndarray) -> Sequence[object]:
    """A column as JSON takes it: instants in microseconds, NaN as null."""
    if values.dtype.kind == "M":
        return list(values.astype(np.int64).tolist())
    return [None if isinstance(v, float) and math.isnan(v) else v for v in values.tolist()]
