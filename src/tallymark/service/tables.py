"""The service's own tables, in the ledger's database. Their first form and every change to it: `migrations/`."""

from typing import Final

from sqlalchemy import BigInteger, Column, LargeBinary, MetaData, String, Table

REVISION: Final = "0005"
"""The schema that this code reads and writes: the newest of `migrations/versions`."""
VERSION: Final = "service_version"
"""The table that says which revision the others have: a ledger has one of its own."""

META: Final = MetaData()

KEY: Final = Table(
    "api_key",
    META,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("scopes", String, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("expires", BigInteger),
    Column("revoked", BigInteger),
    sqlite_with_rowid=False,
)
"""Keys of the API: SHA-256 of the secret, scopes with spaces between, times in microseconds since 1970 UTC."""
