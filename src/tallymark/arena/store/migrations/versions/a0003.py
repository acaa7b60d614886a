"""Benchmarks: the program that each agent is held to, which nobody changes; and how often it met whom."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_FROZEN = "programs of benchmarks are never changed"


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "arena_lock",
        sa.Column("agent", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("algorithm", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("configuration", sa.String, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("agent", "game", name="arena_lock_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "arena_met",
        sa.Column("agent", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("other", sa.String, nullable=False),
        sa.Column("times", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("agent", "game", "other", name="arena_met_pk"),
        sqlite_with_rowid=False,
    )
    for statement in _POSTGRESQL if op.get_bind().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)


_SQLITE = (
    *(
        f"CREATE TRIGGER arena_lock_no_{verb.lower()} BEFORE {verb} ON arena_lock "
        f"BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END"
        for verb in ("UPDATE", "DELETE")
    ),
    # INSERT OR REPLACE deletes without a word to the triggers of DELETE.
    f"""CREATE TRIGGER arena_lock_no_replace BEFORE INSERT ON arena_lock
        WHEN EXISTS (SELECT 1 FROM arena_lock WHERE agent = NEW.agent AND game = NEW.game)
        BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END""",
)
_POSTGRESQL = (
    f"""CREATE FUNCTION tallymark_locks_frozen() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{_FROZEN}'; END $$""",
    """CREATE TRIGGER arena_lock_frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON arena_lock
        FOR EACH STATEMENT EXECUTE FUNCTION tallymark_locks_frozen()""",
)
