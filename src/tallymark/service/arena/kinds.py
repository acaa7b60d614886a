"""What pools are for, where an arena plays in them."""

from collections.abc import Mapping

from tallymark.arena.games.face import PoolKind
from tallymark.service.state import Service


def kinds_of(service: Service) -> Mapping[str, PoolKind]:
    """The kind of each pool that the arena of this service plays in; other pools are not there."""
    hall = service.arena
    return {} if hall is None else {game.pool: game.kind for game in hall.games.values()}
