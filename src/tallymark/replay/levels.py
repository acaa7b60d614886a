"""Levels: games, or matches, that share no player commute. One is a level above the highest of its players so far.

Depths of earlier windows are at most `base` and count as 0, so nothing has to be cleared between windows.
"""

import numpy as np

from tallymark.numeric import formula
from tallymark.replay.blocks import Codes, Counts, Wholes
from tallymark.replay.paper import Told


@formula(inline=False)
def levels(a: Codes, b: Codes, depth: Counts, base: int, level: Codes, start: Wholes, order: Codes) -> int:
    """Sorts a window's games by level, stable; returns how many levels: level l is order[start[l]:start[l + 1]]."""
    count = len(a)
    top = np.int32(0)
    start[:3] = 0
    for i in range(count):
        x = a[i]
        y = b[i]
        d = depth[x] if depth[x] > depth[y] else depth[y]
        d = np.int32(d - base) if d > base else np.int32(0)
        level[i] = np.uint32(d)
        if d >= top:
            top = np.int32(d + 1)
            start[top + 2] = 0
        start[np.uint32(d + 2)] += 1
        after = np.int32(base + d + 1)
        depth[x] = after
        depth[y] = after
    for i in range(top):
        start[i + 2] += start[i + 1]
    for i in range(count):  # start[l + 1] walks from l's begin to its end
        walking = np.uint32(level[i] + np.uint32(1))
        p = start[walking]
        start[walking] = p + 1
        order[np.uint32(p)] = np.uint32(i)
    return int(top)


@formula(inline=False)
def unit_levels(first: int, stop: int, told: Told, start: Wholes, depth: Counts, base: int, unit: Codes) -> int:
    """Writes the level of each of the units first..stop, of several games each; returns the number of levels."""
    top = 0
    for one in range(first, stop):
        d = base
        for i in range(start[one], start[one + 1]):
            d = depth[told.a[i]] if depth[told.a[i]] > d else d
            d = depth[told.b[i]] if depth[told.b[i]] > d else d
        for i in range(start[one], start[one + 1]):
            depth[told.a[i]] = np.int32(d + 1)
            depth[told.b[i]] = np.int32(d + 1)
        unit[one - first] = np.uint32(d - base)
        top = d + 1 - base if d + 1 - base > top else top
    return top


@formula(inline=False, allocates=True)
def by_level(first: int, stop: int, told: Told, start: Wholes, when: Wholes, unit: Codes, place: Wholes) -> Told:
    """The games of units first..stop by level, in their order; writes where levels begin, and the last one ends."""
    count = start[stop] - start[first]
    for one in range(first, stop):
        place[unit[one - first] + 1] += start[one + 1] - start[one]
    for level in range(len(place) - 1):
        place[level + 1] += place[level]
    free = place.copy()
    sorted_ = Told(
        np.empty(count, np.uint32),
        np.empty(count, np.uint32),
        np.empty(count),
        np.empty(count if len(told.share) else 0),
        np.empty(count if len(told.at) else 0, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.uint32),
    )
    for one in range(first, stop):
        at = free[unit[one - first]]
        for i in range(start[one], start[one + 1]):
            sorted_.a[at] = told.a[i]
            sorted_.b[at] = told.b[i]
            sorted_.s[at] = told.s[i]
            if len(told.share):
                sorted_.share[at] = told.share[i]
            if len(told.at):
                sorted_.at[at] = told.at[i]
            sorted_.when[at] = when[one]
            sorted_.places[at] = np.uint32(i)
            at += 1
        free[unit[one - first]] = at
    return sorted_
