"""Ranks that are shared where intervals overlap: a difference that is smaller than what is not known gives no rank.

A player's shared rank is one more than the players whose whole interval of two deviations lies above the player's own:
`rating - 2 RD` of the other is more than `rating + 2 RD`. So of two who overlap, neither is counted for the other.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row as Found
from sqlalchemy.engine import Connection

from tallymark.ledger.places import interval_of
from tallymark.ledger.ratings import lower, upper
from tallymark.ledger.reading.rows import Rows
from tallymark.ledger.stairs import all_above


def shared(intervals: Sequence[tuple[float, float]]) -> list[int]:
    """The shared rank of each of these intervals, lower and upper end, among them all.

    >>> shared([(1700.0, 1900.0), (1600.0, 1800.0), (1400.0, 1650.0), (1300.0, 1500.0)])
    [1, 1, 2, 3]
    """
    lows = sorted(low for low, _ in intervals)
    return [1 + len(lows) - bisect_right(lows, high) for _, high in intervals]


def shared_ranks(connection: Connection, rows: Rows, page: Sequence[Found[Any]]) -> list[int | None]:
    """The shared ranks of players of a board, as they stand, among all who are on it.

    On the board of all time they are counted by steps, on others where these have few players; else there are none.
    """
    highs = [upper(row.rating, row.deviation) for row in page]
    if rows.which.everybody:
        return [1 + above for above in all_above(connection, rows.which.of["pool"], "low", highs)]
    whole = rows.whole()
    if whole is None:
        return [None] * len(page)
    lows = sorted(lower(*interval_of(place)) for place in whole)
    return [1 + len(lows) - bisect_right(lows, high) for high in highs]
