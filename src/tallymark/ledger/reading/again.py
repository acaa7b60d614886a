"""What was computed again: each recomputation of a pool, and for which late matches and corrections."""

import threading
from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

import orjson
from sqlalchemy import TextClause, text
from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.games.times.iso import EPOCH, MICROSECOND
from tallymark.ledger import entries
from tallymark.ledger.fold.played import read_match
from tallymark.ledger.reach import as_bytes
from tallymark.ledger.reading.effects import bodies
from tallymark.ledger.reading.notable import Corrected, Notable
from tallymark.ledger.rulebook import Rulebook

_MARK: Final = b'"kind":"restated"'
_QUERIES: Final[dict[str, TextClause]] = {
    dialect: text(
        "SELECT position, body FROM entry WHERE pool = :of AND position > :since AND position <= :until"
        f" AND {condition} > 0 ORDER BY position"
    )
    for dialect, condition in (
        ("sqlite", f"instr(body, X'{_MARK.hex()}')"),
        ("postgresql", f"position('\\x{_MARK.hex()}'\\:\\:bytea in body)"),
    )
}


class Cause(NamedTuple):
    """A late match or a correction for which everything was computed again.

    `position` is that of its entry; `what` is `late`, or what the correction says; `matches` are those that it names,
    `players` those of the late match, or those who were merged or parted. `reason` and `approvers`: of a correction.
    """

    position: int
    what: str
    matches: tuple[Id, ...]
    players: tuple[Id, ...]
    reason: str | None = None
    approvers: tuple[str, ...] = ()


class Recomputation(NamedTuple):
    """An entry that says that everything was computed again, and for what; the states that changed stand in chunks
    behind it."""

    position: int
    at: datetime
    chunks: int
    causes: tuple[Cause, ...]


class Again:
    """What was read of the recomputations of all pools: entries never change.

    No index has them. They are looked for in pools alone whose rules ever computed again, of which every recomputation
    went through all entries too; and among entries that are new since.
    """

    def __init__(self, notable: Notable) -> None:
        self._notable = notable
        self._lock = threading.Lock()
        self._read: dict[int, int] = {}
        self._found: dict[int, list[Recomputation]] = {}

    def of(self, connection: Connection, pool: int, until: int, rulebook: Rulebook) -> list[Recomputation]:
        """The recomputations of a pool, the first one first, up to an entry."""
        rules = self._notable.rules(connection, pool, until)
        if all(rulebook.at(connection, pool, one.position).period.late != "recompute" for one in rules):
            return []
        with self._lock:
            since = self._read.get(pool, 0)
            if since < until:
                among = {"of": pool, "since": since, "until": until}
                rows = connection.execute(_QUERIES[connection.dialect.name], among)
                # All of it before any is kept: what breaks off is read from the same place again.
                found = [one for at, body in rows for one in self._taken(connection, pool, at, as_bytes(body))]
                self._found.setdefault(pool, []).extend(found)
                self._read[pool] = until
            return [one for one in self._found[pool] if one.position <= until]

    def _taken(self, connection: Connection, pool: int, position: int, body: bytes) -> Iterator[Recomputation]:
        begins = entries.prefix(body)
        if begins.kind != "restated":  # a match whose data has these words
            return
        told = orjson.loads(body)
        corrected = {one.position: one for one in self._notable.all(connection, pool, position)}
        late = [at for at in told["late"] if at not in corrected]
        matches = dict(bodies(connection, pool, late))
        causes = (_correction(corrected[at]) if at in corrected else _late(at, matches[at]) for at in told["late"])
        yield Recomputation(position, EPOCH + begins.at * MICROSECOND, int(told["chunks"]), tuple(causes))


def _correction(one: Corrected) -> Cause:
    says = one.says
    players = says.merged or (() if says.parted is None else (says.parted,))
    return Cause(one.position, one.what, says.matches, players, one.reason, one.approvers)


def _late(position: int, body: bytes) -> Cause:
    item = entries.item_in(body, "accepted")
    assert item is not None
    match = read_match(item)
    return Cause(position, "late", (match.id,), match.people)
