from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import InputError
from tallymark.games.texts import Packed
from tallymark.games.times import NO_TIME, format_instant, parse_instant, parse_times
from tallymark.games.times.bulk import parse_bulk

SECOND = 10**6


@given(st.datetimes(timezones=st.just(UTC)))
def test_what_is_formatted_parses_back(moment: datetime) -> None:
    instant = parse_instant(moment.isoformat())
    assert parse_instant(format_instant(instant)) == instant
    assert parse_times([moment])[0].tolist() == [instant]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-02", 86400),
        ("1970-01-01T00:01", 60),
        ("1970-01-01 00:01Z", 60),
        ("1970-01-01T00:00:01.5", 1.5),
        ("1970-01-01T00:00:01.1234567", 1.123456),
        ("1970-01-01T02:00:00+02:00", 0),
        ("1970-01-01T02:00:00+0200", 0),
        ("1969-12-31T22:00:00-02", 0),
        (" 1970-01-01 ", 0),
    ],
)
def test_forms_of_text(text: str, seconds: float) -> None:
    assert parse_instant(text) == round(seconds * SECOND)


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "20240101",
        "2024",
        "2024-W01-1",
        "2024-02-30",
        "2024-01-01T24:00",
        "2024-01-01T10:00:60",
        "2024-1-1",
        "01/02/2024",
        "1700000000",
        "2024-01-01T10",
        "\uff12024-01-01",
        "0001-01-01T00:00+01:00",
    ],
)
def test_text_that_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_instant(text)


def test_each_kind_of_value_and_each_kind_of_gap() -> None:
    moment = datetime(1970, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))
    values = ["1970-01-01", moment, moment.replace(tzinfo=None), date(1970, 1, 2), np.datetime64("1970-01-01T00:00:01")]
    instants, wrong = parse_times([*values, 5, np.int32(6), None, "", float("nan"), pd.NaT, np.datetime64("NaT")])
    assert instants.tolist()[:7] == [0, 0, 3600 * SECOND, 86400 * SECOND, SECOND, 5 * SECOND, 6 * SECOND]
    assert instants.tolist()[7:] == [NO_TIME] * 5
    assert wrong == {}


def test_arrays_of_datetime64_of_any_unit() -> None:
    for unit in ("D", "s", "ms", "us", "ns"):
        instants, wrong = parse_times(np.array(["1970-01-02", "NaT"], dtype=f"datetime64[{unit}]"))
        assert instants.tolist() == [86400 * SECOND, NO_TIME]
        assert wrong == {}


@pytest.mark.parametrize("values", [[1_700_000_000_000], np.array([1_700_000_000_000])])
def test_milliseconds_are_recognised_not_converted(values: list[object]) -> None:
    instants, wrong = parse_times(values)
    assert instants.tolist() == [NO_TIME]
    assert "milliseconds? divide by 1000" in wrong[0]


def test_times_outside_the_calendar_are_wrong() -> None:
    assert list(parse_times(np.array(["10000-01-01"], dtype="datetime64[s]"))[1]) == [0]
    assert list(parse_times(["2024-01-01", True, 1.5, "x"])[1]) == [1, 2, 3]


@pytest.mark.parametrize("offset", ["+05:99", "+0560", "-12:01", "-13", "+14:01", "+23:59", "+99:00"])
def test_offsets_that_do_not_exist_are_refused(offset: str) -> None:
    with pytest.raises(InputError, match="is not a"):
        parse_instant(f"2026-01-01T12:00{offset}")


@pytest.mark.parametrize("offset", ["-12:00", "+14:00", "+05:45", "-00:00", "+1400"])
def test_offsets_that_do_exist_are_read(offset: str) -> None:
    moment = datetime.fromisoformat(f"2026-01-01T12:00{offset}")
    assert parse_instant(f"2026-01-01T12:00{offset}") == round(moment.timestamp()) * SECOND


def test_many_dates_at_once_are_those_of_the_calendar() -> None:
    years = (0, 1, 3, 4, 100, 400, 1600, 1900, 1969, 1970, 2000, 2023, 2024, 9999)
    texts = [f"{year:04}-{month:02}-{day:02}" for year in years for month in range(100) for day in range(100)]
    instants, other = parse_bulk(Packed.of(texts))
    for text, instant, wrong in zip(texts, instants.tolist(), other.tolist(), strict=True):
        try:
            known = (date.fromisoformat(text) - date(1970, 1, 1)).days * 86_400_000_000
        except ValueError:
            known = None
        assert wrong == (known is None), text
        assert instant == (NO_TIME if known is None else known), text


@pytest.mark.parametrize("kind", ["i1", "u2", "i8", "u8"])
@pytest.mark.parametrize("far", [False, True])
def test_seconds_of_any_type_and_number(kind: str, far: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallymark.games.times.cells._AT_ONCE", 3)
    seconds = np.arange(10, dtype=kind)
    if far:
        seconds[8] = np.iinfo(kind).max
    instants, wrong = parse_times(seconds)
    outside = far and kind.endswith("8")
    assert sorted(wrong) == ([8] if outside else [])
    expected = [10**6 * second for second in seconds.tolist()]
    assert [one for row, one in enumerate(instants.tolist()) if row not in wrong] == [
        one for row, one in enumerate(expected) if row not in wrong
    ]
