"""The compiled bodies of the integer primitives give Python's integers, where a rounding is hardest; and mutants fall.

Random updates alone do not see a wrong tie: there are next to none among them. So each primitive has its own test, and
here is shown that it sees what the updates miss.
"""

import inspect
import random
from collections.abc import Callable
from typing import Any

import numba
import numba.extending
import numpy as np
import pytest
from benchmarks import onchain
from benchmarks.onchain import in_columns, random_updates
from numpy.typing import NDArray

from tallymark.fixedpoint import formulas, primitives, truncating
from tallymark.fixedpoint.counting import rebound
from tallymark.replay import integers
from tallymark.replay.compiled import compiled

from .ties import PRIMITIVES, SEED, TRUNCATING, Primitive

Wholes = NDArray[np.int64]


def low_bits(values: list[int]) -> Wholes:
    return np.array([value & 2**64 - 1 for value in values], np.uint64).view(np.int64)


def over(function: Callable[..., Any], one: Primitive) -> Callable[..., None]:
    """A loop of the primitive over columns: low bits and doubles of each argument, and of the result."""
    names = [f"low[{at}, i]" for at in range(len(one.wide))]
    values = [f"({name}, near{name[3:]})" if wide else name for name, wide in zip(names, one.wide, strict=True)]
    given = "out[i], out_near[i]" if one.gives_wide else "out[i]"
    source = f"""
def loop(low, near, out, out_near):
    for i in range(low.shape[1]):
        {given} = function({", ".join(values)})
"""
    space: dict[str, Any] = {"function": function}
    exec(source, space)
    return numba.njit(error_model="numpy")(space["loop"])


def wrong(function: Callable[..., Any], one: Primitive) -> int:
    """On how many of its tries the compiled function differs from Python's integers."""
    tries = list(one.tries(random.Random(SEED)))
    low = np.array([low_bits(list(column)) for column in zip(*tries, strict=True)])
    near = np.array([[float(value) for value in column] for column in zip(*tries, strict=True)])
    near *= 1.0 + np.random.default_rng(SEED).integers(-1, 2, near.shape) * 2.0**-52  # as far off as sums of doubles
    out, out_near = np.zeros(len(tries), np.int64), np.zeros(len(tries))
    over(function, one)(low, near, out, out_near)
    right: list[Any] = [one.function(*arguments) for arguments in tries]
    bad = out != low_bits(right)
    if one.gives_wide:
        bad |= np.abs(out_near - np.array(right, np.float64)) > 2.0**-50 * out_near
    return int(np.count_nonzero(bad))


@pytest.mark.parametrize("one", [*PRIMITIVES, *TRUNCATING], ids=lambda one: one.function.__qualname__)
def test_ties_and_neighbours_of_halves(one: Primitive) -> None:
    assert wrong(one.function, one) == 0


def test_every_primitive_is_tried() -> None:
    used = {name for name, value in vars(formulas).items() if getattr(value, "__module__", "") == primitives.__name__}
    assert used == {one.function.__name__ for one in PRIMITIVES}
    assert set(truncating.PRIMITIVES) == {one.function.__name__ for one in TRUNCATING}


