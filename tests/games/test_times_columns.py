from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tallymark as tm
from tallymark.errors import ReadError
from tallymark.games.columns import Cells
from tallymark.games.texts import Packed, Text
from tallymark.games.times import NO_TIME, format_instant
from tallymark.games.times.clock import Clock
from tallymark.games.times.columns import Times, read_times
from tallymark.games.times.zones import checked_zone, instant_in, instants_in


def read(cells: list[object], times: str | None = None, zone: str | None = None) -> Times:
    return read_times(cells, Clock.of(times, zone), "games.csv")


def shown(found: Times) -> list[str | None]:
    return [None if at == NO_TIME else format_instant(at) for at in found.instants.tolist()]


@pytest.mark.parametrize(
    ("cells", "pattern", "first"),
    [
        (["19680721", "19680422"], "YYYYMMDD", "1968-07-21T00:00:00Z"),
        (["2018.10.22"], "YYYY.MM.DD", "2018-10-22T00:00:00Z"),
        (["2018.10.22 17:05", "2018.10.23 00:00"], "YYYY.MM.DD hh:mm", "2018-10-22T17:05:00Z"),
        (["2018/1/2", "2018/12/31"], "YYYY/M/D", "2018-01-02T00:00:00Z"),
        (["2018-1-2"], "YYYY-M-D", "2018-01-02T00:00:00Z"),
        (["August 01, 2026", "May 25, 2026"], "Month DD, YYYY", "2026-08-01T00:00:00Z"),
        (["1 Aug 2026", "25 May 2026"], "D Mon YYYY", "2026-08-01T00:00:00Z"),
        (["01-AUG-2026"], "DD-Mon-YYYY", "2026-08-01T00:00:00Z"),
        (["31/01/2026", "01/02/2026"], "DD/MM/YYYY", "2026-01-31T00:00:00Z"),
        (["1/31/2026", "2/1/2026"], "M/D/YYYY", "2026-01-31T00:00:00Z"),
        (["31.01.2026 9:05", "01.02.2026 10:00"], "DD.MM.YYYY h:mm", "2026-01-31T09:05:00Z"),
        (["1/31/2026 9:05:00 PM"], "M/D/YYYY h:mm:ss am", "2026-01-31T21:05:00Z"),
        (["1/31/2026", "1/31/2026 10:05"], "M/D/YYYY[ hh:mm]", "2026-01-31T00:00:00Z"),
        (["1/31/2026 10:05:07", "1/31/2026 10:05"], "M/D/YYYY hh:mm[:ss]", "2026-01-31T10:05:07Z"),
        (["2026.01.31 10:05 +0100"], "YYYY.MM.DD hh:mm ±hh:mm", "2026-01-31T09:05:00Z"),
        (["2026-01-31 10:05 UTC"], "YYYY-MM-DD hh:mm 'UTC'", "2026-01-31T10:05:00Z"),
        (["31/01/2026, 10:05"], "DD/MM/YYYY, hh:mm", "2026-01-31T10:05:00Z"),
    ],
)
def test_a_way_of_writing_that_fits_alone_is_taken_and_announced(cells: list[object], pattern: str, first: str) -> None:
    for column in (cells, [*cells, None, ""]):
        found = read(column)
        assert found.notes == [f"played_at: {pattern}"]
        assert found.wrong == {}
        assert shown(found)[0] == first
        assert shown(found) == shown(read(column, pattern))


