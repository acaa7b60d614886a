"""The table of sessions."""

from typing import Final

from sqlalchemy import BigInteger, Column, LargeBinary, String, Table

from tallymark.service.tables import META

SESSION: Final = Table(
    "admin_session",
    META,
    Column("digest", LargeBinary, primary_key=True),
    Column("key_id", String, nullable=False),
    Column("expires", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Who is signed in on pages: SHA-256 of what the cookie holds, and the key; times in microseconds since 1970 UTC."""
