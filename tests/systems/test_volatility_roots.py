"""Step 5: the root nearest ln sigma^2, by Newton and by the paper's Illinois run, its tolerance and its cap."""

import json
import math
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tallymark as tm
from tallymark.methodology import methodology
from tallymark.systems import Glicko2, Rating
from tallymark.systems.illinois import illinois
from tallymark.systems.volatility import TOLERANCE, careful, new_sigma2, quick

VECTORS: Final = Path(__file__).resolve().parent.parent / "vectors" / "glicko2_updates.json"


class Step5(NamedTuple):
    """The input of step 5, its answer as z = ln(sigma'^2 / sigma^2), and how many roots f has."""

    phi2: float
    sigma2: float
    w: float
    u: float
    tau: float
    z: float
    roots: int


def inputs() -> list[Step5]:
    def rating(numbers: dict[str, float]) -> Rating:
        return Rating(numbers["rating"], numbers["deviation"], numbers["volatility"])

    found: list[Step5] = []
    vectors: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
    for one in vectors:
        system = Glicko2(tau=one["tau"])
        before = system.state(rating(one["player"]))
        sums = system.sums(
            before, [(system.state(rating(o)), s) for o, s in zip(one["opponents"], one["scores"], strict=True)]
        )
        z, roots = float(one["working"]["z"]), one["working"]["roots"]
        found.append(Step5(before.phi2, before.sigma2, *sums, one["tau"], z, roots))
    return found


INPUTS: Final = inputs()
WITH_GAMES: Final = [one for one in INPUTS if one.w > 0.0 and one.tau > 0.0]


def test_newton_finds_the_nearest_root() -> None:
    assert sum(one.roots == 3 for one in INPUTS) >= 60
    for one in INPUTS:
        found = new_sigma2(one.phi2, one.sigma2, one.w, one.u, one.tau * one.tau)
        assert math.log(found / one.sigma2) == pytest.approx(one.z, abs=1e-13)


def test_the_careful_walk_is_right_where_the_quick_steps_suffice() -> None:
    quickly = 0
    for one in INPUTS:
        assert careful(one.phi2, one.sigma2, one.w, one.u, one.tau * one.tau) == pytest.approx(one.z, abs=1e-13)
        sigma2, doubt = quick(one.phi2, one.sigma2, one.w, one.u, one.tau * one.tau)
        if doubt <= TOLERANCE:
            quickly += 1
            assert math.log(sigma2 / one.sigma2) == pytest.approx(one.z, abs=1e-13)
    assert quickly > 50


@pytest.mark.parametrize("tolerance", [1e-6, 1e-7, 1e-10, 1e-12])
def test_illinois_finds_the_same_root_within_its_tolerance(tolerance: float) -> None:
    for one in WITH_GAMES:
        found, converged = illinois(one.phi2, one.sigma2, one.w, one.u, one.tau, tolerance, 100.0)
        assert converged
        assert math.log(found / one.sigma2) == pytest.approx(one.z, abs=max(tolerance, 1e-13))


def test_illinois_stops_at_its_tolerance_and_no_sooner() -> None:
    errors = [
        abs(math.log(illinois(*one[:5], tolerance=1e-3, cap=100.0)[0] / one.sigma2) - one.z) for one in WITH_GAMES
    ]
    assert 1e-7 < max(errors) <= 1e-3


def test_illinois_at_its_cap_says_so_and_takes_the_current_value() -> None:
    one = next(one for one in WITH_GAMES if one.roots == 3)
    start, done = illinois(*one[:5], tolerance=1e-12, cap=0.0)
    assert not done
    assert start == pytest.approx(one.sigma2, rel=1e-15)
    caps = [illinois(*one[:5], tolerance=1e-12, cap=float(cap)) for cap in range(100)]
    assert [converged for _, converged in caps] == sorted(converged for _, converged in caps)
    assert caps[-1][1]
    assert len({sigma2 for sigma2, converged in caps if converged}) == 1


