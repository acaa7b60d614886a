"""Cases as they are found: by id, in lists, counted."""

from sqlalchemy import func, select

from tallymark.ledger.ledger import Ledger
from tallymark.service.cases.reading import LISTED, Case, Listed, case_of, listed
from tallymark.service.cases.states import State
from tallymark.service.cases.tables import CASE, EVENT


class Listing:
    """What there is to find among cases."""

    _ledger: Ledger

    def all(
        self, pool: str | None = None, state: State | None = None, after: str = "", limit: int = 100
    ) -> list[Listed]:
        """Cases in the order of their ids, from behind one on."""
        query = LISTED.where(CASE.c.id > after).order_by(CASE.c.id).limit(limit)
        if pool is not None:
            query = query.where(CASE.c.pool == self._ledger.number(pool))
        if state is not None:
            query = query.where(EVENT.c.state == state)
        with self._ledger.store.reading() as connection:
            return [listed(row) for row in connection.execute(query)]

    def queue(self, state: State | None, after: tuple[int, str] | None, limit: int) -> list[Listed]:
        """Cases, first where something happened last; `after`: when that was in one, and its id, from behind which."""
        query = LISTED.order_by(EVENT.c.at.desc(), CASE.c.id.desc()).limit(limit)
        if after is not None:
            at, case = after
            query = query.where((EVENT.c.at < at) | ((EVENT.c.at == at) & (CASE.c.id < case)))
        if state is not None:
            query = query.where(EVENT.c.state == state)
        with self._ledger.store.reading() as connection:
            return [listed(row) for row in connection.execute(query)]

    def counts(self) -> dict[State, int]:
        """How many cases there are in each state that one is in."""
        every = LISTED.subquery("every_case")
        query = select(every.c.state, func.count()).group_by(every.c.state)
        with self._ledger.store.reading() as connection:
            return {row.state: row[1] for row in connection.execute(query)}

    def find(self, case: str) -> Case:
        """A case with all that has happened in it; 404 where there is none of that id."""
        with self._ledger.store.reading() as connection:
            return case_of(connection, case)
