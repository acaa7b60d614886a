"""Columns of every library, with gaps and far away values: nothing changes its unit, its sign or its digits."""

import math
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import arro3.core
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import InputError
from tallymark.games import GameLog
from tallymark.games.columns import ColumnLike, cells_of, numbers, words
from tallymark.games.times import NO_TIME, parse_times

DAY = 86400 * 10**6
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def instants(column: ColumnLike) -> list[int]:
    found, wrong = parse_times(cells_of(column, "played_at"))
    assert wrong == {}
    return [int(value) for value in found]


def far(column: ColumnLike) -> list[int]:
    return sorted(parse_times(cells_of(column, "played_at"))[1])


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
def test_times_with_gaps_keep_their_unit(unit: str, zone: str | None) -> None:
    raw = [0, None, 86400 * PER_SECOND[unit]]
    arrow = pa.array(raw, pa.timestamp(unit, zone))
    values = np.array([0, 1, 86400 * PER_SECOND[unit]]).view(f"datetime64[{unit}]")
    gaps = np.where([False, True, False], np.datetime64("NaT"), values)
    columns: list[Any] = [
        arrow,
        pa.chunked_array([arrow]),
        arro3.core.Array(arrow),
        pd.Series(arrow, dtype=pd.ArrowDtype(arrow.type)),
        np.ma.MaskedArray(values, mask=[False, True, False]),
        gaps,
        list(gaps),
        pd.Series(gaps) if zone is None else pd.Series(gaps).dt.tz_localize("UTC").dt.tz_convert(zone),
    ]
    if unit != "s":
        columns.append(pl.from_arrow(arrow))
    for column in columns:
        assert instants(column) == [0, NO_TIME, DAY]


def test_dates_with_gaps() -> None:
    days = [date(1970, 1, 1), None, date(1970, 1, 2)]
    arrow = pa.array(days)
    columns: list[Any] = [
        days,
        pl.Series(days),
        arrow,
        arro3.core.Array(arrow),
        pd.Series(days, dtype=pd.ArrowDtype(arrow.type)),
    ]
    for column in columns:
        assert instants(column) == [0, NO_TIME, DAY]


def test_years_past_9999_are_wrong_rows_in_every_library() -> None:
    seconds = [253402300800, 0, None]
    arrow = pa.array(seconds, pa.timestamp("s"))
    plain = np.array(["10000-01-01", "1970-01-01", "NaT"], dtype="datetime64[s]")
    zoned = pa.array([value and value * 1000 for value in seconds], pa.timestamp("ms", "UTC"))
    columns: list[Any] = [
        arrow,
        arro3.core.Array(arrow),
        pd.Series(arrow, dtype=pd.ArrowDtype(arrow.type)),
        pd.Series(plain),
        pl.from_arrow(zoned),
        np.ma.MaskedArray(plain, mask=[False, False, True]),
        list(plain),
    ]
    for column in columns:
        assert far(column) == [0]


@pytest.mark.parametrize("unit", ["D", "s", "ms", "us"])
def test_far_times_do_not_wrap_around(unit: str) -> None:
    ends = np.array([2**63 - 1, -(2**63) + 1, 2**62]).view(f"datetime64[{unit}]")
    assert far(ends) == far(list(ends)) == [0, 1, 2]


def test_what_a_library_cannot_hand_over_is_an_input_error() -> None:
    with pytest.raises(InputError, match="played_at is a _Broken that cannot be read") as caught:
        cells_of(_Broken(), "played_at")
    assert isinstance(caught.value.__cause__, OverflowError)


class _Broken:
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[object]:
        raise OverflowError("date value out of range")


@pytest.mark.parametrize(
    "frame", [pl.DataFrame({"a": [1]}), pd.DataFrame({"a": [1]}), pa.table({"a": [1]}), np.zeros((1, 1))]
)
def test_a_frame_is_no_column(frame: ColumnLike) -> None:
    with pytest.raises(InputError, match=r"score_a is a .* of 2 dimensions; a column has one"):
        cells_of(frame, "score_a")


def test_records_are_no_column() -> None:
    with pytest.raises(InputError, match="single values"):
        cells_of(np.ma.zeros(2, dtype=[("a", "f8")]), "score_a")


def test_polars_numbers_come_as_arrays() -> None:
    for series in (pl.Series([1, 2]), pl.Series([1.5, None]), pl.Series([True]), pl.Series([date(2026, 1, 1), None])):
        assert isinstance(cells_of(series, "x"), np.ndarray)
    assert cells_of(pl.Series([2**53 + 1, None]), "x") == [2**53 + 1, None]
    assert cells_of(pl.Series([1, 2], dtype=pl.Int128), "x") == [1, 2]


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_times_and_spans_are_no_numbers_ids_words_or_seconds(unit: str) -> None:
    for kind in "Mm":
        values = np.array([1, 0, 1]).view(f"{kind}8[{unit}]")
        columns: list[ColumnLike] = [values, list(values), np.ma.MaskedArray(values, mask=[False, False, True])]
        for column in columns:
            cells = cells_of(column, "x")
            assert {0, 1} <= set(numbers(cells)[1])
            with pytest.raises(InputError, match=r"pool is .* in row 0"):
                words(cells, "pool")
            with pytest.raises(InputError, match="player_a"):
                GameLog.from_arrays(player_a=column, player_b=["a", "b", "c"], score_a=[1, 0, 1])
    assert sorted(parse_times(np.array([1]).view(f"m8[{unit}]"))[1]) == [0]
    assert sorted(parse_times([timedelta(1), np.timedelta64(1, "s")])[1]) == [0, 1]


