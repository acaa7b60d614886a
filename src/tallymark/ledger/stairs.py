"""How many players of a board are above a rating, or a lower end of an interval, without a look at all of them.

The measure is cut into steps of a few thousand players; the rater counts who goes from step to step in the transaction
that changes ratings. Who is above a value is who is on the steps above it, and some of one step, who are counted there
by an index. A value that very many share is a step by itself, on which nobody needs counting.
"""

import math
import sys
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import TextClause, bindparam, delete, func, insert, select, text, update
from sqlalchemy.engine import Connection

from tallymark.ledger.comparing import Difference
from tallymark.ledger.people import CODES as CODES_OF_KINDS
from tallymark.ledger.places import place_of_rating, rating_of
from tallymark.ledger.store.base import Values
from tallymark.ledger.store.looking import rating_rows
from tallymark.ledger.tables import RATING, STAIR

Measure: TypeAlias = Literal["rating", "low"]
"""Ratings, or the lower ends of intervals."""
CODES: Final[dict[Measure, int]] = {"rating": 1, "low": 2}
STEP: Final = 2000
"""Players of a new step; one that has twice as many is cut."""
_BOTTOM: Final = -sys.float_info.max
_STEPS: Final = (
    select(STAIR.c.start, STAIR.c.count)
    .where(STAIR.c.pool == bindparam("of"), STAIR.c.measure == bindparam("by"))
    .order_by(STAIR.c.start)
)
_MORE: Final = (
    update(STAIR)
    .where(STAIR.c.pool == bindparam("of"), STAIR.c.measure == bindparam("by"), STAIR.c.start == bindparam("at"))
    .values(count=STAIR.c.count + bindparam("more"))
)
_LOWS: Final = select(RATING.c.low).where(
    RATING.c.pool == bindparam("of"), RATING.c.low >= bindparam("start"), RATING.c.low < bindparam("until")
)
# Each part of a board has its places in order; kinds of players by code, and provisional or not. The rating of a place
# is its first eight bytes.
_PLACES: Final = text(
    " UNION ALL ".join(
        f"SELECT substr(place, 1, 8) FROM rating WHERE pool = :of AND who = {who} AND provisional = {provisional}"
        " AND place >= :least AND place < :most"
        for who in CODES_OF_KINDS.values()
        for provisional in (0, 1)
    )
)


_FEW: Final = 24
"""So many values of a step are counted one by one: a count looks at a fourth of the step, and hands nothing over."""


Measured: TypeAlias = tuple[float, float] | None
"""Where a player stands by each measure, in the order of `CODES`; None for who is on no board."""


def measured(values: Values) -> Measured:
    """Of a row of `rating`."""
    if values["place"] is None:
        return None
    rating, low = values["rating"], values["low"]
    assert isinstance(rating, float | int)
    assert isinstance(low, float | int)
    return rating, low


def stood(connection: Connection, pool: int, keys: Sequence[str]) -> dict[str, Measured]:
    """Where players stand, by key; those without a row are not in it."""
    return {
        row.player: None if row.place is None else (row.rating, row.low) for row in rating_rows(connection, pool, keys)
    }


def all_above(connection: Connection, pool: int, measure: Measure, values: Sequence[float]) -> list[int]:
    """How many players of a board are above each value. It is one look for each step that the values lie on."""
    starts, counts = _steps(connection, pool, CODES[measure])
    if not starts:
        return [0] * len(values)
    beyond = [0, *accumulate(reversed(counts))][::-1]  # on a step or above
    steps = [bisect_right(starts, value) - 1 for value in values]
    asked = Counter(steps)
    on: dict[int, list[float]] = {}
    found: list[int] = []
    alone: list[_Span] = []
    for n, (value, step) in enumerate(zip(values, steps, strict=True)):
        end = starts[step + 1] if step + 1 < len(starts) else math.inf
        some = 0
        if end == math.nextafter(starts[step], math.inf):
            pass  # all who are on it have this value
        elif asked[step] <= _FEW:  # counted from the nearer end of the step
            above_it = math.nextafter(value, math.inf)
            if value - starts[step] < end - value < math.inf:
                some = counts[step]
                alone.append(_Span(n, -1, starts[step], above_it))
            else:
                alone.append(_Span(n, 1, above_it, end))
        else:
            there = on[step] = on.get(step) or sorted(_there(connection, pool, measure, starts[step], end))
            some = len(there) - bisect_right(there, value)
        found.append(beyond[step + 1] + some)
    for span, count in zip(alone, _counted(connection, pool, measure, alone), strict=True):
        found[span.n] += span.sign * count
    return found


