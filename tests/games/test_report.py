import csv
import gzip
import io
import os
import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tallymark as tm
from tallymark.games.remarks import far_off, far_years, newest_first, one_sided, one_time, rising_times
from tallymark.games.report import Findings, Reason
from tallymark.games.times import NO_TIME, parse_instant

DAY = 86_400_000_000
HEADER = "played_at,player_a,player_b,score_a\n"


def file(folder: Path, text: str | bytes, name: str = "games.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def texts(log: tm.GameLog) -> list[object]:
    return list(log.report.problems["text"])


ROWS = '2026-01-01,a,b,\n\n"2026-01-01","a ""x""",b,"\r\n"\r\n2026-01-01,a,b,1\n2026-01-01,b\n2026-01-01,c,c,1'
PROBLEMS = ["2026-01-01,a,b,", '"2026-01-01","a ""x""",b,"\r\n"', "2026-01-01,b", "2026-01-01,c,c,1"]


def test_problems_have_the_row_as_it_is_written(tmp_path: Path) -> None:
    assert texts(tm.read_games(file(tmp_path, HEADER + ROWS))) == PROBLEMS
    assert texts(tm.read_games(file(tmp_path, gzip.compress((HEADER + ROWS).encode()), "games.csv.gz"))) == PROBLEMS


def test_of_several_files_each_has_its_own(tmp_path: Path) -> None:
    one, two = file(tmp_path, HEADER + ROWS, "x.csv"), file(tmp_path, HEADER + "2026-01-09,z,z,1\n", "y.csv")
    log = tm.read_games([one, two])
    assert texts(log) == [*PROBLEMS, "2026-01-09,z,z,1"]
    assert log.report.problems.columns == ("file", "row", "line", "kind", "reason", "message", "text")
    pq.write_table(pa.table({"player_a": ["a"], "player_b": ["a"], "score_a": [1]}), tmp_path / "z.parquet")
    assert texts(tm.read_games([one, tmp_path / "z.parquet"])) == [*PROBLEMS, None]


def test_encodings_and_pipes_are_read_a_second_time_too(tmp_path: Path) -> None:
    text = "player_a,player_b,score_a\nJ\u00fcrgen,Bj\u00f8rn,\n"
    for encoding in ("cp1252", "utf-16", "utf-8-sig"):
        log = tm.read_games(file(tmp_path, text.encode(encoding)), encoding=encoding.removesuffix("-sig"))
        assert texts(log) == ["J\u00fcrgen,Bj\u00f8rn,"]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(text.encode(),))
    writer.start()
    assert texts(tm.read_games(pipe)) == ["J\u00fcrgen,Bj\u00f8rn,"]
    writer.join()


def test_a_long_row_is_cut(tmp_path: Path) -> None:
    wide, high = "x" * 12_000, "y\n" * 7_000
    log = tm.read_games(file(tmp_path, f'player_a,player_b,score_a\na,a,1\n{wide},b,\na,"{high}",\n'))
    assert texts(log) == ["a,a,1", wide[:10_000] + "...", f'a,"{high}'[:10_000] + "..."]


def test_where_no_row_has_a_problem_or_a_line_there_is_no_text(tmp_path: Path) -> None:
    assert "text" not in tm.read_games(file(tmp_path, HEADER + "2026-01-01,a,b,1\n")).report.problems.columns
    log = tm.GameLog.from_arrays(player_a=["a"], player_b=["a"], score_a=[1])
    assert log.report.problems.columns == ("row", "kind", "reason", "message")


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)


