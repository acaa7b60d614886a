"""Votes (a secret, items, voters, ballots, votes) and cases."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Makes the tables."""
    _votes()
    _cases()


def _votes() -> None:
    op.create_table(
        "secret",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="secret_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "vote_item",
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("n", sa.BigInteger, nullable=False),
        sa.Column("item", sa.String, nullable=False),
        sa.Column("listed", sa.SmallInteger, nullable=False),
        sa.PrimaryKeyConstraint("pool", "n", name="vote_item_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "voter",
        sa.Column("voter", sa.String, nullable=False),
        sa.Column("day", sa.BigInteger, nullable=False),
        sa.Column("votes", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("voter", name="voter_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ballot",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("voter", sa.String, nullable=False),
        sa.Column("pair", sa.String, nullable=False),
        sa.Column("left_item", sa.String, nullable=False),
        sa.Column("right_item", sa.String, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="ballot_pk"),
        sa.UniqueConstraint("voter", "pool", "pair", name="ballot_pair_once"),
        sqlite_with_rowid=False,
    )
    op.create_index("ballot_of_voter", "ballot", ["voter", "pool", "made"])
    op.create_table(
        "vote",
        sa.Column("ballot", sa.String, nullable=False),
        sa.Column("choice", sa.String, nullable=False),
        sa.Column("voted", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("ballot", name="vote_pk"),
        sqlite_with_rowid=False,
    )


def _cases() -> None:
    op.create_table(
        "review_case",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("item", sa.String),
        sa.Column("player", sa.String),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.Column("once", sa.String),
        sa.PrimaryKeyConstraint("id", name="review_case_pk"),
        sa.UniqueConstraint("once", name="review_case_once"),
        sqlite_with_rowid=False,
    )
    op.create_index("review_case_about", "review_case", ["pool", "item", "player"])
    op.create_table(
        "case_event",
        sa.Column("case_id", sa.String, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("due", sa.SmallInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("why", sa.String, nullable=False),
        sa.Column("data", sa.LargeBinary),
        sa.PrimaryKeyConstraint("case_id", "n", name="case_event_pk"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "followed",
        sa.Column("pool", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("pool", name="followed_pk"),
    )
