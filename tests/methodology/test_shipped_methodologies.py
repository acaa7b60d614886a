"""Every shipped file against the spec's tables, to the digit, and its pinned hash."""

import json
import math
from pathlib import Path

import pytest

from tallymark.methodology import ENDINGS, SOURCES, Methodology, latest, methodology, shipped
from tallymark.methodology.sections import Bounds

PINNED: dict[str, str] = json.loads((Path(__file__).parent / "hashes.json").read_text(encoding="utf-8"))

# id: (system, start, period, days, ageing, bounds set)
TABLE: dict[str, tuple[str, tuple[float, float, float], str, float | None, str, dict[str, float]]] = {
    "paper-1": ("glicko2", (1500, 350, 0.06), "calendar", 30, "periods", {"deviation_max": 350}),
    "lichess-1": (
        "glicko2",
        (1500, 500, 0.09),
        "game",
        None,
        "elapsed",
        {
            "rating_min": 400,
            "deviation_min": 45,
            "deviation_max": 500,
            "volatility_min": 0.01,
            "volatility_max": 0.1,
            "change_max": 700,
        },
    ),
    "glicko-1": ("glicko", (1500, 350, 0), "calendar", 30, "periods", {"deviation_min": 30, "deviation_max": 350}),
    "elo-1": ("elo", (1500, 0, 0), "match", None, "none", {}),
    "contest-1": ("glicko2", (1500, 350, 0.06), "match", None, "none", {"deviation_max": 350}),
    "club-1": ("glicko2", (1500, 350, 0.06), "match", None, "none", {}),
    "arena-v0": ("glicko2", (1500, 350, 0.06), "match", None, "none", {}),
    "arena-v1-draft": (
        "glicko2",
        (1500, 350, 0.06),
        "match",
        None,
        "none",
        {
            "deviation_min": 30,
            "deviation_max": 350,
            "volatility_min": 0.01,
            "volatility_max": 0.1,
            "change_max": 700,
        },
    ),
    "votes-v1": (
        "glicko2",
        (1500, 350, 0.06),
        "match",
        None,
        "none",
        {
            "rating_min": 0,
            "rating_max": 3000,
            "deviation_min": 1,
            "deviation_max": 350,
            "volatility_min": 1e-6,
            "volatility_max": 1,
        },
    ),
    "go-float-v2": (
        "glicko2-half-life",
        (1500, 2.0 * 173.7178, 0),
        "game",
        None,
        "elapsed",
        {
            "rating_min": 100,
            "rating_max": 3500,
            "deviation_min": 1.737178,
            "deviation_max": 2.0 * 173.7178,
        },
    ),
}
TABLE["go-onchain-v2"] = TABLE["go-float-v2"]  # the same model in integers


def test_exactly_the_table_is_shipped() -> None:
    assert [one.id for one in shipped()] == sorted(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_table(name: str) -> None:
    kind, start, period, days, ageing, bounds = TABLE[name]
    m = methodology(name)
    first = m.system.initial()
    assert m.id == m.base_id == name
    assert m.system.kind == kind
    assert (first.rating, first.deviation, first.volatility) == start
    assert (m.period.kind, m.period.days, m.ageing.kind) == (period, days, ageing)
    assert m.bounds == Bounds(**bounds)
    assert m.period.origin == "first-day"
    assert m.title
    assert m.description


@pytest.mark.parametrize("m", shipped(), ids=lambda m: m.id)
def test_hash_is_pinned(m: Methodology) -> None:
    assert m.hash == PINNED[m.id], "rules that were published changed; see pin_hashes.py"


def test_only_shipped_hashes_are_pinned() -> None:
    assert sorted(PINNED) == [one.id for one in shipped()]


def values(name: str) -> dict[str, object]:
    return {field.name: field.value for field in methodology(name).fields()}


def test_parameters_beyond_the_table() -> None:
    assert values("paper-1")["system.tau"] == values("arena-v0")["system.tau"] == 0.5
    assert values("lichess-1")["system.tau"] == 0.75
    assert values("lichess-1")["ageing.periods_per_day"] == 0.21436
    assert values("glicko-1")["system.c"] == math.sqrt((350**2 - 50**2) / 60)
    assert values("elo-1")["system.k"] == 20.0
    assert values("go-float-v2")["system.drift"] == 1.15


def test_late_and_sums() -> None:
    assert {m.id for m in shipped() if m.period.late == "refuse"} == {"paper-1", "glicko-1"}
    assert {m.period.late for m in shipped()} == {"refuse", "ledger-order", "recompute"}
    assert {m.id for m in shipped() if m.period.late == "recompute"} == {"club-1"}
    assert [m.id for m in shipped() if m.period.sum_order == "opponent"] == ["votes-v1"]


def test_votes() -> None:
    given = values("votes-v1")
    assert (given["system.solver"], given["system.tolerance"], given["system.iterations"]) == ("illinois", 1e-7, 100)
    assert given["system.minimum_information"] == 0.0001
    assert methodology("votes").numbers.scaled
    assert (given["numbers.rating_multiplier"], given["numbers.volatility_multiplier"]) == (100, 10**6)
    assert given["numbers.rounding"] == "half-even"
    assert given["rated.draws"] is False
    assert [m.id for m in shipped() if m.numbers.scaled] == ["votes-v1"]


def test_go() -> None:
    rated, shown = methodology("go-float").rated, methodology("go-float").published
    assert (rated.minimum_steps, rated.short_loss) == (20, ("resignation", "timeout"))
    assert rated.even_games
    assert rated.boards == (9, 13, 19)
    assert (shown.provisional_deviation, shown.provisional_at) == (173.7178, "above")
    assert (shown.established_deviation, shown.peak) == (173.7178, "lower-bound")
    assert (shown.peak_deviation, shown.peak_games, shown.peak_sources) == (173.7178, 10, ("queue",))


def test_published() -> None:
    above = {
        m.id for m in shipped() if m.published.provisional_deviation == 110 and m.published.provisional_at == "above"
    }
    assert above == {"paper-1", "glicko-1", "club-1", "contest-1", "arena-v0", "arena-v1-draft"}
    lichess = methodology("lichess").published
    assert (lichess.provisional_deviation, lichess.provisional_at, lichess.rankable_deviation) == (110, "from", 75)
    assert methodology("elo").published.provisional_games == 10


def test_arena_rates_forfeits_and_no_aborted_match() -> None:
    endings = methodology("arena").rated.endings
    assert endings == ENDINGS[:7]
    assert {"forfeit", "illegal", "disconnect"} < set(endings)


def test_contest_is_paper_by_match() -> None:
    assert methodology("paper").with_(period="match").hash == methodology("contest").hash


def test_club_is_arena_that_computes_again_what_comes_late() -> None:
    assert methodology("arena").with_(late="recompute").hash == methodology("club").hash


def test_latest_leaves_drafts_out() -> None:
    assert latest() == {
        "arena": "arena-v0",
        "club": "club-1",
        "contest": "contest-1",
        "elo": "elo-1",
        "glicko": "glicko-1",
        "go-float": "go-float-v2",
        "go-onchain": "go-onchain-v2",
        "lichess": "lichess-1",
        "paper": "paper-1",
        "votes": "votes-v1",
    }


def test_words_are_those_of_the_game_log() -> None:
    vocabulary = pytest.importorskip("tallymark.games.vocabulary")
    assert tuple(word.value for word in vocabulary.Ending) == ENDINGS
    assert tuple(word.value for word in vocabulary.Source) == SOURCES
