"""What Alembic runs: the revisions, on the connection and in the transaction that it is given."""

from alembic import context

from tallymark.arena.store.tables import VERSION

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION,
    # One transaction, on SQLite too: half a schema is never there.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
