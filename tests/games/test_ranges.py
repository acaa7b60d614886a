from pathlib import Path

import pytest

import tallymark as tm
from tallymark.errors import InputError
from tallymark.games.choices import Choices
from tallymark.games.columns import Cells
from tallymark.games.log import log_of_entries, log_of_games
from tallymark.games.report import Findings

DAYS = [f"2026-01-{day:02}" for day in range(1, 6)]


def games(folder: Path, *rows: str, header: str = "played_at,player_a,player_b,score_a") -> Path:
    path = folder / "games.csv"
    path.write_text("\n".join([header, *rows]))
    return path


def test_rows_outside_the_range_are_rejected_its_end_among_them(tmp_path: Path) -> None:
    path = games(tmp_path, *(f"{day},a,b,1" for day in DAYS))
    log = tm.read_games(path, since="2026-01-02", until="2026-01-04")
    assert log.row.tolist() == [1, 2]
    assert [(row["line"], row["reason"], row["message"]) for row in log.report.problems.rows()] == [
        (2, "outside-range", "played_at is 2026-01-01T00:00:00Z, before since, 2026-01-02T00:00:00Z"),
        (5, "outside-range", "played_at is 2026-01-04T00:00:00Z, not before until, 2026-01-04T00:00:00Z"),
        (6, "outside-range", "played_at is 2026-01-05T00:00:00Z, not before until, 2026-01-04T00:00:00Z"),
    ]
    assert tm.read_games(path, since="2026-01-02T00:00:01").row.tolist() == [2, 3, 4]
    assert tm.read_games(path, until="2026-01-01T00:00:01").row.tolist() == [0]
    assert len(tm.read_games(path, since="1900-01-01", until="1901-01-01")) == 0


def test_ranges_are_of_instants_whatever_the_way_of_writing(tmp_path: Path) -> None:
    path = games(tmp_path, "01.02.2026 00:30,a,b,1", "01.02.2026 01:30,a,b,0")
    for since in ("2026-02-01", "2026-02-01T01:00+01:00"):
        log = tm.read_games(path, since=since, times="DD.MM.YYYY hh:mm", zone="Europe/Berlin")
        assert log.row.tolist() == [1]


def test_a_match_is_in_the_range_or_not_and_its_contradictions_stay() -> None:
    cells: dict[str, Cells] = {
        "match": [1, 1, 2, 2, 3, 3],
        "player": ["a", "b"] * 3,
        "rank": [1, 2] * 3,
        "played_at": [*DAYS[:1] * 2, DAYS[0], DAYS[3], *DAYS[3:4] * 2],
    }
    log = log_of_entries(cells, Findings(6), Choices.of(since=DAYS[1]))
    assert log.matches == [3]
    assert [row["reason"] for row in log.report.problems.rows()] == [*["outside-range"] * 2, *["match-differs"] * 2]


def test_a_contradiction_under_one_id_waits_even_across_the_edge() -> None:
    cells: dict[str, Cells] = {
        "player_a": ["a"] * 4,
        "player_b": ["b"] * 4,
        "score_a": [1] * 4,
        "game": ["g", "g", "h", "h"],
        "played_at": [DAYS[0], DAYS[4], DAYS[0], DAYS[0]],
    }
    log = log_of_games(cells, Findings(4), Choices.of(since=DAYS[1]))
    assert [row["reason"] for row in log.report.problems.rows()] == [
        *["conflicting-game"] * 2,
        "outside-range",
        "duplicate-game",
    ]


def test_a_range_needs_times(tmp_path: Path) -> None:
    path = games(tmp_path, "a,b,1", header="player_a,player_b,score_a")
    with pytest.raises(InputError, match="since and until need times, and no row has one") as refused:
        tm.read_games(path, since="2026-01-01")
    assert "played_at" in str(refused.value.hint)
    assert len(tm.read_games(games(tmp_path), since="2026-01-01")) == 0


@pytest.mark.parametrize(
    ("since", "until", "message"),
    [
        ("yesterday", None, "since: 'yesterday' is not an ISO 8601 time"),
        (None, "01/02/2026", "until: '01/02/2026' is not an ISO 8601 time"),
        ("2026-01-02", "2026-01-02", "nothing lies between"),
        ("2026-01-02T01:00+01:00", "2026-01-02", "nothing lies between"),
        (7, None, "since is 7"),
    ],
)
def test_ranges_that_cannot_be_meant(tmp_path: Path, since: str | None, until: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tm.read_games(tmp_path / "none.csv", since=since, until=until)


def test_dedupe_is_yes_or_no(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="dedupe is 'no'"):
        tm.read_games(tmp_path / "none.csv", dedupe="no")  # type: ignore[arg-type]
