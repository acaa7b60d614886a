"""Every intermediate of an update by name: what the formulas gave, and the steps of those that give one value."""

from collections.abc import Mapping
from typing import cast

from tallymark.fixedpoint.formulas import Ageing, Chance, Game, Side, exp_steps, g_steps
from tallymark.fixedpoint.units import Q, W


def steps_of(done: Game) -> Mapping[str, int]:
    """The intermediates in the order in which the spec comes to them: `a.rank`, ..., `b.phi`, `p.z`, `p.p`.

    A name is the side (p: the win probability shown) and the step: that of `Ageing`, `Side`, `Chance`, `Weight`
    (`a.g.ratio`) or `Exp` (`a.exp.h3`), whose last is the value itself (`a.g`). var' of the update is `a.new_var`.

    >>> from tallymark.fixedpoint.formulas import game
    >>> steps = steps_of(game(0, 0, 0, 0, 0, 0, 1 << 32, 5))
    >>> steps["a.var"] == 1 << 66, steps["a.mu"], len(steps)
    (True, 3976162240, 88)
    """
    steps: dict[str, int] = {}
    for name, before in (("a", done.before_a), ("b", done.before_b)):
        _ageing(steps, name, before)
    for name, before in (("a", done.before_a), ("b", done.before_b)):
        _weight(steps, name, before.var)
    _side(steps, "a", done.side_a, done.last_a)
    _side(steps, "b", done.side_b, done.last_b)
    _chance(steps, done.chance)
    return steps


def _ageing(steps: dict[str, int], name: str, before: Ageing) -> None:
    for step, value in before._asdict().items():
        steps[f"{name}.{step}"] = value


def _weight(steps: dict[str, int], name: str, var: W) -> None:
    ratio, inverse, value = g_steps(var)
    steps[f"{name}.g.ratio"] = ratio
    steps[f"{name}.g.square"] = cast(int, inverse)
    steps[f"{name}.g"] = value


def _exp(steps: dict[str, int], name: str, z: Q) -> None:
    for step, value in exp_steps(abs(z))._asdict().items():
        steps[f"{name}.exp" if step == "value" else f"{name}.exp.{step}"] = value


def _side(steps: dict[str, int], name: str, side: Side, last: int) -> None:
    for step, value in side._asdict().items():
        steps[f"{name}.new_var" if step == "var" else f"{name}.{step}"] = value
        if step == "z":
            _exp(steps, name, side.z)
    steps[f"{name}.last"] = last


def _chance(steps: dict[str, int], chance: Chance) -> None:
    steps["p.var"] = cast(int, chance.var)
    _weight(steps, "p", chance.var)
    steps["p.z"] = chance.z
    _exp(steps, "p", chance.z)
    steps["p.p"] = chance.p
