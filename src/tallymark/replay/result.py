"""What a replay hands back: ratings, predictions, history, a report, and a snapshot to go on from."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import InputError
from tallymark.games import GameLog
from tallymark.games.columns import cells_of
from tallymark.games.times import NO_TIME, parse_times
from tallymark.methodology import Methodology
from tallymark.named import Named
from tallymark.replay.bands import bands_at_start, stored_bands
from tallymark.replay.board import board
from tallymark.replay.columns import NEVER, Players, Predictions, Steps
from tallymark.replay.engines import Machine
from tallymark.replay.felts import felt_history
from tallymark.replay.histories import Done, game_columns, history_columns, ids_of_history, rated_again, settled
from tallymark.replay.report import ReplayReport
from tallymark.replay.roster import Roster
from tallymark.replay.schedule import Schedule
from tallymark.replay.snapshot import Snapshot
from tallymark.replay.starting import players_at_start
from tallymark.table_files import write_columns
from tallymark.tables import Column, Table


@dataclass(frozen=True, eq=False)
class Replay:
    """A log folded through a methodology. Tables are built when first asked for."""

    methodology: Methodology
    log: GameLog
    report: ReplayReport
    _roster: Roster
    _schedule: Schedule
    _machine: Machine
    _closed: Callable[[], Players]
    _predictions: Predictions
    _steps: Steps
    _predicting: bool
    _recording: bool
    _start: Snapshot | None

    def __repr__(self) -> str:
        r = self.report
        return f"<Replay of {r.rated:,} games, {r.players:,} players, under {self.methodology.id}>"

    def _repr_html_(self) -> str:
        return self.ratings.head(20)._repr_html_()

    @cached_property
    def ratings(self) -> Table:
        """One row a rated player and pool, best first: pool, player, rating, deviation, volatility (display scale),
        games, wins, draws, losses, last_played, provisional; then rankable, established and peak where the methodology
        publishes them. Where numbers are Q32.32: mu and phi, as integers times 2**-32, and go_rank, from 30k to
        9d, with a question mark for those who are provisional. Where there are starting bands: band, 0 for ratings from
        elsewhere without one.

        Calendar periods: as of the end of the pool's last period. Otherwise each row is for its `last_played`.

        >>> from tallymark import GameLog, replay
        >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
        >>> replay(log, "elo").ratings.rating.tolist()
        [1510.0, 1490.0]
        """
        return self._board(self._end_of_periods())

    def ratings_at(self, instant: str | date | np.datetime64) -> Table:
        """`ratings` with every deviation aged to an instant (any form of `played_at`) that is not before the log's end.

        Ageing is a function of state and time: asking twice, or in steps, changes nothing.

        >>> from tallymark import GameLog, replay
        >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1], played_at=["2026-01-01"])
        >>> replay(log, "lichess").ratings_at("2026-12-31").deviation.round(1).tolist()
        [420.0, 420.0]
        """
        times, wrong = parse_times(cells_of([instant], "instant"))
        if wrong or times[0] == NO_TIME:
            raise InputError(f"instant is {instant!r}; expected a time such as 2026-11-29 or 2026-11-29T12:00:00Z")
        at = int(times[0])
        heads = self._schedule.heads
        latest = max((h.last for h in heads), default=NEVER)
        if at < latest:
            raise InputError(
                f"instant is {instant!r}, before the last game ({np.datetime64(latest, 'us')})",
                hint="replay the games up to that instant",
            )
        if self.methodology.period.kind != "calendar":
            return self._board(np.broadcast_to(np.int64(at), len(self._roster)))
        # Periods up to the one before the instant's own are over; never less than the log's last.
        length = self.methodology.period.length
        over = np.array([NEVER if h.origin == NEVER else (at - h.origin) // length - 1 for h in heads], np.int64)
        to = np.maximum(self._end_of_periods(), over[self._roster.pool])
        # A pool without a game has no origin yet: whole periods since the instant of each imported rating.
        last = self._machine.standing.last(slice(None))
        waiting = (np.array([h.origin for h in heads], np.int64)[self._roster.pool] == NEVER) & (last != NEVER)
        to[waiting] = last[waiting] + np.maximum(0, (at - last[waiting]) // length)
        return self._board(to)

    @cached_property
    def predictions(self) -> Table:
        """One row a rated game in the log's order, made before it: game, pool, player_a, player_b, p_a, logit_a,
        score_a. `game` is the id, or without ids the row in the input. `InputError` where not asked for."""
        _asked(self._predicting, "predictions")
        order, places = self._in_log_order()
        columns: dict[str, Column | Named] = dict(game_columns(self.log, places))
        columns["p_a"] = settled(np.asarray(self._predictions.p)[order])
        columns["logit_a"] = settled(np.asarray(self._predictions.logit)[order])
        columns["score_a"] = settled(np.asarray(self._schedule.games.s)[order])
        return Table(columns)

    @cached_property
    def history(self) -> Table:
        """Two rows a rated game in the log's order (player_a's, then player_b's): game, pool, player, opponent, score,
        rating, deviation and volatility before and after, clamped, converged, played_at.

        "Before" are the values before the game's period, aged to it; all games of a period share before and after.
        `clamped` names the bounds that were hit, joined by +. Where numbers are Q32.32: mu_before, phi_before,
        mu_after and phi_after, as integers. `InputError` where not asked for.
        """
        _asked(self._recording, "history")
        schedule = self._schedule
        done = Done(slice(None), np.asarray(schedule.games.s), self._steps)
        if schedule.order is not None:
            done = done._replace(places=schedule.order).taken(np.argsort(schedule.order, kind="stable"))
        return Table(history_columns(self.log, self.methodology, done))

    def write_history(self, path: str | os.PathLike[str], *, for_spreadsheets: bool = False) -> None:
        """Writes `history` as `Table.write` would, piece by piece: in a memory that does not grow with the games.

        The games are rated once more for it, with the same bits; `history=True` is not needed. What is held are some
        hundred thousand games at a time, or those of one unit that has more. WriteError leaves nothing behind.

        >>> from tallymark import GameLog, replay
        >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
        >>> replay(log, "elo").write_history("history.txt")
        Traceback (most recent call last):
        tallymark.errors.WriteError: history.txt: cannot tell the format
        hint: end the name in .csv, .parquet, .json
        """
        log, schedule, rules = self.log, self._schedule, self.methodology
        again = rated_again(schedule, self._roster, self._machine.anew(self._at_start()))
        pieces = (history_columns(log, rules, done) for done in again)
        write_columns(path, pieces, ids_of_history(log, schedule), for_spreadsheets)

    @cached_property
    def felts(self) -> Table:
        """Where numbers are Q32.32, one row a rated game in the order of rating: game, a, b, half_points (of a), t (in
        seconds), steps, forfeit, queue, band_a, band_b, and both felts after it, felt_a and felt_b, in hexadecimal.

        It is what `sdk/js/recount.mjs` recounts. Every game is rated once more by `tallymark.fixedpoint`, which takes
        some 40 microseconds each. `InputError` for other numbers, for games of several pools (felts are of one pool
        at a time), and for a replay that starts from ratings.

        >>> from tallymark import GameLog, replay
        >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1], played_at=["2026-01-01"])
        >>> replay(log, "go-onchain").felts["felt_a"].tolist()
        ['0x10103005a56e46001a900000e80ecff0000']
        """
        rules = self.methodology
        from_ratings = self._start is not None and bool(np.asarray(self._start.state.rated).any())
        if not rules.numbers.exact or from_ratings:
            raise InputError(
                f"felts are of whole replays in q32.32; this one is of {rules.id}"
                + (" from ratings to start from" if from_ratings else ""),
                hint='replay(log, "go-onchain")',
            )
        return felt_history(self.log, rules, self._schedule, self._machine.standing.columns())

    def snapshot(self) -> Snapshot:
        """Everything a later replay needs to go on as if there had been no break, bit for bit.

        >>> from tallymark import GameLog, replay
        >>> monday = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
        >>> tuesday = GameLog.from_arrays(player_a=["bob"], player_b=["ann"], score_a=[1])
        >>> replay(tuesday, "elo", start=replay(monday, "elo").snapshot()).ratings.games.tolist()
        [2, 2]
        """
        schedule, roster = self._schedule, self._roster
        open_games = None
        if schedule.closed_units < schedule.unit_count:
            first = np.asarray(schedule.units.start)[schedule.closed_units]
            open_games = self.log.taken(np.sort(schedule.places[first:]))
        heads = [
            head if open_period == NEVER else head._replace(closed=max(head.closed, int(open_period) - 1))
            for head, open_period in zip(schedule.heads, schedule.open_period, strict=True)
        ]
        closed = self._closed()
        rated = np.asarray(closed.rated) > 0
        start = np.asarray(schedule.units.start)
        games = int(start[schedule.closed_units]) if len(start) else schedule.closed_units
        before = self._at_start()
        bands = self._bands_after(before, rated, games)
        # Who declared a band and has no rating yet is as at the start, whatever bands the games named since.
        closed = Players(*(np.where(rated, now, then) for now, then in zip(closed, before, strict=True)))
        known = np.flatnonzero(rated | (bands > 0))
        return Snapshot(
            methodology_id=self.methodology.id,
            methodology_hash=self.methodology.hash,
            pools=roster.pools,
            heads=heads,
            pool=[roster.pools[p] for p in roster.pool[known].tolist()],
            player=[roster.players[p] for p in roster.player[known].tolist()],
            state=Players(*(np.asarray(c)[known] for c in closed)),
            open_games=open_games,
            bands=bands[known].tolist() if bands.any() else None,
        )

    def _end_of_periods(self) -> NDArray[np.int64]:
        """The time of the clock each player's rating is shown for."""
        if self.methodology.period.kind != "calendar":
            return np.broadcast_to(np.int64(NEVER), len(self._roster))
        heads = np.array([h.closed for h in self._schedule.heads], np.int64)
        return self._roster.spread(np.maximum(self._schedule.open_period, heads))

    def _board(self, to: NDArray[np.int64]) -> Table:
        bands = self._bands if self.methodology.system.undeclared else None
        return board(self._roster, self._machine.standing, self.methodology, self._machine.aged(to), bands)

    def _at_start(self) -> Players:
        """The players before the first game, new each time: a machine writes to what it is given."""
        return players_at_start(self._roster, self._schedule, self.methodology, self._start)

    @cached_property
    def _bands(self) -> NDArray[np.int64]:
        rated = self._machine.standing.rated(slice(None))
        return self._bands_after(self._at_start(), rated, len(self._schedule.games.a))

    def _bands_after(self, before: Players, rated: NDArray[np.bool_], games: int) -> NDArray[np.int64]:
        """Each player's starting band after the first games of the schedule."""
        start = bands_at_start(self._roster, self.methodology, self._start)
        new = rated & (np.asarray(before.rated) == 0)
        stored = np.where(new, stored_bands(self._schedule, self.methodology, len(rated), games), start.stored)
        return np.where(rated, stored, start.declared)

    def _in_log_order(self) -> tuple[NDArray[np.int64] | slice, NDArray[np.int64] | slice]:
        """What puts rated games back into the log's order, and their places there."""
        if self._schedule.order is None:
            return slice(None), slice(None)
        order = np.argsort(self._schedule.order, kind="stable")
        return order, self._schedule.order[order]


def _asked(kept: bool, what: str) -> None:
    if not kept:
        was = "were" if what.endswith("s") else "was"
        raise InputError(f"{what} {was} not kept", hint=f"replay(..., {what}=True)")
