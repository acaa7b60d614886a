"""The stated error bounds, held against 140-bit arithmetic over each whole domain: dense, random and at the edges."""

import math
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from mpmath import MPContext, mpf

from tallymark.numeric import exp, exp_normal, exp_small, log, log1p, log_normal, logistic
from tallymark.systems.glicko2 import g, information

MP = MPContext()
MP.prec = 140
POINTS = 10_000  # dense, and as many random
SEED = 20260829
G = 0.7


def ulps(found: float, exact: mpf) -> float:
    """The error in distances between the doubles around the exact value, subnormals as they lie."""
    exponent = MP.frexp(abs(exact))[1]
    return float(abs(MP.mpf(found) - exact) / MP.ldexp(MP.mpf(1), max(exponent - 53, -1074)))


def curve(x: mpf) -> mpf:
    return 1 / (1 + MP.exp(-x))


def spread(x: mpf) -> mpf:
    return curve(x) * curve(-x)


class Bound(NamedTuple):
    """A function, what it stands for, the bound its docstring states, and the ends of a stretch of its domain."""

    name: str
    found: Callable[[float], float]
    exact: Callable[[mpf], mpf]
    ulps: float
    low: float
    high: float
    powers: bool = False
    """Whether points lie evenly in log2(x) rather than in x: `low` and `high` are then exponents."""


SLOPE = 3 / MP.pi**2
G2 = MP.mpf(G) ** 2
BOUNDS = [
    Bound("exp", exp, MP.exp, 0.95, -745.1, 709.78),
    Bound("exp, middle", exp, MP.exp, 0.95, -2.0, 2.0),
    Bound("exp, subnormal", exp, MP.exp, 0.95, -745.1, -708.0),
    Bound("exp_normal", exp_normal, MP.exp, 0.95, -708.0, 708.0),
    Bound("exp_small", exp_small, MP.exp, 0.95, -0.34, 0.34),
    Bound("log, any exponent", log, MP.log, 0.9, -1074.0, 1023.9999, True),
    Bound("log, subnormal", log, MP.log, 0.9, -1074.0, -1022.0, True),
    Bound("log, around 1", log, MP.log, 0.9, 0.5, 2.0),
    Bound("log, just above 1", lambda x: log(1.0 + x), lambda x: MP.log(1 + x), 0.9, -52.0, -1.0, True),
    Bound("log, just below 1", lambda x: log(1.0 - x), lambda x: MP.log(1 - x), 0.9, -53.0, -1.0, True),
    Bound("log1p", log1p, lambda x: MP.log1p(x), 1.3, 0.0, 1.0),
    Bound("log1p, small", log1p, lambda x: MP.log1p(x), 1.3, -1074.0, 0.0, True),
    Bound("logistic", lambda x: logistic(x)[0], curve, 3.0, -708.0, 708.0),
    Bound("logistic, middle", lambda x: logistic(x)[0], curve, 3.0, -40.0, 40.0),
    Bound("1 - E", lambda x: logistic(x)[1], lambda x: curve(-x), 3.0, -708.0, 708.0),
    Bound("1 - E, middle", lambda x: logistic(x)[1], lambda x: curve(-x), 3.0, -8.0, 8.0),
    Bound("E (1 - E)", lambda x: information(1.0, *logistic(x)), spread, 6.0, -708.0, 708.0),
    Bound("E (1 - E), middle", lambda x: information(1.0, *logistic(x)), spread, 6.0, -8.0, 8.0),
    Bound("g^2 E (1 - E)", lambda x: information(G, *logistic(x)), lambda x: G2 * spread(x), 7.0, -9.0, 9.0),
    Bound("g", g, lambda x: 1 / MP.sqrt(1 + SLOPE * x), 2.5, 0.0, 10.0),
    Bound("g, any variance", g, lambda x: 1 / MP.sqrt(1 + SLOPE * x), 2.5, -100.0, 1023.9999, True),
]


def points(bound: Bound) -> Iterator[float]:
    """The ends, an even grid between them, and as many at random."""
    chance = random.Random(SEED)
    for i in range(2 * POINTS + 1):
        part = i / POINTS if i <= POINTS else chance.random()
        place = bound.low + (bound.high - bound.low) * part
        place = min(max(place, bound.low), bound.high)
        if bound.powers:
            whole = math.floor(place)
            yield math.ldexp(2.0 ** (place - whole), whole)
        else:
            yield place


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: str(bound.name))
def test_stated_bounds_hold(bound: Bound) -> None:
    def argument(x: float) -> mpf:
        # 1 + x and 1 - x round in the call, not in what it is compared with
        if bound.name.startswith("log, just"):
            return MP.mpf(1.0 + x) - 1 if "above" in bound.name else 1 - MP.mpf(1.0 - x)
        return MP.mpf(x)

    errors = [(ulps(bound.found(x), bound.exact(argument(x))), x) for x in points(bound)]
    assert [(error, x) for error, x in errors if not error <= bound.ulps] == []


