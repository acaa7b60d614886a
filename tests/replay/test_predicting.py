"""Predictions of games to come are what the replay would have predicted, had the game been the next one: every bit."""

import importlib
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tallymark as tm

from .strategies import Rows, bits, methodologies, rows

DAY = 86_400


def of_next(
    log: tm.GameLog, rules: tm.Methodology, start: tm.Snapshot | None, a: object, b: object, at: object
) -> tm.Table:
    """The replay's own prediction of the game, rated as the next one."""
    last_of_all = None if log.order is None else [10**6]
    game = tm.GameLog.from_arrays(player_a=[a], player_b=[b], score_a=[1], played_at=[at], order=last_of_all)
    predictions = tm.replay(log.followed_by(game), rules, start, predictions=True).predictions
    row = [(x, y) for x, y in zip(predictions["player_a"], predictions["player_b"], strict=True)]
    last = len(row) - 1
    assert row[last] == (a, b)
    return tm.Table({name: predictions[name][last:] for name in predictions.columns})


@given(rows(30), methodologies(), st.integers(0, 90), st.data())
@settings(max_examples=150)
def test_a_prediction_is_the_replays_own(games: Rows, rules: tm.Methodology, days: int, data: st.DataObject) -> None:
    log = games.log(ids=False)
    everyone = [*log.players, 98, 99]
    a, b = data.draw(st.lists(st.sampled_from(everyone), min_size=2, max_size=2, unique=True))
    at = np.datetime64(int(max(games.at)) + days * DAY, "s")
    expected = of_next(log, rules, None, a, b, at)
    result = tm.replay(log, rules)
    for known in (result, result.snapshot()):
        found = tm.predict(known, a, b, at=at, rules=rules)
        for name in ("p_a", "logit_a"):
            assert bits([found[name]]) == bits([expected[name]]), (rules.id, name)


@given(rows(20), methodologies(), st.integers(0, 400))
@settings(max_examples=60)
def test_imported_ratings_too(games: Rows, rules: tm.Methodology, days: int) -> None:
    start = tm.Snapshot.from_arrays(
        player=[1, 2, 3],
        rating=[1700, 1500, 1420.5],
        deviation=[60, 90, 200] if rules.system.has_deviation else None,
        at="2020-09-01",
    )
    at = np.datetime64("2020-09-01") + np.timedelta64(days, "D")
    empty = tm.GameLog.from_arrays(player_a=[], player_b=[], score_a=[])
    game = tm.GameLog.from_arrays(player_a=[1], player_b=[3], score_a=[1], played_at=[at])
    expected = tm.replay(game, rules, start, predictions=True).predictions
    assert bits([tm.predict(start, 1, 3, at=at, rules=rules)["p_a"]]) == bits([expected["p_a"]])
    assert bits([tm.predict(tm.replay(empty, rules, start), 1, 3, at=at)["p_a"]]) == bits([expected["p_a"]])


@pytest.mark.parametrize("name", ["paper", "glicko", "elo", "lichess", "go-float", "contest"])
def test_undated_imports_wait_for_the_first_game(name: str) -> None:
    rules = tm.methodology(name)
    start = tm.Snapshot.from_arrays(player=["ann", "bob"], rating=[1700, 1500])
    game = tm.GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1], played_at=["2026-05-05"])
    expected = tm.replay(game, rules, start, predictions=True).predictions["p_a"].tolist()
    assert tm.predict(start, "ann", "bob", at="2026-05-05", rules=rules)["p_a"].tolist() == expected
    assert tm.predict(start, "ann", "bob", rules=rules)["p_a"].tolist() == expected


@given(rows(30, scores=(0.0, 1.0)), methodologies())  # a draw is not rated by all
@settings(max_examples=60)
def test_without_a_time_everything_known_counts(games: Rows, rules: tm.Methodology) -> None:
    log = games.log(ids=False)
    result = tm.replay(log, rules)
    a, b = log.players[:2]
    found = tm.predict(result, a, b)
    at = found["at"][0]
    assert at >= np.datetime64(int(max(games.at)), "s")
    assert bits([found["p_a"]]) == bits([of_next(log, rules, None, a, b, at)["p_a"]])
    assert not found["note"][0]
    assert found["rating_a"][0] == result.ratings["rating"][result.ratings["player"].tolist().index(a)]


def test_both_engines_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    log = tm.GameLog.from_arrays(
        player_a=["ann", "bob", "cid"],
        player_b=["bob", "cid", "ann"],
        score_a=[1, 0.5, 1],
        played_at=["2026-01-01", "2026-02-02", "2026-03-03"],
    )
    result = tm.replay(log, "lichess")
    a, b = ["ann", "bob", "new"], ["bob", "cid", "ann"]
    one = tm.predict(result, a, b, at="2026-08-01")
    monkeypatch.setattr(importlib.import_module("tallymark.replay.engines"), "SMALL", -1)
    two = tm.predict(result, a, b, at="2026-08-01")
    names = [name for name in one.columns if one[name].dtype.kind == "f"]
    assert bits([one[name] for name in names]) == bits([two[name] for name in names])


