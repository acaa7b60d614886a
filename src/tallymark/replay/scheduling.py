"""From a log and a methodology to what the fold reads."""

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import InputError, SnapshotError
from tallymark.games import GameLog, Source
from tallymark.games.ids import Id
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER, Games, Units
from tallymark.replay.eligibility import REASONS, NotRated, eligibility
from tallymark.replay.roster import Roster
from tallymark.replay.schedule import DAY, NONE, Head, Schedule, sealed
from tallymark.replay.straight import straight_schedule
from tallymark.systems import Glicko2HalfLife


def build(
    log: GameLog, methodology: Methodology, roster: Roster, heads: list[Head], going_on: frozenset[Id] = frozenset()
) -> Schedule:
    """The schedule of `log` for the rows of `roster`; `heads` has one entry for each of its pools.

    `going_on`: ids of matches that were the last of their pool before: whatever else the log holds comes after them.

    Raises `InputError` where the methodology needs times that the log does not have, and `SnapshotError` where a late
    game wants a recomputation, which a snapshot cannot give.
    """
    period = methodology.period
    if log.time is None and len(log) and (period.kind == "calendar" or methodology.ageing.kind == "elapsed"):
        what = "rates by calendar period" if period.kind == "calendar" else "ages by elapsed time"
        other = ', or take a methodology by match: with_(period="match")'
        raise InputError(
            f"{methodology.id} {what}, and the log has no played_at",
            # Some systems rate game by game alone, and age by what lies between.
            hint="name the column of times" + ("" if isinstance(methodology.system, Glicko2HalfLife) else other),
        )
    rated_games = eligibility(log, methodology)
    straight = straight_schedule(log, methodology, roster, heads, rated_games)
    if straight is not None:
        return sealed(straight)
    may = np.full(len(log), -1, np.int8) if rated_games.reason is None else rated_games.reason
    loser_only = rated_games.loser_only
    pool, row_a, row_b = roster.codes(log)
    at = np.full(len(log), NEVER, np.int64) if log.time is None else log.time
    match = np.full(len(log), -1, np.int64)
    if log.match is not None and not methodology.numbers.exact:
        match = log.match.astype(np.int64)

    when = at
    late = np.zeros(len(log), bool)
    heads = list(heads)
    open_period = np.full(len(heads), NEVER, np.int64)
    first_period = open_period
    known = np.array([h.last for h in heads], np.int64)
    if period.kind == "calendar":
        heads, when = _periods(at, pool, may, methodology, heads)
        closed = np.array([h.closed for h in heads], np.int64)
        since = np.array([h.since for h in heads], np.int64)
        late = (may < 0) & ((when <= closed[pool]) | (at < since[pool]))
        _settle_late(may, late, methodology, log)
        when = np.where(late, closed[pool] + 1, when)
        np.maximum.at(open_period, pool[may < 0], when[may < 0])
        first_period = np.full(len(heads), -NEVER, np.int64)
        np.minimum.at(first_period, pool[may < 0], when[may < 0])
    elif log.time is not None:
        late = (may < 0) & (at < known[pool])
        if period.late != "ledger-order":
            _settle_late(may, late, methodology, log)

    rated = np.flatnonzero(may < 0)
    a, b = row_a[rated], row_b[rated]
    share = _shares(match[rated], a, b)
    if period.kind == "calendar":
        unit_key = np.stack([pool[rated], when[rated]])
        final = when[rated] < open_period[pool[rated]]
        order = np.lexsort((np.arange(len(rated)), when[rated], pool[rated], ~final))
    else:
        before = _is_one_of(log, going_on)[rated]
        ledger = np.lexsort((np.arange(len(rated)), ~before))
        alone = np.where(match[rated] >= 0, -1, np.arange(len(rated)))
        unit_key = np.stack([pool[rated], match[rated], alone])
        final = np.empty(len(rated), bool)
        final[ledger] = ~_last_match(pool[rated][ledger], match[rated][ledger], len(heads))
        order = ledger[np.lexsort((np.arange(len(rated)), ~final[ledger]))]
    unit_of = _runs(unit_key[:, order])
    if period.sum_order == "opponent":
        order = order[_by_opponent(unit_of, a[order], b[order], log.score[rated][order])]
    start = np.append(np.flatnonzero(np.diff(unit_of, prepend=-1)), len(rated))
    chosen = rated[order]
    score = log.score[chosen]
    games = Games(
        a=a[order].astype(np.int32),
        b=b[order].astype(np.int32),
        s=score,
        share=share[order],
        loser_only=NONE if loser_only is None else loser_only[chosen].astype(np.int64),
        peak=_peak_games(log, methodology, chosen),
        at=NONE if log.time is None else at[chosen],
        start_a=np.zeros(0),
        start_b=np.zeros(0),
    )
    units = Units(start=start.astype(np.int64), when=when[chosen[start[:-1]]] if len(chosen) else np.zeros(0, np.int64))
    if len(rated) and log.time is not None:
        latest = np.array([h.last for h in heads], np.int64)
        np.maximum.at(latest, pool[rated], at[rated])
        heads = [h._replace(last=int(t)) for h, t in zip(heads, latest, strict=True)]
    final_units = int(np.count_nonzero(final[order[start[:-1]]])) if len(rated) else 0
    return sealed(
        Schedule(
            games=games,
            units=units,
            order=chosen,
            closed_units=final_units,
            most=int(2 * np.diff(start).max()) if len(rated) else 0,
            heads=heads,
            open_period=open_period,
            first_period=first_period,
            reason=may,
            late=int(np.count_nonzero(late & (may < 0))),
        )
    )