# The worst of some ten million points each: a bound that is met here by chance only would be no bound.
HARD = [
    (exp, MP.exp, 0.95, [-97.37712330537215, -17.659070716259606, -548.6131589188042, -1.0312747805332099]),
    (exp_small, MP.exp, 0.95, [-0.3311742685368256, -0.33701989609433464]),
    (log, MP.log, 0.9, [1.4121295966195084, 0.706986544720347, 0.7069966547790852]),
    (log1p, MP.log1p, 1.3, [0.397035736140693, 0.4061364723174895]),
    (lambda x: logistic(x)[0], curve, 3.0, [-6.931010459136864, -6.9305605699586295, -1.1515814333135315]),
    (lambda x: information(1.0, *logistic(x)), spread, 6.0, [3.4309942624156395]),
    (g, lambda x: 1 / MP.sqrt(1 + SLOPE * x), 2.5, [49.63384770362284, 2.7112996552627495e150]),
]


@pytest.mark.parametrize(("found", "exact", "bound", "at"), HARD)
def test_hard_points(
    found: Callable[[float], float], exact: Callable[[mpf], mpf], bound: float, at: list[float]
) -> None:
    errors = [ulps(found(x), exact(MP.mpf(x))) for x in at]
    assert max(errors) <= bound
    assert max(errors) > 0.75 * bound  # the bound says what is true, with a margin and no more


def test_exp_at_its_edges() -> None:
    assert [exp(x) for x in (0.0, -0.0, 5e-324, -math.inf, math.inf)] == [1.0, 1.0, 1.0, 0.0, math.inf]
    assert exp(math.nan) == 0.0
    assert exp(709.782712893384) < math.inf == exp(709.7827128933841)
    assert exp(-745.1332191019411) == 5e-324
    assert exp(-745.2) == exp(-1e300) == 0.0
    for low, high in ((-745.0, -744.0), (-709.0, -708.0), (709.0, 709.7)):
        assert 0.0 < exp(low) < exp(high) < math.inf


def test_exp_normal_is_held_at_its_ends() -> None:
    assert exp_normal(-708.0) == exp_normal(-1e308) == exp_normal(-math.inf) == exp_normal(math.nan) > 2.2e-308
    assert exp_normal(708.0) == exp_normal(1e308) == exp_normal(math.inf) < math.inf
    for x in (-708.0, -1.0, -5e-324, 0.0, 0.5, 708.0):
        assert exp_normal(x) == exp(x)


def test_exp_small_is_exp_normal() -> None:
    chance = random.Random(SEED)
    for _ in range(2 * POINTS):
        x = chance.uniform(-0.34, 0.34)
        assert exp_small(x) == exp_normal(x)
    assert [exp_small(x) for x in (-0.34, 0.34, 0.0, 1e-300)] == [exp_normal(x) for x in (-0.34, 0.34, 0.0, 1e-300)]


def test_log_normal_is_log() -> None:
    chance = random.Random(SEED)
    for _ in range(2 * POINTS):
        x = 2.0 ** chance.uniform(-1021.9, 1023.9)
        assert log_normal(x) == log(x)
    for x in (2.2250738585072014e-308, 0.9999999999999999, 1.0, 1.0000000000000002, 1.7976931348623157e308):
        assert log_normal(x) == log(x)


def test_log_at_its_edges() -> None:
    assert (log(1.0), log(0.0), log(-0.0), log(math.inf)) == (0.0, -math.inf, -math.inf, math.inf)
    normal, largest = 2.2250738585072014e-308, 1.7976931348623157e308
    for x in (5e-324, math.nextafter(normal, 0.0), normal, 0.9999999999999999, 1.0000000000000002, largest):
        assert ulps(log(x), MP.log(MP.mpf(x))) <= 0.9
    assert [log(2.0**n) < log(2.0 ** (n + 1)) for n in range(-1074, 1023)] == [True] * 2097


def test_logistic_at_its_ends() -> None:
    assert logistic(0.0) == logistic(-0.0) == (0.5, 0.5)
    for x in (38.0, 700.0, 708.0, 1e5, 1e308, math.inf):
        ahead, behind = logistic(x)
        assert ahead == 1.0
        assert 0.0 < behind < 1e-16
        assert logistic(-x) == (behind, ahead)
        assert information(1.0, ahead, behind) > 0.0
    low = [logistic(-x)[0] for x in range(709)]
    assert low == sorted(low, reverse=True)


def test_g_at_its_edges() -> None:
    assert g(0.0) == 1.0
    assert g(5e-324) == 1.0
    assert 0.0 < g(1.7976931348623157e308) < 1e-150
    assert g(math.inf) == 0.0
