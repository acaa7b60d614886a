"""The points table: points, ties, tie-breaks, what is no game, and the ratings beside it."""

import json
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tallymark as tm
from tallymark.standings.points import Points

ENDINGS = [None, "normal", "timeout", "forfeit", "walkover", "bye", "unfinished", "aborted", "void"]
NOT_PLAYED = {"walkover", "bye"}
NOTHING = {"unfinished", "aborted", "void"}

Row = tuple[str, str, float, str | None, str]


def log_of(games: list[Row]) -> tm.GameLog:
    a, b, score, ending, pool = zip(*games, strict=True) if games else ([], [], [], [], [])
    return tm.GameLog.from_arrays(player_a=a, player_b=b, score_a=score, ending=ending, pool=pool)


@st.composite
def games(draw: st.DrawFn) -> list[Row]:
    names = ["ann", "bob", "cid", "éva", "李"]
    row = st.tuples(
        st.sampled_from(names),
        st.sampled_from(names),
        st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
        st.sampled_from(ENDINGS),
        st.sampled_from(["go", "chess"]),
    )
    return draw(st.lists(row.filter(lambda one: one[0] != one[1]), max_size=40))


def table(games: list[Row], **options: object) -> list[dict[str, object]]:
    return [dict(row) for row in tm.standings(log_of(games), **options).rows()]  # type: ignore[arg-type]


def test_walkovers_byes_and_aborted_games(tmp_path: Path) -> None:
    """Case ING-11 of the faults from the field: points 4, one rated game."""
    file = tmp_path / "round.csv"
    file.write_text(
        "player_a,player_b,result,played_at\n"
        "A,B,1-0F,2026-01-01\nA,B,+/-,2026-01-02\nA,BYE,1,2026-01-03\nA,B,aborted,2026-01-04\nA,B,1-0,2026-01-05\n"
    )
    log = tm.read_games(file)
    assert tm.replay(log, "paper").report.rated == 1
    found = list(tm.standings(log, "paper").rows())
    assert [(row["player"], row["points"]) for row in found] == [("A", 4.0), ("B", 0.0)]
    assert (found[0]["games"], found[0]["wins"], found[0]["unplayed"]) == (1, 1, 3)
    assert (found[1]["games"], found[1]["losses"], found[1]["unplayed"]) == (1, 1, 2)


def test_who_does_not_turn_up_gets_nothing_whatever_a_loss_is_worth() -> None:
    rows = table([("ann", "bob", 1, "walkover", "p"), ("ann", "bob", 1, None, "p")], points="3-2-1")
    assert [(row["player"], row["points"]) for row in rows] == [("ann", 6.0), ("bob", 1.0)]


def test_nobody_called_bye_is_listed_nor_an_opponent() -> None:
    log = tm.GameLog.from_arrays(player_a=["ann", "Bye "], player_b=["BYE", "bob"], score_a=[1, 0.5])
    found = tm.standings(log, tie_breaks="buchholz,sonneborn-berger,direct")
    assert found["player"].tolist() == ["ann", "bob"]
    assert found["points"].tolist() == [1.0, 0.5]
    assert found["games"].tolist() == [0, 0]
    assert found["buchholz"].tolist() == [0.0, 0.0]


def test_equal_players_share_a_rank_and_the_next_one_is_lower() -> None:
    rows = table([("ann", "dan", 1, None, "p"), ("bob", "dan", 1, None, "p"), ("cid", "eva", 0.5, None, "p")])
    assert [(row["rank"], row["player"]) for row in rows] == [
        (1, "ann"), (1, "bob"), (3, "cid"), (3, "eva"), (5, "dan")
    ]  # fmt: skip


