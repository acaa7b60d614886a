"""What a match did to each of its players, and what was expected of it."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.played import Match, read_match
from tallymark.ledger.fold.rows import Row, columns_of, newcomer
from tallymark.ledger.reach import page
from tallymark.ledger.reading.states import told
from tallymark.ledger.rulebook import Rulebook
from tallymark.methodology import Methodology
from tallymark.replay import Snapshot
from tallymark.replay.columns import NEVER
from tallymark.replay.predicting import predict
from tallymark.replay.schedule import Head
from tallymark.systems import Rating


class Seat(NamedTuple):
    """A player of a match. `score`: the points won of all opponents together, and `expected`: what the methodology
    expected of that, from the states before; None where there is no result, or no change yet. `previous`: the position
    of the player's entry before, 0 where there is none."""

    player: Id
    score: float | None
    expected: float | None
    before: Rating | None
    after: Rating | None
    previous: int | None

    @property
    def change(self) -> float | None:
        """By how many points the rating changed."""
        return None if self.before is None or self.after is None else self.after.rating - self.before.rating


class Side(NamedTuple):
    """A side of a match, and how it did: the lower rank is the better; None where there is no result."""

    rank: float | None
    seats: tuple[Seat, ...]


def sides_of(match: Match) -> list[tuple[float | None, tuple[Id, ...]]]:
    """The sides of any match, with their ranks."""
    if match.sides:
        return [(side.rank, side.players) for side in match.sides]
    ranks: tuple[float | None, float | None] = (None, None)
    if match.score is not None:
        ranks = (1.0 + (match.score < 0.5), 1.0 + (match.score > 0.5))
    return [(ranks[0], (match.a,)), (ranks[1], (match.b,))]


def scores(match: Match) -> dict[Id, float]:
    """What each player won of the opponents; nothing where there is no result."""
    won: dict[Id, float] = {}
    for (rank, players), (other_rank, others) in combinations(sides_of(match), 2):
        if rank is None or other_rank is None:
            return {}
        score = 1.0 if rank < other_rank else 0.0 if rank > other_rank else 0.5
        if not match.sides and match.score is not None:
            score = match.score
        for player in players:
            won[player] = won.get(player, 0.0) + score * len(others)
        for player in others:
            won[player] = won.get(player, 0.0) + (1.0 - score) * len(players)
    return won


def rated_seats(connection: Connection, pool: int, entry: Entry, match: Match, rulebook: Rulebook) -> dict[Id, Seat]:
    """The seats of a match that was rated when it came: both states, exactly, and the score that was expected."""
    rules = rulebook.at(connection, pool, entries.prefix(entry.body).rules_at)
    won = scores(match)
    before: dict[Id, Row] = {}
    found: dict[Id, Seat] = {}
    for player, _, previous in entries.after_in(entry.body):
        after = told(entry.body, player, rules)
        assert after is not None
        row, rating = _stood(connection, pool, player, previous, rules, rulebook)
        before[player] = row
        found[player] = Seat(player, won.get(player), None, rating, after.rating, previous)
    expected = expected_of(rules, match, before)
    return {player: seat._replace(expected=expected[player]) for player, seat in found.items()}


def _stood(
    connection: Connection, pool: int, player: Id, previous: int, rules: Methodology, rulebook: Rulebook
) -> tuple[Row, Rating]:
    """A player's row before a match as far as predictions need it, and the rating as published."""
    new = newcomer(rules)
    if not previous:
        start = rules.initial()
        return new, start
    body = page(connection, pool, previous, previous)[0].body
    begins = entries.prefix(body)
    state = told(body, player, rulebook.at(connection, pool, begins.rules_at))
    assert state is not None
    last = NEVER
    if begins.kind == "rated":
        item = entries.item_in(body, "rated")
        assert item is not None
        last = read_match(item).played
    row = new._replace(mu=state.mu, phi2=state.phi2, sigma2=state.sigma2, last=last, last_played=last, rated=1, games=1)
    return row, state.rating


def expected_of(rules: Methodology, match: Match, before: Mapping[Id, Row]) -> dict[Id, float]:
    """The score that the methodology expected of each player, of all opponents together."""
    pairs = [(a, b) for (_, some), (_, others) in combinations(sides_of(match), 2) for a in some for b in others]
    table = predict(snapshot_of(rules, before, match.played), *zip(*pairs, strict=True), rules=rules)
    total = dict.fromkeys(before, 0.0)
    for (a, b), p in zip(pairs, table["p_a"].tolist(), strict=True):
        total[a] += p
        total[b] += 1.0 - p
    return total


def snapshot_of(rules: Methodology, rows: Mapping[Id, Row], last: int) -> Snapshot:
    """What a replay would go on from: these players, when the last game was played then. Who has no rating is new."""
    known = {player: row for player, row in rows.items() if row.rated}
    players: Sequence[Id] = list(known)
    state = columns_of([known[player] for player in players])
    head = Head(NEVER, NEVER, last, NEVER)
    arrays = type(state)(*(np.asarray(column) for column in state))
    return Snapshot(rules.id, rules.hash, [""], [head], [""] * len(players), list(players), arrays, None)
