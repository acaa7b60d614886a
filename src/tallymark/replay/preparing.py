"""What a replay needs of a log that no number of a rating system changes: kept where a log is replayed many times."""

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from tallymark.games import GameLog, ReadyLog
from tallymark.games.ids import Id
from tallymark.methodology import Methodology
from tallymark.replay.bands import declaring
from tallymark.replay.eligibility import REASONS
from tallymark.replay.endings import endings_not_rated
from tallymark.replay.roster import Roster, roster
from tallymark.replay.schedule import NONE, Schedule
from tallymark.replay.scheduling import build
from tallymark.replay.snapshot import Snapshot
from tallymark.replay.starting import heads_for, refuse_other_pools


class Prepared(NamedTuple):
    """A log under a methodology's rules of period and of rated games, from a start."""

    log: GameLog
    """With the games of the start's open periods before it."""
    start: Snapshot | None
    roster: Roster
    schedule: Schedule
    not_rated: dict[str, int]
    """Games that are not rated, by reason."""
    endings: dict[str, int]
    """Those of them that are not for their ending, by that."""


def prepared(log: GameLog | ReadyLog, rules: Methodology, start: Snapshot | None) -> Prepared:
    """What `scheduling.build` makes of the log, or made of it before; raises what that raises."""
    if isinstance(log, GameLog):
        return _prepared(log, rules, start)
    plain = log.log
    # What is kept holds its start, so that no other start can come to stand at its place in memory.
    return log.kept((id(start), *_scheduling(rules)), lambda: _prepared(plain, rules, start))


def _scheduling(rules: Methodology) -> tuple[Hashable, ...]:
    """Every field of the rules that `_prepared` looks at, directly or not."""
    published = rules.published
    starts = (rules.numbers, rules.system.initial(), rules.system.bands())
    return rules.period, rules.rated, rules.ageing.kind, published.peak, published.peak_sources, starts


def _prepared(log: GameLog, rules: Methodology, start: Snapshot | None) -> Prepared:
    going_on: frozenset[Id] = frozenset()
    if start is not None:
        refuse_other_pools(log, start)
        if start.open_games is not None:
            going_on = frozenset(start.open_games.matches or ())
            log = start.open_games.followed_by(log)
    who = roster(log, () if start is None else start.pool, () if start is None else start.player)
    schedule = declaring(build(log, rules, who, heads_for(who, start), going_on), log, rules, who, start)
    reason = NONE if schedule.reason is None else schedule.reason
    found, counts = np.unique(reason[reason >= 0], return_counts=True)
    return Prepared(
        log=log,
        start=start,
        roster=who,
        schedule=schedule,
        not_rated={REASONS[f].value: int(c) for f, c in zip(found.tolist(), counts.tolist(), strict=True)},
        endings=endings_not_rated(log, rules),
    )