@pytest.mark.parametrize(
    ("cells", "message", "hint"),
    [
        (
            ["01/02/2026", "03/04/2026"],
            "has '01/02/2026', which may be the day or the month first",
            "choose one: times='DD/MM/YYYY' or times='MM/DD/YYYY'",
        ),
        (["1.2.2026 10:00"], "the day or the month first", "choose one: times='D.M.YYYY' or times='M.D.YYYY'"),
        (
            ["31/01/2026", "01/31/2026"],
            "has dates of both kinds: '01/31/2026' is not DD/MM/YYYY, '31/01/2026' is not MM/DD/YYYY",
            "choose one: times='DD/MM/YYYY' or times='MM/DD/YYYY'",
        ),
        (["31/01/26"], "years of two digits, as in '31/01/26'", "say the century, (19) or (20): times='DD/MM/(20)YY'"),
        (["01/02/13"], "years of two digits", "times='DD/MM/(20)YY' or times='MM/DD/(20)YY'"),
        (
            ["13868", "13869"],
            "has numbers such as '13868'",
            "say of what: times='days' (2007-12-21) or times='seconds' (1970-01-01T03:51:08Z) or times='milliseconds'",
        ),
        (["1700000000"], "has numbers such as '1700000000'", "times='seconds' (2023-11-14T22:13:20Z)"),
        (
            ["2010-06-23 17:00 W. Europe Standard Time"],
            "names a time zone in words, 'W. Europe Standard Time'",
            "zone='Europe/Berlin'",
        ),
        (["2010.06.23 17:00 CET"], "names a time zone in words, 'CET'", "zone="),
    ],
)
def test_what_several_ways_fit_is_refused_with_the_choices(cells: list[object], message: str, hint: str) -> None:
    with pytest.raises(ReadError) as refused:
        read(cells)
    assert message in refused.value.message
    assert refused.value.message.startswith("games.csv: played_at ")
    assert hint in str(refused.value.hint)


def test_the_choices_that_a_hint_names_can_be_taken() -> None:
    assert shown(read(["01/02/2026"], "DD/MM/YYYY")) == ["2026-02-01T00:00:00Z"]
    assert shown(read(["01/02/2026"], "MM/DD/YYYY")) == ["2026-01-02T00:00:00Z"]
    assert shown(read(["01/02/26"], "DD/MM/(20)YY")) == ["2026-02-01T00:00:00Z"]
    assert shown(read(["2010.07.23 17:00 CEST"], "YYYY.MM.DD hh:mm 'CET|CEST'", "Europe/Berlin")) == [
        "2010-07-23T15:00:00Z"
    ]


def test_rows_that_do_not_fit_are_wrong_and_read_by_no_other_way() -> None:
    found = read(["31.01.2026", "01.02.2026", "2026-02-03", "02/03/2026", "soon", "45.01.2026"])
    assert found.notes == ["played_at: DD.MM.YYYY"]
    assert sorted(found.wrong) == [2, 3, 4, 5]
    assert found.wrong[2] == "'2026-02-03' is not DD.MM.YYYY"
    assert "day" in found.wrong[5]


def test_iso_stays_where_most_rows_are_iso() -> None:
    found = read(["2026-01-31", "2026-02-01", "31/01/2026"])
    assert (found.notes, list(found.wrong)) == ([], [2])
    found = read(["soon", "later", None])
    assert list(found.wrong) == [0, 1]
    assert found.notes == [
        "played_at: no row is a time that is known; times says how they are written (times='DD.MM.YYYY hh:mm')"
    ]


def test_packed_and_plain_text_are_read_alike() -> None:
    texts = ["31.01.2026", "", "soon", "01.02.2026"]
    codes = np.array([0, 1, 0, 2, 3, 3], dtype=np.int32)
    packed = read_times(Text(codes, texts), Clock.of(), "games.csv")
    plain = read([texts[code] for code in codes])
    assert packed.instants.tolist() == plain.instants.tolist()
    assert (packed.wrong, packed.notes) == (plain.wrong, plain.notes)


