"""Games of an open period that are handed in again."""

import pytest

import tallymark as tm
from tallymark.games.again import apart_from


def _log(times: list[str], scores: list[float], **more: list[str | int]) -> tm.GameLog:
    n = len(times)
    return tm.GameLog.from_arrays(
        player_a=["ann"] * n, player_b=[f"p{i}" for i in range(n)], score_a=scores, played_at=times, **more
    )


DATES = ["2026-01-01", "2026-01-02"]
TIMES = ["2026-01-01T18:00Z", "2026-01-02T18:00Z"]


def test_games_with_a_time_of_day_are_held() -> None:
    log = apart_from(_log(TIMES, [1, 0]), _log([*TIMES, "2026-01-03T18:00Z"], [1, 0.5, 1]))
    assert (log.report.held, log.report.accepted, len(log), log.report.games) == (1, 2, 2, 2)
    assert log.report.problems["reason"].tolist() == ["suspected-duplicate"]
    assert log.row.tolist() == [1, 2]


def test_games_with_a_date_are_kept_and_told() -> None:
    log = apart_from(_log(DATES, [1, 0]), _log(DATES, [1, 0]))
    assert len(log) == 2
    assert any(note.startswith("2 games are in the open period already, such as row 0") for note in log.report.notes)


def test_dedupe_rejects_them() -> None:
    log = apart_from(_log(DATES, [1, 0]), _log(DATES, [1, 0]), dedupe=True)
    assert (len(log), log.report.rejected) == (0, 2)


@pytest.mark.parametrize("other", [{"game": ["x", "y"]}, {"board": [9, 9]}, {"ending": ["resignation", "timeout"]}])
def test_what_differs_in_a_column_is_another_game(other: dict[str, list[str | int]]) -> None:
    assert len(apart_from(_log(TIMES, [1, 0]), _log(TIMES, [1, 0], **other))) == 2


def test_games_without_times_may_well_be_alike() -> None:
    votes = tm.GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
    assert apart_from(votes, votes) is votes
    assert len(apart_from(votes, votes, dedupe=True)) == 0


def test_a_row_of_several_games_repeats_if_all_of_them_do() -> None:
    def match(players: list[str]) -> tm.GameLog:
        n = len(players)
        return tm.GameLog.from_entries(
            match=["m"] * n, player=players, rank=list(range(n)), played_at=["2026-01-01T18:00Z"] * n
        )

    assert len(apart_from(match(["a", "b", "c"]), match(["a", "b", "c"]))) == 0


def test_earlier_findings_stay() -> None:
    log = apart_from(_log(TIMES, [1, 0]), _log([*TIMES, "soon"], [1, 0, 1]))
    assert log.report.problems["reason"].tolist() == ["suspected-duplicate", "suspected-duplicate", "bad-time"]
