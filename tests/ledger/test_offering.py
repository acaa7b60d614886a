"""A game log as matches: what a file says of a game, its id, and matches of several players put together again."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from told import new

import tallymark as tm
from tallymark.errors import InputError
from tallymark.ledger.matches import match_item
from tallymark.ledger.offering import offers


def told(log: tm.GameLog) -> list[Any]:
    return [offer.match for offer in offers(log)]


def test_all_that_a_log_says() -> None:
    log = tm.GameLog.from_arrays(
        player_a=["ann", 7],
        player_b=[7, "ann"],
        score_a=[0.5, 1],
        played_at=["2026-01-02T03:04:05Z", "2026-01-03"],
        game=["g1", 2],
        ending=["resignation", "normal"],
        source=["queue", None],
        steps=[12, None],
        board=[19, None],
        komi=[6.5, None],
        handicap=[0, None],
        band_a=[1, None],
        band_b=[None, None],
    )
    first, second = told(log)
    assert first == {
        "id": "g1",
        "player_a": "ann",
        "player_b": 7,
        "score_a": 0.5,
        "played_at": "2026-01-02T03:04:05Z",
        "ending": "resignation",
        "source": "queue",
        "steps": 12,
        "board": 19,
        "komi": 6.5,
        "handicap": 0,
        "band_a": 1,
    }
    assert second == {"id": 2, "player_a": 7, "player_b": "ann", "score_a": 1, "played_at": "2026-01-03T00:00:00Z"}
    assert match_item(first).id == "g1"


sides = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 3)), min_size=2, max_size=5)


@given(sides=sides, order=st.randoms(use_true_random=False))
def test_matches_of_several_come_back_as_they_were(sides: list[tuple[int, int]], order: Any) -> None:
    rows: list[tuple[str, int, int]] = []
    want = set()
    for team, (rank, size) in enumerate(sides):
        members = tuple(f"p{team}{seat}" for seat in range(size))
        rows += [(player, rank, team) for player in members]
        want.add((1 + sum(other < rank for other, _ in sides), members))
    order.shuffle(rows)
    log = tm.GameLog.from_entries(
        match=["m"] * len(rows),
        player=[row[0] for row in rows],
        rank=[row[1] for row in rows],
        team=[f"t{row[2]}" for row in rows],
    )
    (match,) = told(log)
    assert match["id"] == "m"
    if "sides" not in match:  # two, one against the other
        ranks = {player: rank for rank, (player,) in want}
        a, b = ranks[match["player_a"]], ranks[match["player_b"]]
        assert (len(ranks), match["score_a"]) == (2, 0.5 if a == b else float(a < b))
        return
    assert {(side["rank"], tuple(side["players"])) for side in match["sides"]} == want


def test_games_that_are_no_ranking_are_refused() -> None:
    log = tm.GameLog.from_arrays(
        match=["circle"] * 3 + ["twice"] * 2 + ["chain"] * 2 + ["one", None],
        player_a=["a", "b", "c", "a", "b", "a", "b", "a", "a"],
        player_b=["b", "c", "a", "b", "a", "b", "c", "b", "b"],
        score_a=[1, 1, 1, 1, 0, 1, 1, 1, 0],
    )
    found = {offer.row: offer for offer in offers(log)}
    assert sorted(row for row, offer in found.items() if offer.match is None) == [0, 3, 5]
    assert "no ranking" in found[0].fault
    assert [found[row].match["id"] == "one" for row in (7, 8)] == [True, False]  # type: ignore[index]


def test_ids_of_content_do_not_depend_on_the_rest_of_a_file() -> None:
    rows = [("a", "b", 1), ("b", "c", 0), ("a", "b", 1), ("a", "b", 0.5)]

    def ids(some: list[tuple[str, str, float]]) -> list[Any]:
        columns = list(zip(*some, strict=True))
        log = tm.GameLog.from_arrays(player_a=columns[0], player_b=columns[1], score_a=columns[2])
        return [match["id"] for match in told(log)]

    whole = ids(rows)
    assert len(set(whole)) == 4
    assert ids(rows[1:]) == [whole[1], whole[0], whole[3]]
    assert ids([*rows, ("x", "y", 1)])[:4] == whole


@pytest.mark.parametrize("rules", ["contest", "arena"])
def test_logs_are_rated_as_they_are_replayed(rules: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    seats = [(m, f"p{p}") for m in range(40) for p in rng.permutation(9)[: rng.integers(2, 6)]]
    log = tm.GameLog.from_entries(
        match=[m for m, _ in seats], player=[p for _, p in seats], rank=rng.integers(1, 4, len(seats))
    )
    ledger = new(tmp_path, rules)
    done = ledger.append_log(log)
    assert (done.pools, done.conflicts, done.refused) == ([("p", 40, 0, 40)], [], [])
    assert ledger.settle() == 40
    got, want = ledger.ratings("p"), tm.replay(log, rules).ratings
    for name in want.columns[1:]:
        np.testing.assert_array_equal(got[name], want[name])
    assert ledger.append_log(log).pools == [("p", 0, 40, 40)]
    longer = tm.GameLog.from_arrays(player_a=["x" * 201], player_b=["b"], score_a=[1])
    (refused,) = ledger.append_log(longer, "p").refused
    assert "201 characters" in refused.message


def test_which_pool_a_log_is_of(tmp_path: Path) -> None:
    plain = tm.GameLog.from_arrays(player_a=["a"], player_b=["b"], score_a=[1])
    pools = tm.GameLog.from_arrays(player_a=["a", "a"], player_b=["b", "b"], score_a=[1, 1], pool=["p", "q"])
    ledger = new(tmp_path, "arena")
    assert ledger.append_log(plain).pools == [("p", 1, 0, 1)]
    with pytest.raises(InputError, match="there is no pool 'q'"):
        ledger.append_log(pools)
    with pytest.raises(InputError, match="all of it should go into 'p'"):
        ledger.append_log(pools, "p")
    ledger.open_pool("q", "elo")
    with pytest.raises(InputError, match="nothing says which pool"):
        ledger.append_log(plain)
    assert sorted(ledger.append_log(pools).pools) == [("p", 0, 1, 1), ("q", 1, 0, 1)]
