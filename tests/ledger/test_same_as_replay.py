"""A ledger ends where a replay of the same games ends, to the bit: however they come, and wherever batches are cut."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from told import Clock, bodies, game, new, rows

import tallymark as tm
from tallymark.games.ids import Id
from tallymark.games.times import format_instant
from tallymark.methodology import Methodology

DAY = 86_400_000_000
START = 1_700_000_000_000_000 // DAY * DAY
BY_MATCH = ["arena-v0", "arena-v1-draft", "votes", "contest", "elo", "lichess", "go-float", "go-onchain"]
QUICK = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def matches(draw: st.DrawFn, most: int = 40, days: int = 40) -> list[dict[str, Any]]:
    """Games of a few players, with ids that are numbers and text, in total order."""
    n = draw(st.integers(1, most))
    people: list[Id] = ["ann", "bob", "10", 9, 10, "Zoe"]
    times = sorted(draw(st.lists(st.integers(0, days * 86400), min_size=n, max_size=n)))
    out = []
    for k, t in enumerate(times):
        a, b = draw(st.permutations(people))[:2]
        score = draw(st.sampled_from([1, 0, 0.5]))
        name: Id = f"m{k:03}" if k % 2 else k
        out.append(game(name, a, b, score, format_instant(START + t * 1_000_000)))
    return sorted(out, key=lambda match: (match["played_at"], isinstance(match["id"], str), match["id"]))


def replayed(played: list[dict[str, Any]], rules: Methodology) -> tm.Replay:
    log = tm.GameLog.from_arrays(
        player_a=[m["player_a"] for m in played],
        player_b=[m["player_b"] for m in played],
        score_a=[m["score_a"] for m in played],
        played_at=[m["played_at"] for m in played],
        game=[m["id"] for m in played],
    )
    return tm.replay(log, rules)


def standing(replay: tm.Replay) -> dict[Id, tuple[Any, ...]]:
    """Every player's exact state and counts, as rows of a ledger have them."""
    snapshot = replay._machine.standing.columns()
    who = [replay._roster.players[p] for p in replay._roster.player.tolist()]
    columns = [np.asarray(column).tolist() for column in snapshot]
    return {
        player: values
        for player, values, rated in zip(who, zip(*columns, strict=True), columns[4], strict=True)
        if rated
    }


def kept(ledger: tm.Ledger, count: int = 13) -> dict[Id, tuple[Any, ...]]:
    return {player: row[:count] for player, row in rows(ledger).items()}


