"""What adjustments would change: tried, worked out for proposals in the background, and again where it is overtaken."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final
from zlib import crc32

import orjson

from tallymark.games.ids import Id
from tallymark.ledger.bell import Bell
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Json
from tallymark.service.cases import adjustments
from tallymark.service.cases.background import Background, waited
from tallymark.service.cases.docket import LONGEST, SERVICE, Docket, proposal_in, told_id
from tallymark.service.cases.evidence import Evidence, evidence_of, overtaken, was_and_is
from tallymark.service.cases.reading import HIDDEN, Case, case_of
from tallymark.service.cases.states import Proposal
from tallymark.service.problems import Problem

_FRESH: Final = 600_000_000
"""Microseconds in which who has seen what was worked out anew may stand for it, though the pool has moved on again: in
a busy pool it always has. So long it is not worked out once more, unless the rules are others."""


class Showing(ABC):
    """What reviewers are shown before they decide. `background`: where what takes as long as rating a pool anew is
    worked out."""

    _ledger: Ledger
    _docket: Docket
    _clock: Callable[[], int]
    _approvers: int
    background: Background

    @abstractmethod
    def find(self, case: str) -> Case:
        """A case."""

    @abstractmethod
    def finish(self, case: str | None = None) -> None:
        """Tells what is due."""

    def tried(self, case: str, given: Json) -> Evidence:
        """What an adjustment would change; nothing is proposed. The problem `computing` where that takes a while."""
        found = self.find(case)
        return self.tried_in(found.pool, given, found.match)

    def tried_in(self, pool: str, given: Json, match: Id | None = None) -> Evidence:
        """As `tried`, in a pool and no case."""
        adjustment = adjustments.checked(given)
        adjustments.checked_against(self._ledger, pool, adjustment)
        key = "try", pool, match, orjson.dumps(adjustment)
        return self.background.result(key, lambda: evidence_of(self._ledger, pool, adjustment, match))

    def show(self) -> None:
        """Begins to work out what proposals would change that nobody has shown, in all cases: what a process that was
        stopped in between has left, too."""
        with self._ledger.store.reading() as connection:
            cases = connection.scalars(HIDDEN).all()
        for case in cases:
            for one in self.find(case).course.hidden:
                self._shown(case, one.n)

    def overtaken(self, case: Case, proposal: Proposal) -> bool:
        """Whether what a proposal that waits would change was worked out for players as they stand no more."""
        data, evidence = case.events[proposal.n - 1].data, case.evidence_of(proposal.n)
        if proposal.state != "waiting" or evidence is None or data is None:
            return False
        return overtaken(self._ledger, case.pool, evidence, data["adjustment"])

    def _stands(self, case: Case, proposal: int, by: str, seen: int | None) -> None:
        """Nothing, or why what a proposal would change cannot be stood for as it was worked out."""
        one = proposal_in(case, proposal)
        times = case.worked_out(proposal)
        if by in one.approvers or one.state != "waiting" or not times:
            return
        evidence = case.evidence_of(proposal)
        at = evidence["position"]
        if seen is not None and seen != at:
            raise _look(f"what proposal {proposal} would change is as of entry {at:,} now; look at that", at)
        if evidence["effect"] == "refused":
            raise Problem("not-now", f"proposal {proposal}: {evidence['note']}")
        anew = len(times) > 1 and times[-1].event.at > self._clock() - _FRESH
        lately = anew and self._ledger.rules_history(case.pool)[-1].position <= at
        if (lately and seen == at) or not self.overtaken(case, one):
            return
        detail = f"the pool has moved on since entry {at:,} for those whom proposal {proposal} is about"
        if lately:  # and it always will: once more would be overtaken as soon
            raise _look(detail, at)
        if waited(self.background.start(("anew", case.id, proposal), lambda: self._anew(case.id, proposal))):
            raise _look(detail, self.find(case.id).evidence_of(proposal)["position"])
        raise Problem("not-now", detail, hint="it is being worked out anew: look at the case, and approve that")

    def _anew(self, case: str, proposal: int) -> None:
        """Works out once more what a proposal would change, and notes it in the case."""
        found = self.find(case)
        data = found.events[proposal - 1].data
        assert data is not None
        evidence = evidence_of(self._ledger, found.pool, data["adjustment"], found.match).as_json()
        first = found.worked_out(proposal)[0].data
        assert first is not None
        was = was_and_is(first["evidence"], evidence, data["adjustment"])
        why = f"What it would change is worked out anew, as of entry {evidence['position']}"
        with self._ledger.beside() as own:
            self._docket.turn(own.connection, case)
            one = case_of(own.connection, case).course.proposals[proposal]
            if one.state == "waiting":
                why = f"{why}: {was}" if was else why
                self._docket.add(own.connection, case, "note", SERVICE, why[:LONGEST], one, data={"evidence": evidence})

    def _shown(self, case: str, proposal: int) -> "Future[None]":
        return self.background.start(("show", case, proposal), lambda: self._show(case, proposal))

    def _show(self, case: str, proposal: int) -> None:
        """Works out what a proposal would change, unless another process does."""
        claim = self._ledger.store.watch(Bell())
        try:
            found = self.find(case)
            # Numbers below 0 are no pool's.
            if not claim.leads(-1 - crc32(told_id(case, proposal).encode()) // 2) or not hides(found, proposal):
                return
            data = found.events[proposal - 1].data
            assert data is not None
            evidence = evidence_of(self._ledger, found.pool, data["adjustment"], found.match)
            with self._ledger.beside() as own:
                self._docket.turn(own.connection, case)
                now = case_of(own.connection, case)
                if hides(now, proposal):
                    one, due = now.course.proposals[proposal], self._approvers <= 1 and evidence.effect != "refused"
                    told = {"evidence": evidence.as_json()}
                    self._docket.add(own.connection, case, "shown", SERVICE, evidence.note[:LONGEST], one, due, told)
        finally:
            claim.close()
        self.finish(case)


def hides(case: Case, proposal: int) -> bool:
    return any(one.n == proposal for one in case.course.hidden)


def _look(detail: str, position: int) -> Problem:
    """What somebody would stand for is to be looked at first."""
    hint = f"it is worked out anew, as of entry {position:,}: look at that, and approve with `position` {position}"
    return Problem("not-now", detail, hint=hint, position=position)
