"""Rows with an object of player and points, and logs of events that have none."""

import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark import GameLog, InputError, ReadError, read_games


def read(folder: Path, *rows: Mapping[str, object], **columns: str) -> GameLog:
    (folder / "g.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return read_games(folder / "g.jsonl", columns=columns)


def test_more_points_are_better_and_equal_ones_a_tie(tmp_path: Path) -> None:
    log = read(tmp_path, {"game_id": 7, "date": "2026-01-31", "points": {"cid": 0, "ann": 1.5, "bob": 0}})
    told = [(log.players[a], log.players[b], s) for a, b, s in zip(log.a, log.b, log.score.tolist(), strict=True)]
    assert told == [("ann", "bob", 1.0), ("ann", "cid", 1.0), ("bob", "cid", 0.5)]
    assert log.matches == [7]
    assert log.time is not None
    assert log.report.accepted == 1
    assert (
        "a row is a match, the keys of points its players: more points are a better rank, equal ones a tie"
        in log.report.notes
    )


def test_points_of_another_name_are_mapped(tmp_path: Path) -> None:
    row = {"id": "m", "points": {"ann": 1, "bob": 0}, "steps": 5, "goals": {"ann": 0, "bob": 2}}
    log = read(tmp_path, row, points="goals", match="id")
    assert (log.score.tolist(), log.matches) == ([0.0], ["m"])


def test_rows_without_ids_are_matches_of_their_own(tmp_path: Path) -> None:
    row = {"points": {"ann": 1, "bob": 0}}
    log = read(tmp_path, row, row)
    assert len(log.matches or ()) == 2
    (tmp_path / "h.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert len(read_games([tmp_path / "g.jsonl", tmp_path / "h.jsonl"]).matches or ()) == 3


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (None, "points is empty: no result"),
        ({}, "points is empty: no result"),
        ([1, 2], "points is [1, 2], which is no object of player: points"),
        ({"ann": 1, "bob": None}, "points of 'bob' is None, which is not a number"),
        ({"ann": 1, "bob": "2"}, "points of 'bob' is '2', which is not a number"),
        ({"ann": 1, "bob": True}, "points of 'bob' is True, which is not a number"),
        ({"ann": 1, "": 2}, "player is missing"),
        ({"ann": 1}, "match 8 has no usable entry of another player"),
    ],
)
def test_a_row_is_in_the_log_whole_or_not_at_all(tmp_path: Path, points: object, message: str) -> None:
    sound = {"game_id": 7, "points": {"ann": 1, "bob": 0}}
    log = read(tmp_path, sound, {"game_id": 8, "points": points}, {**sound, "game_id": 9})
    assert (len(log), log.report.rejected) == (2, 1)
    assert log.report.problems["message"].tolist() == [message]
    assert log.report.problems["line"].tolist() == [2]


def test_words_for_results_are_of_no_use(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_text('{"points": {"a": 1, "b": 2}}', encoding="utf-8")
    with pytest.raises(InputError, match="no column of results is read"):
        read_games(tmp_path / "g.jsonl", results={"x": "draw"})


@given(st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(-3, 3), min_size=2), min_size=1, max_size=5))
def test_each_two_players_of_a_row_are_a_game(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, int]]
) -> None:
    log = read(tmp_path_factory.getbasetemp(), *({"match": n, "points": row} for n, row in enumerate(rows)))
    expected = [
        (n, a, b, 1.0 if row[a] > row[b] else 0.0 if row[a] < row[b] else 0.5)
        for n, row in enumerate(rows)
        if len(set(row.values())) > 1 or min(row.values()) >= 0  # all -1, say, are none
        for a, b in combinations(sorted(row), 2)
    ]
    assert log.match is not None
    assert log.matches is not None
    matches = [log.matches[code] for code in log.match.tolist()]
    told = zip(matches, log.a, log.b, log.score.tolist(), strict=True)
    assert [(match, log.players[a], log.players[b], score) for match, a, b, score in told] == expected


def test_a_log_of_events_is_refused(tmp_path: Path) -> None:
    rows = [{"game_id": n // 9, "type": "move", "turn": n, "player_id": "ann"} for n in range(30)]
    with pytest.raises(ReadError, match="is a log of what happened in games, several rows a game") as error:
        read(tmp_path, *rows)
    assert "a row a game" in (error.value.hint or "")


def test_a_row_a_game_is_no_log_of_events(tmp_path: Path) -> None:
    rows = [{"game_id": n, "type": "blitz", "round": 1, "p1": "ann"} for n in range(30)]
    with pytest.raises(ReadError, match="has no column"):
        read(tmp_path, *rows)


def test_step_game(data: Path) -> None:
    log = read_games(data / "messy" / "step_game_global_scores_60.jsonl")
    assert (log.report.accepted, len(log)) == (60, 180)
    assert log.time is not None
    with pytest.raises(ReadError, match="is a log of what happened in games"):
        read_games(data / "messy" / "step_game_event_log_60.jsonl")
