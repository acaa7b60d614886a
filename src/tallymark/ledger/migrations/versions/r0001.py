"""The first form of a ledger: pools, receipts, inbox, entries, heads, ratings, and what keeps entries unchanged."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_FROZEN = "entries and receipts are never changed"


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "pool",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pool_pk"),
        sa.UniqueConstraint("name", name="pool_name_once"),
    )
    op.create_table(
        "receipt",
        sa.Column("id", _BIG, nullable=False, autoincrement=False),
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("item", sa.String, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("received", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="receipt_pk"),
        sa.UniqueConstraint("item", "pool", name="receipt_item_once"),
        sa.ForeignKeyConstraint(["pool"], ["pool.id"], name="receipt_pool_fk"),
    )
    op.create_table(
        "inbox",
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("receipt", sa.BigInteger, nullable=False),
        sa.Column("received", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("pool", "receipt", name="inbox_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "entry",
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("receipt", sa.BigInteger),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("pool", "position", name="entry_pk"),
        sa.UniqueConstraint("receipt", name="entry_receipt_once"),
    )
    op.create_table(
        "head",
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("stand", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("pool", name="head_pk"),
        sa.ForeignKeyConstraint(["pool"], ["pool.id"], name="head_pool_fk"),
    )
    op.create_table(
        "rating",
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("rated", sa.SmallInteger, nullable=False),
        sa.Column("games", sa.BigInteger, nullable=False),
        sa.Column("wins", sa.BigInteger, nullable=False),
        sa.Column("draws", sa.BigInteger, nullable=False),
        sa.Column("losses", sa.BigInteger, nullable=False),
        sa.Column("last_played", sa.BigInteger, nullable=False),
        sa.Column("established", sa.SmallInteger, nullable=False),
        sa.Column("peak", sa.LargeBinary),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("settled", sa.BigInteger, nullable=False),
        sa.Column("rating", sa.Float(53), nullable=False),
        sa.Column("deviation", sa.Float(53), nullable=False),
        sa.Column("place", sa.LargeBinary),
        sa.PrimaryKeyConstraint("pool", "player", name="rating_pk"),
        sqlite_with_rowid=False,
    )
    op.create_index("rating_board", "rating", ["pool", "place"])
    _projections()
    for statement in _SQLITE if op.get_bind().dialect.name == "sqlite" else _POSTGRESQL:
        op.execute(statement)


def _projections() -> None:
    """Boards of windows that are over; and players, who are in no entry."""
    op.create_table(
        "closing_window",
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("kind", sa.SmallInteger, nullable=False),
        sa.Column("start", sa.BigInteger, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("stand", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("pool", "kind", "start", name="closing_window_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "closing",
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("kind", sa.SmallInteger, nullable=False),
        sa.Column("start", sa.BigInteger, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("rated", sa.SmallInteger, nullable=False),
        sa.Column("games", sa.BigInteger, nullable=False),
        sa.Column("wins", sa.BigInteger, nullable=False),
        sa.Column("draws", sa.BigInteger, nullable=False),
        sa.Column("losses", sa.BigInteger, nullable=False),
        sa.Column("last_played", sa.BigInteger, nullable=False),
        sa.Column("established", sa.SmallInteger, nullable=False),
        sa.Column("peak", sa.LargeBinary),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("settled", sa.BigInteger, nullable=False),
        sa.Column("rating", sa.Float(53), nullable=False),
        sa.Column("deviation", sa.Float(53), nullable=False),
        sa.Column("place", sa.LargeBinary),
        sa.PrimaryKeyConstraint("pool", "kind", "start", "player", name="closing_pk"),
        sqlite_with_rowid=False,
    )
    op.create_index("closing_board", "closing", ["pool", "kind", "start", "place"])
    op.create_table(
        "player",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("name", sa.String),
        sa.Column("contact", sa.String),
        sa.Column("kind", sa.String),
        sa.Column("owner", sa.String),
        sa.PrimaryKeyConstraint("id", name="player_pk"),
        sqlite_with_rowid=False,
    )


_SQLITE = (
    *(
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END"
        for table in ("entry", "receipt")
        for verb in ("UPDATE", "DELETE")
    ),
    # INSERT OR REPLACE deletes without a word to the triggers of DELETE. Each condition has an index of its own.
    f"""CREATE TRIGGER entry_no_replace BEFORE INSERT ON entry
        WHEN EXISTS (SELECT 1 FROM entry WHERE pool = NEW.pool AND position = NEW.position)
          OR EXISTS (SELECT 1 FROM entry WHERE receipt = NEW.receipt)
        BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END""",
    f"""CREATE TRIGGER receipt_no_replace BEFORE INSERT ON receipt
        WHEN EXISTS (SELECT 1 FROM receipt WHERE id = NEW.id)
          OR EXISTS (SELECT 1 FROM receipt WHERE item = NEW.item AND pool = NEW.pool)
        BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END""",
)
_POSTGRESQL = (
    "CREATE SEQUENCE receipt_number",
    f"""CREATE FUNCTION tallymark_frozen() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{_FROZEN}'; END $$""",
    *(
        f"CREATE TRIGGER {table}_frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION tallymark_frozen()"
        for table in ("entry", "receipt")
    ),
)
