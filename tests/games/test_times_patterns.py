from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import InputError
from tallymark.games.times import format_instant, parse_instant
from tallymark.games.times.clock import Clock
from tallymark.games.times.counts import Count
from tallymark.games.times.pattern import MONTHS, Pattern

DAYS = 86_400_000_000

# Each pattern beside an independent way of writing the same.
WRITERS: dict[str, Callable[[datetime], str]] = {
    "DD.MM.YYYY hh:mm": lambda t: f"{t.day:02}.{t.month:02}.{t.year:04} {t.hour:02}:{t.minute:02}",
    "M/D/YYYY": lambda t: f"{t.month}/{t.day}/{t.year:04}",
    "YYYYMMDD": lambda t: f"{t.year:04}{t.month:02}{t.day:02}",
    "CYYYY.MM.DD hh:mm": lambda t: f"C{t.year:04}.{t.month:02}.{t.day:02} {t.hour:02}:{t.minute:02}",
    "Month D, YYYY": lambda t: f"{MONTHS[t.month - 1]} {t.day}, {t.year:04}",
    "DD-Mon-YYYY": lambda t: f"{t.day:02}-{MONTHS[t.month - 1][:3].upper()}-{t.year:04}",
    "D.M.YYYY h:mm am": lambda t: (
        f"{t.day}.{t.month}.{t.year:04} {(t.hour + 11) % 12 + 1}:{t.minute:02} {'AP'[t.hour // 12]}M"
    ),
    "YYYY-MM-DD'T'hh:mm:ss.f": lambda t: t.isoformat(timespec="microseconds"),
    "'Day' D, 'month' M 'of' YYYY": lambda t: f"Day {t.day}, month {t.month} of {t.year:04}",
    "YYYY-MM-DD hh:mm:ss.f±hh:mm": lambda t: (
        t.replace(tzinfo=UTC).astimezone(timezone(timedelta(hours=-3, minutes=-30))).isoformat(" ", "microseconds")
    ),
}
PRECISION = {"f": 1, "ss": 10**6, "mm": 60 * 10**6}


def cut(pattern: str, moment: datetime) -> datetime:
    """The part of a time that a pattern has room for."""
    if ".f" in pattern:
        return moment
    if "mm" in pattern:
        return moment.replace(second=0, microsecond=0)
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


@pytest.mark.parametrize("pattern", WRITERS)
@given(moment=st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)))
def test_what_is_written_by_a_pattern_is_read_by_it(pattern: str, moment: datetime) -> None:
    meant = cut(pattern, moment)
    assert format_instant(Pattern.of(pattern).instant(WRITERS[pattern](meant))) == format_instant(
        parse_instant(meant.isoformat())
    )


@given(st.integers(-(10**12), 10**12))
def test_counts_are_read_back(number: int) -> None:
    assert Count("microseconds").instant(str(number)) == number
    assert Count("milliseconds").instant(str(number)) == number * 1000
    days = number % 10**6
    assert Count("days").instant(str(days)) == days * DAYS


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("DD.MM.YYYY", "1.02.2026"),
        ("DD.MM.YYYY", "01.02.2026 10:00"),
        ("DD.MM.YYYY", "01.02.2026x"),
        ("DD.MM.YYYY", "01-02-2026"),
        ("DD.MM.YYYY", "31.02.2026"),
        ("DD.MM.YYYY", "\uff101.02.2026"),
        ("YYYYMMDD", "20261301"),
        ("YYYYMMDD", "0000-01-01"),
        ("DD.MM.YYYY hh:mm", "01.02.2026"),
        ("DD.MM.YYYY hh:mm", "01.02.2026 24:00"),
        ("D.M.YYYY h:mm am", "1.2.2026 13:00 pm"),
        ("D.M.YYYY h:mm am", "1.2.2026 0:00 am"),
        ("D Mon YYYY", "1 August 2026"),
        ("D Mon YYYY", "1 Foo 2026"),
        ("YYYY-MM-DD hh:mm±hh:mm", "2026-01-01 10:00"),
        ("YYYY-MM-DD hh:mm±hh:mm", "2026-01-01 10:00+15:00"),
        ("YYYY-MM-DD hh:mm±hh:mm", "2026-01-01 10:00+01:60"),
        ("CYYYY.MM.DD", "2026.01.01"),
        ("YYYY-MM-DD hh:mm±hh:mm", "0001-01-01 00:00+01:00"),
    ],
)
def test_a_cell_fits_whole_or_not_at_all(pattern: str, text: str) -> None:
    with pytest.raises(InputError):
        Pattern.of(pattern).instant(text)