class _Span(NamedTuple):
    """Whose count is to be added to, or taken from, that of the n-th value: from a value to before another."""

    n: int
    sign: int
    start: float
    end: float


def _counted(connection: Connection, pool: int, measure: Measure, spans: Sequence[_Span]) -> list[int]:
    """How many there are in each span, in one statement."""
    if not spans:
        return []
    asked: dict[str, float | bytes] = {"of": pool}
    for n, (_, _, start, end) in enumerate(spans):
        if measure == "low":
            asked[f"least{n}"], asked[f"most{n}"] = start, end
        else:  # places of better ratings are lesser
            asked[f"least{n}"] = b"" if end == math.inf else place_of_rating(math.nextafter(end, -math.inf))
            asked[f"most{n}"] = place_of_rating(math.nextafter(start, -math.inf))
    found = connection.execute(_count_of(measure, len(spans)), asked).all()
    return [count for _, count in sorted(map(tuple, found))]


@lru_cache(maxsize=64)
def _count_of(measure: Measure, spans: int) -> TextClause:
    """One look into the index for each span, and each part of a board."""
    wanted = ", ".join(f"({n}, :least{n}, :most{n})" for n in range(spans))
    parts = (
        [f"who = {who} AND provisional = {part}" for who in CODES_OF_KINDS.values() for part in (0, 1)]
        if measure == "rating"
        else ["low IS NOT NULL"]
    )
    column = "place" if measure == "rating" else "low"
    each = " + ".join(
        f"(SELECT count(*) FROM rating WHERE pool = :of AND {part} AND {column} >= least AND {column} < most)"
        for part in parts
    )
    return text(f"WITH wanted (n, least, most) AS (VALUES {wanted}) SELECT n, {each} FROM wanted")


def _there(connection: Connection, pool: int, measure: Measure, start: float, end: float) -> Iterable[float]:
    """The values on a step."""
    if measure == "low":
        return connection.scalars(_LOWS, {"of": pool, "start": start, "until": end}).all()
    # Places of better ratings are lesser.
    least = b"" if end == math.inf else place_of_rating(math.nextafter(end, -math.inf))
    among = {"of": pool, "least": least, "most": place_of_rating(math.nextafter(start, -math.inf))}
    return map(rating_of, map(bytes, connection.scalars(_PLACES, among)))


def climbed(connection: Connection, pool: int, before: Mapping[str, Measured], after: Mapping[str, Measured]) -> None:
    """Counts players who were somewhere, or nowhere, and are now somewhere: the table `rating` has it already."""
    were = [there for key in after if (there := before.get(key)) is not None]
    are = [there for there in after.values() if there is not None]
    was_by, now_by = (np.array(some, np.float64).reshape(-1, len(CODES)).T for some in (were, are))
    for (measure, code), was, now in zip(CODES.items(), was_by, now_by, strict=True):
        starts, counts = _steps(connection, pool, code)
        if not starts:
            starts, counts = [_BOTTOM], [0]
            connection.execute(insert(STAIR), _rows(pool, code, {_BOTTOM: 0}))
        more = _on(starts, now) - _on(starts, was)
        changed = np.flatnonzero(more).tolist()
        if changed:
            each = [{"of": pool, "by": code, "at": starts[n], "more": int(more[n])} for n in changed]
            connection.execute(_MORE, each)
        for n in changed:
            end = starts[n + 1] if n + 1 < len(starts) else math.inf
            if counts[n] + more[n] > 2 * STEP and end != math.nextafter(starts[n], math.inf):
                _cut(connection, pool, measure, starts[n], end)


