"""Entries that few are and that many ask for: corrections, by the matches they name, and methodologies.

An index knows where they are. What was read of them stays read: entries never change.
"""

import threading
from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.engine import Connection

from tallymark.games.ids import Id
from tallymark.games.times.iso import EPOCH, MICROSECOND
from tallymark.ledger import entries
from tallymark.ledger.fold.played import Match
from tallymark.ledger.orders import read
from tallymark.ledger.tables import NOTABLE

_QUERIES: Final[dict[str, TextClause]] = {
    dialect: text(
        "SELECT position, body FROM entry WHERE pool = :of AND position > :since AND position <= :until"
        f" AND ({condition}) ORDER BY position"
    ).bindparams(bindparam("of"))
    for dialect, condition in NOTABLE.items()
}


class Corrected(NamedTuple):
    """A correction: what it says (annul, restore or change a match; merge or part a player), and who answers for it.

    `effect`: none, open-period or recompute, as the methodology's `late` has it. `match`: the content that it gives;
    `says`: all that it is about.
    """

    position: int
    at: datetime
    what: str
    effect: str
    reason: str
    case: str | None
    approvers: tuple[str, ...]
    match: Match | None
    says: read.Correction


class Ruled(NamedTuple):
    """A methodology that a pool was given: the entry that has its text, and when that was settled. In calendar pools it
    is in force from the next period on."""

    position: int
    at: datetime
    methodology: str
    hash: str


class Notable:
    """What was read of the corrections and the methodologies of all pools."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read: dict[int, int] = {}
        self._all: dict[int, list[Corrected]] = {}
        self._by_match: dict[tuple[int, Id, bool], list[Corrected]] = {}
        self._rules: dict[int, list[Ruled]] = {}

    def corrections(self, connection: Connection, pool: int, until: int, match: Id) -> list[Corrected]:
        """The corrections that name a match, up to an entry."""
        self._follow(connection, pool, until)
        key = pool, match, isinstance(match, str)
        return [one for one in self._by_match.get(key, ()) if one.position <= until]

    def all(self, connection: Connection, pool: int, until: int) -> list[Corrected]:
        """The corrections of a pool, the first one first, up to an entry."""
        self._follow(connection, pool, until)
        return [one for one in self._all.get(pool, ()) if one.position <= until]

    def rules(self, connection: Connection, pool: int, until: int) -> list[Ruled]:
        """The methodologies of a pool, the first one first, up to an entry."""
        self._follow(connection, pool, until)
        return [one for one in self._rules[pool] if one.position <= until]

    def _follow(self, connection: Connection, pool: int, until: int) -> None:
        with self._lock:
            since = self._read.get(pool, 0)
            if since >= until:
                return
            among = {"of": pool, "since": since, "until": until}
            rows = connection.execute(_QUERIES[connection.dialect.name], among)
            # All of it before any is kept: what breaks off is read from the same place again.
            for one in [_read(position, bytes(body)) for position, body in rows]:
                self._keep(pool, one)
            self._read[pool] = until

    def _keep(self, pool: int, one: Ruled | Corrected | None) -> None:
        if isinstance(one, Ruled):
            self._rules.setdefault(pool, []).append(one)
        elif one is not None:
            self._all.setdefault(pool, []).append(one)
            for match in one.says.matches:
                self._by_match.setdefault((pool, match, isinstance(match, str)), []).append(one)


def annulled(corrections: Iterable[Corrected]) -> bool:
    """Whether the last of the corrections that name a match, but for those of what it says, is that it does not
    count."""
    return [one.what for one in corrections if one.what != "change"][-1:] == ["annul"]


def _read(position: int, body: bytes) -> Ruled | Corrected | None:
    begins = entries.prefix(body)
    at = EPOCH + begins.at * MICROSECOND
    if begins.kind == "opened" or begins.kind == "rules":
        item = body if begins.kind == "opened" else entries.item_in(body, "rules")
        assert item is not None
        told = read.told(item)
        return Ruled(position, at, str(told["methodology"]), str(told["hash"]))
    if begins.kind != "corrected":
        return None
    item = entries.item_in(body, "corrected")
    assert item is not None
    what, told = read.correction(item), read.told(item)
    case, approvers = told.get("case"), told.get("approvers")
    return Corrected(
        position,
        at,
        str(told["what"]),
        entries.effect_of(body),
        str(told.get("reason", "")),
        None if case is None else str(case),
        tuple(map(str, approvers)) if isinstance(approvers, list) else (),
        what.changed,
        what,
    )
