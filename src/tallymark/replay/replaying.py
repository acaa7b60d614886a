"""The one entry: a log, a methodology, perhaps a snapshot to start from."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias, overload

import numpy as np

from tallymark.errors import InputError
from tallymark.games import GameLog, ReadyLog
from tallymark.methodology import Methodology, methodology
from tallymark.methodology.limits import CLAMPS
from tallymark.replay.columns import Players, Tally, as_arrays
from tallymark.replay.engines import Engine, Machine
from tallymark.replay.preparing import Prepared, prepared
from tallymark.replay.report import ReplayReport
from tallymark.replay.result import Replay
from tallymark.replay.snapshot import Snapshot
from tallymark.replay.starting import players_at_start

Several: TypeAlias = list[Methodology] | list[str] | list[Methodology | str] | tuple[Methodology | str, ...]
"""Methodologies or their names; not any sequence, as a name is one itself."""


@overload
def replay(
    log: GameLog | ReadyLog,
    rules: Methodology | str,
    start: Snapshot | None = None,
    history: bool = False,
    predictions: bool = False,
    engine: Engine = "auto",
    threads: int | None = None,
) -> Replay: ...


@overload
def replay(
    log: GameLog | ReadyLog,
    rules: Several,
    start: Snapshot | None = None,
    history: bool = False,
    predictions: bool = False,
    engine: Engine = "auto",
    threads: int | None = None,
) -> list[Replay]: ...


def replay(
    log: GameLog | ReadyLog,
    rules: Methodology | str | Several,
    start: Snapshot | None = None,
    history: bool = False,
    predictions: bool = False,
    engine: Engine = "auto",
    threads: int | None = None,
) -> Replay | list[Replay]:
    """The log folded through a methodology (or its name); through each of several, a list of replays.

    Who replays one log many times hands over `log.prepare()`, which keeps what all of them need: see `ReadyLog`.
    `start`: go on from a snapshot, of the same methodology or imported. `history`, `predictions`: keep what each game
    did, and what was expected before it. `engine`: "interpreted" and "compiled" give the same bits; "auto" picks by
    size. `threads` of compiled code: any number gives the same bits, None is what pays. Raises `InputError`,
    `SnapshotError` or `MethodologyError`; never in mid-replay.

    >>> log = GameLog.from_arrays(player_a=["ann", "bob"], player_b=["bob", "cid"], score_a=[1, 0.5])
    >>> r = replay(log, "contest")
    >>> [(row["player"], round(row["rating"], 2)) for row in r.ratings.rows()]
    [('ann', 1662.31), ('cid', 1442.38), ('bob', 1376.0)]
    """
    if isinstance(rules, Methodology | str):
        return _replay(log, methodology(rules), start, history, predictions, engine, threads)
    shared = log.prepare() if isinstance(log, GameLog) else log
    return [_replay(shared, methodology(one), start, history, predictions, engine, threads) for one in rules]


def _replay(
    log: GameLog | ReadyLog,
    rules: Methodology,
    start: Snapshot | None,
    history: bool,
    predictions: bool,
    engine: Engine,
    threads: int | None,
) -> Replay:
    if not isinstance(log, GameLog | ReadyLog):
        raise InputError(
            f"log is a {type(log).__name__}; expected a GameLog", hint="tm.read_games or GameLog.from_arrays"
        )
    if start is not None and not isinstance(start, Snapshot):
        raise InputError(f"start is a {type(start).__name__}; expected a Snapshot", hint="Snapshot.load(file)")
    ready = prepared(log, rules, start)
    schedule = ready.schedule
    players = players_at_start(ready.roster, schedule, rules, start)
    machine = Machine(rules, players, engine, len(schedule.games.a), threads)
    work = machine.work(schedule.games, schedule.units, schedule.most, predictions, history)
    machine.rate(work, 0, schedule.closed_units)
    closed = _closed(machine, ready, rules, start)
    machine.rate(work, schedule.closed_units, schedule.unit_count)
    return Replay(
        methodology=rules,
        log=ready.log,
        report=_report(ready, rules, machine, as_arrays(work.tally)),
        _roster=ready.roster,
        _schedule=schedule,
        _machine=machine,
        _closed=closed,
        _predictions=as_arrays(work.predictions),
        _steps=as_arrays(work.steps),
        _predicting=predictions,
        _recording=history,
        _start=start,
    )


def _closed(machine: Machine, ready: Prepared, rules: Methodology, start: Snapshot | None) -> Callable[[], Players]:
    """What tells the players as they are now that all closed units are rated; a copy only where there is no other way,
    for one of very many players takes as long as many games."""
    schedule = ready.schedule
    if schedule.closed_units == 0:
        return partial(players_at_start, ready.roster, schedule, rules, start)
    if schedule.closed_units == schedule.unit_count:
        return machine.standing.columns
    copy = machine.standing.copied()
    return lambda: copy


def _report(ready: Prepared, rules: Methodology, machine: Machine, tally: Tally) -> ReplayReport:
    log, schedule = ready.log, ready.schedule
    hits = np.asarray(tally.clamps).tolist()
    return ReplayReport(
        methodology=rules.id,
        methodology_hash=rules.hash,
        engine="interpreted" if machine.by_interpreter else "compiled",
        log=log.report,
        games=len(log),
        rated=len(schedule.games.a),
        not_rated=dict(ready.not_rated),
        players=machine.standing.how_many_are_rated(),
        pools=len(log.pools) if len(log) else 0,
        units=schedule.unit_count,
        unit_kind=_unit_kind(rules, log),
        clamped={word: int(n) for (_, word), n in zip(CLAMPS, hits, strict=True) if n},
        unconverged=int(tally.unconverged[0]),
        late=schedule.late,
        endings=dict(ready.endings),
    )


def _unit_kind(rules: Methodology, log: GameLog) -> str:
    if rules.period.kind == "calendar":
        return "period"
    several = log.match is not None and not rules.numbers.exact
    return "match" if rules.period.kind == "match" or several else "game"
