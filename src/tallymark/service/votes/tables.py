"""The tables of votes: what may be voted on, who votes how often, ballots, and what was chosen."""

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, SmallInteger, String, Table, UniqueConstraint

from tallymark.service.tables import META

SECRET: Final = Table(
    "secret",
    META,
    Column("name", String, primary_key=True),
    Column("value", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""What the service knows and tells nobody: 32 bytes of chance by name, made when they are first asked for."""

ITEM: Final = Table(
    "vote_item",
    META,
    Column("pool", Integer, primary_key=True),
    Column("n", BigInteger, primary_key=True),
    Column("item", String, nullable=False),
    Column("listed", SmallInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""What may be voted on in a pool: rows are added only, `n` from 1 without a gap, and an item's last one counts."""

ABOUT: Final = Table(
    "vote_about",
    META,
    Column("pool", Integer, primary_key=True),
    Column("item", String, primary_key=True),
    Column("text", String),
    Column("link", String),
    sqlite_with_rowid=False,
)
"""What people see of an item of a pool besides its name; NULL where there is nothing to see."""

VOTER: Final = Table(
    "voter",
    META,
    Column("voter", String, primary_key=True),
    Column("day", BigInteger, nullable=False),
    Column("votes", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""The last day (of UTC, counted from 1970) on which a voter voted, and how often. Its row is what a voter's ballots and
votes wait for in turn."""

BALLOT: Final = Table(
    "ballot",
    META,
    Column("id", String, primary_key=True),
    Column("pool", Integer, nullable=False),
    Column("voter", String, nullable=False),
    Column("pair", String, nullable=False),
    Column("left_item", String, nullable=False),
    Column("right_item", String, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    UniqueConstraint("voter", "pool", "pair", name="ballot_pair_once"),
    sqlite_with_rowid=False,
)
"""Ballots: two items by key, on the sides on which they are shown; `pair` is both in one order: a voter gets it once.
Times in microseconds since 1970 UTC."""

BALLOT_ORDER: Final = Index("ballot_of_voter", BALLOT.c.voter, BALLOT.c.pool, BALLOT.c.made)

VOTE: Final = Table(
    "vote",
    META,
    Column("ballot", String, primary_key=True),
    Column("choice", String, nullable=False),
    Column("voted", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""What was chosen on a ballot, and when. It is a match of the ledger, whose id is the ballot's."""
