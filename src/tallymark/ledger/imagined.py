"""What would be: a pool without some of its matches, with its open period closed, or told a command. Nothing is written
anywhere.

The stream is folded again, by the fold that wrote it, from what was received; so whatever else happened (late games,
changed rules, adjustments) happens again.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.games.ids import Id, rank_order
from tallymark.ledger.entries import Entry, effect_of, prefix, reason_in
from tallymark.ledger.fold.by_calendar import close
from tallymark.ledger.fold.commands import COMMANDS
from tallymark.ledger.fold.folding import fold
from tallymark.ledger.fold.going import Folding, Reach
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.recompute import recompute
from tallymark.ledger.fold.rows import Row, displayed
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.items import item_of
from tallymark.ledger.known import Known
from tallymark.ledger.rules import rules_in
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER
from tallymark.replay.engines import Engine
from tallymark.tables import Column, Table

_AT_ONCE: Final = 20_000


class Imagined(NamedTuple):
    """Where everybody would stand, and under which methodology."""

    rows: dict[Id, Row]
    rules: Methodology


class Moves(NamedTuple):
    """Who would stand elsewhere than where they stand.

    `moves`: columns `player`, `rating`, `deviation`, `games`, `rank`, the same with `new_`, and `change`, that of the
    rating; those who move most first. Who would have no rating, or has none, has nothing there. `position`: the entry
    that it is as of; `players`: how many have a rating.
    """

    moves: Table
    position: int
    players: int


class Foretold(NamedTuple):
    """What a command would become, if it were told now.

    `effect`: `none`, `open-period` or `recompute`, as the entry of a correction has it; `set` for states that are set;
    `refused`, and then `reason` says why. `moves`: who would stand elsewhere for it than without it, once it has had
    its effect; in calendar pools that is when the open period closes.
    """

    effect: str
    reason: str | None
    moves: Moves


def moves_of(before: Mapping[Id, Row], after: Mapping[Id, Row], rules: Methodology, position: int) -> Moves:
    """What differs between rows before and rows after; both are of everybody."""
    old, new = _standing(before, rules), _standing(after, rules)
    moved = [player for player in rank_order({*old, *new}) if old.get(player) != new.get(player)]
    pairs = [(player, old.get(player, _NOWHERE), new.get(player, _NOWHERE)) for player in moved]

    def change(pair: tuple[Id, _Standing, _Standing]) -> float | None:
        _, was, now = pair
        return None if was.rating is None or now.rating is None else now.rating - was.rating

    pairs.sort(key=lambda pair: math.inf if (by := change(pair)) is None else -abs(by))
    columns: dict[str, Column] = {"player": [player for player, _, _ in pairs]}
    for n, name in enumerate(_Standing._fields):
        columns[name] = _numbers([was[n] for _, was, _ in pairs])
    for n, name in enumerate(_Standing._fields):
        columns[f"new_{name}"] = _numbers([now[n] for _, _, now in pairs])
    columns["change"] = _numbers([change(pair) for pair in pairs])
    return Moves(Table(columns), position, len(old))


def _numbers(values: Sequence[float | None]) -> NDArray[np.generic]:
    return np.array(values, object) if None in values else np.array(values)


class _Standing(NamedTuple):
    rating: float | None
    deviation: float | None
    games: int | None
    rank: int | None


_NOWHERE: Final = _Standing(None, None, None, None)


def _standing(rows: Mapping[Id, Row], rules: Methodology) -> dict[Id, _Standing]:
    """Where everybody stands who has a rating; of equal ratings all have the best rank, who has no game has none."""
    told = {player: (*displayed(row, rules)[:2], row.games) for player, row in rows.items() if row.rated}
    ratings = sorted(rating for rating, _, games in told.values() if games)
    return {
        player: _Standing(rating, deviation, games, 1 + len(ratings) - bisect_right(ratings, rating) if games else None)
        for player, (rating, deviation, games) in told.items()
    }


def otherwise(
    stream: Iterable[Entry], instead: Callable[[Received], Received | None], engine: Engine = "auto"
) -> Imagined:
    """The pool of a stream as it would be, had something else been received in the place of each item, or nothing."""
    entries = iter(stream)
    first = next(entries)
    rules = rules_in(first.body, 1)
    stand = Stand(1, first.hash, 1, prefix(first.body).at)
    made = [first]
    known = Known(lambda low, high: islice(made, low - 1, high))
    received = (item for item in (item_of(entry.body) for entry in entries) if item is not None)
    items = (item for item in map(instead, received) if item is not None)
    while some := list(islice(items, _AT_ONCE)):
        folded = fold(stand, rules, known, some, engine)
        stand, rules = folded.stand, folded.rules
        known.take(folded.rows)
        made += folded.entries
    return Imagined(known.players, rules)


def if_closed(stand: Stand, rules: Methodology, reach: Reach, engine: Engine = "auto") -> dict[Id, Row]:
    """The rows that would change if the open period closed now; none where there is no open period."""
    return _done(Folding(reach, stand, rules, engine))


def if_told(stand: Stand, rules: Methodology, known: Known, item: Received, engine: Engine = "auto") -> Foretold:
    """What a command would become that a pool is told behind all that it was told before. `known`: the pool as it
    stands."""
    going, body = _told(stand, rules, known, item, engine)
    reason, without = None, dict[Id, Row]()
    kind = prefix(body).kind
    if kind == "refused":
        effect, reason = "refused", reason_in(body)
    elif kind == "adjusted":
        effect = "set"
    else:
        effect = effect_of(body)
        if effect != "none":
            without = if_closed(stand, rules, known, engine)
            _done(going)
    before, after = (known.players | rows for rows in (without, going.changed))
    return Foretold(effect, reason, moves_of(before, after, rules, stand.position))


def refusal(stand: Stand, rules: Methodology, reach: Reach, item: Received, engine: Engine = "auto") -> str | None:
    """Why a pool that is told a command now refuses it; None where it does not. Nothing is computed again."""
    _, body = _told(stand, rules, reach, item, engine)
    return reason_in(body) if prefix(body).kind == "refused" else None


def _told(stand: Stand, rules: Methodology, reach: Reach, item: Received, engine: Engine) -> tuple[Folding, bytes]:
    """The fold behind a command, and the command's entry."""
    going = Folding(reach, stand, rules, engine)
    COMMANDS[item.command or ""](going, item)
    return going, going.written[0].body


def _done(going: Folding) -> dict[Id, Row]:
    """Closes the open period, and recomputes what waits for that; the rows that are others then."""
    stand = going.stand
    if going.rules.period.kind != "calendar":
        recompute(going, stand.at)
    elif stand.open_period != NEVER or stand.waiting_from:
        close(going, max(stand.open_period, stand.closed), stand.at)
    return going.changed
