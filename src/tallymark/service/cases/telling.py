"""Adjustments as they are told to the ledger: once each, when enough have approved, whatever is killed in between."""

from abc import ABC, abstractmethod
from contextlib import suppress

from tallymark.errors import ConflictError, InputError, LedgerError, UnknownError
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.service.cases import adjustments, background
from tallymark.service.cases.adjustments import Public
from tallymark.service.cases.docket import LONGEST, SERVICE, Docket, told_id
from tallymark.service.cases.reading import DUE, Case, case_of
from tallymark.service.cases.states import Action, Proposal


class Telling(ABC):
    """What becomes of what was approved."""

    _ledger: Ledger
    _docket: Docket

    @abstractmethod
    def find(self, case: str) -> Case:
        """A case."""

    def finish(self, case: str | None = None) -> None:
        """Tells the ledger what is approved and was not told, in one case or in all: also what a process that was
        killed in between has left. However often, and by however many, each is told once."""
        with self._ledger.store.reading() as connection:
            cases = list(dict.fromkeys(connection.scalars(DUE))) if case is None else [case]
        for name in cases:
            found = self.find(name)
            due = found.course.due
            if due is not None:
                self._tell(found, due)

    def decided(self, case: str) -> None:
        """Waits, as long as a request does, for what the ledger makes of what is due in a case."""
        found = self.find(case)
        if found.course.due is not None:
            id = told_id(case, found.course.due.n)
            with suppress(LedgerError, UnknownError):  # its turn comes later, or another process is telling it
                number = self._ledger.receipt(found.pool, id).number
                self._ledger.settled(Receipt(found.pool, number, id), background.PATIENCE)
            self.finish(case)

    def _tell(self, case: Case, due: Proposal) -> None:
        """Tells what is due; what the ledger has made of it stands in the case as soon as it has."""
        proposed = case.events[due.n - 1]
        assert proposed.data is not None
        public = Public(case.id, proposed.event.why, tuple(due.approvers))
        action: Action = "told"
        why = told_id(case.id, due.n)
        try:
            adjustments.tell(self._ledger, case.pool, why, proposed.data["adjustment"], public)
            fate = self._ledger.receipt(case.pool, why)
            if fate.state == "waiting":
                return
            if fate.state == "refused":
                action, why = "failed", f"the ledger refused it: {adjustments.refused(fate.reason)}"
        except (InputError, ConflictError) as error:
            action, why = "failed", error.message
        with self._ledger.beside() as own:
            self._docket.turn(own.connection, case.id)
            now = case_of(own.connection, case.id).course.due
            if now is not None and now.n == due.n:  # else another process was here
                self._docket.add(own.connection, case.id, action, SERVICE, why[:LONGEST], due)
