"""What the rest of the service asks about the arena: whether a match or a player of a pool is one of it."""

from tallymark.arena.store import agents, matches
from tallymark.arena.store.matches import LIVE
from tallymark.games.ids import Id
from tallymark.service.arena.here import NAME
from tallymark.service.state import Service


def was_played(service: Service, pool: str, match: Id) -> str | None:
    """The match of the arena that a match of a pool is; None where it is none."""
    if service.arena is None or not isinstance(match, str) or not NAME.fullmatch(match):
        return None
    with service.ledger.store.reading() as connection:
        found = matches.find(connection, match)
    if found is None or not found.rated or found.pool != pool:
        return None
    taken = found.state == LIVE or (found.state == "settled" and found.position is None)
    return None if taken else match  # somebody else has put a match there under its id


def is_agent(service: Service, player: Id) -> str | None:
    """The agent that a player is; None where it is none."""
    if service.arena is None or not isinstance(player, str) or not NAME.fullmatch(player):
        return None
    with service.ledger.store.reading() as connection:
        return None if agents.find(connection, player) is None else player
