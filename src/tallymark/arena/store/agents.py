"""Agents: who they are, whose, and what they say of their program."""

import re
from collections.abc import Collection
from typing import Final, Literal, NamedTuple, TypeAlias

from sqlalchemy import bindparam, func, insert, select, text
from sqlalchemy.engine import Connection

from tallymark.arena.games.digests import digest
from tallymark.arena.store.tables import AGENT, RELEASE
from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.ids import key_of
from tallymark.ledger.tables import POOL, RATING

Kind: TypeAlias = Literal["agent", "house"]
"""Somebody's program, or one of the site's own."""
_DIGEST: Final = re.compile("([0-9a-f]{64})?")
_ID: Final = re.compile("[a-z0-9][a-z0-9-]{0,39}")
HOUSE: Final = "house-"
"""What no other name begins with than those of house agents."""
LONGEST: Final = {"version": 200, "algorithm": 2000, "digest": 64}
"""Characters of what an agent says of its program, at most."""
RELEASES: Final = 1000
"""Programs of an agent, at most: everybody can see all of them."""
_AGENT: Final = select(AGENT).where(AGENT.c.id == bindparam("who"))
_KEPT: Final = _AGENT.with_for_update(key_share=True)
# Of two that say hello at once, one is first: the other finds it there.
_FIRST: Final = text(
    "INSERT INTO arena_agent (id, owner, kind, made) VALUES (:id, :owner, :kind, :made) ON CONFLICT DO NOTHING"
)
_RELEASES: Final = select(RELEASE).where(RELEASE.c.agent == bindparam("who")).order_by(RELEASE.c.n)


class Program(NamedTuple):
    """What an agent says of its program: a version, and, where it tells, its algorithm in words, and the hash of that
    algorithm or of the configuration that it runs with (64 hexadecimal digits)."""

    version: str = ""
    algorithm: str = ""
    digest: str = ""

    @property
    def configuration(self) -> str:
        """The configuration hash, which a benchmark holds an agent to: SHA-256 of all three as JSON, keys in order and
        no spaces (RFC 8785), by the names that a hello has them by.

        >>> Program("2").configuration[:16]
        '950f52fe0e1e52fa'
        """
        return digest({"version": self.version, "algorithm": self.algorithm, "configuration": self.digest})


class Agent(NamedTuple):
    """Who may play: `owner` is the name of the key that it says hello with. `kind`: agent, or house: the site's own."""

    id: str
    owner: str
    kind: Kind = "agent"
    program: Program = Program()


class Release(NamedTuple):
    """A program of an agent, and since when it is that (microseconds since 1970 UTC)."""

    program: Program
    since: int


def check(agent: Agent) -> None:
    """`InputError`: what is wrong with an agent's name or with what it says of itself.

    >>> check(Agent("ann-7", "ann"))
    """
    if not isinstance(agent.id, str) or not _ID.fullmatch(agent.id):
        raise InputError(
            f"agent is {shortened(agent.id)}; expected 1 to 40 of a-z, 0-9 and -, and no - at the beginning",
            field="agent",
        )
    if agent.id.startswith(HOUSE) != (agent.kind == "house"):
        raise InputError(
            f"agent is {shortened(agent.id)}; names of house agents, and of no others, begin with {HOUSE}",
            field="agent",
        )
    for field, told in zip(Program._fields, agent.program, strict=True):
        if (
            not isinstance(told, str)
            or len(told) > LONGEST[field]
            or not all(c.isprintable() or c == "\n" for c in told)
        ):
            raise InputError(
                f"{field} is {shortened(told)}; expected text of up to {LONGEST[field]:,} characters", field=field
            )
    if not _DIGEST.fullmatch(agent.program.digest):
        raise InputError(
            f"configuration is {shortened(agent.program.digest)}; expected 64 digits of 0-9 and a-f: a SHA-256",
            field="configuration",
        )


def register(connection: Connection, agent: Agent, now: int) -> None:
    """Keeps who an agent is, and its program where that is another one. `InputError` where it is somebody else's."""
    known = connection.execute(_AGENT, {"who": agent.id}).one_or_none()
    if known is None:
        connection.execute(_FIRST, {"id": agent.id, "owner": agent.owner, "kind": agent.kind, "made": now})
    # Until the transaction ends nobody else gives it a program: their numbers follow each other.
    known = connection.execute(_KEPT, {"who": agent.id}).one()
    if (known.owner, known.kind) != (agent.owner, agent.kind):
        raise InputError(f"agent {agent.id!r} is another's; expected a name of your own", field="agent")
    last = connection.execute(_RELEASES, {"who": agent.id}).all()
    if not last or Program(last[-1].version, last[-1].algorithm, last[-1].digest) != agent.program:
        if len(last) >= RELEASES:
            raise InputError(f"agent {agent.id!r} has had {RELEASES:,} programs, which is all it may", field="version")
        row = {"agent": agent.id, "n": len(last), "since": now, **agent.program._asdict()}
        connection.execute(insert(RELEASE), row)


def find(connection: Connection, agent: str) -> Agent | None:
    """An agent and its program as it is now; None where there is none of that name."""
    known = connection.execute(_AGENT, {"who": agent}).one_or_none()
    if known is None:
        return None
    return Agent(known.id, known.owner, known.kind, releases(connection, agent)[-1].program)


def owned(connection: Connection, owner: str) -> int:
    """How many agents an owner has registered."""
    return connection.scalar(select(func.count()).select_from(AGENT).where(AGENT.c.owner == owner)) or 0


def is_rated(connection: Connection, player: str, pools: Collection[str]) -> bool:
    """Whether somebody of that name has a rating in one of the pools."""
    rated = select(RATING.c.pool).join(POOL, POOL.c.id == RATING.c.pool)
    query = rated.where(RATING.c.player == key_of(player), POOL.c.name.in_(pools)).limit(1)
    return connection.scalar(query) is not None


def releases(connection: Connection, agent: str) -> list[Release]:
    """The programs that an agent has had, the first one first."""
    found = connection.execute(_RELEASES, {"who": agent})
    return [Release(Program(row.version, row.algorithm, row.digest), row.since) for row in found]
