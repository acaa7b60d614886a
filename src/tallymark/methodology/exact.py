"""Numbers in Q32.32: what the rules must say for them, and one player at a time by the update of integers."""

from collections.abc import Iterator, Sequence
from typing import Final

from tallymark.checked import checked
from tallymark.errors import InputError
from tallymark.methodology.limits import CLAMPS
from tallymark.methodology.rules import Rated
from tallymark.methodology.sections import Ageing, Bounds, Numbers
from tallymark.systems import Glicko2HalfLife, State, System
from tallymark.systems.parameters import parameters
from tallymark.systems.q32 import DAY, exact_game

_CONTRACT: Final = 'numbers.format "q32.32" is the arithmetic of a contract, which has'
_BOUNDS: Final = Bounds(rating_min=100.0, rating_max=3500.0, deviation_min=1.737178, deviation_max=347.4356)


def exact_contradictions(
    system: System, ageing: Ageing, bounds: Bounds, numbers: Numbers, rated: Rated
) -> Iterator[tuple[str, str]]:
    """(dotted field, message) where integers cannot do what the rules say: their constants are those of a contract."""
    if not numbers.exact:
        return
    if not isinstance(system, Glicko2HalfLife):
        yield "system.kind", f"is {system.kind!r}; {_CONTRACT} {Glicko2HalfLife.kind!r}"
        return
    for section, given, wanted in (("system", system, Glicko2HalfLife()), ("bounds", bounds, _BOUNDS)):
        for name, _ in parameters(wanted):
            value, expected = getattr(given, name), getattr(wanted, name)
            if value != expected:
                yield f"{section}.{name}", f"is {value!r}; {_CONTRACT} {expected!r}"
    if ageing.whole:
        yield "ageing.whole", f"is true; {_CONTRACT} false"
    if rated.teams != "refuse":
        yield "rated.teams", f"is {rated.teams!r}; {_CONTRACT} 'refuse'"


def exact_step(before: State, against: Sequence[tuple[State, float]], days: float) -> tuple[State, tuple[str, ...]]:
    """The state after one game, played some days later, and the bounds it hit. `InputError` for more games, and for a
    score that is not 0, 0.5 or 1."""
    if len(against) > 1:
        raise InputError(f"there are {len(against)} games; in q32.32 each is an update of its own")
    other, score = against[0]
    if score not in (0.0, 0.5, 1.0):
        raise InputError(f"score is {score!r}; expected 0, 0.5 or 1")
    dt = seconds_of(days)
    side = exact_game(before.mu, before.phi2, 0, other.mu, other.phi2, dt, score, dt).a
    return State(side.mu, side.phi2, 0.0), tuple(word for bit, word in CLAMPS if side.flags & bit)


def seconds_of(days: float) -> int:
    """The nearest whole number of seconds.

    >>> seconds_of(0.5)
    43200
    """
    return round(checked("days", days, "a number of days from 0 up", low=0.0, high=1e9) * DAY)
