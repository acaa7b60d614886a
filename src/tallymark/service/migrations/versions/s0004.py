"""Sessions of those who are signed in on pages."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Makes the table."""
    op.create_table(
        "admin_session",
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("key_id", sa.String, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="admin_session_pk"),
        sqlite_with_rowid=False,
    )
