"""Cases as reviewers lead them: what they do in one, until an adjustment is told or the case is closed."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import select

from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.ids import key_of
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Json
from tallymark.service.cases import adjustments
from tallymark.service.cases.background import Background, waited
from tallymark.service.cases.docket import Docket, proposal_in, reason_of, waits
from tallymark.service.cases.listing import Listing
from tallymark.service.cases.opening import Opening
from tallymark.service.cases.reading import Case, case_of
from tallymark.service.cases.showing import Showing
from tallymark.service.cases.states import Action
from tallymark.service.cases.tables import CASE
from tallymark.service.cases.telling import Telling
from tallymark.service.problems import Problem

_MOMENT: Final = 60_000_000
"""Microseconds in which the same proposal in the same form is one."""


class Cases(Listing, Opening, Telling, Showing):
    """The cases of a ledger. `approvers`: how many have to stand for an adjustment before it is told."""

    def __init__(self, ledger: Ledger, clock: Callable[[], int], chance: random.Random, *, approvers: int) -> None:
        self._ledger, self._clock, self._approvers = ledger, clock, approvers
        self._docket = Docket(clock, chance)
        self.background = Background()

    def act(self, case: str, action: Action, by: str, why: str) -> None:
        """A note, or a step from state to state. 409 where the case does not take it now."""
        with self._ledger.beside() as own:
            self._docket.turn(own.connection, case)
            self._docket.add(own.connection, case, action, by, reason_of(why))

    def propose(self, case: str, by: str, why: str, given: Json) -> int:
        """Proposes an adjustment, for the public reason `why`; the number of the proposal, for which `by` stands as the
        first. The same once more, while it waits, is the same proposal; and sent again a moment later also when it is
        told. `InputError` for what the ledger would refuse.

        What it would change is worked out in the background, once, and shown in the case; where one is enough, it is
        told then. A small pool's is there when this returns."""
        why = reason_of(why)
        adjustment = adjustments.checked(given)
        found = self.find(case)
        number = _same(found, by, why, adjustment, self._clock())
        if number is None:
            self._docket.taken(found.course, "propose")
            self.acceptable(found.pool, adjustment)  # which may look at all matches
            with self._ledger.beside() as own:
                self._docket.turn(own.connection, case)
                number = _same(case_of(own.connection, case), by, why, adjustment, self._clock())
                if number is None:
                    number = self._docket.add(own.connection, case, "propose", by, why, data={"adjustment": adjustment})
        waited(self._shown(case, number))
        return number

    def acceptable(self, pool: str, adjustment: Mapping[str, Any]) -> None:
        """Nothing, or why the ledger would not take an adjustment, or would refuse it; `UnknownError` for a match that
        it does not have."""
        why = adjustments.refusal(self._ledger, pool, adjustment)
        if why is not None:
            raise InputError(f"the ledger would refuse this: {why}", field="adjustment")

    def lately(self, pool: str, by: str, why: str, given: Json, match: Id | None, player: Id | None) -> str | None:
        """The case about a match or player in which somebody proposed the same a moment ago, if there is one, closed or
        not: a form that was sent twice."""
        item, who = (None if one is None else key_of(one) for one in (match, player))
        about = CASE.c.pool == self._ledger.number(pool), CASE.c.item == item, CASE.c.player == who
        with self._ledger.store.reading() as connection:
            names: Sequence[str] = connection.scalars(select(CASE.c.id).where(*about)).all()
            for name in names:
                found = case_of(connection, name)
                number = _same(found, by, why, adjustments.checked(given), self._clock())
                if number is not None and found.events[number - 1].event.at > self._clock() - _MOMENT:
                    return name
        return None

    def approve(self, case: str, proposal: int, by: str, why: str, seen: int | None = None) -> None:
        """Stands for a proposal; who does already, may say so again, and counts once. With enough it is told.

        `seen`: the position of the evidence that somebody has looked at. Nobody stands for what is overtaken: then it
        is worked out anew, and 409 with its `position`; who has `seen` that, may stand for it."""
        self._stands(self.find(case), proposal, by, seen)
        with self._ledger.beside() as own:
            self._docket.turn(own.connection, case)
            one = proposal_in(case_of(own.connection, case), proposal)
            if by not in one.approvers:
                waits(one)
                if not one.shown:
                    raise Problem("not-now", f"what proposal {proposal} would change is still worked out", taken=[])
                due = len(one.approvers) + 1 >= self._approvers
                self._docket.add(own.connection, case, "approve", by, reason_of(why), one, due)
        self.finish(case)

    def withdraw(self, case: str, proposal: int, by: str, why: str) -> None:
        """Takes a proposal off, whosever it is: it can be made again."""
        with self._ledger.beside() as own:
            self._docket.turn(own.connection, case)
            one = proposal_in(case_of(own.connection, case), proposal)
            waits(one)
            self._docket.add(own.connection, case, "withdraw", by, reason_of(why), one)


def _same(case: Case, by: str, why: str, adjustment: Mapping[str, Json], now: int) -> int | None:
    """The proposal that somebody made of the same for the same reason, if there is one that is not decided, or was told
    a moment ago, and the case is closed since: a request that was sent twice."""
    for one in case.course.proposals.values():
        event, data = case.events[one.n - 1]
        sent_twice = one.state == "told" and case.course.state == "upheld" and event.at > now - _MOMENT
        if data is None or not (one.state in ("waiting", "due") or sent_twice):
            continue
        if (event.by, event.why, data["adjustment"]) == (by, why, adjustment):
            return one.n
    return None
