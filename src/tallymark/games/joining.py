"""Logs put together: what a snapshot keeps of an open period, and the games that follow."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import InputError
from tallymark.games.coded import Coded
from tallymark.games.ids import MISSING, Id, rank_order
from tallymark.games.orders import joined_orders

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