@pytest.mark.parametrize("name", BY_MATCH)
@QUICK
@given(played=matches(), cut=st.integers(1, 50))
def test_pools_by_match(
    name: str, played: list[dict[str, Any]], cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rules = tm.methodology(name)
    if not rules.rated.draws:
        played = [m for m in played if m["score_a"] != 0.5]
    ledger = new(tmp_path_factory.mktemp("l"), rules)
    ledger.append_many(played, pool="p")
    ledger.settle(most=cut)
    want = standing(replayed(played, rules)) if played else {}
    if rules.numbers.exact:  # a contract's clock is in whole seconds
        assert {p: v[:3] for p, v in kept(ledger).items()} == {p: v[:3] for p, v in want.items()}
    else:
        assert kept(ledger) == want


@QUICK
@given(played=matches(), cuts=st.tuples(st.integers(1, 9), st.integers(1, 50)))
@pytest.mark.parametrize("late", ["refuse", "next-period", "recompute"])
def test_batches_do_not_matter(
    late: str, played: list[dict[str, Any]], cuts: tuple[int, int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    rules = tm.methodology("paper").with_(period="7d", late=late)
    played = played[::2] + played[1::2]  # half of them late
    streams = []
    for cut in cuts:
        ledger = new(tmp_path_factory.mktemp("l"), rules)
        ledger.append_many(played, pool="p")
        ledger.settle(most=cut)
        ledger.close_periods("p")
        ledger.settle(most=cut)
        streams.append(bodies(ledger))
    assert streams[0] == streams[1]


@QUICK
@given(played=matches(days=60))
def test_closed_periods(played: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> None:
    rules = tm.methodology("paper").with_(period="7d")
    ledger = new(tmp_path_factory.mktemp("l"), rules)
    for match in played:
        ledger.append(match, pool="p")
    ledger.settle()
    ledger.close_periods("p")
    ledger.settle()
    assert kept(ledger) == standing(replayed(played, rules))


@QUICK
@given(played=matches(days=60), order=st.randoms(use_true_random=False))
def test_late_games_recomputed(
    played: list[dict[str, Any]], order: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    origin = format_instant(START)
    rules = tm.methodology("paper").with_(period="7d", late="recompute", origin=origin)
    ledger = new(tmp_path_factory.mktemp("l"), rules)
    shuffled = list(played)
    order.shuffle(shuffled)
    for low in range(0, len(shuffled), 7):
        ledger.append_many(shuffled[low : low + 7], pool="p")
        ledger.settle()
    ledger.close_periods("p")
    ledger.settle()
    assert kept(ledger) == standing(replayed(played, rules))


@QUICK
@given(played=matches(days=60), order=st.randoms(use_true_random=False))
@pytest.mark.parametrize("name", ["arena", "lichess"])
def test_late_matches_recomputed(
    name: str, played: list[dict[str, Any]], order: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rules = tm.methodology(name).with_(late="recompute")
    ledger = new(tmp_path_factory.mktemp("l"), rules)
    shuffled = list(played)
    order.shuffle(shuffled)
    for low in range(0, len(shuffled), 7):
        ledger.append_many(shuffled[low : low + 7], pool="p")
        ledger.settle()
    assert kept(ledger) == standing(replayed(played, rules))


def test_a_late_game_is_refused_or_rated_next(tmp_path: Path) -> None:
    for late, kinds in (("refuse", b"not-rated"), ("next-period", b"accepted")):
        folder = tmp_path / late
        folder.mkdir()
        ledger = new(folder, tm.methodology("paper").with_(period="7d", late=late), clock=Clock())
        ledger.append(game(1, "a", "b", 1, "2026-01-20"), pool="p")
        ledger.append(game(2, "a", "b", 1, "2026-01-02"), pool="p")
        ledger.settle()
        assert b'"kind":"%b"' % kinds in bodies(ledger)[-1]


@pytest.mark.parametrize("name", ["go-onchain", "go-float"])
def test_declared_bands(name: str, tmp_path: Path) -> None:
    rules = tm.methodology(name)
    ledger = new(tmp_path, rules)
    played = [
        game(1, "ann", "bob", 1, "2023-11-14T10:00:00Z", band_a=1, band_b=4),
        game(2, "bob", "cid", 1, "2023-11-15T10:00:00Z", band_a=2),
    ]
    ledger.append_many(played, pool="p")
    ledger.settle()
    log = tm.GameLog.from_arrays(
        player_a=["ann", "bob"],
        player_b=["bob", "cid"],
        score_a=[1, 1],
        played_at=["2023-11-14T10:00:00Z", "2023-11-15T10:00:00Z"],
        band_a=[1, 2],
        band_b=[4, None],
    )
    want = standing(tm.replay(log, rules))
    assert {p: v[:3] for p, v in kept(ledger).items()} == {p: v[:3] for p, v in want.items()}
    assert kept(ledger)["ann"][0] < -1.0


@pytest.mark.parametrize("sides", [[["a"], ["b"], ["c"]], [["a", "d"], ["b"]]], ids=["three", "teams"])
def test_a_contract_knows_games_of_two_alone_and_no_other_match_stops_its_pool(
    sides: list[list[str]], tmp_path: Path
) -> None:
    """Of three who play for themselves it rates every pair, in the order of a replay; a team it does not rate."""
    rules = tm.methodology("go-onchain")
    ledger = new(tmp_path, rules)
    told: list[Any] = [{"players": players, "rank": rank} for rank, players in enumerate(sides)]
    ledger.append({"id": 1, "sides": told, "played_at": format_instant(START)}, pool="p")
    ledger.append(game(2, "a", "x", 1, format_instant(START)), pool="p")
    ledger.settle()
    log = ledger.games("p")
    assert len(log) == (4 if len(sides) == 3 else 3)
    assert {p: v[:3] for p, v in kept(ledger).items()} == {p: v[:3] for p, v in standing(tm.replay(log, rules)).items()}
