"""Matches in a state by their time, for lists of them."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Makes the index."""
    op.create_index("arena_match_latest_so", "arena_match", ["state", "started", "id"])
