"""Cases as they are written: opened, and led on by one event after the other, each of which the state has to take."""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, insert, select
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.matches import Json
from tallymark.service.cases.reading import SHAPE, Case, Kind, case_of
from tallymark.service.cases.states import OF_PEOPLE, Action, Course, Proposal, State
from tallymark.service.cases.tables import CASE, EVENT
from tallymark.service.keys.keyring import NOBODY
from tallymark.service.problems import Problem

LONGEST: Final = 2000
"""Characters of a reason."""
SERVICE: Final = NOBODY[0]
"""Who did what happened by itself."""
_BITS: Final = 64
_TURN: Final = select(CASE.c.id).where(CASE.c.id == bindparam("which")).with_for_update()


class Docket:
    """Where what happens in cases is written down. `clock` in microseconds since 1970 UTC; ids are from `chance`."""

    def __init__(self, clock: Callable[[], int], chance: random.Random) -> None:
        self._clock, self._chance = clock, chance

    def turn(self, connection: Connection, case: str) -> None:
        """Nobody else goes on with the case until the transaction ends."""
        if SHAPE.fullmatch(case):
            connection.execute(_TURN, {"which": case})

    def opened(
        self,
        connection: Connection,
        number: int,
        kind: Kind,
        by: str,
        why: str,
        item: str | None,
        player: str | None,
        record: Mapping[str, Any],
        once: str | None = None,
    ) -> str:
        """Opens a case; its id."""
        case = f"case-{self._chance.getrandbits(_BITS):016x}"
        told = {"id": case, "pool": number, "kind": kind, "item": item, "player": player, "once": once}
        connection.execute(insert(CASE).values(**told, record=orjson.dumps(record)))
        self.add(connection, case, "open", by, why)
        return case

    def add(
        self,
        connection: Connection,
        case: str,
        action: Action,
        by: str,
        why: str,
        proposal: Proposal | None = None,
        due: bool = False,
        data: Mapping[str, Any] | None = None,
    ) -> int:
        """Adds an event to a case whose turn is had; its number."""
        course = case_of(connection, case).course
        state = self.taken(course, action)
        n = course.n + 1
        about = n if action == "propose" else None if proposal is None else proposal.n
        told = {"at": self._clock(), "by": by, "why": why, "due": int(due)}
        kept = None if about is None else orjson.dumps({"proposal": about, **(data or {})})
        connection.execute(insert(EVENT).values(case_id=case, n=n, action=action, state=state, data=kept, **told))
        return n

    def taken(self, course: Course, action: Action) -> State:
        """The state after an action; 409 where the case does not take it now."""
        state = course.after(action)
        if state is None:
            taken: list[Json] = [one for one in course.taken() if one in OF_PEOPLE]
            due = " while an adjustment is being told" if course.due else ""
            raise Problem("not-now", f"a case that is {course.state} takes no {action}{due}", taken=taken)
        return state


def told_id(case: str, proposal: int) -> str:
    """The id under which the ledger is told an adjustment: one for each proposal, whoever tells it.

    >>> told_id("case-1", 4)
    'case-1/4'
    """
    return f"{case}/{proposal}"


def reason_of(why: object) -> str:
    """A reason; `InputError` for what is none."""
    if not isinstance(why, str) or not why.strip() or len(why) > LONGEST or not why.replace("\n", "").isprintable():
        raise InputError(f"why is {shortened(why)}; expected text of 1 to {LONGEST:,} characters", field="why")
    return why


def proposal_in(case: Case, number: int) -> Proposal:
    """The proposal of a number; `InputError` where the case has none such."""
    one = case.course.proposals.get(number)
    if one is None:
        known = ", ".join(map(str, case.course.proposals)) or "none"
        raise InputError(f"proposal is {shortened(number)}; the case has {known}", field="proposal")
    return one


def waits(one: Proposal) -> None:
    """Nothing, or that a proposal is decided: 409."""
    if one.state != "waiting":
        raise Problem("not-now", f"proposal {one.n} is {one.state}", taken=[])