def test_numbers_stay_seconds_and_may_be_said_to_be_more() -> None:
    found = read_times(np.array([1_700_000_000, 1_700_000_001]), Clock.of(), "games.parquet")
    assert found.notes == ["played_at: seconds since 1970"]
    assert shown(found)[0] == "2023-11-14T22:13:20Z"
    days = np.array([13868, 13869])
    assert "say times='days' or times='YYYYMMDD'" in read_times(days, Clock.of(), "games.parquet").notes[0]
    assert shown(read_times(days, Clock.of("days"), "games.parquet"))[0] == "2007-12-21T00:00:00Z"
    assert shown(read_times(np.array([20260131]), Clock.of("YYYYMMDD"), "x"))[0] == "2026-01-31T00:00:00Z"
    assert shown(read([1_700_000_000_123, None], "milliseconds")) == ["2023-11-14T22:13:20.123000Z", None]


@pytest.mark.parametrize(("times", "zone"), [("DD.MM.YYYY", None), (None, "Europe/Berlin")])
def test_instants_need_no_word_about_how_they_are_written(times: str | None, zone: str | None) -> None:
    cells = np.array(["2026-01-01"], dtype="datetime64[us]")
    with pytest.raises(ReadError, match="holds instants already"):
        read_times(cells, Clock.of(times, zone), "games.parquet")


def test_local_times_are_of_the_zone_and_those_with_offsets_of_their_own() -> None:
    found = read(
        ["2026-07-01T12:00", "2026-01-01 12:00:30", "2026-07-01T12:00Z", "2026-07-01T12:00+05:45", "2026-07-01"],
        zone="Europe/Berlin",
    )
    assert shown(found) == [
        "2026-07-01T10:00:00Z",
        "2026-01-01T11:00:30Z",
        "2026-07-01T12:00:00Z",
        "2026-07-01T06:15:00Z",
        "2026-07-01T00:00:00Z",  # a date alone is a date, wherever it is
    ]


def test_local_times_that_do_not_exist_or_exist_twice_are_wrong_with_the_choices() -> None:
    found = read(["29.03.2026 02:30", "25.10.2026 02:30", "25.10.2026 03:00"], "DD.MM.YYYY hh:mm", "Europe/Berlin")
    assert shown(found) == [None, None, "2026-10-25T02:00:00Z"]
    assert found.wrong == {
        0: (
            "2026-03-29 02:30:00 does not exist in Europe/Berlin: it is 2026-03-29T00:30:00Z or 2026-03-29T01:30:00Z; "
            "write the one meant"
        ),
        1: (
            "2026-10-25 02:30:00 is there twice in Europe/Berlin: it is 2026-10-25T00:30:00Z or 2026-10-25T01:30:00Z; "
            "write the one meant"
        ),
    }
    assert sorted(read(["2026-03-29T02:30", "2026-10-25 02:30"], zone="Europe/Berlin").wrong) == [0, 1]


@given(st.lists(st.dates(), min_size=1), st.sampled_from(["{0.day:02}/{0.month:02}", "{0.month:02}/{0.day:02}"]))
def test_a_column_is_read_as_it_was_written_or_not_at_all(dates: list[object], form: str) -> None:
    cells = [f"{form}/{{0.year:04}}".format(date) for date in dates]
    try:
        found = read(list(cells))
    except ReadError:
        assert all(int(cell[:2]) <= 12 and int(cell[3:5]) <= 12 for cell in cells)
    else:
        assert found.wrong == {}
        assert shown(found) == [f"{date}T00:00:00Z" for date in dates]


PATTERNS = ["DD.MM.YYYY hh:mm", "YYYYMMDD", "'on' YYYY/MM/DD[ hh:mm[:ss]]", "DD.MM.YYYY hh 'h|H'", "D.M.YYYY hh:mm"]
WRITTEN = st.one_of(
    st.datetimes().map(lambda t: f"{t:%d.%m.}{t.year:04} {t:%H:%M}"),
    st.datetimes(datetime(2026, 3, 28), datetime(2026, 3, 30)).map(lambda t: f"{t:%d.%m.%Y %H:%M}"),
    st.datetimes(datetime(2026, 10, 24), datetime(2026, 10, 26)).map(lambda t: f"on {t:%Y/%m/%d %H:%M:%S}"),
    st.datetimes().map(lambda t: f"{t.year:04}{t:%m%d}"),
    st.datetimes().map(lambda t: f"on {t.year:04}/{t:%m/%d}"),
    st.datetimes().map(lambda t: f"{t:%d.%m.}{t.year:04} {t:%H} H"),
    st.from_regex(r"\d\d\.\d\d\.\d{4} \d\d:\d\d", fullmatch=True),
    st.from_regex(r"(on )?[0-3]{4}/[0-3]{2}/[0-3]{2}( [0-9:]{5,8})?", fullmatch=True),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.datetimes().map(lambda t: t.isoformat()),
)


