"""One log through several arithmetics side by side, a stretch of games at a time."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import checked, shortened
from tallymark.errors import InputError
from tallymark.evidence.exactness.differing import NAMES, Difference, Floats, difference
from tallymark.evidence.exactness.result import Exactness
from tallymark.evidence.exactness.variants import ByFold, Truncating, weighted
from tallymark.evidence.score import Score, score
from tallymark.games import GameLog, ReadyLog
from tallymark.games.progress import Progress, silent
from tallymark.methodology import Methodology, methodology
from tallymark.replay.columns import Games, as_arrays
from tallymark.replay.engines import Engine, Machine, Work
from tallymark.replay.exact import SECOND
from tallymark.replay.preparing import Prepared, prepared
from tallymark.replay.schedule import Schedule, sealed
from tallymark.replay.starting import players_at_start
from tallymark.tables import Table

_SMALL: Final = (9, 13)
_KNEE: Final = 15.0
"""Where the description of the half-life has its knee; the deployed contract has it at 16."""
_MOST: Final = 100_000


class _Run(NamedTuple):
    """One replay under way."""

    machine: Machine
    work: Work

    def states(self) -> tuple[Floats, Floats]:
        """mu and phi of all players as they stand."""
        mu, phi2, _ = self.machine.standing.states(slice(None))
        return mu, np.sqrt(phi2)


class _Ground(NamedTuple):
    """What all replays go over: the games that go-onchain-v2 rates, each alone, at whole seconds."""

    ready: Prepared
    schedule: Schedule
    engine: Engine

    @property
    def size(self) -> int:
        """How many games there are."""
        return len(self.schedule.games.a)

    def run(self, kind: type[Machine], rules: Methodology, games: Games | None = None) -> _Run:
        """A replay that stands before the first game."""
        schedule = self.schedule
        players = players_at_start(self.ready.roster, schedule, rules, None)
        machine = kind(rules, players, self.engine, self.size)
        return _Run(machine, machine.work(games or schedule.games, schedule.units, schedule.most, True, False))

    def score(self, run: _Run) -> Score:
        """How well the predictions of a replay came true, in the log's order."""
        made = as_arrays(run.work.predictions)
        order = slice(None) if self.schedule.order is None else np.argsort(self.schedule.order, kind="stable")
        columns = {"p_a": made.p, "logit_a": made.logit, "score_a": self.schedule.games.s}
        return score(Table({name: np.asarray(values)[order] for name, values in columns.items()}))


def exactness(
    log: GameLog | ReadyLog,
    *,
    checkpoints: int = 100,
    weights: Iterable[float] = (0.75, 0.5),
    engine: Engine = "auto",
    progress: Progress = silent,
) -> Exactness:
    """Replays a log by go-onchain-v2 in integers and by go-float-v2 in floats, and says how far apart they come.

    Beside them stand integers whose quotients are cut off, floats with the knee of the half-life at 15, and where the
    log has boards floats whose games on 9x9 and 13x13 have one of these `weights`, 0 to 1. Integers read seconds, so
    every replay is handed the same whole seconds: a fraction of a second would be a difference of times, not of
    numbers. All rate the games that go-onchain-v2 rates, each alone. Differences are told at so many `checkpoints`,
    which lie evenly in the games. `engine` as in `replay`; `progress` is told how many games have been rated.

    Raises `InputError` for a log without times, for matches of more than two players, and for values out of range.

    >>> from tallymark import exactness, synthetic
    >>> found = exactness(synthetic(1000, 50), checkpoints=4)
    >>> found.checkpoints["game"].tolist(), found.half_even.p_largest < 1.6e-8
    ([250, 250, 500, 500, 750, 750, 1000, 1000], True)
    """
    if isinstance(checkpoints, bool) or not isinstance(checkpoints, int) or not 1 <= checkpoints <= _MOST:
        raise InputError(f"checkpoints is {shortened(checkpoints)}; expected a whole number from 1 to {_MOST}")
    if not isinstance(weights, Iterable):
        raise InputError(f"weights is {shortened(weights)}; expected numbers from 0 to 1")
    shares = [checked("weights", one, "numbers from 0 to 1", low=0.0, high=1.0) for one in weights]
    integers, floats = methodology("go-onchain-v2"), methodology("go-float-v2")
    if not isinstance(log, GameLog | ReadyLog):
        raise InputError(f"log is a {type(log).__name__}; expected a GameLog", hint="tm.read_games")
    _refuse_many_sides(log if isinstance(log, GameLog) else log.log)
    ready = prepared(log, integers, None)
    ground = _Ground(ready, _in_whole_seconds(ready.schedule), engine)
    edges = _edges(ground.size, checkpoints)
    small, notes = _small_boards(ready.log, ground.schedule)
    lighter = shares if small.any() else []
    tell = _Telling(progress, ground.size * (4 + len(lighter)))

    rounding, cutting, real = (
        ground.run(kind, rules) for kind, rules in ((Machine, integers), (Truncating, integers), (Machine, floats))
    )
    rows = list(_rows(rounding, cutting, real, edges, tell))
    half_even, truncating = (_difference(one, real, slice(None)) for one in (rounding, cutting))
    players = rounding.machine.standing.how_many_are_rated()
    scores = [
        _Scored("integers", 16.0, 1.0, ground.score(rounding)),
        _Scored("truncating", 16.0, 1.0, ground.score(cutting)),
        _Scored("floats", 16.0, 1.0, ground.score(real)),
    ]
    del rounding, cutting, real  # their predictions take as much room as the log
    knee = ground.run(Machine, floats.with_({"system.rank_from": _KNEE}))
    scores.append(_Scored("floats", _KNEE, 1.0, ground.score(_rated(knee, edges, tell))))
    for weight in lighter:
        games = ground.schedule.games._replace(share=np.where(small, weight, 1.0))
        run = ground.run(ByFold, weighted(floats), games)
        scores.append(_Scored("floats", 16.0, weight, ground.score(_rated(run, edges, tell))))
    return Exactness(
        games=ground.size,
        not_rated=dict(ready.not_rated),
        players=players,
        half_even=half_even,
        truncating=truncating,
        checkpoints=_table(rows),
        scores=_score_table(scores),
        notes=notes,
    )


