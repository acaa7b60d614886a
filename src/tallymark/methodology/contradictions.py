"""What the sections of a methodology must agree on."""

from collections.abc import Iterator
from typing import Final

from tallymark.methodology.rules import Published
from tallymark.methodology.sections import Ageing, Bounds, Numbers, Period
from tallymark.systems import Glicko2HalfLife, System

_AGEING: Final = {"calendar": ("none", "periods"), "match": ("none",), "game": ("none", "elapsed")}


def time_contradictions(system: System, period: Period, ageing: Ageing) -> Iterator[tuple[str, str]]:
    """(dotted field, message) where system, period and ageing cannot stand together."""
    allowed = _AGEING[period.kind]
    if ageing.kind not in allowed:
        yield "ageing.kind", f"is {ageing.kind!r}; with period.kind {period.kind!r} it is {' or '.join(allowed)}"
    if not system.has_deviation and ageing.kind != "none":
        yield "ageing.kind", f"is {ageing.kind!r}; {system.kind} has no deviation that could grow"
    if isinstance(system, Glicko2HalfLife):
        if period.kind != "game":
            yield "period.kind", f"is {period.kind!r}; {system.kind} rates game by game"
        if ageing.kind != "elapsed":
            yield "ageing.kind", f"is {ageing.kind!r}; {system.kind} ages by elapsed days"
        if ageing.periods_per_day != 1.0:
            yield "ageing.periods_per_day", f"is {ageing.periods_per_day!r}; a period of {system.kind} is a day, 1"


def number_contradictions(system: System, bounds: Bounds, numbers: Numbers) -> Iterator[tuple[str, str]]:
    """(dotted field, message) where bounds fit neither the system, nor its start, nor the grid of stored integers."""
    start = system.initial()
    has = {"rating": True, "deviation": system.has_deviation, "volatility": system.has_volatility}
    for quantity in has:
        low, high = bounds.of(quantity)
        first: float = getattr(start, quantity)
        per_unit: int = getattr(numbers, f"{quantity}_multiplier")
        for side, bound in (("min", low), ("max", high)):
            field = f"bounds.{quantity}_{side}"
            if bound is not None and not has[quantity]:
                yield field, f"is {bound!r}; {system.kind} has no {quantity}"
            if bound is not None and numbers.scaled and not _whole(bound * per_unit):
                yield field, f"is {bound!r}; it is not a whole number of stored units, 1/{per_unit}"
        inside = (low is None or low <= first) and (high is None or first <= high)
        if has[quantity] and not inside:
            yield f"system.{quantity}", f"is {first!r}; the bounds keep it from {low} to {high}"
        if has[quantity] and numbers.scaled and not _whole(first * per_unit):
            yield f"system.{quantity}", f"is {first!r}; it is not a whole number of stored units, 1/{per_unit}"
    low, high = bounds.of("rating")
    for band, newcomer in enumerate(system.bands(), 1):
        inside = (low is None or low <= newcomer.rating) and (high is None or newcomer.rating <= high)
        if band != system.undeclared and not inside:
            rating = f"{newcomer.rating:.6g}"
            yield f"system.band_{band}", f"starts at {rating}; the bounds keep it from {low} to {high}"


def published_contradictions(system: System, published: Published) -> Iterator[tuple[str, str]]:
    """(dotted field, message) where something is published that the system does not know."""
    if system.has_deviation:
        return
    for name in ("provisional_deviation", "rankable_deviation", "established_deviation", "peak_deviation"):
        if getattr(published, name) is not None:
            yield f"published.{name}", f"is {getattr(published, name)!r}; {system.kind} has no deviation"
    if published.peak == "lower-bound":
        yield "published.peak", f"is 'lower-bound'; {system.kind} has no deviation"


def _whole(units: float) -> bool:
    # 0.07 * 100 is 7.000000000000001: what was meant is on the grid.
    return abs(units - round(units)) <= 1e-9 * max(1.0, abs(units))
