"""The scratch of a pass over units of many games: what a unit needs of each player, and who takes part in it."""

from typing import Final, NamedTuple

import numpy as np

from tallymark.numeric import formula
from tallymark.replay.blocks import BLOCK, Codes, Counts, Floats, Wholes
from tallymark.replay.rows import aligned

WINDOW: Final = 1 << 15
"""Games of matches whose levels are found at once."""
SHARED: Final = 1 << 13
"""Games of a unit whose sums several threads find together before each adds those of its own players."""
_FIELD: Final = (1 << 21) - 1
_FULL: Final = (1 << 20) | (1 << 41) | (1 << 62)
"""The highest bits of the three fields of results."""

MU, G, W, U, RESULTS, PLAYED, OWN, ELAPSED = range(8)
"""The columns of a sheet. One row is one cache line: a game touches two."""


class Paper(NamedTuple):
    """Scratch of a pass, one row a player. Made by numpy, whose large arrays lie in large pages."""

    sheet: Floats
    """mu, g, w, u; the results and the latest instant of the unit's games (below); phi^2 and the time of the update."""
    whole: Wholes
    """The same memory as integers. Results are wins, draws and losses, of 21 bits each; 0 for who has no game."""
    ahead: Floats
    """phi^2 that a prediction uses."""
    kept: Floats
    """mu, phi^2, sigma^2 before the unit, flags, converged: for the history."""
    who: Codes
    """The participants, in the order of their first game."""
    now: Wholes
    """The time of each participant's unit."""
    mark: Counts
    """1 for who is listed."""
    spilled: Counts
    """Results that have no room on the sheet, and a last row that says whether there are any."""
    unit: Codes
    """The level of each unit of a window; a unit has two players at least."""
    sums: Floats
    """What games add to w and u of player a, and of player b."""
    last_played: Wholes
    """The column of the players itself."""
    present: Wholes
    """How many participants there are, for all threads."""
    met: Wholes
    """Where threads meet."""


def paper(players: int, games: int, predicting: bool, recording: bool, threads: int, last_played: Wholes) -> Paper:
    """Scratch for so many players, and threads."""
    sheet = aligned(players, 8)
    return Paper(
        sheet=sheet,
        whole=sheet.view(np.int64),
        ahead=np.empty(players if predicting else 0),
        kept=np.empty((players if recording else 0, 5)),
        who=np.empty(players + 1, np.uint32),
        now=np.empty(players + 1, np.int64),
        mark=np.zeros(players, np.int32),
        spilled=np.zeros((players + 1, 3), np.int32),
        unit=np.empty(min(games, WINDOW), np.uint32),
        sums=np.empty((2, 4, SHARED if threads > 1 else BLOCK)),
        last_played=last_played,
        present=np.zeros(1, np.int64),
        met=np.zeros(1, np.int64),
    )


class Told(NamedTuple):
    """Games as a pass reads them, unit by unit. Empty columns stand for what all games share."""

    a: Codes
    b: Codes
    s: Floats
    share: Floats
    """1 / (n - 1) where n players met; empty: 1."""
    at: Wholes
    """The instant of each game; empty: none has one."""
    when: Wholes
    """The time of each game's unit; empty: the pass is told of it."""
    places: Codes
    """Where the game stands in the log; empty: here."""


@formula(inline=False)
def listed(low: int, high: int, told: Told, p: Paper) -> int:
    """Lists the participants of games low..high, with the times of their units; returns how many there are."""
    a, b, when, who, now, mark = told.a, told.b, told.when, p.who, p.now, p.mark
    several = len(when) > 0
    n = 0
    for i in range(low, high):  # without a branch, which would often be taken the wrong way
        who[n] = a[i]
        if several:
            now[n] = when[i]
        n += int(mark[a[i]] == 0)
        mark[a[i]] = np.int32(1)
        who[n] = b[i]
        if several:
            now[n] = when[i]
        n += int(mark[b[i]] == 0)
        mark[b[i]] = np.int32(1)
    for j in range(n):
        mark[who[j]] = np.int32(0)
    return n


@formula(inline=True)
def note(x: int, result: int, at: int, p: Paper) -> None:
    """Notes a result (0 a win, 1 a draw, 2 a loss) and the instant of its game on a player's row of the sheet."""
    r = p.whole[x, RESULTS] + (np.int64(1) << (21 * result))
    p.whole[x, RESULTS] = r
    before = p.whole[x, PLAYED]
    p.whole[x, PLAYED] = at if at > before else before
    if r & _FULL:
        spill(x, p)


@formula(inline=False)
def spill(x: int, p: Paper) -> None:
    """Puts results aside, as a field of theirs is nearly full; one is left, for the player takes part."""
    r = p.whole[x, RESULTS]
    for field in range(3):
        p.spilled[x, field] += np.int32((r >> (21 * field)) & _FIELD)
    p.spilled[x, 0] -= np.int32(1)
    p.whole[x, RESULTS] = 1
    p.spilled[len(p.whole), 0] = 1


@formula(inline=True)
def book(x: int, counts: Counts, p: Paper) -> None:
    """Books the results of a player, and the instant of the latest of them."""
    r = p.whole[x, RESULTS]
    for field in range(3):
        counts[x, field] += np.int32((r >> (21 * field)) & _FIELD)
    at = p.whole[x, PLAYED]
    p.last_played[x] = at if at > p.last_played[x] else p.last_played[x]
    if p.spilled[len(p.whole), 0]:
        for field in range(3):
            counts[x, field] += p.spilled[x, field]
            p.spilled[x, field] = 0
