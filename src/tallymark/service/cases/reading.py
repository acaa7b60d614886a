"""Cases as they are read: what each is about, and what has happened in it."""

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import orjson
from sqlalchemy import Row, bindparam, func, select
from sqlalchemy import case as choice
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.games.ids import Id
from tallymark.ledger.ids import id_of
from tallymark.ledger.tables import POOL
from tallymark.service.cases.states import Course, Event, State
from tallymark.service.cases.tables import CASE, EVENT
from tallymark.service.problems import Problem

Kind: TypeAlias = Literal["flag", "volatility"]
SHAPE: Final = re.compile(r"case-[0-9a-f]{16}")
"""What an id of a case looks like."""

_LAST: Final = select(EVENT.c.case_id, func.max(EVENT.c.n).label("n")).group_by(EVENT.c.case_id).subquery("last_event")
LISTED: Final = (
    select(CASE, POOL.c.name, EVENT.c.state, EVENT.c.n, EVENT.c.at)
    .join(POOL, POOL.c.id == CASE.c.pool)
    .join(_LAST, _LAST.c.case_id == CASE.c.id)
    .join(EVENT, (EVENT.c.case_id == CASE.c.id) & (EVENT.c.n == _LAST.c.n))
)
_ONE: Final = select(CASE, POOL.c.name).join(POOL, POOL.c.id == CASE.c.pool).where(CASE.c.id == bindparam("which"))
_EVENTS: Final = select(EVENT).where(EVENT.c.case_id == bindparam("which")).order_by(EVENT.c.n)
_later: Final = EVENT.alias("later")
DUE: Final = (
    select(EVENT.c.case_id)
    .where(
        EVENT.c.due == 1,
        ~select(_later.c.n)
        .where(_later.c.case_id == EVENT.c.case_id, _later.c.n > EVENT.c.n, _later.c.action.in_(["told", "failed"]))
        .exists(),
    )
    .order_by(EVENT.c.case_id)
)
HIDDEN: Final = (
    select(EVENT.c.case_id)
    .where(EVENT.c.action.in_(["propose", "shown"]))
    .group_by(EVENT.c.case_id)
    .having(func.sum(choice({"propose": 1}, value=EVENT.c.action, else_=-1)) > 0)
    .order_by(EVENT.c.case_id)
)
"""Cases with more proposals than were shown."""


class Happened(NamedTuple):
    """An event with what came with it: the adjustment of a proposal and its evidence, as JSON."""

    event: Event
    data: Mapping[str, Any] | None


class Case(NamedTuple):
    """A case: what it is about, what the ledger said of that when it was opened, and what has happened in it."""

    id: str
    pool: str
    kind: Kind
    match: Id | None
    player: Id | None
    record: Mapping[str, Any]
    events: list[Happened]

    @property
    def course(self) -> Course:
        """Where it stands."""
        return Course.of(one.event for one in self.events)

    def evidence_of(self, proposal: int) -> Any:
        """What a proposal would change, as JSON, as it was worked out last; None while it is."""
        found = self.worked_out(proposal)
        return found[-1].data["evidence"] if found and found[-1].data is not None else None

    def worked_out(self, proposal: int) -> list[Happened]:
        """Each time that it was worked out what a proposal would change: first when it was shown."""
        about = (one for one in self.events if one.event.proposal == proposal)
        return [one for one in about if one.data is not None and "evidence" in one.data]


class Listed(NamedTuple):
    """A line of the list of cases: its state, how many events it has, and when the last of them was."""

    id: str
    pool: str
    kind: Kind
    match: Id | None
    player: Id | None
    state: State
    events: int
    at: int


def case_of(connection: Connection, case: str) -> Case:
    """A case with all that has happened in it; 404 where there is none of that id."""
    row = connection.execute(_ONE, {"which": case}).one_or_none() if SHAPE.fullmatch(case) else None
    if row is None:
        raise Problem("unknown-case", f"there is no case {shortened(case)}")
    events = [_happened(one) for one in connection.execute(_EVENTS, {"which": case})]
    match, player = about_of(row.item), about_of(row.player)
    return Case(row.id, row.name, row.kind, match, player, orjson.loads(bytes(row.record)), events)


def listed(row: Row[Any]) -> Listed:
    """A row of `LISTED` as a line."""
    return Listed(row.id, row.name, row.kind, about_of(row.item), about_of(row.player), row.state, row.n, row.at)


def about_of(key: str | None) -> Id | None:
    """The match or player of a key; None where a case is not about one."""
    return None if key is None else id_of(key)


def _happened(row: Row[Any]) -> Happened:
    data = None if row.data is None else orjson.loads(bytes(row.data))
    proposal = None if data is None else data["proposal"]
    return Happened(Event(row.n, row.action, row.at, row.by, row.why, proposal, bool(row.due)), data)