def _periods(
    at: NDArray[np.int64], pool: NDArray[np.int64], may: NDArray[np.int8], methodology: Methodology, heads: list[Head]
) -> tuple[list[Head], NDArray[np.int64]]:
    """The pools' heads with their origins known, and each game's period number."""
    period = methodology.period
    stated = period.origin_instant
    for code, head in enumerate(heads):
        if head.origin != NEVER:
            continue
        ours = at[(pool == code) & (may < 0)]
        mine = ours[ours >= head.since]
        if not len(mine) and len(ours) and period.late == "next-period":  # rated in the period of the imported ratings
            mine = np.array([head.since], np.int64)
        if stated is None and not len(mine):
            continue
        origin = int(mine.min()) // DAY * DAY if stated is None else stated
        closed = head.closed
        if head.since != NEVER:  # the period of the instant is open, the one before is over
            closed = (head.since - origin) // period.length - 1
        heads[code] = head._replace(origin=origin, closed=closed)
    origins = np.array([0 if h.origin == NEVER else h.origin for h in heads], np.int64)
    return heads, (at - origins[pool]) // period.length


def _settle_late(may: NDArray[np.int8], late: NDArray[np.bool_], methodology: Methodology, log: GameLog) -> None:
    """Marks late games as not rated under `refuse`; under `recompute` there is nothing a snapshot can do."""
    if not late.any():
        return
    if methodology.period.late == "refuse":
        may[late] = REASONS.index(NotRated.LATE)
        late[:] = False
    elif methodology.period.late == "recompute":
        row = int(log.row[np.flatnonzero(late)[0]])
        raise SnapshotError(
            f"row {row} was played in a period that the snapshot has closed, and {methodology.id} recomputes such "
            "periods: a snapshot cannot",
            hint="replay the whole log",
        )


def _runs(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers runs of equal columns 0, 1, 2, ..."""
    if keys.shape[1] == 0:
        return np.zeros(0, np.int64)
    new = np.any(keys[:, 1:] != keys[:, :-1], axis=0)
    return np.concatenate([[0], np.cumsum(new)]).astype(np.int64)


def _is_one_of(log: GameLog, matches: frozenset[Id]) -> NDArray[np.bool_]:
    """The games of these matches."""
    if log.match is None or log.matches is None or not matches:
        return np.zeros(len(log), bool)
    return np.isin(log.match, [code for code, name in enumerate(log.matches) if name in matches])


def _last_match(pool: NDArray[np.int64], match: NDArray[np.int64], pools: int) -> NDArray[np.bool_]:
    """The games of each pool's last match, where that has an id: the next log may hold more games of it."""
    last = np.full(pools, -1, np.int64)
    last[pool] = match  # the last assignment stays
    open_match: NDArray[np.bool_] = (match >= 0) & (match == last[pool])
    return open_match


def _by_opponent(
    unit: NDArray[np.int64], a: NDArray[np.int64], b: NDArray[np.int64], score: NDArray[np.float64]
) -> NDArray[np.int64]:
    """An order in which, inside a unit, every player meets opponents in the order of their ids (rows are ranked so)."""
    low, high = np.minimum(a, b), np.maximum(a, b)
    return np.lexsort((np.where(a == low, score, 1.0 - score), high, low, unit))


def _shares(match: NDArray[np.int64], a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 / (n - 1) for the n players of each game's match; 1 where a game stands alone."""
    share = np.ones(len(match))
    several = np.flatnonzero(match >= 0)
    if len(several):
        both = np.concatenate([a[several], b[several]])
        pairs = np.unique(np.stack([np.tile(match[several], 2), both]), axis=1)
        found, players = np.unique(pairs[0], return_counts=True)
        share[several] = 1.0 / (players[np.searchsorted(found, match[several])] - 1.0)
    return share


def _peak_games(log: GameLog, methodology: Methodology, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Whether each chosen game may move a peak, by where it came from; empty where all may, or there are no peaks."""
    published = methodology.published
    if published.peak == "none" or log.source is None or len(published.peak_sources) == len(Source):
        return NONE
    may = np.isin(log.source[chosen], [Source(word).code for word in published.peak_sources])
    return may.astype(np.int64)
