"""What is told of items besides their names."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Makes the table."""
    op.create_table(
        "vote_about",
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("item", sa.String, nullable=False),
        sa.Column("text", sa.String),
        sa.Column("link", sa.String),
        sa.PrimaryKeyConstraint("pool", "item", name="vote_about_pk"),
        sqlite_with_rowid=False,
    )
