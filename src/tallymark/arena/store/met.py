"""Which standard opponents agents have met in benchmarks, and how often: counted as matches begin, so that nobody who
waits has to wait for a count of thousands."""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select, text
from sqlalchemy.engine import Connection

from tallymark.arena.store.tables import MET


class Meeting(NamedTuple):
    """An agent meets another in a match of a game."""

    agent: str
    game: str
    other: str


_ADD: Final = text(
    "INSERT INTO arena_met (agent, game, other, times) VALUES (:agent, :game, :other, 1) "
    "ON CONFLICT (agent, game, other) DO UPDATE SET times = arena_met.times + 1"
)
_TAKE_BACK: Final = text(
    "UPDATE arena_met SET times = times - 1 WHERE (agent, game, other) IN ("
    "SELECT one.agent, one.game, two.agent FROM arena_seat AS one "
    'JOIN arena_seat AS two ON two."match" = one."match" AND two.seat <> one.seat WHERE one."match" = :which)'
)
_OF: Final = select(MET.c.agent, MET.c.other, MET.c.times).where(
    MET.c.agent.in_(bindparam("who", expanding=True)), MET.c.game == bindparam("in_")
)


def add(connection: Connection, meetings: Iterable[Meeting]) -> None:
    """Matches begin that count as met."""
    rows = [one._asdict() for one in sorted(meetings)]  # in one order, for two halls that do so at once
    if rows:
        connection.execute(_ADD, rows)


def take_back(connection: Connection, match: str) -> None:
    """A match is aborted: it does not count, if it did."""
    connection.execute(_TAKE_BACK, {"which": match})


def of(connection: Connection, game: str, agents: Collection[str]) -> dict[str, dict[str, int]]:
    """Whom each of these agents has met in a game, and how often."""
    found: dict[str, dict[str, int]] = {agent: {} for agent in agents}
    for agent, other, times in connection.execute(_OF, {"in_": game, "who": list(found)}):
        found[agent][other] = times
    return found
