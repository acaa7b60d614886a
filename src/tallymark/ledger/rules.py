"""Methodologies in the entries that brought them into force: their whole text stands there."""

from collections.abc import Mapping

import orjson

from tallymark.errors import LedgerError
from tallymark.methodology import Methodology
from tallymark.methodology.loader import parse


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
