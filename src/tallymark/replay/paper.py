"""The scratch of a pass over units of many games: who takes part in a unit, and with which results."""

from typing import Final, NamedTuple

import numpy as np

from tallymark.numeric import formula
from tallymark.replay.blocks import Codes, Floats, Wholes
from tallymark.replay.rows import Rows, aligned

WINDOW: Final = 1 << 15
"""Games of matches whose levels are found at once."""
_FIELD: Final = (1 << 21) - 1
_FULL: Final = (1 << 20) | (1 << 41) | (1 << 62)
"""The highest bits of the three fields of results."""


class Paper(NamedTuple):
    """Scratch of a pass, one row a player. Made by numpy, whose large arrays lie in large pages."""

    sheet: Floats
    """mu, g, w, u."""
    ahead: Floats
    """phi^2 that a prediction uses."""
    kept: Floats
    """mu, phi^2, sigma^2 before the unit, flags, converged: for the history."""
    who: Codes
    """The participants."""
    now: Wholes
    """The time of each participant's unit."""
    results: Wholes
    """Wins, draws and losses of the unit, 21 bits each; 0 for who is no participant."""
    spilled: Codes
    """Results that have no room there, and a last row that says whether there are any."""
    unit: Codes
    """The level of each unit of a window; a unit has two players at least."""


def paper(players: int, games: int, predicting: bool, recording: bool) -> Paper:
    """Scratch for so many players."""
    return Paper(
        sheet=aligned(players, 4),
        ahead=np.empty(players if predicting else 0),
        kept=np.empty((players if recording else 0, 5)),
        who=np.empty(players + 1, np.int32),
        now=np.empty(players + 1, np.int64),
        results=np.zeros(players, np.int64),
        spilled=np.zeros((players + 1, 3), np.int32),
        unit=np.empty(min(games, WINDOW), np.int32),
    )


class Told(NamedTuple):
    """Games as a pass reads them, unit by unit. Empty columns stand for what all games share."""

    a: Codes
    b: Codes
    s: Floats
    share: Floats
    """1 / (n - 1) where n players met; empty: 1."""
    when: Wholes
    """The time of each game's unit; empty: the pass is told of it."""
    places: Codes
    """Where the game stands in the log; empty: here."""


@formula(inline=False)
def entered(low: int, high: int, when: int, told: Told, p: Paper) -> int:
    """Lists the participants of games low..high, with their times and results; returns how many there are."""
    a, b, s, who, now, results = told.a, told.b, told.s, p.who, p.now, p.results
    several = len(told.when) > 0
    n = 0
    for i in range(low, high):  # without a branch, which would often be taken the wrong way
        below = np.int64(s[i] <= 0.5) + np.int64(s[i] < 0.5)
        x = a[i]
        y = b[i]
        time = told.when[i] if several else when
        r = results[x]
        who[n] = x
        now[n] = time
        n += int(r == 0)
        r += np.int64(1) << (21 * below)
        results[x] = r
        q = results[y]
        who[n] = y
        now[n] = time
        n += int(q == 0)
        q += np.int64(1) << (42 - 21 * below)
        results[y] = q
        if (r | q) & _FULL:
            spill(x, p)
            spill(y, p)
    if 4 * n > len(results) and not several:  # in the order of memory, where nearly all of it is visited
        n = 0
        for z in range(len(results)):
            who[n] = z
            now[n] = when
            n += int(results[z] != 0)
    return n


@formula(inline=False)
def spill(x: int, p: Paper) -> None:
    """Puts results aside where a field of theirs is nearly full; one is left, for the player is listed."""
    r = p.results[x]
    if r & _FULL:
        for field in range(3):
            p.spilled[x, field] += np.int32((r >> (21 * field)) & _FIELD)
        p.spilled[x, 0] -= np.int32(1)
        p.results[x] = 1
        p.spilled[len(p.results), 0] = 1


@formula(inline=False)
def book(n: int, rows: Rows, p: Paper) -> None:
    """Books the results of the participants."""
    for j in range(n):
        x = p.who[j]
        r = p.results[x]
        p.results[x] = 0
        for field in range(3):
            rows.counts[x, field] += np.int32((r >> (21 * field)) & _FIELD)
    if p.spilled[len(p.results), 0]:
        for j in range(n):
            for field in range(3):
                rows.counts[p.who[j], field] += p.spilled[p.who[j], field]
                p.spilled[p.who[j], field] = 0
