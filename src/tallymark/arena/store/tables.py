"""The arena's own tables, in the ledger's database. Their first form and every change to it: `migrations/`.

`record` is what happened in matches, and is never changed; neither is `lock`. The others say how things stand: each
move of a ticket or of a match is conditional on the state before. Times in microseconds since 1970 UTC.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    UniqueConstraint,
    text,
)

REVISION: Final = "0004"
"""The schema that this code reads and writes: the newest of `migrations/versions`."""
VERSION: Final = "arena_version"
"""The table that says which revision the others have: a ledger has one of its own."""

META: Final = MetaData()
_BIG: Final = BigInteger().with_variant(Integer, "sqlite")  # only INTEGER PRIMARY KEY is SQLite's rowid

AGENT: Final = Table(
    "arena_agent",
    META,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("made", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Who may play. `owner`: the name of the key that said the agent's first hello; `kind`: agent or house."""

RELEASE: Final = Table(
    "arena_release",
    META,
    Column("agent", String, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("version", String, nullable=False),
    Column("algorithm", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("since", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""What an agent says of itself, one row for each time that it said something else: its version, its algorithm in words
and the algorithm's hash. The one with the highest number is in force."""

LOCK: Final = Table(
    "arena_lock",
    META,
    Column("agent", String, primary_key=True),
    Column("game", String, primary_key=True),
    Column("version", String, nullable=False),
    Column("algorithm", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("configuration", String, nullable=False),
    Column("since", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""The program that an agent plays a benchmark with, as it joined first: written once. `configuration`: the hash of the
three before it."""

MET: Final = Table(
    "arena_met",
    META,
    Column("agent", String, primary_key=True),
    Column("game", String, primary_key=True),
    Column("other", String, primary_key=True),
    Column("times", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""How often an agent has met each standard opponent of a benchmark, in matches that were not aborted."""

NUMBER: Final = Table(
    "arena_number",
    META,
    Column("game", String, primary_key=True),
    Column("last", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""The last number that a match of each game got: numbers are never used again."""

TICKET: Final = Table(
    "arena_ticket",
    META,
    Column("id", _BIG, primary_key=True, autoincrement=True),
    Column("game", String, nullable=False),
    Column("agent", String, nullable=False),
    Column("state", String, nullable=False),
    Column("joined", BigInteger, nullable=False),
    Column("holder", String, nullable=False),
    Column("ended", BigInteger),
    Column("match", String),
)
"""Entries of queues: waiting, then matched or cancelled, once. `holder`: the hall that the agent is connected to."""
TICKET_ONCE: Final = Index(
    "arena_ticket_once",
    TICKET.c.game,
    TICKET.c.agent,
    unique=True,
    sqlite_where=text("state = 'waiting'"),
    postgresql_where=text("state = 'waiting'"),
)
"""An agent waits once for each game: the database says so, whoever asks."""
TICKET_LAST: Final = Index("arena_ticket_last", TICKET.c.agent, TICKET.c.game, TICKET.c.id)

MATCH: Final = Table(
    "arena_match",
    META,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("pool", String, nullable=False),
    Column("rated", SmallInteger, nullable=False),
    Column("ruleset", String, nullable=False),
    Column("state", String, nullable=False),
    Column("holder", String, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("ended", BigInteger),
    Column("reason", String),
    Column("position", BigInteger),
    UniqueConstraint("game", "number", name="arena_match_number_once"),
    sqlite_with_rowid=False,
)
"""Matches and how they stand. `rated`: 0 for exhibitions. `holder`: the hall that plays it. `seed`: nobody's business
until it is over. `position`: the entry of the pool that it became."""
MATCH_STATES: Final = Index("arena_match_states", MATCH.c.state, MATCH.c.game, MATCH.c.started)
MATCH_TIMES: Final = Index("arena_match_times", MATCH.c.game, MATCH.c.started)
MATCH_LATEST: Final = Index("arena_match_latest", MATCH.c.started, MATCH.c.id)
MATCH_LATEST_SO: Final = Index("arena_match_latest_so", MATCH.c.state, MATCH.c.started, MATCH.c.id)
"""For lists of matches in a state: without it, a page of a million would sort all of them."""

SEAT: Final = Table(
    "arena_seat",
    META,
    Column("match", String, primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("agent", String, nullable=False),
    Column("game", String, nullable=False),
    Column("version", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("rating", Float(53)),
    Column("deviation", Float(53)),
    Column("started", BigInteger, nullable=False),
    Column("rank", SmallInteger),
    Column("misses", Integer, nullable=False),
    Column("timeout", Integer, nullable=False, server_default="0"),
    Column("illegal", Integer, nullable=False, server_default="0"),
    Column("disconnect", Integer, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)
"""Who sits where. `version` and `digest`: of the agent's program then; `rating` and `deviation`: as shown at the start,
NULL in exhibitions; `rank`: 1 the best, NULL before the end and where there is no result; `misses`: how often
the agent failed, of which `timeout`, `illegal` and `disconnect` are the ways."""
SEAT_AGENT: Final = Index("arena_seat_agent", SEAT.c.agent, SEAT.c.started, SEAT.c.match)

RECORD: Final = Table(
    "arena_record",
    META,
    Column("match", String, primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""What happened in a match, one line of JSON each, from 0: written once."""

HALL: Final = Table(
    "arena_hall",
    META,
    Column("id", String, primary_key=True),
    Column("until", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""The halls that hold matches, and until when they do: whoever does not say that it is still there loses them."""
