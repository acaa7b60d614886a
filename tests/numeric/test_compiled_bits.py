"""Every marked formula gives the same bits interpreted and compiled, extremes included, and raises nothing."""

import inspect
import math
import random
import struct
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

from tallymark.methodology import shipped
from tallymark.numeric import FORMULAS
from tallymark.numeric.formula import Marked
from tallymark.replay import compiled, fold
from tallymark.replay.blocks import Codes
from tallymark.replay.clock import clock_of
from tallymark.replay.columns import Games, Players, Sheet, Shown
from tallymark.replay.paper import Paper
from tallymark.replay.rows import Rows
from tallymark.replay.sharing import Counters

POINTS: Final = 3_000
SEED: Final = 20260829
RULES: Final = shipped()
LIMITS: Final = [one.limits for one in RULES]
CLOCKS: Final = [clock_of(one) for one in RULES]
INTEGERS: Final = ("tallymark.systems.q32", "tallymark.replay.exact", "tallymark.replay.integers")
SPECIAL: Final = (0.0, 5e-324, 2.2250738585072014e-308, 1e-300, 1e-17, 0.06, 0.5, 1.0, 1e16, 1e154, 1e300)


def magnitude(chance: random.Random) -> float:
    """From nothing to 1e300: half of the numbers ordinary, the others anywhere, some of them where things break."""
    kind = chance.random()
    if kind < 0.5:
        return chance.uniform(0.0, 10.0)
    if kind < 0.6:
        return chance.choice(SPECIAL)
    return float(10.0 ** chance.uniform(-300.0, 300.0))


def signed(chance: random.Random) -> float:
    return chance.choice((-1.0, 1.0)) * magnitude(chance)


def score(chance: random.Random) -> float:
    return chance.choice((0.0, 0.5, 1.0, chance.random()))


# By parameter name; what a formula asks of its arguments beyond that stands under "formula.parameter".
DOMAINS: Final[dict[str, Callable[[random.Random], float]]] = {
    "c": lambda chance: 1.0 + magnitude(chance),
    "cap": lambda chance: float(chance.choice((1, 5, 100))),
    "centre": lambda chance: 1500.0,
    "delta2": magnitude,
    "e": score,
    "elapsed": magnitude,
    "g_other": lambda chance: chance.random(),
    "grown": magnitude,
    "lost": lambda chance: chance.uniform(-1e-17, 1e-17),
    "n": magnitude,
    "not_e": score,
    "not_s": score,
    "phi2": magnitude,
    "phi2_a": magnitude,
    "phi2_b": magnitude,
    "played": lambda chance: float(chance.randint(0, 50)),
    "r": lambda chance: chance.uniform(0.0, 39.0),
    "s": score,
    "share": lambda chance: 1.0 / chance.randint(1, 30),
    "sigma2": magnitude,
    "steps": lambda chance: float(chance.choice((1, 100, 10**6))),
    "tau": lambda chance: chance.choice((0.0, chance.random(), magnitude(chance))),
    "tau2": lambda chance: chance.choice((0.0, chance.random(), magnitude(chance))),
    "tolerance": lambda chance: chance.choice((1e-15, 1e-7, 1e-6)),
    "u2": magnitude,
    "unit": lambda chance: 173.7178,
    "up": lambda chance: float(chance.randint(0, 1)),
    "v": magnitude,
    "w": magnitude,
    "_exp_near_0.r": lambda chance: chance.uniform(-0.3466, 0.3466),
    "_exp_parts.x": lambda chance: chance.uniform(-746.0, 710.0),
    "_log_of.m": lambda chance: chance.uniform(0.5, 1.0),
    "_log_of.e": lambda chance: float(chance.randint(-1074, 1024)),
    "exp_small.x": lambda chance: chance.uniform(-0.34, 0.34),
    "f.tau2": lambda chance: chance.uniform(1e-6, 100.0),
    "log.x": magnitude,
    "log_normal.x": lambda chance: max(magnitude(chance), 2.2250738585072014e-308),
    "log1p.x": score,
}


