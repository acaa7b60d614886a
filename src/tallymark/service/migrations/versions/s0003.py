"""What happened in a case stays: the database refuses to change or delete it."""

from alembic import op

revision = "0003"
down_revision = "0002"

_FROZEN = "cases and their events are never changed"
_TABLES = ("review_case", "case_event")


def upgrade() -> None:
    """Guards the tables of cases."""
    statements = _POSTGRESQL if op.get_bind().dialect.name == "postgresql" else _SQLITE
    for statement in statements:
        op.execute(statement)


_SQLITE = (
    *(
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END"
        for table in _TABLES
        for verb in ("UPDATE", "DELETE")
    ),
    # INSERT OR REPLACE deletes without a word to the triggers of DELETE.
    f"""CREATE TRIGGER review_case_no_replace BEFORE INSERT ON review_case
        WHEN EXISTS (SELECT 1 FROM review_case WHERE id = NEW.id)
          OR EXISTS (SELECT 1 FROM review_case WHERE once = NEW.once)
        BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END""",
    f"""CREATE TRIGGER case_event_no_replace BEFORE INSERT ON case_event
        WHEN EXISTS (SELECT 1 FROM case_event WHERE case_id = NEW.case_id AND n = NEW.n)
        BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END""",
)
_POSTGRESQL = (
    f"""CREATE FUNCTION tallymark_cases_frozen() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{_FROZEN}'; END $$""",
    *(
        f"CREATE TRIGGER {table}_frozen BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION tallymark_cases_frozen()"
        for table in _TABLES
    ),
)
