"""What would be: boards without some matches, and estimates of open periods."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_same_as_replay import matches
from told import Clock, bodies, game, new, rows, shown

import tallymark as tm
from tallymark.errors import InputError, UnknownError

RULES = [
    tm.methodology("arena"),
    tm.methodology("lichess"),
    tm.methodology("arena").with_(late="recompute"),
    tm.methodology("paper").with_(period="7d"),
]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.id)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(played=matches(), data=st.data())
def test_without_some_matches(
    rules: tm.Methodology,
    played: list[dict[str, Any]],
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    gone = data.draw(st.sets(st.sampled_from([match["id"] for match in played]), max_size=5))
    ledger, other = (new(tmp_path_factory.mktemp("l"), rules) for _ in range(2))
    kept = [match for match in played if match["id"] not in gone]
    for one, some in ((ledger, played), (other, kept)):
        one.append_many(some, pool="p")
        one.settle()
        one.close_periods("p")
        one.settle()
    before = bodies(ledger)
    if not gone:
        with pytest.raises(InputError, match="matches is empty"):
            ledger.without("p", gone)
        return
    told = ledger.without("p", gone)
    mine, others = (standing(one) for one in (ledger, other))
    listed: list[dict[str, Any]] = list(told.moves.rows())
    changes = {row["player"]: row for row in listed}
    assert set(changes) == {player for player in {*mine, *others} if mine.get(player) != others.get(player)}
    for player, row in changes.items():
        assert (row["rating"], row["deviation"], row["games"], row["rank"]) == mine.get(player, 4 * (None,))
        assert (row["new_rating"], row["new_deviation"], row["new_games"], row["new_rank"]) == others.get(
            player, 4 * (None,)
        )
        if player in mine and player in others:
            assert row["change"] == row["new_rating"] - row["rating"]
    moved = [abs(row["change"]) for row in listed if row["change"] is not None]
    assert moved == sorted(moved, reverse=True)
    assert (told.position, told.players) == (ledger.head("p").position, len(mine))
    assert bodies(ledger) == before


def test_estimates_of_the_open_period(tmp_path: Path) -> None:
    ledger = new(tmp_path, tm.methodology("paper").with_(period="7d"), clock=Clock())
    for n, day in enumerate(("05", "06", "13", "14")):
        ledger.append(game(n, "ann", "bob", n % 2, f"2026-01-{day}"), pool="p")
    ledger.settle()
    published, estimate = shown(ledger), ledger.if_closed("p")
    assert shown(ledger) == published
    ledger.close_periods("p")
    ledger.settle()
    now = standing(ledger)
    assert {
        row["player"]: (row["new_rating"], row["new_deviation"], row["new_games"]) for row in estimate.moves.rows()
    } == {player: state[:3] for player, state in now.items()}
    assert published != shown(ledger)
    assert len(ledger.if_closed("p").moves) == 0


def standing(ledger: tm.Ledger) -> dict[Any, tuple[Any, ...]]:
    """Rating, deviation, games and rank of everybody who has played."""
    stood = {player: (*shown(ledger)[player][:2], row.games) for player, row in rows(ledger).items() if row.games}
    return {
        player: (*state, 1 + sum(other[0] > state[0] for other in stood.values())) for player, state in stood.items()
    }


def test_without_a_match_that_is_not_there(tmp_path: Path) -> None:
    ledger = new(tmp_path, "arena")
    with pytest.raises(UnknownError, match="'p' has no match 'x'"):
        ledger.without("p", ["x"])
