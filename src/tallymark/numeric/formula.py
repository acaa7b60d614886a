"""Marks the functions that both the interpreter and the compiler run.

A formula is a plain Python function over floats. Marking it changes nothing here; `tallymark.replay.compiled` hands
every marked function to numba unchanged. What keeps the bits equal:

* only + - * /, `math.sqrt`, `abs`, comparisons, `a if c else b`, literals, loops, and other formulas;
* no `**`, `min`, `max`, `round`, `sum`, no libm function: their bits, or their NaN and zero rules, are a library's;
* no division that can meet zero: the interpreter raises where the compiler goes on. Select the divisor first;
* one spelling: an expression that two callers need stands in one formula.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Marked(NamedTuple):
    """A formula, and how the compiler takes it."""

    function: Callable[..., object]
    inline: bool
    """Pasted into its callers: a call inside a loop ends vectorising."""
    allocates: bool
    """Makes arrays of its own. All others count no references, which costs a third of a pass over few games a unit."""


FORMULAS: Final[list[Marked]] = []


def formula(*, inline: bool, allocates: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Marks a formula. `inline` for straight-line code, off for what loops inside; `allocates` where it makes arrays.

    >>> @formula(inline=True)
    ... def half(x: float) -> float:
    ...     return 0.5 * x
    >>> half(3.0), FORMULAS.pop().function is half
    (1.5, True)
    """

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        FORMULAS.append(Marked(function, inline, allocates))
        return function

    return mark


def named_after(*variant: object) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Names a function that is made anew for each variant of a loop after its variant.

    Compiled functions are linked by their names: of two variants on disk under one name, one would run for both.

    >>> @named_after("glicko2", True)
    ... def loop(x: float) -> float:
    ...     return x
    >>> loop.__qualname__ == "loop"
    False
    """
    words = [getattr(one, "__module__", "") + getattr(one, "__qualname__", repr(one)) for one in _flat(variant)]
    digest = hashlib.sha256("|".join(words).encode()).hexdigest()[:12]

    def name(function: Callable[P, R]) -> Callable[P, R]:
        function.__qualname__ = f"{function.__qualname__}_{digest}"
        return function

    return name


def _flat(variant: tuple[object, ...]) -> Iterator[object]:
    for one in variant:
        if isinstance(one, tuple):
            yield from _flat(one)
        else:
            yield one
