"""The tables of a ledger, the same on SQLite and PostgreSQL. Their first form and every change to it: `migrations/`.

What each is for: `pool`, `receipt`, `entry` and `head` are the truth. `inbox` holds what is received and not yet
folded. `rating`, `stair` and `closing` are projections: they can be dropped, and `rebuild` makes them again from the
entries.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Sequence,
    SmallInteger,
    String,
    Table,
    UniqueConstraint,
    text,
)

REVISION: Final = "0002"
"""The schema that this code reads and writes: the newest of `migrations/versions`."""

META: Final = MetaData(
    naming_convention={  # a later revision has to name what it drops
        "pk": "%(table_name)s_pk",
        "fk": "%(table_name)s_%(column_0_name)s_fk",
        "uq": "%(table_name)s_%(column_0_name)s_once",
    }
)
KEY: Final = String().with_variant(String(collation="C"), "postgresql")
"""Text that is looked up by its beginning: in the order of its bytes, whatever the language of the database."""
_BIG: Final = BigInteger().with_variant(Integer, "sqlite")  # only INTEGER PRIMARY KEY is SQLite's rowid

POOL: Final = Table(
    "pool",
    META,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False, unique=True),
)
"""The pools by number: players whose ratings are comparable."""

NUMBERS: Final = Sequence("receipt_number", metadata=META)
"""Where PostgreSQL takes the numbers of receipts from; SQLite has one writer, who counts on."""

RECEIPT: Final = Table(
    "receipt",
    META,
    Column("id", _BIG, primary_key=True, autoincrement=False),
    Column("pool", Integer, ForeignKey("pool.id"), nullable=False),
    Column("item", String, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("received", BigInteger, nullable=False),
    # In this order: with the pool first, PostgreSQL reads the whole pool's part of a young index.
    UniqueConstraint("item", "pool"),
)
"""What was received, for ever: the client's id of it, and SHA-256 of its content. `received` in microseconds."""

INBOX: Final = Table(
    "inbox",
    META,
    Column("pool", Integer, primary_key=True),
    Column("receipt", BigInteger, primary_key=True),
    Column("received", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""What waits for the rater, which deletes what it has folded."""

ENTRY: Final = Table(
    "entry",
    META,
    Column("pool", Integer, primary_key=True),
    Column("position", BigInteger, primary_key=True),
    Column("receipt", BigInteger, unique=True),
    Column("hash", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""Each pool's stream, from position 1 without a gap. The bytes are the entry; `hash` covers them and the one before."""

_MARKS: Final = (b'"kind":"opened"', b'"kind":"rules"', b'"kind":"corrected"')
NOTABLE: Final = {
    "sqlite": " OR ".join(f"instr(body, X'{mark.hex()}') > 0" for mark in _MARKS),
    "postgresql": " OR ".join(f"position('\\x{mark.hex()}'\\:\\:bytea in body) > 0" for mark in _MARKS),
}
"""Which entries are methodologies and corrections, and perhaps a match whose data has these words."""
ENTRY_NOTABLE: Final = Index(
    "entry_notable",
    ENTRY.c.pool,
    ENTRY.c.position,
    sqlite_where=text(NOTABLE["sqlite"]),
    postgresql_where=text(NOTABLE["postgresql"]),
)

HEAD: Final = Table(
    "head",
    META,
    Column("pool", Integer, ForeignKey("pool.id"), primary_key=True),
    Column("position", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("stand", LargeBinary, nullable=False),
)
"""The last entry of each pool, and where the fold stands after it (`fold.stand.Stand`)."""

RATING: Final = Table(
    "rating",
    META,
    Column("pool", Integer, primary_key=True),
    Column("player", KEY, primary_key=True),
    Column("state", LargeBinary, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("rated", SmallInteger, nullable=False),
    Column("games", BigInteger, nullable=False),
    Column("wins", BigInteger, nullable=False),
    Column("draws", BigInteger, nullable=False),
    Column("losses", BigInteger, nullable=False),
    Column("last_played", BigInteger, nullable=False),
    Column("established", SmallInteger, nullable=False),
    Column("peak", LargeBinary),
    Column("position", BigInteger, nullable=False),
    Column("settled", BigInteger, nullable=False),
    Column("rating", Float(53), nullable=False),
    Column("deviation", Float(53), nullable=False),
    Column("place", LargeBinary),
    Column("low", Float(53)),
    Column("provisional", SmallInteger, nullable=False, server_default="0"),
    Column("who", SmallInteger, nullable=False, server_default="0", info={"beside": True}),
    sqlite_with_rowid=False,
)
"""Where players stand: the exact state, rating and deviation on the display scale, and `place`, which orders boards
(`places.py`; NULL without a game: nobody is on a board then). `low`: the lower end of the interval of two deviations,
NULL where there is no place. `position`: the entry that the state is from; `settled`: the last one that settled a match
of theirs. `provisional`: by the rules in force, of the state as it stands. `who`: the code of the player's kind, 0
where it is not known; it stands beside the chain, and no rater writes it over."""

BOARD_ORDER: Final = Index(
    "rating_board", *(RATING.c[name] for name in ("pool", "who", "provisional", "place", "settled"))
)
"""A board is merged from its parts, one a kind of player and of rating."""
BOARD_RECENT: Final = Index(
    "rating_recent", *(RATING.c[name] for name in ("pool", "settled", "who", "provisional", "place"))
)
BOARD_LOW: Final = Index("rating_low", RATING.c.pool, RATING.c.low)

STAIR: Final = Table(
    "stair",
    META,
    Column("pool", Integer, primary_key=True),
    Column("measure", SmallInteger, primary_key=True),
    Column("start", Float(53), primary_key=True),
    Column("count", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""How many players of a board stand on each step of a stair of ratings, or of lower ends: from its start up to the
next one's. So that whoever is far down is ranked without a look at all who are above (`stairs.py`)."""

WINDOW: Final = Table(
    "closing_window",
    META,
    Column("pool", Integer, primary_key=True),
    Column("kind", SmallInteger, primary_key=True),
    Column("start", BigInteger, primary_key=True),
    Column("first", BigInteger, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("stand", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""Weeks and months that are over: when each began, in microseconds, its first entry, and the pool's head when it was
over (as in `head`)."""

CLOSING: Final = Table(
    "closing",
    META,
    Column("pool", Integer, primary_key=True),
    Column("kind", SmallInteger, primary_key=True),
    Column("start", BigInteger, primary_key=True),
    *(
        Column(
            column.name,
            column.type,
            primary_key=column.name == "player",
            nullable=column.nullable,
            server_default=column.server_default and "0",
        )
        for column in RATING.c
        if column.name != "pool"
    ),
    sqlite_with_rowid=False,
)
"""Where players stood when a window was over: rows of `rating` that were changed in it. A board of the window lists
those of them who have a match that was settled in it."""

CLOSING_ORDER: Final = Index(
    "closing_board",
    *(CLOSING.c[name] for name in ("pool", "kind", "start", "who", "provisional", "place", "settled")),
)

PLAYER: Final = Table(
    "player",
    META,
    Column("id", KEY, primary_key=True),
    Column("name", String),
    Column("contact", String),
    Column("kind", String),
    Column("owner", String),
    Column("sought", KEY),
    sqlite_with_rowid=False,
)
"""What is known of players besides their results, and can be forgotten: no entry has it. `sought`: the name without
the difference of capitals, by whose beginning players are found."""

PLAYER_SOUGHT: Final = Index("player_sought", PLAYER.c.sought)
