"""What would be: boards without some matches, and estimates of open periods."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_same_as_replay import matches
from told import Clock, bodies, game, new, rows, shown

import tallymark as tm

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
    imagined = ledger._without("p", gone)
    assert {who: row[:13] for who, row in imagined.rows.items() if row.rated} == {
        who: row[:13] for who, row in rows(other).items()
    }
    assert bodies(ledger) == before


def test_estimates_of_the_open_period(tmp_path: Path) -> None:
    ledger = new(tmp_path, tm.methodology("paper").with_(period="7d"), clock=Clock())
    for n, day in enumerate(("05", "06", "13", "14")):
        ledger.append(game(n, "ann", "bob", n % 2, f"2026-01-{day}"), pool="p")
    ledger.settle()
    published, estimate = shown(ledger), ledger._if_closed("p")
    assert shown(ledger) == published
    ledger.close_periods("p")
    ledger.settle()
    assert {who: row[:13] for who, row in estimate.items()} == {who: row[:13] for who, row in rows(ledger).items()}
    assert published != shown(ledger)
    assert ledger._if_closed("p") == {}
