"""The page about exact integers says what was measured, and what was measured keeps what is asked of it."""

import json
import re
import xml.etree.ElementTree as tree
from pathlib import Path
from typing import Any

import pytest
from pages import REPOSITORY

import tallymark as tm

ASSETS = REPOSITORY / "docs" / "assets"
PAGE = (REPOSITORY / "docs" / "guide" / "exactness.md").read_text(encoding="utf-8")
SVG = tree.parse(ASSETS / "exactness.svg").getroot()
NAMES = {
    "p_largest": "P of a game, largest",
    "p_mean": "P of a game, mean",
    "mu_largest": "mu, largest",
    "mu_mean": "mu, mean",
    "mu_drift": "mu, mean with signs",
    "phi_largest": "phi, largest",
    "phi_mean": "phi, mean",
    "phi_drift": "phi, mean with signs",
}


@pytest.fixture(scope="module")
def document() -> Any:
    return json.loads((ASSETS / "exactness.json").read_text(encoding="utf-8"))


def test_the_bars_of_thirty_million_games(document: Any) -> None:
    assert document["report"]["games"] == 30_400_000
    assert document["players"] == 500_000
    assert document["half_even"]["p_largest"] <= 1.6e-8
    assert max(row["p_largest"] for row in document["checkpoints"]) <= 1.6e-8
    assert document["drift_ratio"] >= 50
    assert abs(document["truncating"]["mu_drift"]) >= 50 * abs(document["half_even"]["mu_drift"])
    assert 173.7178 * abs(document["half_even"]["mu_drift"]) < 1e-8


def test_it_is_of_rules_that_are_shipped(document: Any) -> None:
    assert {document[key]["id"] for key in ("integers", "floats")} < {one.id for one in tm.shipped()}


def test_the_page_says_what_real_games_say(data: Path) -> None:
    found = tm.exactness(tm.read_games(data / "go_tygem9d" / "tygem_2005_2011.parquet"), checkpoints=10)
    times = found.truncating.p_largest / found.half_even.p_largest
    said = " ".join(PAGE.split())
    assert f"over {found.games:,} games of real players" in said
    assert f"ends {found.drift_ratio:.1f} times as far down" in said
    assert f"the largest difference of P is {times:.1f} times as large" in said
    drift = found.checkpoints["mu_drift"][1::2]  # the rows of those that are cut off
    assert drift[0] > 0 > drift[-1]
    assert found.half_even.p_largest <= 1.6e-8


def test_columns_are_listed() -> None:
    found = tm.exactness(tm.synthetic(2, 2))
    prose = " ".join((REPOSITORY / "docs" / "reference" / "columns.md").read_text(encoding="utf-8").split())
    checkpoints, scores = (", ".join(table.columns) for table in (found.checkpoints, found.scores))
    assert f"`exactness`: of `checkpoints` {checkpoints}; of `scores` {scores}." in prose


def test_the_page_says_what_was_measured(document: Any) -> None:
    rows = []
    for name, words in NAMES.items():
        half_even, cut = document["half_even"][name], document["truncating"][name]
        rows.append(f"| {words} | {half_even:.2e} | {cut:.2e} | {abs(cut / half_even):,.1f} |")
    assert "\n".join(rows) in PAGE
    rows = [
        f"| {row['numbers']} | {row['knee']:g} | {row['small_boards']:g} | {row['log_loss']:.6f} "
        f"| {100 * row['accuracy']:.2f} % |"
        for row in document["scores"]
    ]
    assert "\n".join(rows) in PAGE
    assert f"{document['games']:,} of these {document['report']['games']:,} games are rated" in PAGE
    assert f"of {document['players']:,} players" in PAGE


def test_the_chart_is_that_of_the_figures(document: Any) -> None:
    """Each line says its first point, and has one for every checkpoint."""
    lines = [path for path in SVG.iter() if path.get("aria-roledescription") == "line mark"]
    told = [
        re.fullmatch(r"games?.*; size: (\S+); integers: (.*); measure: (.*)", line.get("aria-label", ""))
        for line in lines
    ]
    found = [(float(one[1]), one[2], one[3]) for one in told if one]
    words = {"largest": "largest", "mean": "mean", "drift": "mean with signs"}
    expected: list[Any] = [
        (pytest.approx(abs(row[name]), rel=1e-6), row["division"], words[name.partition("_")[2]])
        for quantity in ("p", "mu", "phi")
        for row in document["checkpoints"][:2]
        for name in NAMES
        if name.startswith(f"{quantity}_")
    ]
    assert found == expected
    assert len(document["checkpoints"]) == 200
    assert {line.get("d", "").count("L") for line in lines} == {99}
    assert document["written"] == ["exactness.svg"]