def test_pools_newcomers_and_provisional_players_are_told() -> None:
    log = tm.GameLog.from_arrays(
        player_a=["ann", "ann", "éva"], player_b=["bob", "bob", "bob"], score_a=[1, 0, 1], pool=["go", "chess", "go"]
    )
    result = tm.replay(log, "contest")
    found = tm.predict(
        result, ["ann", "ann", "éva", "x"], ["bob", "bob", "bob", "y"], pool=["go", "chess", "chess", "go"]
    )
    assert found["note"].tolist() == ["", "", "éva is new", "x and y are new"]
    assert found["p_a"][0] > 0.5 > found["p_a"][1]
    assert found["p_a"][3] == 0.5
    assert found["provisional_b"].tolist() == [True] * 4
    assert found["pool"].tolist() == ["go", "chess", "chess", "go"]
    with pytest.raises(tm.InputError, match="2 pools, and row 0 does not say which"):
        tm.predict(result, "ann", "bob")
    with pytest.raises(tm.InputError, match="pool is 'bridge' in row 0; the pools are 'chess', 'go'"):
        tm.predict(result, "ann", "bob", pool="bridge")


def test_periods_and_the_past_are_noted() -> None:
    log = tm.GameLog.from_arrays(
        player_a=["ann", "ann"], player_b=["bob", "bob"], score_a=[1, 1], played_at=["2026-01-01", "2026-03-05"]
    )
    paper = tm.replay(log, "paper")
    notes = tm.predict(paper, ["ann"] * 4, "bob", at=["2026-01-05", "2026-03-20", "2026-04-20", None])["note"].tolist()
    still_open = "its period is open: ratings are those before it, a board has its games so far"
    assert notes == ["played in a period that is over", still_open, "", ""]
    elo = tm.predict(tm.replay(log, "lichess"), ["ann", "ann"], "bob", at=["2026-02-01", "2026-03-05"])["note"].tolist()
    assert elo == ["played before the last game that is known", ""]


def test_an_empty_log_and_no_game_at_all() -> None:
    empty = tm.GameLog.from_arrays(player_a=[], player_b=[], score_a=[])
    for rules in tm.shipped():
        result = tm.replay(empty, rules)
        assert tm.predict(result, "ann", "bob")["p_a"].tolist() == [0.5]
        assert tm.predict(result, "ann", "bob", at="2026-01-01")["note"].tolist() == ["ann and bob are new"]
        assert len(tm.predict(result, [], [])) == 0


def test_what_cannot_be_meant_is_refused() -> None:
    log = tm.GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
    result = tm.replay(log, "elo")
    calls: list[tuple[str, Callable[[], object]]] = [
        ("'ann' plays against itself in row 0", lambda: tm.predict(result, "ann", "ann")),
        ("columns differ in length: player_a 2, player_b 1", lambda: tm.predict(result, ["a", "b"], ["c"])),
        ("player_b is missing in row 1", lambda: tm.predict(result, "ann", ["bob", None])),
        ("at: 'soon' is not", lambda: tm.predict(result, "ann", "bob", at="soon")),
        ("rules are paper-1, and the replay is of elo-1", lambda: tm.predict(result, "ann", "bob", rules="paper")),
        ("expected a Replay or a Snapshot", lambda: tm.predict(log, "ann", "bob")),  # type: ignore[arg-type]
        ("the snapshot is of no methodology", lambda: tm.predict(imported(), "ann", "bob")),
    ]
    for message, call in calls:
        with pytest.raises(tm.InputError, match=message.replace("(", r"\(")):
            call()
    with pytest.raises(tm.SnapshotError):
        tm.predict(result.snapshot(), "ann", "bob", rules="paper")


def imported() -> tm.Snapshot:
    return tm.Snapshot.from_arrays(player=["ann"], rating=[1600])


def test_a_snapshot_knows_its_shipped_methodology() -> None:
    log = tm.GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
    snapshot = tm.replay(log, "elo").snapshot()
    assert tm.predict(snapshot, "ann", "bob")["rating_a"].tolist() == [1510.0]
    with pytest.raises(tm.UnknownMethodologyError):
        tm.predict(tm.replay(log, tm.methodology("elo").with_(k=40)).snapshot(), "ann", "bob")


def test_the_sides_may_be_swapped() -> None:
    log = tm.GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
    found = tm.predict(tm.replay(log, "contest"), ["ann", "bob"], ["bob", "ann"])
    assert found["p_a"].sum() == pytest.approx(1.0, abs=1e-15)
    assert found["logit_a"][0] == -found["logit_a"][1]
