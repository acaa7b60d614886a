"""Matches of all games by their time, for lists of them; and how agents failed, not only how often."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Makes the index and the columns."""
    op.create_index("arena_match_latest", "arena_match", ["started", "id"])
    for way in ("timeout", "illegal", "disconnect"):
        op.add_column("arena_seat", sa.Column(way, sa.Integer, nullable=False, server_default="0"))
