import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.games import GameLog, read_frame, read_games
from tallymark.games.choices import Choices
from tallymark.games.columns import Cells
from tallymark.games.log import log_of_games
from tallymark.games.report import Findings


def outcome(log: GameLog) -> list[tuple[object, object, object]]:
    return [(row["row"], row["kind"], row["reason"]) for row in log.report.problems.rows()]


def test_rows_that_differ_wait_even_if_one_has_another_fault() -> None:
    log = GameLog.from_arrays(
        player_a=["a", "a", "c", "c", "e", "e", "e"],
        player_b=["b", "b", "d", "d", "f", "f", "f"],
        score_a=[1, None, 1, 1, 3, "won", 3],
        ending=[None, None, None, "resigned", None, None, None],
        game=["g", "g", "h", "h", "i", "i", "i"],
    )
    assert outcome(log) == [
        (0, "held", "conflicting-game"),
        (1, "held", "conflicting-game"),
        (2, "held", "conflicting-game"),
        (3, "held", "conflicting-game"),
        # None of these is a game: each has its own fault.
        (4, "rejected", "bad-score"),
        (5, "rejected", "bad-score"),
        (6, "rejected", "bad-score"),
    ]
    messages = list(log.report.problems["message"])
    assert messages[0] == "game 'g' is told otherwise in row 1"
    assert messages[1] == "game 'g' is told otherwise in row 0; and score_a is empty: no result"
    assert log.report.held == 4


def log_of(played_at: Sequence[str], dedupe: bool = False, **columns: list[object]) -> GameLog:
    n = len(played_at)
    cells: dict[str, Cells] = {
        "player_a": ["a"] * n,
        "player_b": ["b"] * n,
        "score_a": [1] * n,
        "played_at": list(played_at),
    }
    return log_of_games(cells | columns, Findings(n), Choices(dedupe=dedupe))


DATE, TIME = "2026-01-01", "2026-01-01T12:00"


def test_identical_rows_with_a_date_alone_are_kept_and_told() -> None:
    note = ("2 identical rows; pass ids or --dedupe",)
    for log in (
        log_of([DATE, DATE, "2026-01-02"]),
        log_of([DATE] * 4, game=[None, "", "g", "h"]),
        log_of([DATE] * 2, pool=["x", "x"], komi=[None, None]),
    ):
        assert (len(log), log.report.notes) == (log.report.rows, note)
    assert log_of([DATE] * 2, game=["g", "h"]).report.notes == ()


def test_identical_rows_with_a_time_of_day_wait_but_for_the_first() -> None:
    log = log_of([TIME, DATE, TIME, TIME, DATE])
    assert outcome(log) == [(2, "held", "suspected-duplicate"), (3, "held", "suspected-duplicate")]
    assert list(log.report.problems["message"]) == ["as row 0 in every column; pass ids or --dedupe"] * 2
    assert log.report.notes == ("2 identical rows; pass ids or --dedupe",)


@pytest.mark.parametrize(
    "apart",
    [
        {"pool": ["x", "y"]},
        {"steps": [1, 2]},
        {"komi": [None, 6.5]},
        {"match": ["m", None]},
        {"order": [1, 2]},
        {"player_a": ["b", "a"], "player_b": ["a", "b"]},
        {"score_a": [1, 0]},
        {"ending": ["normal", None]},
    ],
)
@pytest.mark.parametrize("when", [DATE, TIME])
@pytest.mark.parametrize("dedupe", [True, False])
def test_rows_that_differ_in_anything_are_several_games(
    apart: dict[str, list[object]], when: str, dedupe: bool
) -> None:
    log = log_of([when] * 2, dedupe, **apart)
    assert (len(log), log.report.notes) == (2, ())


def test_dedupe_rejects_all_but_the_first() -> None:
    log = log_of([TIME, DATE, TIME, DATE], dedupe=True)
    assert outcome(log) == [(2, "rejected", "duplicate-row"), (3, "rejected", "duplicate-row")]
    assert list(log.report.problems["message"]) == ["is row 0 again", "is row 1 again"]
    assert log.report.notes == ()
    cells: dict[str, Cells] = {"player_a": ["a", "a"], "player_b": ["b", "b"], "score_a": [1, 1]}
    assert len(log_of_games(cells, Findings(2), Choices(dedupe=True))) == 1


def test_a_row_with_a_fault_is_no_first() -> None:
    log = log_of([TIME] * 3, score_a=[None, 1, 1], dedupe=True)
    assert outcome(log) == [(0, "rejected", "no-result"), (2, "rejected", "duplicate-row")]


def test_without_times_votes_may_be_alike() -> None:
    log = GameLog.from_arrays(player_a=["a"] * 2, player_b=["b"] * 2, score_a=[1] * 2)
    assert len(log) == 2
    assert not any("identical" in note for note in log.report.notes)


