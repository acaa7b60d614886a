"""The tables of cases. Rows are added and never changed: a case is the list of what happened in it."""

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, SmallInteger, String, Table, UniqueConstraint

from tallymark.service.tables import META

CASE: Final = Table(
    "review_case",
    META,
    Column("id", String, primary_key=True),
    Column("pool", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("item", String),
    Column("player", String),
    Column("record", LargeBinary, nullable=False),
    Column("once", String),
    UniqueConstraint("once", name="review_case_once"),
    sqlite_with_rowid=False,
)
"""What a case is about: a match (`item`, by key) or a player, and in `record` what the ledger said of it when the case
was opened. `once`: what there is to be one case of, for ever."""

CASE_ORDER: Final = Index("review_case_about", CASE.c.pool, CASE.c.item, CASE.c.player)

EVENT: Final = Table(
    "case_event",
    META,
    Column("case_id", String, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("action", String, nullable=False),
    Column("state", String, nullable=False),
    Column("due", SmallInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by", String, nullable=False),
    Column("why", String, nullable=False),
    Column("data", LargeBinary),
    sqlite_with_rowid=False,
)
"""What happened in a case, from 1 without a gap: who did what, when (microseconds since 1970 UTC) and why, the state
after it, and whether an approved adjustment is to be told to the ledger (`due`)."""

FOLLOWED: Final = Table(
    "followed",
    META,
    Column("pool", Integer, primary_key=True, autoincrement=False),
    Column("position", BigInteger, nullable=False),
)
"""Up to which entry of each pool volatilities were looked at."""
