"""The table: ranks by points, ties, and ratings beside them."""

from collections.abc import Iterable, Sequence
from datetime import date
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games import GameLog
from tallymark.games.times import NO_TIME, parse_times
from tallymark.methodology import Methodology
from tallymark.replay import Snapshot, replay
from tallymark.standings.points import Points
from tallymark.standings.results import results_of
from tallymark.standings.tie_breaks import broken, parse_tie_breaks
from tallymark.tables import Column, Table

Instant = str | date | np.datetime64


def standings(
    log: GameLog,
    rules: Methodology | str | None = None,
    *,
    points: str | Sequence[float | str | Fraction] = (1, "1/2", 0),
    tie_breaks: str | Iterable[str] = (),
    since: Instant | None = None,
    until: Instant | None = None,
    start: Snapshot | None = None,
) -> Table:
    """The points table of a log of games between two, best first in each pool; equal players share a rank.

    Columns: pool, rank, player, games, wins, draws, losses (of games that were played: games = wins + draws + losses),
    unplayed (walkovers and byes), points, one column a tie-break; with `rules` also rating, deviation and provisional,
    NaN for who has no rating. A walkover or a bye gives the points of its result to who turned up, and nothing to who
    did not; games that were aborted, annulled or not finished count for nothing. A player called BYE is not listed.

    `points`: of a win, a draw and a loss, also as "3-1-0". `tie_breaks`: any of direct, wins, sonneborn-berger,
    buchholz, in the order in which they count. `since`, `until`: only games from the one instant on and before the
    other; ratings know all games before `until`. `start`: what the ratings go on from or start from, as `replay` takes
    it; games that it knows give no points. Raises `InputError` for a log with matches of more than two players.

    >>> log = GameLog.from_arrays(
    ...     player_a=["ann", "bob", "ann"], player_b=["bob", "cid", "cid"], score_a=[1, 0.5, 1],
    ...     ending=[None, None, "walkover"],
    ... )
    >>> for row in standings(log, "elo", points="3-1-0").rows():
    ...     print(row["rank"], row["player"], row["games"], row["unplayed"], row["points"], row["rating"])
    1 ann 1 1 6.0 1510.0
    2 bob 2 0 1.0 1490.28774368332
    2 cid 1 1 1.0 1499.71225631668
    """
    if not isinstance(log, GameLog):
        raise InputError(
            f"log is a {type(log).__name__}; expected a GameLog", hint="tm.read_games or GameLog.from_arrays"
        )
    _refuse_several(log)
    if start is not None and rules is None:
        raise InputError("start is what ratings start from, and no methodology is named", hint="say rules='paper'")
    values, ties = Points.of(points), parse_tie_breaks(tie_breaks)
    known, counted = between(log, since, until)
    results = results_of(counted, values)
    breaks = broken(ties, results)
    keys = [results.points, *(value for _, value, _ in breaks)]
    order = np.lexsort([results.player, *(-key for key in reversed(keys)), results.pool])
    columns: dict[str, Column] = {
        "pool": [counted.pools[code] for code in results.pool[order].tolist()],
        "rank": _ranks(results.pool[order], [key[order] for key in keys]),
        "player": [counted.players[code] for code in results.player[order].tolist()],
    }
    for name in ("games", "wins", "draws", "losses", "unplayed"):
        columns[name] = getattr(results, name)[order]
    columns["points"] = results.points[order] / values.unit
    for tie, value, unit in breaks:
        columns.setdefault(tie.column, value[order] / unit)  # wins are there, as a count
    return Table(columns | ({} if rules is None else _rated(known, rules, start, columns)))


def between(log: GameLog, since: Instant | None, until: Instant | None) -> tuple[GameLog, GameLog]:
    """The games that are known before `until`, and those of them from `since` on; `InputError` for no such range."""
    first, last = _instant(since, "since"), _instant(until, "until")
    if first is not None and last is not None and first >= last:
        raise InputError(f"since is {since!r}, which is not before until, {until!r}")
    if (first is not None or last is not None) and log.time is None and len(log):
        raise InputError(
            "the log has no times, so no part of it can be named by them", hint="leave since and until out"
        )
    known = log if last is None or log.time is None else log.taken(np.flatnonzero(log.time < last))
    counted = known if first is None or known.time is None else known.taken(np.flatnonzero(known.time >= first))
    return known, counted


def _refuse_several(log: GameLog) -> None:
    """`InputError` where some match has more than two players: its pairings are no games that somebody played."""
    if log.match is None or log.matches is None:
        return
    of = log.match >= 0
    pairs = np.unique(np.stack([np.tile(log.match[of], 2), np.concatenate([log.a[of], log.b[of]])]), axis=1)
    matches, players = np.unique(pairs[0], return_counts=True)
    many = np.flatnonzero(players > 2)
    if len(many):
        name = shortened(log.matches[int(matches[many[0]])])
        raise InputError(
            f"match {name} has {players[many[0]]} players: its pairings are not games to give points for",
            hint="rate such a log: ratings take a match as a whole",
        )


def _instant(given: Instant | None, name: str) -> int | None:
    if given is None:
        return None
    times, wrong = parse_times([given])
    if wrong or int(times[0]) == NO_TIME:
        raise InputError(f"{name} is {given!r}; expected a time such as 2026-11-29 or 2026-11-29T12:00:00Z")
    return int(times[0])


def _ranks(pool: NDArray[np.int64], keys: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The rank of each row of the table, from 1 in each pool: equal rows have the first one's."""
    place = np.arange(len(pool))
    first_of_pool = np.flatnonzero(np.diff(pool, prepend=-1))
    start = first_of_pool[np.searchsorted(first_of_pool, place, side="right") - 1] if len(pool) else place
    new = np.zeros(len(pool), bool)
    for key in (pool, *keys):
        new |= np.diff(key, prepend=key[:1] - 1) != 0
    leader = np.maximum.accumulate(np.where(new, place, 0)) if len(pool) else place
    return (leader - start + 1).astype(np.int64)


def _rated(
    log: GameLog, rules: Methodology | str, start: Snapshot | None, columns: dict[str, Column]
) -> dict[str, Column]:
    ratings = replay(log, rules, start).ratings
    keys = zip(ratings["pool"].tolist(), ratings["player"].tolist(), strict=True)
    place = {key: row for row, key in enumerate(keys)}
    rows = np.array([place.get(key, -1) for key in zip(columns["pool"], columns["player"], strict=True)], np.int64)
    known = rows >= 0
    found: dict[str, Column] = {}
    for name in ("rating", "deviation"):
        values = np.full(len(rows), np.nan)
        values[known] = ratings[name][rows[known]]
        found[name] = values
    provisional = np.zeros(len(rows), bool)
    provisional[known] = ratings["provisional"][rows[known]]
    found["provisional"] = provisional
    return found
