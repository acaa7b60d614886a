"""How much work an update is: its operations counted and its widths measured, on integers that count themselves."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import cast

from tallymark.fixedpoint import formulas, primitives
from tallymark.fixedpoint.units import HALF
from tallymark.fixedpoint.updating import State


@dataclass
class Operations:
    """What one update takes: products of two numbers, quotients, roots, exponentials; the largest number's bits."""

    multiplications: int = 0
    divisions: int = 0
    roots: int = 0
    exponentials: int = 0
    largest_bits: int = 0


def operations(a: State, b: State, half_points: int, t: int) -> Operations:
    """Counts the operations of this update, both sides and the win probability.

    >>> done = operations(State(1, 1 << 32, 0), State(2, 1 << 32, 0), 2, 86400)
    >>> done.roots, done.exponentials
    (5, 3)
    """
    found = Operations()

    def isqrt(n: int) -> int:
        found.roots += 1
        return math.isqrt(n)

    def exp_steps(x: int) -> formulas.Exp:
        found.exponentials += 1
        return steps(x)

    counted = _counted(found)
    base = {
        name: _over(one, counted)  # also where a formula hands over a constant that it held something to
        for name, one in rebound(primitives, _functions(primitives), {"isqrt": isqrt}).items()
    }
    above = rebound(formulas, formulas.FORMULAS, base)
    steps = cast("Callable[[int], formulas.Exp]", above["exp_steps"])
    game = rebound(formulas, formulas.FORMULAS, {**base, "exp_steps": exp_steps})["game"]
    game(*a, *b, half_points * HALF, t)
    return found


def _over(function: Callable[..., object], kind: type[int]) -> Callable[..., object]:
    return lambda *values: function(*(kind(value) for value in values))


def rebound(
    module: ModuleType, functions: Iterable[Callable[..., object]], replaced: Mapping[str, Callable[..., object]]
) -> dict[str, Callable[..., object]]:
    """The same functions over other ones: each calls what `replaced` has under a name, and the rebound ones among
    themselves.

    >>> rebound(formulas, [formulas.g_steps, formulas.g], {"over_pi_sq": lambda v: 0})["g"](5) == 1 << 32
    True
    """
    names = {**vars(module)}
    made: dict[str, Callable[..., object]] = {
        one.__name__: FunctionType(cast(FunctionType, one).__code__, names) for one in functions
    }
    names |= {**made, **replaced}
    return made


def _functions(module: ModuleType) -> list[Callable[..., object]]:
    return [one for one in vars(module).values() if isinstance(one, FunctionType) and one.__module__ == module.__name__]


def _counted(found: Operations) -> type[int]:
    """The integers that count into `found`: whatever comes of one is one too."""

    def watched(operation: str, counter: str = "") -> Callable[..., object]:
        plain = getattr(int, operation)

        def run(self: int, *others: int) -> object:
            result = plain(self, *others)
            if counter and others != (2,):
                setattr(found, counter, getattr(found, counter) + 1)
            several = result if isinstance(result, tuple) else (result,)
            found.largest_bits = max(found.largest_bits, *(n.bit_length() for n in (self, *others, *several)))
            return tuple(map(counted, result)) if isinstance(result, tuple) else counted(result)

        return run

    counters = {
        **dict.fromkeys(("__mul__", "__rmul__"), "multiplications"),
        **dict.fromkeys(("__divmod__", "__rdivmod__", "__floordiv__"), "divisions"),
        **dict.fromkeys(("__add__", "__radd__", "__sub__", "__rsub__", "__lshift__", "__rshift__", "__abs__"), ""),
    }
    counted = cast(type[int], type("Counted", (int,), {name: watched(name, of) for name, of in counters.items()}))
    return counted
