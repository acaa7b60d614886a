"""A replay's games as a contract's history has them: what was played, and both players' felts after it."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tallymark.errors import InputError
from tallymark.fixedpoint.felt import NEVER_RATED, Player, pack
from tallymark.fixedpoint.rules import MIN_STEPS, Rated, Result, rate
from tallymark.games import Ending, GameLog
from tallymark.methodology import Methodology
from tallymark.named import Named
from tallymark.replay.columns import Players
from tallymark.replay.exact import SECOND
from tallymark.replay.histories import game_columns
from tallymark.replay.integer_columns import as_integers
from tallymark.replay.schedule import Schedule
from tallymark.tables import Column, Table

_WORDS: Final = ("forfeit", "queue")
"""Columns of true and false, written so in every format."""
_FELTS: Final = ("felt_a", "felt_b")


def felt_history(log: GameLog, rules: Methodology, schedule: Schedule, after: Players) -> Table:
    """The columns of `Replay.felts`; `after`: where everybody stands then, in the rows of the schedule.

    Every felt is what `fixedpoint.rules` makes of the games, and their states are compared with the replay's own.
    `InputError` for games of several pools, for a felt is of one player, whatever the pool.
    """
    pools = np.unique(log.pool[schedule.places])
    if len(pools) > 1:
        first, second = (log.pools[pool] for pool in pools[:2].tolist())
        raise InputError(
            f"felts are of one pool; these games are of {len(pools)}, among them {first!r} and {second!r}",
            hint="replay the games of one pool at a time",
        )
    results = list(_results(log, rules, schedule))
    rows = [(int(a), int(b)) for a, b in zip(schedule.games.a, schedule.games.b, strict=True)]
    players: dict[int, Player] = {}
    felts: list[tuple[str, str]] = []
    for (a, b), result in zip(rows, results, strict=True):
        done = rate(players.get(a, NEVER_RATED), players.get(b, NEVER_RATED), result)
        if not isinstance(done, Rated):
            break
        players[a], players[b] = done.a, done.b
        felts.append((hex(pack(done.a)), hex(pack(done.b))))
    mu, phi = as_integers(np.asarray(after.mu), np.asarray(after.phi2))
    if len(felts) < len(rows) or any((mu[x], phi[x]) != one.state[:2] for x, one in players.items() if one.phi):
        raise InputError(
            f"{rules.id} rates other games than the contract does, or its players did not begin as newcomers",
            hint="felts are those of a replay under go-onchain from the beginning",
        )
    names: dict[str, Column | Named] = dict(game_columns(log, schedule.places))
    columns = {"game": names["game"], "a": names["player_a"], "b": names["player_b"]}
    for name in ("half_points", "t", "steps", "forfeit", "queue", "band_a", "band_b"):
        values = [getattr(result, name) for result in results]
        columns[name] = [("false", "true")[value] for value in values] if name in _WORDS else values
    for at, name in enumerate(_FELTS):
        columns[name] = [pair[at] for pair in felts]
    return Table(columns)


def _results(log: GameLog, rules: Methodology, schedule: Schedule) -> Iterator[Result]:
    """The games as a contract sees them; what a log does not say of its games is what lets them count in full."""
    games, places = schedule.games, schedule.places
    n = len(places)
    steps = (
        np.full(n, MIN_STEPS) if log.steps is None else np.where(log.steps[places] < 0, MIN_STEPS, log.steps[places])
    )
    given_up = np.zeros(n, bool)
    if log.ending is not None:
        given_up = np.isin(log.ending[places], [Ending(word).code for word in rules.rated.short_loss])
    queue = np.asarray(games.peak) > 0 if len(games.peak) else np.ones(n, bool)
    bands = (np.zeros(n, np.int64),) * 2 if schedule.bands is None else schedule.bands
    told = (np.asarray(games.s) * 2, np.asarray(schedule.units.when) // SECOND, steps, given_up, queue, *bands)
    for half_points, *rest in zip(*(column.tolist() for column in told), strict=True):
        yield Result(int(half_points), *rest)