@pytest.mark.parametrize("dedupe", [True, False])
def test_the_games_of_one_row_are_no_repeats_of_each_other(dedupe: bool) -> None:
    # Rows of counts, taken apart: a beat b twice; the same again; a beat b twice and lost once; once.
    of = np.array([0, 0, 1, 1, 2, 2, 2, 3])
    n = len(of)
    cells: dict[str, Cells] = {
        "player_a": ["a"] * n,
        "player_b": ["b"] * n,
        "score_a": [1, 1, 1, 1, 1, 1, 0, 1],
        "played_at": [TIME] * n,
    }
    log = log_of_games(cells, Findings(4).spread(of), Choices(dedupe=dedupe))
    kind, reason = ("rejected", "duplicate-row") if dedupe else ("held", "suspected-duplicate")
    assert outcome(log) == [(1, kind, reason)]
    assert len(log) == 6


ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([0, 1]), st.sampled_from([DATE, TIME, "2026-01-02"])))


@given(ROWS)
def test_every_row_that_repeats_another_is_held_or_counted(rows: list[tuple[str, int, str]]) -> None:
    columns: dict[str, list[object]] = {
        "player_a": [row[0] for row in rows],
        "player_b": ["c"] * len(rows),
        "score_a": [row[1] for row in rows],
    }
    log = log_of([row[2] for row in rows], False, **columns)
    again = [at for at, row in enumerate(rows) if row in rows[:at]]
    assert outcome(log) == [(at, "held", "suspected-duplicate") for at in again if rows[at][2] == TIME]
    twins = sum(rows.count(row) > 1 for row in rows if row[2] != TIME)
    notes = [note for note in log.report.notes if "identical" in note]
    assert notes == ([f"{twins:,} identical rows; pass ids or --dedupe"] if twins else [])
    assert len(log_of([row[2] for row in rows], True, **columns)) == len(set(rows))


def files(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{name}.csv" for name, _ in zip("xyz", texts, strict=False)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text("played_at,player_a,player_b,score_a\n" + text)
    return paths


def test_repeats_across_files_are_told_by_file_and_line(tmp_path: Path) -> None:
    x, y = files(tmp_path, "2026-01-01,a,b,1\n2026-01-01T10:00,a,b,1\n", "2026-01-01T10:00,a,b,1\n2026-01-01,a,b,1\n")
    log = read_games([x, y])
    (held,) = log.report.problems.rows()
    assert (held["file"], held["line"], held["reason"]) == (str(y), 2, "suspected-duplicate")
    assert str(held["message"]).startswith(f"as {x}, line 3 in every column")
    assert "2 identical rows; pass ids or --dedupe" in log.report.notes
    assert f"1 of them repeat a row of another file, such as {y}, line 3 (as {x}, line 2)" in log.report.notes


def test_ING_09_rows_that_are_equal(tmp_path: Path, cases: Path) -> None:
    everything = json.loads((cases / "cases.json").read_text(encoding="utf-8"))
    rows = next(case for case in everything if case["id"] == "ING-09")["input"]["rows"]
    (path,) = files(tmp_path, "".join(",".join(row) + "\n" for row in rows))
    log = read_games(path)
    assert outcome(log) == [(3, "held", "suspected-duplicate")]
    assert "2 identical rows; pass ids or --dedupe" in log.report.notes
    header, *lines = path.read_text().splitlines()
    for name in ("game", "game_id"):
        path.write_text("\n".join([f"{name},{header}", *(f"{at // 2},{line}" for at, line in enumerate(lines))]))
        assert outcome(read_games(path)) == [(1, "rejected", "duplicate-game"), (3, "rejected", "duplicate-game")]


def test_games_that_files_tell_otherwise_are_kept_and_told(tmp_path: Path) -> None:
    x, y = files(
        tmp_path, "2026-01-01,a,b,1\n2026-01-02,c,d,1\n2026-01-02,c,d,0\n", "2026-01-01,b,a,1\n2026-01-02,c,d,0\n"
    )
    log = read_games([x, y])
    assert len(log) == 5
    note = next(note for note in log.report.notes if "told otherwise" in note)
    assert note.startswith("2 games of the same players at the same time are told otherwise in another file, such as ")
    assert f"{x}, line 2 and {y}, line 2" in note


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2026-01-01,a,b,1\n", "2026-01-01,b,a,0\n"),  # one game, told from the other side
        ("2026-01-01,a,b,1\n", "2026-01-02,a,b,0\n"),
        ("2026-01-01,a,b,1\n", "2026-01-01,a,c,0\n"),
        ("2026-01-01,a,b,1\n2026-01-01,a,b,0\n", "2026-01-03,a,b,0\n"),  # two games of one day in one file
        ("2026-01-01,a,b,1\n2026-01-01,a,b,0\n", "2026-01-01,a,b,0\n2026-01-01,a,b,1\n"),
    ],
)
def test_what_files_do_not_tell_otherwise(tmp_path: Path, one: str, other: str) -> None:
    assert not any("otherwise" in note for note in read_games(files(tmp_path, one, other)).report.notes)