def test_a_cap_is_reported_by_scalar_and_replay() -> None:
    rules = methodology("votes").with_(iterations=1)
    new = rules.initial()
    assert not rules.step(new, [(new, 1.0)]).converged
    assert methodology("votes").step(new, [(new, 1.0)]).converged
    log = tm.GameLog.from_arrays(player_a=["a"], player_b=["b"], score_a=[1.0])
    r = tm.replay(log, rules, history=True)
    assert r.report.unconverged == 2
    assert r.history["converged"].tolist() == [False, False]
    assert tm.replay(log, "votes").report.unconverged == 0


@pytest.mark.parametrize("solver", ["newton", "illinois"])
def test_tau_0_keeps_the_volatility(solver: str) -> None:
    system = Glicko2(tau=0.0, solver=solver)
    for volatility in (0.0, 0.06, 1.09):
        after = system.update(Rating(880, 280, volatility), [(Rating(1463, 248), 1.0)] * 5)
        assert after.volatility == volatility
    expected = {"rating": 1610.25573801, "deviation": 84.2305115437}
    after = system.update(Rating(1612, 88, 0.06), [(Rating(1700, 60), 1.0), (Rating(1455, 120), 0.0)])
    assert (after.rating, after.deviation) == pytest.approx(tuple(expected.values()), abs=1e-8)


@pytest.mark.parametrize("solver", ["newton", "illinois"])
def test_tau_towards_0_goes_to_tau_0(solver: str) -> None:
    games = [(Rating(1700, 60), 1.0), (Rating(1455, 120), 0.0)]
    still = Glicko2(tau=0.0).update(Rating(1612, 88, 0.06), games)
    for tau in (1e-4, 1e-9, 1e-100, 1e-200, 5e-324):
        assert Glicko2(tau=tau, solver=solver).update(Rating(1612, 88, 0.06), games).rating == pytest.approx(
            still.rating, abs=1e-4
        )


def test_bisection_on_the_papers_bracket_would_be_wrong() -> None:
    after = Glicko2(tau=0.5).update(Rating(2100, 35, 0.06), [(Rating(1300, 35), 0.0)] * 5)
    assert after.rating == pytest.approx(2062.28699113, abs=1e-8)


def test_illinois_at_1e_6_loses_what_newton_keeps() -> None:
    player, loose, exact = Rating(1500, 50, 0.06), Glicko2(solver="illinois", tolerance=1e-6), Glicko2()
    one, two = player, player
    for n in range(100):
        games = [(Rating(1400 + 3 * n, 60), float(n % 2)), (Rating(1650, 90), 1.0 - n % 2)]
        one, two = loose.update(one, games), exact.update(two, games)
    assert 1e-9 < abs(one.rating - two.rating) < 0.01


VARIANCE: Final = st.floats(1e-4, 10.0)


@settings(max_examples=1000)
@given(VARIANCE, st.floats(1e-5, 0.5), st.floats(1e-3, 40.0), st.floats(-30.0, 30.0), st.floats(0.0, 1.5))
def test_where_the_quick_steps_are_taken_they_are_right(
    phi2: float, sigma2: float, w: float, u: float, tau: float
) -> None:
    quickly, doubt = quick(phi2, sigma2, w, u, tau * tau)
    if doubt <= TOLERANCE:
        assert math.log(quickly / sigma2) == pytest.approx(careful(phi2, sigma2, w, u, tau * tau), abs=1e-13)


@settings(max_examples=300)
@given(VARIANCE, st.floats(1e-5, 0.5), st.floats(1e-3, 40.0), st.floats(-30.0, 30.0), st.floats(0.05, 1.5))
def test_the_answer_is_a_root(phi2: float, sigma2: float, w: float, u: float, tau: float) -> None:
    z = careful(phi2, sigma2, w, u, tau * tau)
    c = 1.0 + w * phi2

    def h(at: float) -> float:
        y = sigma2 * math.exp(at)
        d = c + w * y
        return 0.5 * tau * tau * y * (u * u - w * d) / (d * d)

    step = 1e-6 * (1.0 + abs(z))
    low, high = z - step - h(z - step), z + step - h(z + step)
    assert low <= 0.0 <= high or abs(z - h(z)) < 1e-9 * (1.0 + abs(z))
    if h(0.0) > 0.0:
        inner = [z * i / 200 for i in range(1, 199)]
        assert all(x - h(x) < 1e-6 for x in inner)  # no root nearer to 0
    else:
        assert -0.5 * tau * tau <= z <= 0.0
