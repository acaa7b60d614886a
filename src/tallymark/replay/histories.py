"""What each game did to both of its sides, as columns: of a whole replay, or made once more piece by piece.

The steps of tens of millions of games need more memory than all else. Rated again in stretches of whole units, they are
there for one stretch at a time, and for what waits: games of a unit that is rated before the unit of an earlier game.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.games import GameLog
from tallymark.methodology import Methodology
from tallymark.methodology.limits import CLAMPS
from tallymark.named import Named, ids_among
from tallymark.replay.columns import FloatColumn, Games, Steps, Units, as_arrays, filled
from tallymark.replay.display import Floats, displayed
from tallymark.replay.engines import Machine
from tallymark.replay.integer_columns import as_integers
from tallymark.replay.roster import Roster
from tallymark.replay.schedule import NONE, Schedule

STRETCH: int = 1 << 18
"""So many games are rated at a time, or those of one unit that has more."""

_WORDS: Final = ["+".join(word for bit, word in CLAMPS if flags & bit) for flags in range(2 * CLAMPS[-1][0])]
_CLAMPED: Final = np.array(_WORDS, dtype=object)
"""The words of every combination of flags."""


class Done(NamedTuple):
    """Rated games and what they did, in one order."""

    places: NDArray[np.int64] | slice
    """Where they are in the log."""
    score: NDArray[np.float64]
    steps: Steps

    def taken(self, order: NDArray[np.int64]) -> "Done":
        """Those at these positions."""
        assert not isinstance(self.places, slice)
        steps = Steps._make(np.asarray(column).reshape(-1, 2)[order].reshape(-1) for column in self.steps)
        return Done(self.places[order], self.score[order], steps)


def game_columns(log: GameLog, places: NDArray[np.int64] | slice) -> dict[str, np.ndarray | Named]:
    """Which games these of a log are, and who played in them."""
    game = log.row[places] if log.game is None or log.games is None else Named(log.games, log.game[places])
    return {
        "game": game,
        "pool": Named(log.pools, log.pool[places]),
        "player_a": Named(log.players, log.a[places]),
        "player_b": Named(log.players, log.b[places]),
    }


def history_columns(log: GameLog, rules: Methodology, done: Done) -> dict[str, np.ndarray]:
    """Two rows a game, player_a's and then player_b's: the columns of `Replay.history`."""
    at, steps = done.places, done.steps

    def sides(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        return np.stack([first, second], axis=1).ravel()

    game = log.row[at] if log.game is None or log.games is None else Named(log.games, log.game[at]).objects()
    columns = {
        "game": np.repeat(game, 2),
        "pool": Named(log.pools, np.repeat(log.pool[at], 2)).objects(),
        "player": Named(log.players, sides(log.a[at], log.b[at])).objects(),
        "opponent": Named(log.players, sides(log.b[at], log.a[at])).objects(),
        "score": sides(done.score, 1.0 - done.score),
    }
    limits = rules.limits
    before = displayed(_state(steps.mu_before, steps.phi2_before, steps.sigma2_before), limits)
    after = displayed(_state(steps.mu_after, steps.phi2_after, steps.sigma2_after), limits)
    for when, values in (("before", before), ("after", after)):
        names = ("rating", "deviation", "volatility")
        columns |= {f"{name}_{when}": column for name, column in zip(names, values, strict=True)}
    if rules.numbers.exact:
        for when, mu, phi2 in (
            ("before", steps.mu_before, steps.phi2_before),
            ("after", steps.mu_after, steps.phi2_after),
        ):
            columns[f"mu_{when}"], columns[f"phi_{when}"] = as_integers(np.asarray(mu), np.asarray(phi2))
    columns["clamped"] = _CLAMPED[np.asarray(steps.flags)]
    columns["converged"] = np.asarray(steps.converged) > 0
    if log.time is not None:
        columns["played_at"] = np.repeat(log.time[done.places], 2).view("datetime64[us]")
    return {name: settled(column) for name, column in columns.items()}


def ids_of_history(log: GameLog, schedule: Schedule) -> dict[str, list[str | int | None]]:
    """Of each column of ids or words in a history, enough to tell what it can be written as."""
    places = slice(None) if schedule.order is None else schedule.order
    players = ids_among(log.players, log.a[places], log.b[places])
    return {
        **({} if log.game is None or log.games is None else {"game": ids_among(log.games, log.game[places])}),
        "pool": ids_among(log.pools, log.pool[places]),
        "player": players,
        "opponent": players,
        "clamped": list(_WORDS),
    }


def rated_again(schedule: Schedule, roster: Roster, machine: Machine) -> Iterator[Done]:
    """The games of a schedule in the order of the log, piece by piece, as the machine rates them from the start."""
    waiting = Done(NONE, np.zeros(0), filled(Steps, 0))
    for stretch in _stretches(schedule, roster):
        work = machine.work(stretch.games, stretch.units, schedule.most, False, True)
        machine.rate(work, 0, len(stretch.units.start) - 1 if len(stretch.units.start) else len(stretch.games.a))
        done = Done(stretch.places, np.asarray(stretch.games.s), as_arrays(work.steps))
        if stretch.next_place is None:
            yield done
            continue
        waiting = _behind(waiting, done)
        assert not isinstance(waiting.places, slice)
        order = np.argsort(waiting.places)
        ready = int(np.searchsorted(waiting.places, stretch.next_place, sorter=order))
        yield waiting.taken(order[:ready])
        waiting = waiting.taken(order[ready:])


class _Stretch(NamedTuple):
    """Units that are rated together, those of each pool in their order."""

    games: Games
    units: Units
    places: NDArray[np.int64] | slice
    next_place: int | None
    """The first place in the log of what is still to come; None where games are in the order of the log."""


def _stretches(schedule: Schedule, roster: Roster) -> Iterator[_Stretch]:
    games, units, order = schedule.games, schedule.units, schedule.order
    n = len(games.a)
    start = np.asarray(units.start)
    if order is None or (order[1:] > order[:-1]).all():
        for first, last in _cuts(start if len(start) else None, n):
            begin, end = (int(start[first]), int(start[last])) if len(start) else (first, last)
            part = slice(begin, end)
            yield _Stretch(
                Games._make(column[part] if len(column) else column for column in games),
                Units(start[first : last + 1] - begin if len(start) else start, np.asarray(units.when)[first:last]),
                part if order is None else order[part],
                None,
            )
        return
    sequence, place = _in_turn(schedule, roster)
    sizes = np.diff(start)[sequence]
    ends = np.concatenate([[0], np.cumsum(sizes)])
    to_come = np.append(np.minimum.accumulate(place[sequence][::-1])[::-1], np.iinfo(np.int64).max)
    for first, last in _cuts(ends, n):
        begins = ends[first : last + 1] - ends[first]
        which = sequence[first:last]
        at = np.repeat(start[which] - begins[:-1], sizes[first:last]) + np.arange(begins[-1])
        yield _Stretch(
            Games._make(np.asarray(column)[at] if len(column) else column for column in games),
            Units(begins, np.asarray(units.when)[which] if len(units.when) else units.when),
            order[at],
            int(to_come[last]),
        )


def _in_turn(schedule: Schedule, roster: Roster) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The units in an order near that of the log, and by unit the first place of its games there.

    Units of different pools may be rated in any order; those of one pool stay in theirs.
    """
    start = np.asarray(schedule.units.start)[:-1]
    assert schedule.order is not None
    place = np.minimum.reduceat(schedule.order, start)
    pool = roster.pool[np.asarray(schedule.games.a)[start]]
    by_pool = np.argsort(pool, kind="stable")
    step = int(place.max()) + 1
    latest = np.empty_like(place)
    latest[by_pool] = np.maximum.accumulate(place[by_pool] + pool[by_pool] * step) - pool[by_pool] * step
    return np.argsort(latest, kind="stable"), place


