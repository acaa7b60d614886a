"""The arena of a service that has one."""

from collections.abc import Iterator
from contextlib import contextmanager

from tallymark.arena.games.catalogue import benchmarks, games
from tallymark.arena.games.face import Game
from tallymark.arena.hall import pools
from tallymark.arena.hall.connection import Limits
from tallymark.arena.hall.hall import Hall
from tallymark.arena.hall.measuring import Measure
from tallymark.arena.house.seating import seat
from tallymark.arena.house.thinking import Thinking
from tallymark.ledger.ledger import Ledger
from tallymark.service.settings import Settings


def check(ledger: Ledger) -> None:
    """`InputError` where there can be no arena on a ledger: a pool of its own is somebody else's there."""
    pools.check(ledger, _every())


@contextmanager
def playing(ledger: Ledger, settings: Settings, measure: Measure) -> Iterator[Hall]:
    """A hall with every game, every benchmark and the house agents, at work as long as the block lasts; then what is
    played is aborted (E3). `measure`: is told what every turn of it came to."""
    limits = Limits(connections=settings.connected_agents, agents=settings.registered_agents)
    with Thinking() as thinking, Hall(ledger, _every(), limits=limits, measure=measure) as hall, hall.running():
        seat(hall, thinking)
        yield hall


def _every() -> tuple[Game, ...]:
    return (*games(), *benchmarks())
