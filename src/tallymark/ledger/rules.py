"""Methodologies by the entry that brought them into force: their whole text stands in it."""

from collections.abc import Mapping
from typing import Final

import orjson
from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.errors import LedgerError
from tallymark.ledger.tables import ENTRY
from tallymark.methodology import Methodology
from tallymark.methodology.loader import parse

_BODY: Final = select(ENTRY.c.body).where(ENTRY.c.pool == bindparam("of"), ENTRY.c.position == bindparam("at"))


class Rulebook:
    """Reads each methodology once: entries never change."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Methodology] = {}

    def at(self, connection: Connection, pool: int, position: int) -> Methodology:
        """The methodology that the entry at a position brought."""
        key = pool, position
        if key not in self._known:
            self._known[key] = rules_in(bytes(connection.scalars(_BODY, {"of": pool, "at": position}).one()), position)
        return self._known[key]


def rules_in(body: bytes, position: int) -> Methodology:
    """The methodology in an entry that brings one: the first of a pool, or a change."""
    told = orjson.loads(body)
    return rules_of(told.get("item", told), f"entry {position}")


def rules_of(told: Mapping[str, object], where: str) -> Methodology:
    """The methodology that is told; `LedgerError` where text and hash do not belong together."""
    text, given = told.get("text"), told.get("hash")
    if not isinstance(text, str) or not isinstance(given, str):
        raise LedgerError(f"{where} has no methodology", hint="expected its text and its hash")
    rules = parse(text, where)
    if rules.hash != given:
        raise LedgerError(
            f"{where} names methodology {given[:12]}, and its text has the hash {rules.hash[:12]}",
            hint="was it written by another version of tallymark?",
        )
    return rules
