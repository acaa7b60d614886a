from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import InputError
from tallymark.games import GameLog
from tallymark.games.orders import NO_ORDER, joined_orders

BIG = 2**53


def log_by(order: Any) -> GameLog:
    n = len(order)
    return GameLog.from_arrays(player_a=["a"] * n, player_b=["b"] * n, score_a=[1] * n, order=order)


@pytest.mark.parametrize(
    "order",
    [
        [BIG + 1, BIG, None],
        [str(BIG + 1), str(BIG), ""],
        [Decimal(BIG + 1), Decimal(BIG), None],
        [BIG + 1, Decimal(BIG), None],
        pd.Series([BIG + 1, BIG, None], dtype="Int64"),
        pl.Series([BIG + 1, BIG, None]),
        pa.array([BIG + 1, BIG, None]),
        np.ma.MaskedArray(np.array([BIG + 1, BIG, 0], dtype=np.uint64), mask=[False, False, True]),
    ],
)
def test_whole_numbers_are_exact_whatever_they_come_in(order: Any) -> None:
    log = log_by(order)
    assert log.row.tolist() == [2, 1, 0]
    assert log.order is not None
    assert log.order.tolist() == [NO_ORDER, BIG, BIG + 1]
    assert log.to_table()["order"].tolist() == [None, BIG, BIG + 1]


@given(st.lists(st.one_of(st.integers(-(2**63) + 1, 2**63 - 1), st.none()), min_size=1))
def test_any_64_bit_order_sorts_exactly(order: list[int | None]) -> None:
    expected = sorted(range(len(order)), key=lambda row: (-(2**63) if order[row] is None else order[row], row))
    for column in (order, ["" if value is None else str(value) for value in order]):
        log = log_by(column)
        assert log.row.tolist() == expected
        restored = GameLog.restored({name: log.to_table()[name].tolist() for name in log.to_table().columns})
        assert restored.order is not None
        assert log.order is not None
        assert restored.order.tolist() == log.order.tolist()


def test_what_has_no_exact_form_is_rejected() -> None:
    log = log_by([BIG + 1, 0.5, BIG, str(BIG) + ".5", 1e20])
    assert [(row["row"], row["reason"]) for row in log.report.problems.rows()] == [(0, "bad-number"), (3, "bad-number")]
    assert "more digits" in str(log.report.problems["message"][0])
    assert log.row.tolist() == [1, 2, 4]
    for beyond in (2**63 + 1, -(2**63) - 1, np.array([2**63 + 1], dtype=np.uint64)[0], str(2**64 + 1)):
        assert log_by([beyond, 1]).report.rejected == 1
    # 2^63 has no room in an int64, but is a double to the last bit.
    assert log_by([2**63, 1]).row.tolist() == [1, 0]


def test_orders_of_two_logs_stay_exact() -> None:
    big, none = np.array([BIG + 1, NO_ORDER]), np.array([0.5, np.nan])
    assert joined_orders(big, None, 2, 1).tolist() == [BIG + 1, NO_ORDER, NO_ORDER]
    assert joined_orders(None, big, 1, 2).tolist() == [NO_ORDER, BIG + 1, NO_ORDER]
    assert repr(joined_orders(np.array([3, NO_ORDER]), none, 2, 2).tolist()) == "[3.0, nan, 0.5, nan]"
    with pytest.raises(InputError, match=f"order {BIG + 1}"):
        joined_orders(big, none, 2, 2)
    log = log_by([BIG + 1, BIG])
    later = GameLog.from_arrays(player_a=["a"], player_b=["b"], score_a=[1])
    both = log.followed_by(later)
    assert both.order is not None
    assert both.order.tolist() == [NO_ORDER, BIG, BIG + 1]
