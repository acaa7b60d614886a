"""Boards by kind, provisional or not, and of the last days; ranks without a look at all; players found by name."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.people import recognised, sought
from tallymark.ledger.ratings import lower, provisional, row_of
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.stairs import built
from tallymark.ledger.tables import CLOSING, HEAD, RATING, WINDOW
from tallymark.methodology import Methodology

revision = "0002"
down_revision = "0001"

_BOARD = ("who", "provisional", "place", "settled")


def upgrade() -> None:
    """Adds columns, indexes and the stairs, and fills them from what is there."""
    op.drop_index("rating_board", "rating")
    op.drop_index("closing_board", "closing")
    for table in ("rating", "closing"):
        op.add_column(table, sa.Column("low", sa.Float(53)))
        for name in ("provisional", "who"):
            op.add_column(table, sa.Column(name, sa.SmallInteger, nullable=False, server_default="0"))
    key = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    op.add_column("player", sa.Column("sought", key))
    if op.get_bind().dialect.name == "postgresql":
        for table, name in (("rating", "player"), ("closing", "player"), ("player", "id")):
            op.alter_column(table, name, type_=sa.String(collation="C"))
    op.create_table(
        "stair",
        sa.Column("pool", sa.Integer, nullable=False),
        sa.Column("measure", sa.SmallInteger, nullable=False),
        sa.Column("start", sa.Float(53), nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("pool", "measure", "start", name="stair_pk"),
        sqlite_with_rowid=False,
    )
    _fill(op.get_bind())
    op.create_index("rating_board", "rating", ["pool", *_BOARD])
    op.create_index("rating_recent", "rating", ["pool", "settled", "who", "provisional", "place"])
    op.create_index("rating_low", "rating", ["pool", "low"])
    op.create_index("closing_board", "closing", ["pool", "kind", "start", *_BOARD])
    op.create_index("player_sought", "player", ["sought"])
    marks = [f'"kind":"{kind}"'.encode().hex() for kind in ("opened", "rules", "corrected")]
    on_sqlite = " OR ".join(f"instr(body, X'{mark}') > 0" for mark in marks)
    on_postgresql = " OR ".join(f"position('\\x{mark}'\\:\\:bytea in body) > 0" for mark in marks)
    op.create_index(
        "entry_notable",
        "entry",
        ["pool", "position"],
        sqlite_where=sa.text(on_sqlite),
        postgresql_where=sa.text(on_postgresql),
    )


def _fill(connection: sa.Connection) -> None:
    rulebook = Rulebook()
    for name, key in connection.execute(sa.text("SELECT name, id FROM player WHERE name IS NOT NULL")).all():
        told = {"sought": sought(name), "id": key}
        connection.execute(sa.text("UPDATE player SET sought = :sought WHERE id = :id"), told)
    for head in connection.execute(sa.select(HEAD)).all():
        _judge(connection, RATING, head, rulebook, RATING.c.pool == head.pool)
        built(connection, head.pool)
    for week in connection.execute(sa.select(WINDOW)).all():
        of = CLOSING.c.pool == week.pool, CLOSING.c.kind == week.kind, CLOSING.c.start == week.start
        _judge(connection, CLOSING, week, rulebook, *of)
    for table in (RATING, CLOSING):
        recognised(connection, table)


def _judge(
    connection: sa.Connection, table: sa.Table, head: sa.Row[Any], rulebook: Rulebook, *of: sa.ColumnElement[bool]
) -> None:
    """Fills the columns of rows as they stood at a head."""
    stand = Stand.of(head.position, bytes(head.hash), bytes(head.stand))
    rules = rulebook.at(connection, head.pool, stand.rules_at)
    found = connection.execute(sa.select(table).where(*of)).all()
    if found:
        which = sa.update(table).where(*of, table.c.player == sa.bindparam("who_"))
        filled = which.values(low=sa.bindparam("low_"), provisional=sa.bindparam("provisional_"))
        connection.execute(filled, [_values(row, rules) for row in found])


def _values(row: sa.Row[Any], rules: Methodology) -> dict[str, object]:
    told = row_of(row, rules)
    return {
        "who_": row.player,
        "low_": None if row.place is None else lower(row.rating, row.deviation),
        "provisional_": int(provisional(told.phi2, told.games, rules)),
    }