@given(st.lists(WRITTEN, max_size=8), st.sampled_from([None, *PATTERNS]), st.sampled_from([None, "Europe/Berlin"]))
def test_many_at_once_are_read_as_one_by_one(texts: list[str], times: str | None, zone: str | None) -> None:
    clock = Clock.of(times, zone)
    rows = Text(np.arange(len(texts), dtype=np.int32), Packed.of(texts))
    outcomes: list[object] = []
    columns: list[Cells] = [rows, [*texts]]
    for column in columns:
        try:
            found = read_times(column, clock, "games.csv")
            outcomes.append((found.instants.tolist(), found.wrong, found.notes))
        except ReadError as refused:
            outcomes.append((refused.message, refused.hint))
    assert outcomes[0] == outcomes[1]


@given(
    st.lists(st.integers(-62_135_596_800, 253_402_300_799).map(lambda second: second * 10**6)),
    st.sampled_from(["Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Africa/Monrovia"]),
)
def test_many_times_of_a_clock_are_those_of_each(local: list[int], name: str) -> None:
    zone = checked_zone(name)
    instants, sure = instants_in(zone, np.array(local, dtype=np.int64))
    for at, moment in enumerate(local):
        if sure[at]:
            assert instants[at] == instant_in(zone, datetime(1970, 1, 1) + timedelta(microseconds=moment))


def test_words_for_nothing_are_no_time(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("played_at,player_a,player_b,score_a\nNA,a,b,1\n31.01.2026,a,b,1\nn/a,a,b,1\nsoon,a,b,1\n")
    report = tm.read_games(path).report
    assert [(row["line"], row["reason"], row["message"]) for row in report.problems.rows()] == [
        (2, "missing-time", "played_at is 'NA': no time"),
        (4, "missing-time", "played_at is 'n/a': no time"),
        (5, "bad-time", "played_at: 'soon' is not DD.MM.YYYY"),
    ]
    path.write_text("played_at,player_a,player_b,score_a\nNA,a,b,1\n,a,b,1\n")
    log = tm.read_games(path)
    assert (len(log), log.time) == (2, None)
    path.write_text("played_at,player_a,player_b,score_a\nsoon,a,b,1\n,a,b,1\nNA,a,b,1\n")
    assert list(tm.read_games(path).report.problems["reason"]) == ["bad-time", "missing-time", "missing-time"]


@pytest.mark.parametrize("kind", [list, np.array])
def test_seconds_with_fractions_are_instants_to_the_microsecond(kind: Callable[[list[object]], Cells]) -> None:
    cells: list[object] = [1764003383.1234, 1764003384.0, float("nan"), 1764003385.000001]
    found = read_times(kind(cells), Clock.of(), "games.csv")
    assert shown(found) == [
        "2025-11-24T16:56:23.123400Z",
        "2025-11-24T16:56:24Z",
        None,
        "2025-11-24T16:56:25.000001Z",
    ]
    assert (found.wrong, found.notes) == ({}, ["played_at: seconds since 1970, with fractions to the microsecond"])


@pytest.mark.parametrize("other", [45678.5, 1764003383123.5, "2026-01-01", -1.5, float("inf"), True])
def test_other_numbers_with_fractions_are_no_seconds(other: object) -> None:
    found = read([1764003383.1234, other])
    assert 0 in found.wrong
    assert found.notes == []