class _Scored(NamedTuple):
    numbers: str
    knee: float
    small_boards: float
    score: Score


class _Telling:
    """How many games of all replays have been rated."""

    def __init__(self, progress: Progress, games: int) -> None:
        self._progress = progress
        self._games = games
        self._done = 0

    def rated(self, games: int) -> None:
        """So many more."""
        self._done += games
        self._progress(self._done, self._done / self._games)


def _rated(run: _Run, edges: list[int], tell: _Telling) -> _Run:
    """The replay, all games rated."""
    for low, high in pairwise(edges):
        run.machine.rate(run.work, low, high)
        tell.rated(high - low)
    return run


def _rows(rounding: _Run, cutting: _Run, real: _Run, edges: list[int], tell: _Telling) -> Iterator[dict[str, object]]:
    """Rates all games in all three replays; what is told at each checkpoint."""
    for low, high in pairwise(edges):
        for run in (rounding, cutting, real):
            run.machine.rate(run.work, low, high)
            tell.rated(high - low)
        players = rounding.machine.standing.how_many_are_rated()
        for division, run in (("half-even", rounding), ("truncating", cutting)):
            apart = _difference(run, real, slice(low, high))
            yield {"game": high, "players": players, "division": division, **asdict(apart)}


def _difference(run: _Run, real: _Run, games: slice) -> Difference:
    """How far a replay is from the one in floats: P over some games, mu and phi over all players rated so far."""
    rated = real.machine.standing.rated(slice(None))
    p = np.asarray(run.work.predictions.p[games]) - np.asarray(real.work.predictions.p[games])
    mu, phi = (one[rated] - other[rated] for one, other in zip(run.states(), real.states(), strict=True))
    return difference(p, mu, phi)


def _edges(games: int, checkpoints: int) -> list[int]:
    """Where stretches of games begin and end, as evenly as whole games allow; none is empty.

    >>> _edges(10, 3), _edges(2, 3), _edges(0, 3)
    ([0, 3, 6, 10], [0, 1, 2], [0])
    """
    return sorted({games * one // checkpoints for one in range(checkpoints + 1)})


def _in_whole_seconds(schedule: Schedule) -> Schedule:
    """The schedule at the seconds that integers read."""
    when = np.asarray(schedule.units.when) // SECOND * SECOND
    return sealed(schedule._replace(games=schedule.games._replace(at=when), units=schedule.units._replace(when=when)))


def _small_boards(log: GameLog, schedule: Schedule) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """Which games are on small boards, and a word about it where none is."""
    if log.board is None:
        return np.zeros(0, bool), ("the log has no boards: no game could weigh less for its own",)
    small = np.isin(log.board[schedule.places], _SMALL)
    return small, () if small.any() else ("no rated game is on 9x9 or 13x13: none could weigh less for its board",)


def _refuse_many_sides(log: GameLog) -> None:
    """`InputError` for matches of more than two players: pairs of them are no games of two sides."""
    if log.match is None or log.matches is None:
        return
    low = np.full(len(log.matches) + 1, len(log.players))  # the last one of games without a match
    high = np.full(len(log.matches) + 1, -1)
    first, second = np.minimum(log.a, log.b), np.maximum(log.a, log.b)
    np.minimum.at(low, log.match, first)
    np.maximum.at(high, log.match, second)
    many = (log.match >= 0) & ((low[log.match] != first) | (high[log.match] != second))
    if many.any():
        name = log.matches[log.match[int(np.argmax(many))]]
        raise InputError(
            f"match {name!r} has more than two players; integers of a contract are of games with two sides",
            hint="leave such matches out",
        )


def _table(rows: list[dict[str, object]]) -> Table:
    kinds = {"game": np.int64, "players": np.int64, "division": object}
    names = ("game", "players", "division", *NAMES)
    return Table({name: np.array([row[name] for row in rows], kinds.get(name, np.float64)) for name in names})


def _score_table(scores: list[_Scored]) -> Table:
    of = [asdict(one.score) for one in scores]
    counts = {name: np.array([one[name] for one in of], np.int64) for name in ("games", "decisive")}
    means = {name: np.array([one[name] for one in of]) for name in ("log_loss", "brier", "accuracy")}
    return Table(
        {
            "numbers": [one.numbers for one in scores],
            "knee": np.array([one.knee for one in scores]),
            "small_boards": np.array([one.small_boards for one in scores]),
            **counts,
            **means,
        }
    )