def test_what_is_optional_and_what_has_two_words() -> None:
    pattern = Pattern.of("D/M/(19)YY[ hh:mm 'CET|CEST']")
    assert pattern.instant("2/1/70") == DAYS
    assert pattern.instant(" 2/1/70 01:00 CEST ") == DAYS + DAYS // 24
    assert Pattern.of("D/M/(20)YY").instant("2/1/70") == parse_instant("2070-01-02")


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("DD.MM", "it names no year"),
        ("YYYY-YYYY-MM-DD", "it names the year twice"),
        ("YYYY-MM", "it names no day"),
        ("YYYY-DD", "it names no month"),
        ("YYYY-MM-DD Mon", "it names more than one month"),
        ("YYYY-MM-DD mm", "it names the minute and not the hour"),
        ("YYYY-MM-DD hh:ss", "it names the second and not the minute"),
        ("YYYY-MM-DD am", "it names the half and not the hour"),
        ("YYYY-MM-DD[ hh:mm", "its brackets do not match"),
        ("YYYY-MM-DD] hh:mm", "its brackets do not match"),
        ("YYYY-MM-DD'T", "a quotation mark is left open"),
        ("", "it names no year"),
        ("soon", "it names no year"),
    ],
)
def test_patterns_that_make_no_time_are_refused(pattern: str, why: str) -> None:
    with pytest.raises(InputError, match=why) as refused:
        Clock.of(pattern)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("unit", "text", "instant"),
    [
        ("days", "13868", "2007-12-21T00:00:00Z"),
        ("days", "-1", "1969-12-31T00:00:00Z"),
        ("seconds", "1700000000.5", "2023-11-14T22:13:20.500000Z"),
        ("milliseconds", "1700000000123", "2023-11-14T22:13:20.123000Z"),
        ("microseconds", "1700000000123456", "2023-11-14T22:13:20.123456Z"),
        ("excel", "46054", "2026-02-01T00:00:00Z"),
        ("excel", "46054.4166666667", "2026-02-01T10:00:00Z"),
        ("excel", "61", "1900-03-01T00:00:00Z"),
    ],
)
def test_numbers_that_are_times(unit: str, text: str, instant: str) -> None:
    assert format_instant(Count(unit).instant(text)) == instant


@pytest.mark.parametrize(
    ("unit", "text"),
    [("days", "1e5"), ("days", "soon"), ("days", "99999999"), ("excel", "60"), ("seconds", "9" * 20), ("days", "٣")],
)
def test_numbers_that_are_no_times(unit: str, text: str) -> None:
    with pytest.raises(InputError):
        Count(unit).instant(text)


@pytest.mark.parametrize(
    ("times", "zone", "message"),
    [
        (None, "Berlin", "no time zone"),
        (None, "Europe", "no time zone"),
        (None, "../etc/passwd", "no time zone"),
        (None, "", "no time zone"),
        (None, "localtime", "no time zone"),
        ("YYYY-MM-DD hh:mm±hh:mm", "Europe/Berlin", "name their offset"),
        ("seconds", "Europe/Berlin", "counted in UTC"),
    ],
)
def test_a_zone_that_cannot_be_meant(times: str | None, zone: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        Clock.of(times, zone)
    assert refused.value.hint


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(InputError, match="times is 7"):
        Clock.of(7)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="zone is 7"):
        Clock.of(None, 7)  # type: ignore[arg-type]
