"""From stored states to published numbers: the one way, and the one that replays take."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Row as Found

from tallymark.errors import InputError
from tallymark.fixedpoint.felt import unpack
from tallymark.games.ids import Id, rank_order
from tallymark.games.times import format_instant
from tallymark.ledger.fold.rows import DOUBLES, Row, columns_of
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.ids import id_of
from tallymark.ledger.ratings import PEAK, damaged, row_of
from tallymark.methodology import Methodology
from tallymark.replay.board import board
from tallymark.replay.columns import NEVER, Players, as_arrays
from tallymark.replay.engines import Engine, Machine
from tallymark.replay.roster import Roster
from tallymark.tables import Table


class Stood(NamedTuple):
    """Where a pool and its players stand, or stood: players in the order of their ids. `bands`: the starting band of
    each, where states hold it."""

    stand: Stand
    rules: Methodology
    players: list[Id]
    state: Players
    bands: NDArray[np.int64] | None


def of_rows(stand: Stand, rules: Methodology, rows: Mapping[Id, Row]) -> Stood:
    """Of the rows of a fold."""
    players = rank_order(rows)
    bands = None
    if rules.numbers.exact:
        bands = np.array([unpack(rows[player].felt).band for player in players], np.int64)
    return Stood(stand, rules, players, columns_of([rows[player] for player in players]), bands)


def of_table(stand: Stand, rules: Methodology, found: Sequence[Found[Any]]) -> Stood:
    """Of the rows of the database."""
    names = [id_of(row.player) for row in found]
    if rules.numbers.exact or not found:
        rows = {name: row_of(row, rules) for name, row in zip(names, found, strict=True)}
        return of_rows(stand, rules, rows)
    order = sorted(range(len(names)), key=lambda n: (isinstance(names[n], str), names[n]))
    told = dict(zip(found[0]._fields, zip(*found, strict=True), strict=True))
    peaks = [told["peak"][n] for n in order]
    states = np.frombuffer(b"".join(told["state"]), ">f8").reshape(-1, DOUBLES.size // 8)[order].T.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(states).all(axis=0))
    if len(wrong):
        raise damaged(names[order[int(wrong[0])]])
    counts = ("last", "rated", "games", "wins", "draws", "losses", "last_played", "established")
    columns = [
        *states,
        *(np.array(told[name], np.int64)[order] for name in counts),
        np.array([peak is not None for peak in peaks], np.int64),
        np.array([0.0 if peak is None else PEAK.unpack(peak)[0] for peak in peaks]),
    ]
    return Stood(stand, rules, [names[n] for n in order], Players._make(columns), None)


def table_of(pool: str, stood: Stood, aged_to: int | None, engine: Engine) -> Table:
    """The table of ratings, as `Replay.ratings` has it; aged to an instant, as `Replay.ratings_at`."""
    n = len(stood.players)
    machine = Machine(stood.rules, as_arrays(stood.state), engine, n, 1)
    to = np.broadcast_to(np.int64(_shown_for(stood) if aged_to is None else _aged(stood, aged_to)), n)
    who = Roster([pool], stood.players, np.arange(n, dtype=np.int64))
    return board(who, machine.standing, stood.rules, machine.aged(to), stood.bands)


def _shown_for(stood: Stood) -> int:
    """The time of the clock that ratings are shown for: the end of the last closed period, or each row's own."""
    return stood.stand.closed if stood.rules.period.kind == "calendar" else NEVER


def _aged(stood: Stood, at: int) -> int:
    stand, period = stood.stand, stood.rules.period
    if at < stand.played:
        raise InputError(
            f"aged_to is {format_instant(at)}, before the last match ({format_instant(stand.played)})",
            hint="as_of says which matches count",
        )
    if period.kind != "calendar":
        return at
    if stand.origin == NEVER:
        return NEVER
    return max(stand.closed, (at - stand.origin) // period.length - 1)