def test_not_a_time_is_missing() -> None:
    values, wrong = numbers([np.datetime64("NaT"), np.timedelta64("NaT"), pd.NaT, Decimal("NaN"), 1])
    assert wrong == {}
    assert [math.isnan(value) for value in values] == [True] * 4 + [False]


def test_decimals_and_fractions_are_numbers() -> None:
    given = [Decimal("1.0"), Decimal("0.0"), Decimal("0.5")]
    arrow = pa.array(given)
    for column in (given, arrow, pl.Series(given), pd.Series(given), pd.Series(arrow, dtype=pd.ArrowDtype(arrow.type))):
        values, wrong = numbers(cells_of(column, "score_a"))
        assert (values.tolist(), wrong) == ([1.0, 0.0, 0.5], {})
    assert numbers([Fraction(1, 2), np.float32(0.5), True, None])[0].tolist()[:3] == [0.5, 0.5, 1.0]
    assert sorted(numbers([Decimal("sNaN"), 1j, b"1", (1,)])[1]) == [1, 2, 3]


@pytest.mark.parametrize(
    "tiny", ["-1e-400", "-0.0001e-330", Decimal("-1e-400"), Fraction(-1, 10**400), "-." + "0" * 400 + "1"]
)
def test_what_is_below_0_stays_below_it(tiny: object) -> None:
    for column in ([tiny], [tiny, None, 1]):
        assert numbers(column)[0][0] < 0.0
    log = GameLog.from_arrays(player_a=["a"], player_b=["b"], score_a=[tiny])
    assert list(log.report.problems["reason"]) == ["bad-score"]


@pytest.mark.skipif(np.longdouble("1e-400") == 0, reason="long doubles are doubles here")
def test_long_doubles_keep_their_sign() -> None:
    for column in (np.array(["-1e-400", "1e-400"], dtype=np.longdouble), list(np.array(["-1e-400", "1e-400"], "g"))):
        assert np.sign(numbers(column)[0]).tolist() == [-1.0, 1.0]


@given(
    st.lists(
        st.one_of(st.floats(), st.decimals(), st.fractions(), st.integers(), st.floats().map(repr), st.booleans()),
        min_size=1,
    )
)
def test_numbers_keep_their_sign_and_there_is_no_minus_0(items: list[object]) -> None:
    values, wrong = numbers(items)
    for row, item in enumerate(items):
        value = values[row]
        assert not (value == 0.0 and math.copysign(1.0, value) < 0)
        if row not in wrong and not math.isnan(value):
            exact = (
                Fraction(item) if isinstance(item, int | float | Decimal | Fraction) and math.isfinite(value) else None
            )
            assert exact is None or (exact > 0, exact < 0) == (value > 0, value < 0)
    for array in (np.array([-0.0, 0.0]), np.array([-0.0], dtype=np.float32)):
        assert not np.signbit(numbers(array)[0]).any()


def test_a_fault_is_told_with_its_own_column_and_row() -> None:
    with pytest.raises(InputError, match=r"player_b is 2\.5 in row 1"):
        GameLog.from_arrays(player_a=["a", "b", "c"], player_b=["b", 2.5, "a"], score_a=[1, 1, 1])
    for name in ("pool", "ending", "source"):
        with pytest.raises(InputError, match=rf"{name} is 1\.0 in row 2, which is no word"):
            GameLog.from_arrays(player_a=["a"] * 3, player_b=["b"] * 3, score_a=[1] * 3, **{name: [None, None, 1.0]})


def test_huge_values_are_told_in_few_words() -> None:
    huge = 10**5000
    with pytest.raises(InputError, match="more than 400 digits"):
        GameLog.from_arrays(player_a=[huge], player_b=["b"], score_a=[1])
    with pytest.raises(InputError, match="more than 400 digits"):
        GameLog.from_arrays(player_a=["a"], player_b=["b"], score_a=[1], pool=[huge])
    long = "x" * 100_000
    log = GameLog.from_arrays(
        player_a=["a", "a", "a", long, "a", "a"],
        player_b=["b", "b", "b", long, "b", "b"],
        score_a=[long, 1, 1, 1, 1, 1],
        played_at=[datetime(2026, 1, 1), huge, long, *[datetime(2026, 1, 1)] * 3],
        ending=[None] * 4 + [long, None],
    )
    assert log.report.rejected == 5
    assert len(log.report.summary()) < 2000
    assert max(map(len, log.report.problems["message"])) < 300