def test_tie_breaks_by_hand() -> None:
    # Points: ann 2, bob 2, cid 1, dan 1. bob beat ann.
    games: list[Row] = [
        ("ann", "cid", 1, None, "p"),
        ("ann", "dan", 1, None, "p"),
        ("bob", "ann", 1, None, "p"),
        ("bob", "cid", 0.5, None, "p"),
        ("bob", "dan", 0.5, None, "p"),
        ("cid", "dan", 0.5, None, "p"),
    ]
    found = {row["player"]: row for row in table(games, tie_breaks=["direct", "wins", "sonneborn-berger", "buchholz"])}
    assert [found[name]["points"] for name in ("ann", "bob", "cid", "dan")] == [2, 2, 1, 1]
    assert [found[name]["direct"] for name in ("ann", "bob", "cid", "dan")] == [0, 1, 0.5, 0.5]
    assert [found[name]["rank"] for name in ("bob", "ann", "cid", "dan")] == [1, 2, 3, 3]
    assert found["ann"]["sonneborn_berger"] == 2.0  # cid 1, dan 1
    assert found["bob"]["sonneborn_berger"] == 3.0  # ann 2, half of cid and of dan
    assert found["cid"]["buchholz"] == 5.0  # ann 2, bob 2, dan 1
    assert table(games)[0]["rank"] == table(games)[1]["rank"] == 1
    assert [row["player"] for row in table(games, tie_breaks="wins")][:2] == ["ann", "bob"]


def test_points_that_doubles_cannot_hold_make_no_ties_and_break_none() -> None:
    games: list[Row] = [("ann", "x", 1, None, "p"), *[("bob", f"y{i}", 0.5, None, "p") for i in range(3)]]
    rows = table(games, points=[0.3, 0.1, 0])
    assert [(row["rank"], row["player"], row["points"]) for row in rows[:2]] == [(1, "ann", 0.3), (1, "bob", 0.3)]


@given(games(), st.sampled_from(["1-0.5-0", "3-1-0", "2-1-0", "3-2-1"]))
@settings(max_examples=150)
def test_counts_and_points_add_up(rows: list[Row], points: str) -> None:
    win, draw, loss = (Fraction(value) for value in points.split("-"))
    found = table(rows, points=points)
    total = Fraction(0)
    for _, _, score, ending, _ in rows:
        if ending in NOTHING:
            continue
        decisive = score != 0.5
        lost = Fraction(0) if ending in NOT_PLAYED else loss
        total += win + lost if decisive else 2 * draw
    assert sum(Fraction(str(row["points"])) for row in found) == total
    for row in found:
        assert row["games"] == row["wins"] + row["draws"] + row["losses"]  # type: ignore[operator]
    played = sum(ending not in NOTHING | NOT_PLAYED for *_, ending, _ in rows)
    assert sum(row["games"] for row in found) == 2 * played  # type: ignore[misc]
    assert {(row["pool"], row["player"]) for row in found} == {
        (pool, name) for a, b, _, _, pool in rows for name in (a, b)
    }


@given(games(), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_no_order_of_games_and_no_swap_of_sides_counts(rows: list[Row], random: object) -> None:
    options = {"points": [0.3, 0.1, 0], "tie_breaks": ["sonneborn-berger", "direct", "buchholz"]}
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    swapped: list[Row] = [(b, a, 1.0 - score, ending, pool) for a, b, score, ending, pool in shuffled]
    assert table(rows, **options) == table(shuffled, **options) == table(swapped, **options)


@given(games())
@settings(max_examples=100)
def test_ranks_say_who_has_more(rows: list[Row]) -> None:
    found = table(rows, tie_breaks="wins,buchholz")
    for one in found:
        better = [
            other
            for other in found
            if other["pool"] == one["pool"]
            and tuple(other[key] for key in ("points", "wins", "buchholz"))
            > tuple(one[key] for key in ("points", "wins", "buchholz"))
        ]
        assert one["rank"] == 1 + len(better)


def test_ratings_stand_beside_the_points_of_their_pool() -> None:
    log = tm.GameLog.from_arrays(
        player_a=["ann", "ann", "cid"], player_b=["bob", "bob", "ann"], score_a=[1, 0, 1],
        pool=["go", "chess", "go"], ending=[None, None, "walkover"],
    )  # fmt: skip
    found = tm.standings(log, "contest")
    ratings = tm.replay(log, "contest").ratings
    expected = dict(zip(zip(ratings["pool"], ratings["player"], strict=True), ratings["rating"], strict=True))
    for row in found.rows():
        rating = expected.get((row["pool"], row["player"]))
        assert row["rating"] == rating or (rating is None and np.isnan(row["rating"]))  # type: ignore[arg-type]
    assert np.isnan(found["rating"][found["player"].tolist().index("cid")])
    assert "rating" not in tm.standings(log).columns


def test_a_part_of_the_log() -> None:
    log = tm.GameLog.from_arrays(
        player_a=["ann"] * 3, player_b=["bob"] * 3, score_a=[1, 1, 0],
        played_at=["2026-01-01", "2026-02-01", "2026-03-01"],
    )  # fmt: skip
    found = tm.standings(log, "lichess", since="2026-02-01", until="2026-03-01")
    assert found["games"].tolist() == [1, 1]
    # The ratings know January, and not March.
    assert found["rating"].tolist() == tm.replay(log.taken(np.arange(2)), "lichess").ratings["rating"].tolist()
    assert len(tm.standings(log, since="2027-01-01")) == 0
    with pytest.raises(tm.InputError, match="is not before until"):
        tm.standings(log, since="2026-02-01", until="2026-02-01")
    with pytest.raises(tm.InputError, match="since is 'soon'; expected a time"):
        tm.standings(log, since="soon")
    with pytest.raises(tm.InputError, match="the log has no times"):
        tm.standings(tm.GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1]), until="2026-01-01")


