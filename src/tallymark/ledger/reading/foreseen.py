"""What is expected of a game to come, by the very prediction of a replay of the pool's games."""

from datetime import date
from typing import NamedTuple

import numpy as np
from sqlalchemy.engine import Connection

from tallymark.games import GameLog
from tallymark.games.ids import Id
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.played import pairings
from tallymark.ledger.fold.rows import Row, columns_of, newcomer
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.reach import StoredReach
from tallymark.ledger.rulebook import Rulebook
from tallymark.methodology import Methodology
from tallymark.replay import Snapshot
from tallymark.replay.columns import NEVER
from tallymark.replay.predicting import predict
from tallymark.replay.schedule import Head
from tallymark.systems import Rating


class Foreseen(NamedTuple):
    """What is expected of a game of two: `p_a` from 0 to 1, a win 1 and a draw one half, and its logit; both states as
    the prediction has them, and whether they are provisional.

    `position`: the entry that it is as of; `position_a` and `position_b`: those that the states are from, 0 for who is
    new. `note` says what is out of the ordinary, and is empty otherwise.
    """

    p_a: float
    logit_a: float
    a: Rating
    b: Rating
    provisional_a: bool
    provisional_b: bool
    position: int
    position_a: int
    position_b: int
    note: str


def foreseen(
    connection: Connection,
    pool: int,
    a: Id,
    b: Id,
    at: str | date | np.datetime64 | None,
    stand: Stand,
    rules: Methodology,
    rulebook: Rulebook,
) -> Foreseen:
    """The prediction for the next game of two players."""
    reach = StoredReach(connection, pool, rulebook, {})
    log = _open_games(reach, stand, rules)
    there = reach.rows({a, b, *(log.players if log else ())}, rules)
    rows = {player: row for player, row in there.items() if row.rated}
    table = predict(_snapshot(rules, rows, stand, log), [a], [b], at=None if at is None else [at], rules=rules)
    told: dict[str, float] = {name: table[name][0] for name in table.columns if name[-2:] in ("_a", "_b")}

    def side(which: str, player: Id) -> Rating:
        return Rating(told[f"rating_{which}"], told[f"deviation_{which}"], _volatility(rows, player, rules))

    from_a, from_b = (rows[player].position if player in rows else 0 for player in (a, b))
    return Foreseen(
        float(told["p_a"]),
        float(told["logit_a"]),
        side("a", a),
        side("b", b),
        bool(told["provisional_a"]),
        bool(told["provisional_b"]),
        stand.position,
        from_a,
        from_b,
        str(table["note"][0]),
    )


def _volatility(rows: dict[Id, Row], player: Id, rules: Methodology) -> float:
    row = rows.get(player)
    return rules.initial().volatility if row is None else float(np.sqrt(row.sigma2))


def _open_games(reach: StoredReach, stand: Stand, rules: Methodology) -> GameLog | None:
    """The games of the period that is open, which the states have not."""
    if rules.period.kind != "calendar" or stand.open_period == NEVER:
        return None
    late = rules.period.late != "recompute"
    counted = History.of(reach.entries(stand.open_from, stand.position), late=late, merged=stand.merged).counted()
    return pairings([match for match, _ in counted]).log if counted else None


def _snapshot(rules: Methodology, rows: dict[Id, Row], stand: Stand, log: GameLog | None) -> Snapshot:
    """What a replay of the pool's games would go on from, as far as these players go."""
    calendar = rules.period.kind == "calendar"
    head = Head(stand.origin, stand.closed, stand.played, NEVER) if calendar else Head(NEVER, NEVER, stand.played)
    # A snapshot of nobody has no pool, and no last game: somebody who is nobody's id stands for the others.
    if not rows and stand.played != NEVER:
        rows = {"": newcomer(rules)._replace(rated=1, last=stand.played)}
    players = list(rows)
    state = columns_of([rows[player] for player in players])
    arrays = type(state)(*(np.asarray(column) for column in state))
    return Snapshot(rules.id, rules.hash, [""], [head], [""] * len(players), players, arrays, log)