def _cuts(ends: NDArray[np.int64] | None, n: int) -> Iterator[tuple[int, int]]:
    """From which unit to which a stretch goes; `ends` has where they begin and the last ends, None: each is a game."""
    count = n if ends is None else len(ends) - 1
    first = 0
    while first < count or not n:
        last = first + STRETCH
        if ends is not None:
            last = int(np.searchsorted(ends, ends[first] + STRETCH, side="right")) - 1
        last = min(max(last, first + 1), count)
        yield first, last
        first = last
        if not n:
            return


def _behind(one: Done, two: Done) -> Done:
    assert not isinstance(one.places, slice)
    assert not isinstance(two.places, slice)
    steps = Steps._make(
        np.concatenate([np.asarray(a), np.asarray(b)]) for a, b in zip(one.steps, two.steps, strict=True)
    )
    return Done(np.concatenate([one.places, two.places]), np.concatenate([one.score, two.score]), steps)


def _state(mu: FloatColumn, phi2: FloatColumn, sigma2: FloatColumn) -> tuple[Floats, Floats, Floats]:
    return np.asarray(mu), np.asarray(phi2), np.asarray(sigma2)


def settled(values: np.ndarray) -> np.ndarray:
    """Values that nobody writes to any more, which a table need not copy."""
    values.flags.writeable = False
    return values