def test_matches_of_several_players_are_refused() -> None:
    log = tm.GameLog.from_entries(match=[7, 7, 7], player=["ann", "bob", "cid"], rank=[1, 2, 3])
    with pytest.raises(tm.InputError, match="match 7 has 3 players"):
        tm.standings(log)
    two = tm.GameLog.from_entries(match=[7, 7], player=["ann", "bob"], rank=[1, 2])
    assert tm.standings(two)["points"].tolist() == [1.0, 0.0]


def test_nothing_and_one_player() -> None:
    assert len(tm.standings(log_of([]), "paper", tie_breaks=list(tm.TieBreak))) == 0
    alone = tm.GameLog.from_arrays(player_a=["ann"], player_b=["BYE"], score_a=[1])
    assert tm.standings(alone)["rank"].tolist() == [1]
    everybody_gone = tm.GameLog.from_arrays(player_a=["bye"], player_b=["BYE"], score_a=[1])
    assert len(tm.standings(everybody_gone, "contest")) == 0


@pytest.mark.parametrize("points", ["3-1", "a-b-c", "0-1-3", "1-0.0001-0", "2000-1-0", "1--1", [1, 2], None, 3])
def test_points_that_cannot_be_meant_are_refused(points: object) -> None:
    with pytest.raises(tm.InputError) as caught:
        tm.standings(log_of([]), points=points)  # type: ignore[arg-type]
    assert "3-1-0" in str(caught.value.hint) or "decimals" in caught.value.message


def test_points_in_every_spelling() -> None:
    assert Points.of("1-½-0") == Points.of((1, 0.5, 0)) == Points.of((1, "1/2", Fraction(0))) == Points(2, 1, 0, 2)


def test_unknown_and_repeated_tie_breaks_are_refused() -> None:
    with pytest.raises(tm.InputError, match="tie-break is 'bucholz'; it is one of") as caught:
        tm.standings(log_of([]), tie_breaks="bucholz")
    assert caught.value.hint == "did you mean 'buchholz'?"
    with pytest.raises(tm.InputError, match="wins is there twice"):
        tm.standings(log_of([]), tie_breaks="wins,wins")


def test_five_thousand_players_in_no_time(tmp_path: Path) -> None:
    n = 5_000
    random = np.random.default_rng(3)
    a, step = random.integers(0, n, 60_000), random.integers(1, n, 60_000)
    log = tm.GameLog.from_arrays(player_a=a, player_b=(a + step) % n, score_a=random.integers(0, 3, 60_000) / 2)
    before = time.process_time()
    found = tm.standings(log, tie_breaks=list(tm.TieBreak))
    assert time.process_time() - before < 5.0
    assert len(found) == n
    assert found["points"].sum() == 60_000
    found.write(tmp_path / "t.json")
    assert len(json.loads((tmp_path / "t.json").read_text())) == n


def test_ratings_start_from_what_is_handed_over() -> None:
    log = tm.GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
    start = tm.Snapshot.from_arrays(player=["ann", "zoe"], rating=[2000.0, 1500.0])
    rows = {row["player"]: row for row in tm.standings(log, "elo", start=start).rows()}
    expected = {row["player"]: row["rating"] for row in tm.replay(log, "elo", start).ratings.rows()}
    assert set(rows) == {"ann", "bob"}
    assert rows["ann"]["rating"] == expected["ann"]
    assert rows["ann"]["rating"] == pytest.approx(2000.0, abs=10.0)
    with pytest.raises(tm.InputError, match="no methodology is named"):
        tm.standings(log, start=start)