@given(rows=st.lists(st.tuples(CELLS, CELLS, st.sampled_from(["", "1", "no"])), max_size=6))
def test_each_text_is_the_row_again(rows: list[tuple[str, str, str]], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "text_again.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([("player_a", "player_b", "score_a"), *rows])
    report = tm.read_games(path).report
    for problem in report.problems.rows():
        text, row = str(problem["text"]), rows[int(str(problem["row"]))]
        assert next(csv.reader(io.StringIO(text, newline=""))) == list(row)


def test_problems_are_written_as_any_table(tmp_path: Path) -> None:
    tm.read_games(file(tmp_path, HEADER + ROWS)).report.problems.write(tmp_path / "rejects.csv")
    with (tmp_path / "rejects.csv").open(encoding="utf-8", newline="") as written:
        rows = list(csv.DictReader(written))
    assert [row["text"] for row in rows] == PROBLEMS
    assert {row["kind"] for row in rows} == {"rejected"}


def test_notes_that_all_files_have_are_said_once(tmp_path: Path) -> None:
    paths = [file(tmp_path, HEADER + f"31.{month:02}.2026,a,b,1\n", f"{month}.csv") for month in (1, 3, 5)]
    assert tm.read_games(paths).report.notes == ("played_at: DD.MM.YYYY",)
    paths.append(file(tmp_path, HEADER + "2026-07-01,a,b,1\n", "7.csv"))
    assert tm.read_games(paths).report.notes == (f"{', '.join(map(str, paths[:3]))}: played_at: DD.MM.YYYY",)
    paths += [file(tmp_path, HEADER + "31.12.2026,a,b,1\n", f"{name}.csv") for name in "xy"]
    assert f"{paths[2]} and 2 more: played_at" in tm.read_games(paths).report.notes[0]


def test_findings_of_parts_have_the_same_aliases() -> None:
    findings = Findings(1)
    findings.spread(np.array([0, 0])).aliases["a"] = "b"
    findings.spread(np.array([0, 0])).reject([1], Reason.NO_RESULT, lambda _: "none")
    assert findings.report(0).aliases == {"a": "b"}


def days(*numbers: float) -> np.ndarray:
    return (np.array(numbers) * DAY).astype(np.int64)


def test_one_sided_speaks_of_nearly_all() -> None:
    assert str(one_sided(np.array([1.0] * 99 + [0.0]))).startswith("player_a wins nearly every game")
    assert str(one_sided(np.array([0.0] * 100))).startswith("player_b wins nearly every game")
    assert one_sided(np.array([1.0] * 98 + [0.0] * 2)) is None
    assert one_sided(np.array([0.5] * 100)) is None
    assert one_sided(np.array([1.0] * 99)) is None


@pytest.mark.parametrize(
    ("time", "speaks"),
    [
        (days(3, 2, 2, 1), True),
        (days(3, 3, 2, 1, 1), True),
        (np.array([3 * DAY, NO_TIME, 2 * DAY, 2 * DAY, DAY]), True),
        (days(3, 2, 1), False),  # no two of one time: the order of rows decides nothing
        (days(1, 2, 2, 3), False),
        (days(3, 2, 2, 3), False),
        (days(2, 2, 1), False),  # two times are no direction
        (days(1, 1, 1), False),
        (days(), False),
    ],
)
def test_newest_first_speaks_where_rows_fall_and_some_are_equal(time: np.ndarray, speaks: bool) -> None:
    assert (newest_first(time) is not None) == speaks


def test_newest_first_is_told_of_the_file_and_not_where_something_orders(tmp_path: Path) -> None:
    text = HEADER + "2026-01-03,a,b,1\n2026-01-02,a,b,1\n2026-01-02,a,c,1\n2026-01-01,a,b,1\n"
    one = file(tmp_path, text, "x.csv")
    assert any(note.startswith("the rows are newest first") for note in tm.read_games(one).report.notes)
    two = file(tmp_path, HEADER + "2026-01-01,a,b,1\n2026-01-05,a,b,1\n", "y.csv")
    assert f"the rows of {one} are newest first" in " ".join(tm.read_games([one, two]).report.notes)
    header, *rows = text.splitlines()
    ordered = file(tmp_path, "\n".join([f"n,{header}", *(f"{-at},{row}" for at, row in enumerate(rows))]))
    assert "newest first" not in " ".join(tm.read_games(ordered, columns={"order": "n"}).report.notes)
    assert "newest first" not in " ".join(tm.read_games(ordered, columns={"game": "n"}).report.notes)


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (days(*[0.5] * 10, *range(10)), "10 of 20 games are of 1970-01-01T12:00:00Z"),
        (days(*[0.5] * 30), "30 of 30 games are of 1970-01-01T12:00:00Z"),
        (days(*[9] * 20, *range(40, 60)), "20 of 40 games are of 1970-01-10"),
        (days(*range(20), *[59] * 20), "20 of 40 games are of 1970-03-01"),
        (days(*[0.5] * 10), None),
        (days(*[9] * 30), None),  # one evening
        (days(*[0] * 15, *[1] * 15), None),  # a weekend
        (days(*[9] * 19, *range(40, 60)), None),
        (days(), None),
    ],
)
def test_one_time_speaks_where_half_of_the_games_have_it(time: np.ndarray, said: str | None) -> None:
    found = one_time(rising_times(time))
    assert found is None if said is None else str(found).startswith(f"{said}: is that when they were played")


def test_one_time_counts_a_match_once() -> None:
    n = 30
    log = tm.GameLog.from_entries(
        match=[1] * n, player=range(n), rank=[at % 7 for at in range(n)], played_at=["2026-01-01T10:00"] * n
    )
    assert len(log) == n * (n - 1) // 2
    assert log.report.notes == ()


@pytest.mark.parametrize(
    ("off", "said"),
    [
        (["0206-05-01"], "1 game is of 0206-05-01, 1,819 years before the others"),
        (["2206-05-01"], "1 game is of 2206-05-01, 178 years after the others"),
        (["1970-01-01", "1970-01-02"], "2 games are of 1970-01-01 to 1970-01-02, 55 years before the others"),
        (["1970-01-01"] * 3, None),  # more than one in a hundred
        (["2020-01-01"], None),
        ([], None),
    ],
)
def test_far_years_speaks_of_few_that_are_far_off(off: list[str], said: str | None) -> None:
    start = parse_instant("2026-01-01")
    time = np.array([*(start + 3 * DAY * at for at in range(200)), *map(parse_instant, off), NO_TIME])
    found = far_years(rising_times(time))
    assert found is None if said is None else str(found) == f"{said}: is the year right?"


def test_far_years_says_nothing_of_a_long_history_or_a_short_file() -> None:
    assert far_years(rising_times(days(*range(0, 100_000, 500)))) is None
    assert far_years(rising_times(days(-700_000, *range(90)))) is None


def test_far_off_ratings_by_the_median() -> None:
    usual = [1500.0 + 3 * at for at in range(40)]
    assert far_off([*usual, 16_000.0, np.nan, 15.0, 0.0]).tolist() == [40, 42, 43]
    assert far_off(usual).tolist() == []
    assert far_off([1500.0] * 30 + [1600.0]).tolist() == []  # half of them equal: no deviation to compare with
    assert far_off([1500.0, 1510.0, 15.0]).tolist() == []
    assert far_off([]).tolist() == []


def test_sets_of_the_data_have_the_remarks_they_teach(data: Path) -> None:
    log = tm.read_games(data / "football_international" / "football_international.csv.gz")
    assert not any(
        word in note for note in log.report.notes for word in ("newest first", "is the year", "games are of")
    )
