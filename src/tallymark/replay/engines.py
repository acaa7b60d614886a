"""Runs the fold: interpreted where a log is small, compiled where it is large. The bits are the same."""

from functools import cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import InputError
from tallymark.methodology import Methodology
from tallymark.replay.clock import clock_of, shown_of
from tallymark.replay.columns import (
    NEVER,
    Clock,
    Games,
    Players,
    Predictions,
    Shown,
    Steps,
    Tally,
    Units,
    as_arrays,
    as_lists,
    filled,
    sheet,
)
from tallymark.replay.exact import exact_ages, exact_fold
from tallymark.replay.fold import Ages, Fold, make_ages, make_fold
from tallymark.replay.rows import PART, Rules
from tallymark.replay.standing import Standing
from tallymark.replay.threads import threads_for
from tallymark.systems import Formulas

Engine: TypeAlias = Literal["auto", "interpreted", "compiled"]

SMALL = 50_000
"""Games up to which the interpreter is done before compiled code is loaded."""


class Loops(NamedTuple):
    """The loops of one system."""

    fold: Fold
    ages: Ages


@cache
def interpreted(run: Formulas, grows_first: bool, exact: bool) -> Loops:
    """The loops as they stand."""
    if exact:
        return Loops(exact_fold, exact_ages)
    return Loops(make_fold(run, grows_first), make_ages(run))


@cache
def compiled_loops(run: Formulas, grows_first: bool, exact: bool) -> Loops:
    """The loops compiled, from the disk's cache where they are there."""
    from tallymark.replay.compiled import compiled

    if exact:
        return Loops(compiled(exact_fold), compiled(exact_ages))
    return Loops(compiled(make_fold(run, grows_first)), compiled(make_ages(run)))


class Machine:
    """One methodology on one engine, over one set of players. Holds where they stand between runs of the fold."""

    def __init__(
        self, methodology: Methodology, players: Players, engine: Engine, games: int, threads: int | None = None
    ) -> None:
        if engine not in ("auto", "interpreted", "compiled"):
            raise InputError(f"engine is {engine!r}; expected auto, interpreted or compiled")
        self._methodology = methodology
        self.by_interpreter = engine == "interpreted" or (engine == "auto" and games <= SMALL)
        self._threads = threads_for(games, threads)
        system = methodology.system
        pick = interpreted if self.by_interpreter else compiled_loops
        self._loops = pick(system.formulas, system.grows_first, methodology.numbers.exact)
        self._limits = methodology.limits
        self._k = system.constants(self._limits.rating_steps)
        self._clock: Clock = clock_of(methodology)
        self._shown: Shown = shown_of(methodology)
        self._rules = Rules(
            system.formulas, system.grows_first, system.counts_games, self._k, self._limits, self._clock, self._shown,
            methodology.numbers.exact,
        )  # fmt: skip
        self.standing = Standing(as_lists(players) if self.by_interpreter else as_arrays(players))

    def anew(self, players: Players) -> "Machine":
        """The same engine over players as they stand here."""
        engine: Engine = "interpreted" if self.by_interpreter else "compiled"
        return Machine(self._methodology, players, engine, SMALL, self._threads)

    def aged(self, to: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """phi^2 of each player aged to a time of the clock, `NEVER` for as it is; None where it is so for everybody."""
        if not (self._clock.kind > 0.0 and self._ages(to)):
            return None
        players = self.standing.columns()
        if self.by_interpreter:
            listed = [0.0] * len(to)
            self._loops.ages(players, to.tolist(), listed, self._k, self._limits, self._clock)
            return np.array(listed, np.float64)
        out = np.empty(len(to))
        self._loops.ages(players, np.ascontiguousarray(to), out, self._k, self._limits, self._clock)
        return out

    def _ages(self, to: NDArray[np.int64]) -> bool:
        """Whether for anybody time passes from the state to then."""
        for low in range(0, len(to), PART):
            part = slice(low, low + PART)
            since = self.standing.since(part)
            before = since < to[part]
            if before.any() and (since[before] != NEVER).any():
                return True
        return False

    def rate(self, work: "Work", first: int, last: int) -> None:
        """Rates units first..last of the work."""
        if first == last:
            return
        if not self.by_interpreter:
            from tallymark.replay import passes

            if passes.passable(work.games, work.units, self.standing, self._rules):
                kept = passes.Kept(work.predictions, work.steps, work.tally)
                passes.rate(first, last, work.games, work.units, self.standing, kept, self._rules, self._threads)
                return
        self.fold(work, first, last)

    def fold(self, work: "Work", first: int, last: int) -> None:
        """Rates units first..last one after the other, by the plain fold."""
        blank = sheet(len(self.standing), min(work.most, len(self.standing)))
        self._loops.fold(
            first,
            last,
            work.games,
            work.units,
            self.standing.columns(),
            as_lists(blank) if self.by_interpreter else blank,
            work.predictions,
            work.steps,
            work.tally,
            self._k,
            self._limits,
            self._clock,
            self._shown,
        )

    def work(self, games: Games, units: Units, most: int, predicting: bool, recording: bool) -> "Work":
        """The columns of a schedule, of at most `most` participants a unit, in the form of this engine."""
        n = len(games.a)
        convert = as_lists if self.by_interpreter else as_arrays
        return Work(
            games=convert(games),
            units=convert(units),
            most=most,
            predictions=convert(filled(Predictions, n if predicting else 0)),
            steps=convert(filled(Steps, 2 * n if recording else 0)),
            tally=convert(Tally(np.zeros(5, np.int64), np.zeros(1, np.int64))),
        )


class Work(NamedTuple):
    """What one run of the fold reads and writes, besides the players."""

    games: Games
    units: Units
    most: int
    """The largest number of participants in a unit."""
    predictions: Predictions
    steps: Steps
    tally: Tally
