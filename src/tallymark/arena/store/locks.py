"""The programs that benchmarks hold agents to: the one that each joined with first, written once."""

from typing import Any, Final, NamedTuple

from sqlalchemy import Row, bindparam, select, text
from sqlalchemy.engine import Connection

from tallymark.arena.store.agents import Agent, Program
from tallymark.arena.store.tables import LOCK


class Lock(NamedTuple):
    """An agent's program in a benchmark, and since when (microseconds since 1970 UTC). `configuration`: its hash, as it
    was written then."""

    agent: str
    game: str
    program: Program
    configuration: str
    since: int


_OF: Final = select(LOCK).where(LOCK.c.agent == bindparam("who")).order_by(LOCK.c.game)
_ONE: Final = _OF.where(LOCK.c.game == bindparam("in_"))
# Of two processes that are joined at once, one is first: the other finds its program there.
_FIRST: Final = text(
    "INSERT INTO arena_lock (agent, game, version, algorithm, digest, configuration, since) "
    "VALUES (:agent, :game, :version, :algorithm, :digest, :configuration, :since) ON CONFLICT DO NOTHING"
)


def locked(connection: Connection, agent: Agent, game: str, now: int) -> Lock:
    """What a benchmark holds an agent to: the program that it has now, where it never joined before."""
    wanted = {"who": agent.id, "in_": game}
    found = connection.execute(_ONE, wanted).one_or_none()
    if found is None:
        row = {"agent": agent.id, "game": game, **agent.program._asdict(), "since": now}
        connection.execute(_FIRST, row | {"configuration": agent.program.configuration})
        found = connection.execute(_ONE, wanted).one()
    return _lock(found)


def of_agent(connection: Connection, agent: str) -> list[Lock]:
    """The benchmarks that an agent has joined, by name, and with which program it plays each."""
    return [_lock(row) for row in connection.execute(_OF, {"who": agent})]


def _lock(row: "Row[*tuple[Any, ...]]") -> Lock:
    program = Program(row.version, row.algorithm, row.digest)
    return Lock(row.agent, row.game, program, row.configuration, row.since)
