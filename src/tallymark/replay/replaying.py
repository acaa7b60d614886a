"""The one entry: a log, a methodology, perhaps a snapshot to start from."""

from typing import TypeAlias, overload

import numpy as np

from tallymark.errors import InputError
from tallymark.games import GameLog
from tallymark.methodology import Methodology, methodology
from tallymark.methodology.limits import CLAMPS
from tallymark.replay.columns import NEVER, Players, Tally, as_arrays, filled
from tallymark.replay.eligibility import REASONS
from tallymark.replay.engines import Engine, Machine
from tallymark.replay.report import ReplayReport
from tallymark.replay.result import Replay, heads_for
from tallymark.replay.roster import Roster, roster
from tallymark.replay.schedule import Schedule, build
from tallymark.replay.snapshot import Snapshot

Several: TypeAlias = list[Methodology] | list[str] | list[Methodology | str] | tuple[Methodology | str, ...]
"""Methodologies or their names; not any sequence, as a name is one itself."""


@overload
def replay(
    log: GameLog,
    rules: Methodology | str,
    start: Snapshot | None = None,
    history: bool = False,
    predictions: bool = False,
    engine: Engine = "auto",
) -> Replay: ...


@overload
def replay(
    log: GameLog,
    rules: Several,
    start: Snapshot | None = None,
    history: bool = False,
    predictions: bool = False,
    engine: Engine = "auto",
) -> list[Replay]: ...


def replay(
    log: GameLog,
    rules: Methodology | str | Several,
    start: Snapshot | None = None,
    history: bool = False,
    predictions: bool = False,
    engine: Engine = "auto",
) -> Replay | list[Replay]:
    """The log folded through a methodology (or its name); through each of several, a list of replays.

    `start`: go on from a snapshot, of the same methodology or imported. `history`, `predictions`: keep what each game
    did, and what was expected before it. `engine`: "interpreted" and "compiled" give the same bits; "auto" picks by
    size. Raises `InputError`, `SnapshotError` or `MethodologyError`; never in mid-replay.

    >>> log = GameLog.from_arrays(player_a=["ann", "bob"], player_b=["bob", "cid"], score_a=[1, 0.5])
    >>> r = replay(log, "contest")
    >>> [(row["player"], round(row["rating"], 2)) for row in r.ratings.rows()]
    [('ann', 1662.31), ('cid', 1442.38), ('bob', 1376.0)]
    """
    if isinstance(rules, Methodology | str):
        return _replay(log, methodology(rules), start, history, predictions, engine)
    return [_replay(log, methodology(one), start, history, predictions, engine) for one in rules]


def _replay(
    log: GameLog, rules: Methodology, start: Snapshot | None, history: bool, predictions: bool, engine: Engine
) -> Replay:
    if not isinstance(log, GameLog):
        raise InputError(
            f"log is a {type(log).__name__}; expected a GameLog", hint="tm.read_games or GameLog.from_arrays"
        )
    known = None if start is None else start.states_for(rules)
    if start is not None and start.methodology_hash is None and len(log) and not set(start.pools) & set(log.pools):
        raise InputError(
            f"the starting ratings are of pool {start.pools[0]!r}, which the log does not have: {', '.join(log.pools)}",
            hint="Snapshot.from_arrays(..., pool=...)",
        )
    if start is not None and start.open_games is not None:
        log = start.open_games.followed_by(log)
    who = roster(log, () if start is None else start.pool, () if start is None else start.player)
    schedule = build(log, rules, who, heads_for(who, start))
    players = _players(who, schedule, rules, start, known)
    machine = Machine(rules, players, engine, len(schedule.games.a))
    work = machine.work(schedule.games, schedule.units, schedule.most, predictions, history)
    machine.rate(work, 0, schedule.closed_units)
    closed = machine.players
    machine.rate(work, schedule.closed_units, len(schedule.units.when))
    return Replay(
        methodology=rules,
        log=log,
        report=_report(log, rules, schedule, machine, as_arrays(work.tally)),
        _roster=who,
        _schedule=schedule,
        _machine=machine,
        _closed=closed,
        _predictions=as_arrays(work.predictions),
        _steps=as_arrays(work.steps),
        _predicting=predictions,
        _recording=history,
    )


def _players(
    who: Roster, schedule: Schedule, rules: Methodology, start: Snapshot | None, known: Players | None
) -> Players:
    """A newcomer's row for everyone, and the snapshot's rows over them."""
    players = filled(Players, len(who))
    newcomer = rules.system.state(rules.initial())
    for column, value in (
        (players.mu, newcomer.mu),
        (players.phi2, newcomer.phi2),
        (players.sigma2, newcomer.sigma2),
        (players.last, NEVER),
        (players.last_played, NEVER),
    ):
        np.asarray(column)[:] = value
    if start is None or known is None:
        return players
    rows = who.rows(start.pool, start.player)
    for column, values in zip(players, known, strict=True):
        np.asarray(column)[rows] = values
    if start.methodology_hash is None and rules.period.kind == "calendar":
        # Imported ratings hold at the end of the period of their instant; without one, of the last closed one.
        heads = [schedule.heads[code] for code in who.pool[rows].tolist()]
        closed = np.array([-1 if h.closed == NEVER else h.closed for h in heads], np.int64)
        origin = np.array([0 if h.origin == NEVER else h.origin for h in heads], np.int64)
        at = np.asarray(known.last)
        np.asarray(players.last)[rows] = np.where(at == NEVER, closed, -((origin - at) // rules.period.length) - 1)
    return players


def _report(log: GameLog, rules: Methodology, schedule: Schedule, machine: Machine, tally: Tally) -> ReplayReport:
    found, counts = np.unique(schedule.reason[schedule.reason >= 0], return_counts=True)
    hits = np.asarray(tally.clamps).tolist()
    return ReplayReport(
        methodology=rules.id,
        methodology_hash=rules.hash,
        engine="interpreted" if machine.by_interpreter else "compiled",
        log=log.report,
        games=len(log),
        rated=len(schedule.order),
        not_rated={REASONS[f].value: int(c) for f, c in zip(found.tolist(), counts.tolist(), strict=True)},
        players=int(np.count_nonzero(np.asarray(machine.players.rated))),
        pools=len(log.pools) if len(log) else 0,
        units=len(schedule.units.when),
        unit_kind="period" if rules.period.kind == "calendar" else rules.period.kind,
        clamped={word: int(n) for (_, word), n in zip(CLAMPS, hits, strict=True) if n},
        unconverged=int(tally.unconverged[0]),
        late=schedule.late,
    )
