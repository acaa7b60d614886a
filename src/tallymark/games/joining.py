"""Logs taken apart and put together again: what a snapshot keeps of an open period, and the games that follow."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import InputError
from tallymark.games.checking import check_games
from tallymark.games.coded import Coded
from tallymark.games.columns import Cells, same_length
from tallymark.games.ids import MISSING, Id, rank_order
from tallymark.games.orders import joined_orders
from tallymark.games.report import Findings

# What stands for a value in games of a log that does not have the column. A player without a team is a team of one.
_ABSENT: dict[str, float] = {
    "steps": MISSING,
    "ending": MISSING,
    "source": MISSING,
    "board": MISSING,
    "komi": np.nan,
    "handicap": MISSING,
    "band_a": MISSING,
    "band_b": MISSING,
    "size_a": 1,
    "size_b": 1,
}


def joined(one: Coded, two: Coded) -> Coded:
    """The rows of both, those of `one` first, over common tables of ids."""
    if not len(one.a) or not len(two.a):
        return two if len(two.a) else one
    if (one.time is None) != (two.time is None):
        raise InputError("one log has times and the other has none, so they have no common order")
    players, seat_one, seat_two = _common(one.players, two.players)
    pools, pool_one, pool_two = _common(one.pools, two.pools)
    both = Coded(
        players=players,
        a=np.concatenate([seat_one[one.a], seat_two[two.a]]),
        b=np.concatenate([seat_one[one.b], seat_two[two.b]]),
        score=np.concatenate([one.score, two.score]),
        pools=[str(pool) for pool in pools],
        pool=np.concatenate([pool_one[one.pool], pool_two[two.pool]]),
        row=np.concatenate([one.row, two.row]),
    )
    if one.time is not None and two.time is not None:
        both.time = np.concatenate([one.time, two.time])
    both.match, both.matches = _joined_ids(one.match, one.matches, two.match, two.matches, len(one.a), len(two.a))
    both.game, both.games = _joined_ids(one.game, one.games, two.game, two.games, len(one.a), len(two.a))
    shared = set(one.games or ()) & set(two.games or ())
    if shared:
        raise InputError(f"game {rank_order(shared)[0]!r} is in both logs", hint="leave out the games already rated")
    if one.order is not None or two.order is not None:
        both.order = joined_orders(one.order, two.order, len(one.a), len(two.a))
    for name, absent in _ABSENT.items():
        first, second = getattr(one, name), getattr(two, name)
        if first is not None or second is not None:
            setattr(both, name, _joined_values(first, second, len(one.a), len(two.a), absent))
    return both


def restore(columns: Mapping[str, Sequence[object]]) -> tuple[Coded, NDArray[np.bool_], Findings]:
    """Rows from the columns of a log's table, `played_at` in microseconds; InputError for what no log can hold."""
    cells: dict[str, Cells] = {name: list(values) for name, values in columns.items()}
    findings = Findings(same_length(cells))
    for name in ("player_a", "player_b", "score_a"):
        if name not in cells:
            raise InputError(f"no column {name}")
    try:
        if "played_at" in cells:
            cells["played_at"] = np.array(cells["played_at"], dtype=np.int64).view("datetime64[us]")
        sizes = {name: np.array(cells.pop(name), dtype=np.int32) for name in ("size_a", "size_b") if name in cells}
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"a column of whole numbers holds something else: {error}") from None
    names = [str(name) for name in cells.pop("pool", [""] * findings.rows)]
    coded = check_games(cells, findings)
    coded.pools = sorted(set(names))  # a log without pools has one named "", which no file could name
    code = {name: at for at, name in enumerate(coded.pools)}
    coded.pool = np.array([code[name] for name in names], dtype=np.int32)
    coded.size_a, coded.size_b = sizes.get("size_a"), sizes.get("size_b")
    if not findings.open.all():
        raise InputError(f"row {findings.report(0).problems['row'][0]}: {findings.report(0).problems['message'][0]}")
    return coded, findings.open, findings


def _common(one: Sequence[Id], two: Sequence[Id]) -> tuple[list[Id], NDArray[np.int32], NDArray[np.int32]]:
    """The ids of both in rank order, and for each table the new codes by old code (-1 stays -1, at the end)."""
    table = rank_order({*one, *two})
    code = {name: at for at, name in enumerate(table)}
    first = np.array([*(code[name] for name in one), MISSING], dtype=np.int32)
    second = np.array([*(code[name] for name in two), MISSING], dtype=np.int32)
    return table, first, second


def _joined_ids(
    one: NDArray[np.int32] | None,
    ids_one: Sequence[Id] | None,
    two: NDArray[np.int32] | None,
    ids_two: Sequence[Id] | None,
    rows_one: int,
    rows_two: int,
) -> tuple[NDArray[np.int32] | None, list[Id] | None]:
    if one is None and two is None:
        return None, None
    table, new_one, new_two = _common(ids_one or [], ids_two or [])
    first = np.full(rows_one, MISSING, dtype=np.int32) if one is None else new_one[one]
    second = np.full(rows_two, MISSING, dtype=np.int32) if two is None else new_two[two]
    return np.concatenate([first, second]), table


def _joined_values(
    one: np.ndarray | None, two: np.ndarray | None, rows_one: int, rows_two: int, absent: float
) -> np.ndarray:
    if one is None:
        one = np.full(rows_one, absent, dtype=two.dtype if two is not None else np.float64)
    if two is None:
        two = np.full(rows_two, absent, dtype=one.dtype)
    return np.concatenate([one, two])