def test_one_pairing_told_by_several_files(data: Path, tmp_path: Path) -> None:
    lines = (data / "messy" / "soccer_cross_file_duplicates_60.csv").read_text(encoding="utf-8").splitlines()
    pools = {line.split(",")[1] for line in lines[1:]}
    paths = []
    for pool in sorted(pools):
        paths.append(tmp_path / f"{pool}.csv")
        paths[-1].write_text("\n".join([lines[0], *(line for line in lines[1:] if line.split(",")[1] == pool)]))
    log = read_games(paths)
    assert len(log) == 60
    assert "60 identical rows; pass ids or --dedupe" in log.report.notes
    assert any(note.startswith("30 of them repeat a row of another file") for note in log.report.notes)
    assert len(read_games(paths, dedupe=True)) == 30


@pytest.mark.parametrize("dedupe", [True, False])
def test_rows_that_seat_several_may_be_told_twice(tmp_path: Path, dedupe: bool) -> None:
    path = tmp_path / "doubles.csv"
    rows = ["2026-01-01T10:00,a,b,c,d"] * 2 + ["2026-01-01T10:00,a,b,c,e"] + ["2026-01-01,a,b,c,d"] * 2
    path.write_text("\n".join(["played_at,winner1,winner2,loser1,loser2", *rows]))
    log = read_games(path, dedupe=dedupe)
    if dedupe:
        assert outcome(log) == [(1, "rejected", "duplicate-row"), (4, "rejected", "duplicate-row")]
    else:
        assert outcome(log) == [(1, "held", "suspected-duplicate")]
        assert "2 identical rows; pass ids or --dedupe" in log.report.notes
    assert len(log) == 4 * log.report.accepted


def test_rows_of_a_match_that_has_an_id_are_no_repeats() -> None:
    log = GameLog.from_entries(
        match=[1, 1, 2, 2], player=["a", "b"] * 2, rank=[1, 2] * 2, played_at=["2026-01-01T10:00"] * 4
    )
    assert len(log) == 2


VOTES = [("x", "y", at % 9, "2026-01-01T10:00:00Z") for at in range(10)]
NAMES = ("model_a", "model_b", "question", "played_at")


@pytest.mark.parametrize("kind", ["csv", "jsonl", "json", "parquet", "frame"])
def test_rows_that_differ_in_a_column_that_is_not_used_are_games_of_their_own(tmp_path: Path, kind: str) -> None:
    rows = [dict(zip(NAMES, vote, strict=True), score_a=1) for vote in VOTES]
    frame = pl.DataFrame(rows)
    file = tmp_path / f"v.{kind}"
    if kind == "csv":
        frame.write_csv(file)
    elif kind == "parquet":
        frame.write_parquet(file)
    else:
        lines = [json.dumps(row) for row in rows]
        file.write_text("\n".join(lines) if kind == "jsonl" else f"[{', '.join(lines)}]", encoding="utf-8")
    log = read_frame(frame) if kind == "frame" else read_games(file)
    assert outcome(log) == [(9, "held", "suspected-duplicate")]
    assert any(
        note.startswith("8 rows are equal to an earlier one in every column that is used") for note in log.report.notes
    )
    dated = read_frame(frame.with_columns(played_at=pl.lit("2026-01-01")))
    assert "2 identical rows; pass ids or --dedupe" in dated.report.notes


def test_games_of_one_day_that_differ_in_their_moves(tmp_path: Path) -> None:
    tags = '[White "ann"]\n[Black "bob"]\n[UTCDate "2026.01.01"]\n[UTCTime "10:00:00"]\n[Result "1-0"]\n\n'
    (tmp_path / "g.pgn").write_text(
        "".join(f"{tags}1. {move} 1-0\n\n" for move in ("e4", "d4", "e4")), encoding="utf-8"
    )
    assert outcome(read_games(tmp_path / "g.pgn")) == [(2, "held", "suspected-duplicate")]


def test_a_file_with_other_columns_may_tell_the_same_games(tmp_path: Path) -> None:
    """Each of its rows repeats one of the first file; what it has more of are games of their own."""
    (tmp_path / "a.csv").write_text(
        "player_a,player_b,score_a,played_at\nann,bob,1,2026-01-01T10:00\n", encoding="utf-8"
    )
    rows = "".join(f"ann,bob,1,2026-01-01T10:00,{place}\n" for place in ("here", "there"))
    (tmp_path / "b.csv").write_text("player_a,player_b,score_a,played_at,place\n" + rows, encoding="utf-8")
    log = read_games([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert outcome(log) == [(1, "held", "suspected-duplicate")]


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.sampled_from("de")), max_size=25),
    st.integers(2, 20),
)
def test_repeats_are_found_however_many_rows_are_of_one_time(rows: list[tuple[int, str, str]], near: int) -> None:
    rows = sorted(rows, key=lambda row: row[0])  # in the order of time they are looked for in another way
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tallymark.games.duplicates._NEAR", near)
        log = GameLog.from_arrays(
            played_at=[f"2026-01-01T10:0{minute}:00Z" for minute, _, _ in rows],
            player_a=[a for _, a, _ in rows],
            player_b=[b for _, _, b in rows],
            score_a=[1] * len(rows),
        )
    again = [at for at, row in enumerate(rows) if row in rows[:at]]
    assert log.report.problems["row"].tolist() == again
