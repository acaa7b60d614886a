"""What a replay starts from: a newcomer's row for everyone, and a snapshot's rows over them."""

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import InputError
from tallymark.games import GameLog
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER, Players, filled
from tallymark.replay.roster import Roster
from tallymark.replay.schedule import Head, Schedule
from tallymark.replay.snapshot import Snapshot


def refuse_other_pools(log: GameLog, start: Snapshot) -> None:
    """`InputError` where one of log and snapshot names its pools and the other does not: nobody would be known."""
    if not len(log) or not start.pools or (start.pools == [""]) == (log.pools == [""]):
        return
    if "" in start.pools and "" in log.pools:
        return
    raise InputError(
        f"the snapshot is of pool {start.pools[0]!r}, which the log does not have: its pools are "
        f"{', '.join(map(repr, log.pools[:10]))}",
        hint="name the column of pools, or the pool of the ratings: Snapshot.from_arrays(..., pool=...)",
    )


def heads_for(roster: Roster, start: Snapshot | None) -> list[Head]:
    """Where each pool of the roster stands before the log."""
    known = {} if start is None else dict(zip(start.pools, start.heads, strict=True))
    return [known.get(name, Head(NEVER, NEVER, NEVER)) for name in roster.pools]


def players_at_start(who: Roster, schedule: Schedule, rules: Methodology, start: Snapshot | None) -> Players:
    """The columns of players before the first game of the log; of newcomers alone, one value for all in each."""
    newcomer = rules.entered(rules.initial())
    one = filled(Players, 1)
    for column, value in (
        (one.mu, newcomer.mu),
        (one.phi2, newcomer.phi2),
        (one.sigma2, newcomer.sigma2),
        (one.last, NEVER),
        (one.last_played, NEVER),
    ):
        np.asarray(column)[:] = value
    players = Players(*(np.broadcast_to(column, len(who)) for column in one))
    if start is None:
        return players
    players = Players(*map(np.array, players))
    rows = who.rows(start.pool, start.player)
    for column, values in zip(players, start.states_for(rules), strict=True):
        np.asarray(column)[rows] = values
    if rules.numbers.exact and (np.asarray(players.last)[rows] == NEVER)[np.asarray(players.rated)[rows] > 0].any():
        raise InputError(
            f"ratings to start from have no instant; {rules.id} ages by seconds since the last game",
            hint="say when they hold: Snapshot.from_arrays(..., at=...)",
        )
    if rules.period.kind == "calendar":
        _date_states(np.asarray(players.last), rows, who, schedule, heads_for(who, start), rules.period.length)
    return players


def _date_states(
    last: NDArray[np.int64], rows: NDArray[np.int64], who: Roster, schedule: Schedule, before: list[Head], length: int
) -> None:
    """Numbers of periods for the states of a snapshot that have instants yet (imported ones), or no time at all.

    An instant stands for the end of the period before the one it lies in; no time for the end of the period before the
    pool's first. A pool that still has no game keeps its instants.
    """
    for code, (head, now) in enumerate(zip(before, schedule.heads, strict=True)):
        if now.origin == NEVER:
            continue
        mine = rows[who.pool[rows] == code]
        if head.origin == NEVER:
            dated = mine[last[mine] != NEVER]
            last[dated] = (last[dated] - now.origin) // length - 1
        undated = mine[last[mine] == NEVER]
        if schedule.open_period[code] != NEVER:
            last[undated] = schedule.first_period[code] - 1