def built(connection: Connection, pool: int) -> None:
    """Makes the stairs of a pool anew, as its ratings are."""
    connection.execute(delete(STAIR).where(STAIR.c.pool == pool))
    for measure in CODES:
        _cut(connection, pool, measure, _BOTTOM, math.inf)


class Everybody:
    """Where all players of a board stand, in sixteen bytes each."""

    def __init__(self) -> None:
        self.by: Final[dict[Measure, array[float]]] = {measure: array("d") for measure in CODES}

    def add(self, values: Values) -> None:
        """Takes in a row of `rating`."""
        where = measured(values)
        if where is not None:
            for measure, value in zip(CODES, where, strict=True):
                self.by[measure].append(value)


def differences(connection: Connection, pool: int, everybody: Everybody) -> list[Difference]:
    """Where steps have other counts than they should."""
    found: list[Difference] = []
    for measure, code in CODES.items():
        starts, counts = _steps(connection, pool, code)
        there = everybody.by[measure]
        if starts:
            again: list[int] = _on(starts, there).tolist()
        else:
            starts, counts, again = [_BOTTOM], [0], [len(there)]
        found += [
            Difference(f"count of the step of {measure}s from {start:g}", count, recounted)
            for start, count, recounted in zip(starts, counts, again, strict=True)
            if count != recounted
        ]
    return found


def _steps(connection: Connection, pool: int, code: int) -> tuple[list[float], list[int]]:
    found = connection.execute(_STEPS, {"of": pool, "by": code}).all()
    return [start for start, _ in found], [count for _, count in found]


def _on(starts: Sequence[float], values: "Sequence[float] | NDArray[np.float64]") -> "np.ndarray":
    """How many values are on each step."""
    step = np.searchsorted(np.array(starts), np.asarray(values, np.float64), side="right") - 1
    return np.bincount(step, minlength=len(starts))


def _cut(connection: Connection, pool: int, measure: Measure, start: float, end: float) -> None:
    """Cuts what lies between two values into steps, in the place of the one that begins there."""
    code, column = CODES[measure], RATING.c[measure]
    among = (RATING.c.pool == pool, RATING.c.place.is_not(None), column >= start, column < end)
    groups = connection.execute(select(column, func.count()).where(*among).group_by(column).order_by(column))
    connection.execute(delete(STAIR).where(STAIR.c.pool == pool, STAIR.c.measure == code, STAIR.c.start == start))
    steps = cut(start, end, (tuple(group) for group in groups))
    if any(steps.values()):
        connection.execute(insert(STAIR), _rows(pool, code, steps))


def cut(start: float, end: float, groups: Iterable[tuple[float, int]]) -> dict[float, int]:
    """Steps from a value up to another, of values in ascending order and how many have each.

    >>> cut(0.0, 9.0, [(1.0, 1500), (2.0, 1500), (3.0, 5000), (4.0, 10)])
    {0.0: 1500, 2.0: 1500, 3.0: 5000, 3.0000000000000004: 10}
    """
    steps = {start: 0}
    last = start
    for value, count in groups:
        if value > last and (count > STEP or steps[last] + count > STEP) and steps[last]:
            last = value
            steps[last] = 0
        elif value > last and count > STEP:
            last = value  # what is below has nobody
            steps[last] = 0
        steps[last] += count
        beyond = math.nextafter(value, math.inf)
        if count > STEP and beyond < end:
            last = beyond
            steps[last] = 0
    return steps


def _rows(pool: int, code: int, steps: Mapping[float, int]) -> list[dict[str, float]]:
    return [{"pool": pool, "measure": code, "start": start, "count": count} for start, count in steps.items()]
