"""The first form: agents, tickets, matches, their records, and the halls that hold them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_FROZEN = "records of matches are never changed"
_WAITING = "state = 'waiting'"


def upgrade() -> None:
    """Makes the tables."""
    _agents()
    _tickets()
    _matches()
    op.create_table(
        "arena_hall",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="arena_hall_pk"),
        sqlite_with_rowid=False,
    )
    for statement in _POSTGRESQL if op.get_bind().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)


def _agents() -> None:
    op.create_table(
        "arena_agent",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="arena_agent_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "arena_release",
        sa.Column("agent", sa.String, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("algorithm", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("agent", "n", name="arena_release_pk"),
        sqlite_with_rowid=False,
    )


def _tickets() -> None:
    op.create_table(
        "arena_ticket",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), autoincrement=True, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("agent", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("joined", sa.BigInteger, nullable=False),
        sa.Column("holder", sa.String, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("match", sa.String),
        sa.PrimaryKeyConstraint("id", name="arena_ticket_pk"),
    )
    op.create_index(
        "arena_ticket_once",
        "arena_ticket",
        ["game", "agent"],
        unique=True,
        sqlite_where=sa.text(_WAITING),
        postgresql_where=sa.text(_WAITING),
    )
    op.create_index("arena_ticket_last", "arena_ticket", ["agent", "game", "id"])


def _matches() -> None:
    op.create_table(
        "arena_number",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game", name="arena_number_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "arena_match",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("pool", sa.String, nullable=False),
        sa.Column("rated", sa.SmallInteger, nullable=False),
        sa.Column("ruleset", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("holder", sa.String, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("reason", sa.String),
        sa.Column("position", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="arena_match_pk"),
        sa.UniqueConstraint("game", "number", name="arena_match_number_once"),
        sqlite_with_rowid=False,
    )
    op.create_index("arena_match_states", "arena_match", ["state", "game", "started"])
    op.create_index("arena_match_times", "arena_match", ["game", "started"])
    op.create_table(
        "arena_seat",
        sa.Column("match", sa.String, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False, autoincrement=False),
        sa.Column("agent", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("rating", sa.Float(53)),
        sa.Column("deviation", sa.Float(53)),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("rank", sa.SmallInteger),
        sa.Column("misses", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="arena_seat_pk"),
        sqlite_with_rowid=False,
    )
    op.create_index("arena_seat_agent", "arena_seat", ["agent", "started", "match"])
    op.create_table(
        "arena_record",
        sa.Column("match", sa.String, nullable=False),
        sa.Column("n", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match", "n", name="arena_record_pk"),
        sqlite_with_rowid=False,
    )


_SQLITE = (
    *(
        f"CREATE TRIGGER arena_record_no_{verb.lower()} BEFORE {verb} ON arena_record "
        f"BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END"
        for verb in ("UPDATE", "DELETE")
    ),
    # INSERT OR REPLACE deletes without a word to the triggers of DELETE.
    f"""CREATE TRIGGER arena_record_no_replace BEFORE INSERT ON arena_record
        WHEN EXISTS (SELECT 1 FROM arena_record WHERE "match" = NEW."match" AND n = NEW.n)
        BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END""",
)
_POSTGRESQL = (
    f"""CREATE FUNCTION tallymark_records_frozen() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{_FROZEN}'; END $$""",
    """CREATE TRIGGER arena_record_frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON arena_record
        FOR EACH STATEMENT EXECUTE FUNCTION tallymark_records_frozen()""",
)