def constants_of(name: str, annotation: object) -> list[tuple[float, ...]]:
    """What stands in for a parameter that is no float: the constants of the shipped methodologies; none for a float."""
    if annotation is float:
        return []
    if name in ("limits", "clock"):
        return list(LIMITS if name == "limits" else CLOCKS)
    systems = [one.system.constants(one.limits.rating_steps) for one in RULES]
    return [k for k in systems if type(k) is annotation] or [(0.0,)]


def flat(result: Any) -> list[float]:
    return [float(one) for one in result] if isinstance(result, tuple) else [float(result)]


def bits(values: list[float]) -> bytes:
    """The bits, every NaN alike: its payload is the processor's."""
    return struct.pack(f"{len(values)}d", *(math.nan if one != one else one for one in values))


def loop_over(function: Callable[..., Any], floats: list[str], others: list[str]) -> Callable[..., None]:
    """A plain loop that calls the formula row by row and writes what it returns as doubles."""
    signature = inspect.signature(function, eval_str=True)
    call = ", ".join(f"columns[{floats.index(p)}, i]" if p in floats else p for p in signature.parameters)
    returned = signature.return_annotation
    width = len(getattr(returned, "__args__", ())) or 1
    lines = [f"def loop({', '.join(['columns', 'out', *others])}):", "    for i in range(columns.shape[1]):"]
    lines += [f"        {', '.join(f'r{j}' for j in range(width))} = function({call})"]
    lines += [f"        out[i, {j}] = r{j}" for j in range(width)]
    names: dict[str, Any] = {"function": function}
    exec("\n".join(lines), names)
    loop: Callable[..., None] = names["loop"]
    return loop


def takes_numbers(marked: Marked) -> bool:
    """Whether a formula is one of doubles. Those over a fold's columns are held to the same bits by whole logs, those
    of the Q32.32 integers by tests/replay/test_integers.py and test_exact.py, in their own domain. What is made anew
    over one system's formulas takes that system's constants: whole logs hold it too, and its formulas are here."""
    if "<locals>" in marked.function.__qualname__:
        return False
    if marked.function.__module__ in INTEGERS:
        return False
    parameters = inspect.signature(marked.function, eval_str=True).parameters.values()
    columns = (Games, Players, Sheet, Shown, Rows, Paper, Codes, Counters)
    return bool(parameters) and not any(one.annotation in columns for one in parameters)


def name_of(marked: Marked) -> str:
    return f"{marked.function.__module__.split('.')[-1]}.{marked.function.__name__}"


@pytest.mark.parametrize("marked", [one for one in FORMULAS if takes_numbers(one)], ids=name_of)
def test_same_bits(marked: Marked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "cache_folder", lambda module: None)  # a loop of a test has no file to be kept for
    function = marked.function
    parameters = inspect.signature(function, eval_str=True).parameters
    stand_ins = {name: constants_of(name, one.annotation) for name, one in parameters.items()}
    floats = [name for name, found in stand_ins.items() if not found]
    others = {name: found for name, found in stand_ins.items() if found}
    chance = random.Random(SEED)
    domains = [DOMAINS.get(f"{function.__name__}.{name}", DOMAINS.get(name, signed)) for name in floats]
    kernel = compiled.compiled(loop_over(function, floats, list(others)))
    for given in zip(*others.values(), strict=True) if others else [()]:
        extra = dict(zip(others, given, strict=True))
        rows = [[domain(chance) for domain in domains] for _ in range(POINTS)]
        expected = [flat(function(**dict(zip(floats, row, strict=True)), **extra)) for row in rows]
        out = np.zeros((POINTS, len(expected[0])))
        kernel(np.ascontiguousarray(np.array(rows).T), out, *given)
        both = zip(rows, expected, out.tolist(), strict=True)
        different = [(row, one, two) for row, one, two in both if bits(one) != bits(two)]
        assert different == []


def test_the_list_of_formulas_is_whole() -> None:
    modules = {one.function.__module__ for one in FORMULAS}
    systems = ("elo", "glicko", "glicko2", "half_life", "illinois", "volatility")
    assert {f"tallymark.systems.{name}" for name in systems} <= modules
    assert {"tallymark.numeric.elementary", "tallymark.methodology.limits", fold.__name__} <= modules