BY_NAME = {
    **{one.function.__name__: one for one in PRIMITIVES},
    **{f"cut_{one.function.__name__}": one for one in TRUNCATING},
}
MUTANTS = [
    ("mul_rdiv", "(r == d) & (odd != 0)", "(r == d)"),
    ("mul_rdiv", "(r == d) & (odd != 0)", "(r == d) & (odd == 0)"),
    ("mul_rdiv", "(r == -d) & (odd != 0)", "(r == -d)"),
    ("mul_rdiv", "((r < -d) | ((r == -d) & (odd != 0)))", "(r < -d)"),
    ("mul_rdiv", "return _settle(q, _sub(_mul(a, b), _mul(q, d)), d)", "return q"),
    ("floor_div", "q - (q * d > a)", "q"),
    ("knot_below", "<= mu", "< mu"),
    ("least", "if abs(gap) > _APART else", "if abs(gap) > 0.0 else"),
    ("least", "_sub(v[0], w[0]) < 0", "v[0] - w[0] < 0"),
    ("drift", "_settle(low, n - low * DAY, DAY)", "low"),
    ("drift", "(r == d) & (odd != 0)", "(r == d)"),
    ("over_pi_sq", "return _settle(q, _sub(_mul(3, v[0]), _mul(q, PI_SQ)), PI_SQ)", "return q"),
    ("precision", "(over > 0.0) if abs(over) > 0.04 else ((twice > 0) | tie)", "(over > 0.0)"),
    ("variance", "_settle(low, _sub(rest << 32, _mul(low, p)), p)", "low"),
    ("mul_high", "q - ((low == _LOWEST) & ((q & 1) != 0))", "q"),
    ("mul_high", "(low == _LOWEST) & ((q & 1) != 0)", "low == _LOWEST"),
    ("root", "s + (r > s)", "s + (r >= s)"),
    ("root", "(r <= -s)", "(r < -s)"),
    ("root", "s + (r > s) - ((r <= -s) & (s != 0))", "s"),
    ("cut_mul_rdiv", "return q - ((q > 0) & (r < 0)) + ((q < 0) & (r > 0))", "return q"),
    ("cut_mul_rdiv", "((q > 0) & (r < 0))", "((q > 0) & (r <= 0))"),
    ("cut_mul_rdiv", "((q > 0) & (r < 0)) + ((q < 0) & (r > 0))", "(r < 0)"),
    ("cut_drift", "_sub(low, above), near_it", "low, near_it"),
    ("cut_over_pi_sq", "(_sub(_mul(3, v[0]), _mul(q, PI_SQ)) < 0)", "0"),
    ("cut_precision", "(over < 0.0) if abs(over) > 0.04 else (_mul(-q, v[0]) < 0)", "(over < 0.0)"),
    ("cut_precision", "(over < 0.0) if abs(over) > 0.04 else (_mul(-q, v[0]) < 0)", "(_mul(-q, v[0]) < 0)"),
    ("cut_variance", "_sub(low, above), near_it", "low, near_it"),
    ("cut_mul_high", "q - (low < 0)", "q - (low <= 0)"),
    ("cut_root", "s - (_sub(v[0], _mul(s, s)) < 0)", "s"),
]


def mutant(name: str, before: str, after: str) -> Callable[..., Any]:
    """The body of a primitive with one place changed, compiled; nothing that is registered changes."""
    source = inspect.getsource(integers)
    assert before in source
    source = source.replace(before, after).partition("for _formula in FORMULAS")[0]
    source = source.replace("from numba.extending import intrinsic, overload, register_jitable", "")
    # The bodies as they are, instead of handed to numba in the place of the primitives.
    space: dict[str, Any] = {
        "intrinsic": numba.extending.intrinsic,
        "register_jitable": numba.extending.register_jitable,
        "overload": lambda primitive, **_: lambda body: body,
    }
    exec(compile(source, "mutant", "exec"), space)
    return numba.njit(error_model="numpy")(space[f"_{name}"](*[None] * len(BY_NAME[name].wide)))


@pytest.mark.parametrize(("name", "before", "after"), MUTANTS)
def test_mutants_fall(name: str, before: str, after: str) -> None:
    assert wrong(mutant(name, before, after), BY_NAME[name]) > 0


@pytest.mark.parametrize(("game", "count"), [(formulas.game, 100_000), (truncating.game, 20_000)])
def test_updates(game: Callable[..., formulas.Game], count: int) -> None:
    """A tenth of what `python -m benchmarks.onchain` compares; and quotients that are cut off."""
    columns = random_updates(count)
    out = np.zeros((7, columns.shape[1]), np.int64)
    loop = rebound(onchain, [in_columns], {"game": game})["in_columns"]
    loop.__qualname__ = f"in_columns_of_{game.__qualname__}"
    compiled(loop)(columns, out)
    for row, arguments in zip(out.T.tolist(), columns.T.tolist(), strict=True):
        done = game(*arguments)
        a, b = done.side_a, done.side_b
        assert row == [a.mu, a.phi, done.last_a, b.mu, b.phi, done.last_b, done.chance.p]
