"""What makes both databases refuse to change or delete an entry or a receipt."""

from typing import Final

from sqlalchemy import text
from sqlalchemy.engine import Connection

FROZEN: Final = "entries and receipts are never changed"

_SQLITE: Final = (
    *(
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, '{FROZEN}'); END"
        for table in ("entry", "receipt")
        for verb in ("UPDATE", "DELETE")
    ),
    # INSERT OR REPLACE deletes without a word to the triggers of DELETE. Each condition has its index.
    f"""CREATE TRIGGER entry_no_replace BEFORE INSERT ON entry
        WHEN EXISTS (SELECT 1 FROM entry WHERE pool = NEW.pool AND position = NEW.position)
          OR EXISTS (SELECT 1 FROM entry WHERE receipt = NEW.receipt)
        BEGIN SELECT RAISE(ABORT, '{FROZEN}'); END""",
)
_POSTGRESQL: Final = (
    f"""CREATE FUNCTION tallymark_frozen() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{FROZEN}'; END $$""",
    *(
        f"CREATE TRIGGER {table}_frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION tallymark_frozen()"
        for table in ("entry", "receipt")
    ),
    "CREATE SEQUENCE receipt_number",
)


def put_up(connection: Connection) -> None:
    """Creates the triggers, and the sequence that PostgreSQL numbers receipts by."""
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL:
        connection.execute(text(statement))
