"""States as entries have them, read back."""

from typing import NamedTuple

from tallymark.fixedpoint.felt import unpack
from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import State
from tallymark.ledger.fold.played import Match, called, read_match
from tallymark.ledger.fold.rows import DOUBLES, Row, displayed, newcomer, of_felt
from tallymark.ledger.orders import read
from tallymark.methodology import Methodology
from tallymark.methodology.limits import shown
from tallymark.replay.columns import NEVER
from tallymark.systems import Rating


class Told(NamedTuple):
    """A player's state in an entry, as published, where numbers age as they were after the last result; and as the fold
    has it. `place` among the players of the entry, and the position of the player's entry `before`, 0 where there is
    none."""

    rating: Rating
    mu: float
    phi2: float
    sigma2: float
    place: int
    before: int


def rated_match(body: bytes) -> Match:
    """The match of a `rated` entry, as it was rated: with everybody under the id whose results these are."""
    item = entries.item_in(body, "rated")
    assert item is not None
    names = entries.called_in(body)
    match = read_match(item)
    renamed = called(match, lambda player: names.get(player, player)) if names else match
    assert renamed is not None
    return renamed


def told(body: bytes, player: Id, rules: Methodology) -> Told | None:
    """The state of a player in an entry under its methodology; None where the entry has none of that player."""
    kind = entries.prefix(body).kind
    if kind == "imported":
        item = entries.item_in(body, kind)
        assert item is not None
        row = read.imported(item, rules).get(player)
        return None if row is None else _told(row, rules, 0, 0)
    for place, (who, state, before) in enumerate(entries.after_in(body)):
        if who == player and type(who) is type(player):
            return of_state(state, rules, place, before)
    return None


def everybody(body: bytes, rules: Methodology) -> dict[Id, Told]:
    """The states of all players in an entry, in its order."""
    kind = entries.prefix(body).kind
    if kind == "imported":
        item = entries.item_in(body, kind)
        assert item is not None
        return {player: _told(row, rules, 0, 0) for player, row in read.imported(item, rules).items()}
    return {
        player: of_state(state, rules, place, before)
        for place, (player, state, before) in enumerate(entries.after_in(body))
    }


def of_state(state: State, rules: Methodology, place: int, before: int) -> Told:
    """A state as entries have it."""
    numbers = rules.numbers
    if isinstance(state, list):
        r, d, v = state
        rating = Rating(
            r / numbers.rating_multiplier, d / numbers.deviation_multiplier, v / numbers.volatility_multiplier
        )
        return Told(rating, *rules.entered(rating), place, before)
    if numbers.exact:
        return _told(of_felt(unpack(int(state, 16)), newcomer(rules), NEVER), rules, place, before)
    mu, phi2, sigma2 = DOUBLES.unpack(bytes.fromhex(state))
    return Told(Rating(*shown(mu, phi2, sigma2, rules.limits)), mu, phi2, sigma2, place, before)


def _told(row: Row, rules: Methodology, place: int, before: int) -> Told:
    return Told(Rating(*displayed(row, rules)), row.mu, row.phi2, row.sigma2, place, before)
