"""Where a replay stopped, exactly: what a later one goes on from, and what an imported list of ratings starts as."""

import gzip
import json
import math
import os
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from tallymark.errors import InputError, ReadError, SnapshotError
from tallymark.files import written_beside
from tallymark.games import GameLog
from tallymark.games.columns import ColumnLike, cells_of, numbers
from tallymark.games.ids import Id, encode
from tallymark.games.times import NO_TIME, parse_times
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER, Players, as_arrays, filled
from tallymark.replay.schedule import Head

FORMAT: Final = "tallymark-snapshot"
VERSION: Final = 1
_GAME_COLUMNS: Final = (
    "player_a",
    "player_b",
    "score_a",
    "played_at",
    "pool",
    "game",
    "match",
    "steps",
    "ending",
    "source",
    "board",
    "komi",
    "handicap",
    "order",
    "size_a",
    "size_b",
)


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Players, where each pool stands, and the games of the open period, for one methodology.

    `methodology_hash` is None for ratings that came from elsewhere (`from_arrays`): `state` then holds rating,
    deviation and volatility as shown, in the place of mu, phi^2 and sigma^2, and any methodology may start from it.
    """

    methodology_id: str | None
    methodology_hash: str | None
    pools: list[str]
    heads: list[Head]
    pool: list[str]
    """Each player's pool."""
    player: list[Id]
    state: Players
    open_games: GameLog | None

    @classmethod
    def from_arrays(
        cls,
        *,
        player: ColumnLike,
        rating: ColumnLike,
        deviation: ColumnLike | None = None,
        volatility: ColumnLike | None = None,
        at: str | datetime | ColumnLike | None = None,
        pool: str | ColumnLike = "",
    ) -> "Snapshot":
        """Ratings from elsewhere, on the display scale, as they hold at the instant `at` (any form of `played_at`).

        `at` and `pool` are one for all players or a column. Without `at` nobody ages before the first game. A missing
        deviation or volatility column is the newcomer's of the methodology that starts from it. Raises `InputError` for
        a player named twice or missing, for numbers that are not finite, and for columns of different lengths.

        >>> Snapshot.from_arrays(player=["ann", "bob"], rating=[1600, 1450], deviation=[60, 80])
        Snapshot of 2 players in 1 pool, from elsewhere
        """
        ids = cells_of(player, "player")
        codes, table = encode(ids, "player")
        n = len(codes)
        if (codes < 0).any():
            raise InputError(f"player is missing in row {int(np.argmin(codes))}")
        names = [table[c] for c in codes.tolist()]
        pools = (
            [pool] * n if isinstance(pool, str) else [str(p) for p in _same_length(cells_of(pool, "pool"), "pool", n)]
        )
        seen: set[tuple[str, Id]] = set()
        for row, pair in enumerate(zip(pools, names, strict=True)):
            if pair in seen:
                raise InputError(f"player {pair[1]!r} is there again in row {row}", hint="one rating a player and pool")
            seen.add(pair)
        state = filled(Players, n)
        columns = {"rating": rating, "deviation": deviation, "volatility": volatility}
        for field, (name, values) in zip(("mu", "phi2", "sigma2"), columns.items(), strict=True):
            getattr(state, field)[:] = _display_column(name, values, n)
        instants = np.asarray(state.last)
        instants[:] = NEVER
        if at is not None:
            single = isinstance(at, str | date | np.datetime64)
            times, wrong = parse_times(cells_of([at] if single else at, "at"))  # type: ignore[arg-type]
            if wrong:
                raise InputError(f"at: {next(iter(wrong.values()))}")
            instants[:] = times if single else _same_length(times, "at", n)
            instants[instants == NO_TIME] = NEVER
        np.asarray(state.rated)[:] = 1
        np.asarray(state.last_played)[:] = instants
        of = np.array(pools, dtype=object)
        held = sorted(set(pools)) or ["" if not isinstance(pool, str) else pool]
        heads = [
            Head(origin=NEVER, closed=NEVER, last=int(instants[of == name].max(initial=NEVER)), imported=True)
            for name in held
        ]
        return cls(None, None, held, heads, pools, names, state, None)

    def __repr__(self) -> str:
        many = "" if len(self.pools) == 1 else "s"
        of = "from elsewhere" if self.methodology_id is None else f"of {self.methodology_id}"
        return f"Snapshot of {len(self.player):,} players in {len(self.pools):,} pool{many}, {of}"

    def states_for(self, methodology: Methodology) -> Players:
        """The players' columns on the scale of the methodology; `SnapshotError` where it is another one's."""
        if self.methodology_hash is None:
            return self._converted(methodology)
        if self.methodology_hash != methodology.hash:
            raise SnapshotError(
                f"the snapshot is of {self.methodology_id} ({self.methodology_hash[:12]}), not of {methodology.id} "
                f"({methodology.hash[:12]})",
                hint="replay the whole log under the other methodology",
            )
        return self.state

    def _converted(self, methodology: Methodology) -> Players:
        system, bounds = methodology.system, methodology.bounds
        newcomer = system.initial()
        state = as_arrays(self.state)
        rating = np.asarray(state.mu)
        deviation = np.where(np.isnan(state.phi2), newcomer.deviation, state.phi2)
        volatility = np.where(np.isnan(state.sigma2), newcomer.volatility, state.sigma2)
        if not system.has_deviation:
            deviation = np.zeros_like(deviation)
        if not system.has_volatility:
            volatility = np.zeros_like(volatility)
        for name, values, low, high in (
            ("rating", rating, bounds.rating_min, bounds.rating_max),
            ("deviation", deviation, bounds.deviation_min, bounds.deviation_max),
            ("volatility", volatility, bounds.volatility_min, bounds.volatility_max),
        ):
            low, high = -np.inf if low is None else low, np.inf if high is None else high
            out = np.flatnonzero((values < low) | (values > high))
            if len(out):
                first = int(out[0])
                raise InputError(
                    f"the {name} of {self.player[first]!r} is {values[first]:g}; {methodology.id} holds it "
                    f"from {low:g} to {high:g} ({len(out):,} such)",
                    hint="bring the list inside the bounds, or take a methodology with others",
                )
        unit, centre = system.scale
        phi = deviation / unit
        return state._replace(mu=(rating - centre) / unit, phi2=phi * phi, sigma2=volatility * volatility)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the snapshot as JSON (gzip where the name ends in .gz), beside the target and then renamed.

        Doubles are written as their shortest decimal, which reads back to the same bits. `WriteError` where that
        cannot be done; nothing half written is left.
        """
        text = json.dumps(self._document(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        body = text.encode()
        if str(path).endswith(".gz"):
            body = gzip.compress(body, mtime=0)
        with written_beside(path) as beside:
            beside.write_bytes(body)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Snapshot":
        """Reads what `save` wrote; `ReadError` for a file that cannot be read, `SnapshotError` for a damaged one."""
        try:
            body = Path(path).read_bytes()
            if body[:2] == b"\x1f\x8b":
                body = gzip.decompress(body)
            document = json.loads(body)
        except (OSError, EOFError) as e:
            raise ReadError(f"{path}: {e.strerror if isinstance(e, OSError) and e.strerror else e}") from e
        except ValueError as e:
            raise SnapshotError(f"{path} is not a snapshot: {e}") from e
        try:
            return cls._from_document(document)
        except SnapshotError as e:
            raise SnapshotError(f"{path}: {e}") from e
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as e:
            raise SnapshotError(f"{path} is damaged: {type(e).__name__}: {e}") from e

    def _document(self) -> dict[str, object]:
        games = None
        if self.open_games is not None and len(self.open_games):
            table = self.open_games.to_table()
            games = {name: _plain(table[name]) for name in table.columns if name in _GAME_COLUMNS}
        state = {
            name: [None if v == NEVER or v != v else v for v in np.asarray(column).tolist()]
            for name, column in zip(self.state._fields, self.state, strict=True)
        }
        return {
            "format": FORMAT,
            "version": VERSION,
            "methodology": None if self.methodology_hash is None else [self.methodology_id, self.methodology_hash],
            "pools": [
                {"name": name} | {k: None if v == NEVER else v for k, v in head._asdict().items()}
                for name, head in zip(self.pools, self.heads, strict=True)
            ],
            "players": {"pool": self.pool, "player": self.player} | state,
            "open_games": games,
        }

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> "Snapshot":
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise SnapshotError("is not a snapshot")
        if document["version"] != VERSION:
            raise SnapshotError(f"has version {document['version']}; expected {VERSION}")
        imported = document["methodology"] is None
        of = (None, None) if imported else tuple(map(str, document["methodology"]))
        names = [str(pool["name"]) for pool in document["pools"]]
        heads = [
            Head._make(NEVER if pool[field] is None else pool[field] for field in Head._fields)
            for pool in document["pools"]
        ]
        columns = document["players"]
        player, pool = list(columns["player"]), list(columns["pool"])
        for name in player:
            if isinstance(name, bool) or not isinstance(name, str | int):
                raise SnapshotError(f"has a player {name!r}; ids are text or whole numbers")
        if len(pool) != len(player) or not set(pool) <= set(names):
            raise SnapshotError("names pools of players that it does not have")
        if len(set(zip(pool, player, strict=True))) != len(player):
            raise SnapshotError("has a player twice in one pool")
        games = document["open_games"]
        return cls(
            methodology_id=of[0],
            methodology_hash=of[1],
            pools=names,
            heads=heads,
            pool=pool,
            player=player,
            state=_state(columns, len(player), may_miss=imported),
            open_games=None if games is None else GameLog.restored(games),
        )


def _state(columns: dict[str, list[float | int | None]], n: int, may_miss: bool) -> Players:
    """The columns of players of a document; `may_miss`: numbers may be absent."""
    state = filled(Players, n)
    for field, column in zip(Players._fields, state, strict=True):
        values = columns[field]
        if len(values) != n:
            raise SnapshotError(f"has {len(values)} values of {field} for {n} players")
        into = np.asarray(column)
        if into.dtype == np.float64:
            read = np.array([np.nan if v is None else v for v in values], np.float64)
            if not (np.isfinite(read) | (np.isnan(read) & may_miss)).all():
                raise SnapshotError(f"has a value of {field} that is not finite")
        else:
            if not all(v is None or type(v) is int for v in values):
                raise SnapshotError(f"has a value of {field} that is not a whole number")
            read = np.array([NEVER if v is None else v for v in values], np.int64)
        into[:] = read
    return state


T = TypeVar("T", bound=Sized)


def _same_length(values: T, name: str, n: int) -> T:
    if len(values) != n:
        raise InputError(f"{name} has {len(values)} values for {n} players")
    return values


def _display_column(name: str, values: ColumnLike | None, n: int) -> np.ndarray:
    """A column of an imported list; NaN stands for "the newcomer's" where the whole column is absent."""
    if values is None:
        if name == "rating":
            raise InputError("rating is missing; expected one number a player")
        return np.full(n, np.nan)
    column, faults = numbers(_same_length(cells_of(values, name), name, n))
    for row, given in faults.items():
        raise InputError(f"{name} is {given!r} in row {row}; expected a number")
    wrong = np.flatnonzero(~np.isfinite(column) | ((column < 0.0) & (name != "rating")))
    if len(wrong):
        expected = "a finite number" if name == "rating" else "a finite number from 0 up"
        raise InputError(f"{name} is {column[wrong[0]]} in row {int(wrong[0])}; expected {expected}")
    return column


def _plain(values: np.ndarray) -> Sequence[object]:
    """A column as JSON takes it: instants in microseconds, NaN as null."""
    if values.dtype.kind == "M":
        return list(values.astype(np.int64).tolist())
    return [None if isinstance(v, float) and math.isnan(v) else v for v in values.tolist()]
