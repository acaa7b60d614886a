"""The tables of the specifications to the digit: arena teams, Glicko-2's reference values, the real-valued Go model.

The table of votes is in `tests/methodology/test_scalar.py`, beside the bounds that it is about.
"""

import math
from collections.abc import Sequence
from typing import Final

import pytest

import tallymark as tm
from tallymark.methodology import methodology
from tallymark.replay.engines import Engine
from tallymark.systems import Elo, Glicko, Glicko2, Glicko2HalfLife, Rating, System

ENGINES: Final[tuple[Engine, ...]] = ("interpreted", "compiled")
ONE: Final = 2.0**32
UNIT: Final = 173.7178


@pytest.mark.parametrize("engine", ENGINES)
def test_arena_teams_to_the_digit(engine: Engine) -> None:
    def shown(teams: Sequence[str], rank: Sequence[int]) -> dict[object, str]:
        names = [f"p{i}" for i in range(len(teams))]
        entries = tm.GameLog.from_entries(match=["m"] * len(teams), player=names, rank=rank, team=list(teams))
        r = tm.replay(entries, "arena-v0", history=True, predictions=True, engine=engine)
        assert r.report.units == 1
        return {row["player"]: f"{row['rating']:.2f} / {row['deviation']:.2f}" for row in r.ratings.rows()}

    one_beats_four = shown("abbbb", [1, 2, 2, 2, 2])
    assert [one_beats_four[f"p{i}"] for i in range(5)] == ["1835.06 / 208.56"] + ["1337.69 / 290.32"] * 4
    two_beat_three = shown("aabbb", [1, 1, 2, 2, 2])
    assert [two_beat_three[f"p{i}"] for i in range(5)] == ["1799.63 / 227.74"] * 2 + ["1252.68 / 253.40"] * 3


def test_glicko2_reference_table() -> None:
    new = Rating(1500, 350, 0.06)
    won, lost = (Glicko2().update(new, [(new, s)]) for s in (1.0, 0.0))
    assert (won.rating, won.deviation) == pytest.approx((1662.31089391, 290.318963718), abs=1e-8)
    assert won.volatility == pytest.approx(0.0599996753731, abs=1e-13)
    assert (lost.rating, lost.deviation, lost.volatility) == pytest.approx(
        (3000.0 - won.rating, won.deviation, won.volatility), rel=1e-15
    )
    away = Rating(1777, 61, 0.07)
    assert Glicko2().age(away, 48).deviation == pytest.approx(104.013633594, abs=1e-9)
    assert Glicko2().age(away, 803).deviation < 350.0 <= Glicko2().age(away, 804).deviation
    settling, shown = new, {}
    for n in range(1, 31):
        settling = Glicko2().update(settling, [(Rating(1500, 50), float(n % 2))])
        shown[n] = round(settling.deviation)
    assert {n: shown[n] for n in (1, 5, 10, 20, 30)} == {1: 248, 5: 147, 10: 109, 20: 82, 30: 71}


def test_go_two_newcomers() -> None:
    rules = methodology("go-float")
    new = rules.initial()
    won, lost = rules.update(new, [(new, 1.0)]), rules.update(new, [(new, 0.0)])
    # The contract rounds at every step: the real-valued model is within a few units of 2^-32.
    assert (won.rating - 1500.0) / UNIT * ONE == pytest.approx(3976162240, abs=4)
    assert (lost.rating - 1500.0) / UNIT * ONE == pytest.approx(-3976162240, abs=4)
    assert won.deviation / UNIT * ONE == pytest.approx(7130373381, abs=4)
    assert rules.expected(new, new) * ONE == 2147483648.0


def mu_of(k: int, more: float) -> float:
    return (525.0 * math.exp(k / 23.15) - 1500.0) / UNIT + more / ONE


def go_player(mu: float, phi: float) -> Rating:
    return Rating(UNIT * mu + 1500.0, UNIT * phi, 0.0)


@pytest.mark.parametrize(
    ("score", "mu_a", "mu_b"),
    [(1.0, -3127674924, -6466404596), (0.5, -3682925599, -6215595102), (0.0, -4238176273, -5964785608)],
)
def test_go_rows_of_the_table(score: float, mu_a: int, mu_b: int) -> None:
    rules = methodology("go-float")
    a, b = go_player(mu_of(22, 12345), 0.5), go_player(mu_of(20, 999), math.floor(ONE / 3) / ONE)
    now_a, now_b = rules.age(a, 9.0), rules.age(b, 3.0)
    after_a = rules.update(a, [(now_b, score)], elapsed=9.0)
    after_b = rules.update(b, [(now_a, 1.0 - score)], elapsed=3.0)
    for after, mu, phi in ((after_a, mu_a, 2204362784), (after_b, mu_b, 1498026208)):
        assert (after.rating - 1500.0) / UNIT * ONE == pytest.approx(mu, abs=8)
        assert after.deviation / UNIT * ONE == pytest.approx(phi, abs=8)
    assert rules.expected(now_a, now_b) == pytest.approx(2783423771 / ONE, abs=1.6e-8)


def test_go_ageing() -> None:
    rules = methodology("go-float")
    quick = go_player(mu_of(10, 0), 0.5)
    crossing, cap = 5736552, 28682760
    assert (
        rules.age(quick, (crossing - 2) / 86400.0).deviation
        < UNIT
        < rules.age(quick, (crossing + 2) / 86400.0).deviation
    )
    top = rules.bounds.deviation_max
    assert top is not None
    assert rules.age(quick, (cap - 2) / 86400.0).deviation < top
    assert rules.age(quick, (cap + 2) / 86400.0).deviation == pytest.approx(top, rel=1e-15)


@pytest.mark.parametrize("system", [Elo(), Glicko(), Glicko2(), Glicko2HalfLife()], ids=lambda one: str(one.kind))
def test_one_face(system: System) -> None:
    new = system.initial()
    assert system.update(new, [(new, 1.0)]).rating > new.rating == system.age(new, 3.0).rating
    assert system.expected(new, new) == 0.5
