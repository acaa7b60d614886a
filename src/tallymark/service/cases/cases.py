"""Cases as they are kept: opened once or by whoever flags, and led on by reviewers, one event after the other."""

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final
from zlib import crc32

import orjson
from sqlalchemy import bindparam, func, insert, select
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import ConflictError, InputError, LedgerError, UnknownError
from tallymark.games.ids import Id
from tallymark.ledger.bell import Bell
from tallymark.ledger.ids import key_of
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Json
from tallymark.ledger.tables import POOL
from tallymark.service.cases import adjustments, background
from tallymark.service.cases.adjustments import Public
from tallymark.service.cases.background import Background, waited
from tallymark.service.cases.evidence import Evidence, evidence_of, overtaken, was_and_is
from tallymark.service.cases.reading import DUE, HIDDEN, LISTED, SHAPE, Case, Kind, Listed, case_of, listed
from tallymark.service.cases.states import OF_PEOPLE, STATES, Action, Course, Proposal, State
from tallymark.service.cases.tables import CASE, EVENT
from tallymark.service.keys.keyring import NOBODY
from tallymark.service.problems import Problem

LONGEST: Final = 2000
"""Characters of a reason."""
MOST: Final = 1000
"""Events of a case after which further flags are not kept: nobody buries one under them."""
SERVICE: Final = NOBODY[0]
"""Who did what happened by itself."""
_BITS: Final = 64
_FRESH: Final = 600_000_000
"""Microseconds in which who has seen what was worked out anew may stand for it, though the pool has moved on again: in
a busy pool it always has."""
_MOMENT: Final = 60_000_000
"""Microseconds in which the same proposal in the same form is one."""

_TURN: Final = select(CASE.c.id).where(CASE.c.id == bindparam("which")).with_for_update()
_POOL_TURN: Final = select(POOL.c.id).where(POOL.c.id == bindparam("of")).with_for_update(key_share=True)


class Cases:
    """The cases of a ledger. `approvers`: how many have to stand for an adjustment before it is told."""

    def __init__(self, ledger: Ledger, clock: Callable[[], int], chance: random.Random, *, approvers: int) -> None:
        self._ledger, self._clock, self._chance, self._approvers = ledger, clock, chance, approvers
        self.background: Final = Background()
        """Where what takes as long as rating a pool anew is worked out."""

    def flag(self, pool: str, by: str, why: str, match: Id | None = None, player: Id | None = None) -> str:
        """Opens a case about a match or a player, or adds to the one that is open; its id. Nothing public changes."""
        if (match is None) == (player is None):
            raise InputError("a flag is about a match or about a player", field="match")
        why = reason_of(why)
        record = self._record(pool, match, player)
        number = self._ledger.number(pool)
        item, who = (None if one is None else key_of(one) for one in (match, player))
        about = [CASE.c.pool == number, CASE.c.item == item, CASE.c.player == who, EVENT.c.state.in_(STATES[:2])]
        with self._ledger.beside() as own:
            own.connection.execute(_POOL_TURN, {"of": number})  # two flags at once are one case
            there: str | None = own.connection.scalars(
                LISTED.with_only_columns(CASE.c.id).where(*about).order_by(CASE.c.id)
            ).first()
            if there is not None:
                self._turn(own.connection, there)
                course = case_of(own.connection, there).course
                if course.n >= MOST:
                    return there
                if course.after("flag") is not None:  # else it was closed just now
                    self._add(own.connection, there, "flag", by, why)
                    return there
            return self._opened(own.connection, number, "flag", by, why, item, who, record)

    def open_once(self, connection: Connection, number: int, player: Id, why: str, record: Mapping[str, Any]) -> bool:
        """Opens the one case about a player's volatility, in a transaction; False where there is or was one."""
        once = f"volatility {number} {key_of(player)}"
        connection.execute(_POOL_TURN, {"of": number})
        if connection.scalar(select(CASE.c.id).where(CASE.c.once == once)) is not None:
            return False
        self._opened(connection, number, "volatility", SERVICE, why, None, key_of(player), record, once)
        return True

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

    def act(self, case: str, action: Action, by: str, why: str) -> None:
        """A note, or a step from state to state. 409 where the case does not take it now."""
        with self._ledger.beside() as own:
            self._turn(own.connection, case)
            self._add(own.connection, case, action, by, reason_of(why))

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
            self._taken(found.course, "propose")
            self.acceptable(found.pool, adjustment)  # which may look at all matches
            with self._ledger.beside() as own:
                self._turn(own.connection, case)
                number = _same(case_of(own.connection, case), by, why, adjustment, self._clock())
                if number is None:
                    number = self._add(own.connection, case, "propose", by, why, data={"adjustment": adjustment})
        waited(self._shown(case, number))
        return number

    def acceptable(self, pool: str, adjustment: Mapping[str, Any]) -> None:
        """Nothing, or why the ledger would not take an adjustment, or would refuse it; `UnknownError` for a match that
        it does not have."""
        adjustments.checked_against(self._ledger, pool, adjustment)
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

    def show(self) -> None:
        """Begins to work out what proposals would change that nobody has shown, in all cases: what a process that was
        stopped in between has left, too."""
        with self._ledger.store.reading() as connection:
            cases = connection.scalars(HIDDEN).all()
        for case in cases:
            for one in self.find(case).course.hidden:
                self._shown(case, one.n)

    def approve(self, case: str, proposal: int, by: str, why: str, seen: int | None = None) -> None:
        """Stands for a proposal; who does already, may say so again, and counts once. With enough it is told.

        `seen`: the position of the evidence that somebody has looked at. Nobody stands for what is overtaken: then it
        is worked out anew, and 409; who has `seen` that, may stand for it."""
        self._stands(self.find(case), proposal, by, seen)
        with self._ledger.beside() as own:
            self._turn(own.connection, case)
            one = _proposal(case_of(own.connection, case), proposal)
            if by not in one.approvers:
                _waits(one)
                if not one.shown:
                    raise Problem("not-now", f"what proposal {proposal} would change is still worked out", taken=[])
                due = len(one.approvers) + 1 >= self._approvers
                self._add(own.connection, case, "approve", by, reason_of(why), one, due)
        self.finish(case)

    def overtaken(self, case: Case, proposal: Proposal) -> bool:
        """Whether what a proposal that waits would change was worked out for players as they stand no more."""
        data, evidence = case.events[proposal.n - 1].data, case.evidence_of(proposal.n)
        if proposal.state != "waiting" or evidence is None or data is None:
            return False
        return overtaken(self._ledger, case.pool, evidence, data["adjustment"])

    def _stands(self, case: Case, proposal: int, by: str, seen: int | None) -> None:
        """Nothing, or why what a proposal would change cannot be stood for as it was worked out."""
        one = _proposal(case, proposal)
        times = case.worked_out(proposal)
        if by in one.approvers or one.state != "waiting" or not times:
            return
        evidence = case.evidence_of(proposal)
        at = evidence["position"]
        if seen is not None and seen != at:
            raise Problem("not-now", f"what proposal {proposal} would change is as of entry {at} now; look at that")
        if evidence["effect"] == "refused":
            raise Problem("not-now", f"proposal {proposal}: {evidence['note']}")
        confirmed = seen == at and len(times) > 1 and times[-1].event.at > self._clock() - _FRESH
        if not confirmed and self.overtaken(case, one):
            head = self._ledger.head(case.pool).position
            waited(self.background.start(("anew", case.id, proposal, head), lambda: self._anew(case.id, proposal)))
            detail = f"the pool has moved on since entry {at} for those whom proposal {proposal} is about"
            raise Problem("not-now", detail, hint="it is worked out anew: look at that, and approve then")

    def _anew(self, case: str, proposal: int) -> None:
        """Works out once more what a proposal would change, and notes it in the case."""
        found = self.find(case)
        data = found.events[proposal - 1].data
        assert data is not None
        evidence = evidence_of(self._ledger, found.pool, data["adjustment"], found.match).as_json()
        was = was_and_is(found.worked_out(proposal)[0].data["evidence"], evidence, data["adjustment"])  # type: ignore[index]
        why = f"What it would change is worked out anew, as of entry {evidence['position']}"
        with self._ledger.beside() as own:
            self._turn(own.connection, case)
            one = case_of(own.connection, case).course.proposals[proposal]
            if one.state == "waiting":
                why = f"{why}: {was}" if was else why
                self._add(own.connection, case, "note", SERVICE, why[:LONGEST], one, data={"evidence": evidence})

    def withdraw(self, case: str, proposal: int, by: str, why: str) -> None:
        """Takes a proposal off, whosever it is: it can be made again."""
        with self._ledger.beside() as own:
            self._turn(own.connection, case)
            one = _proposal(case_of(own.connection, case), proposal)
            _waits(one)
            self._add(own.connection, case, "withdraw", by, reason_of(why), one)

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

    def _shown(self, case: str, proposal: int) -> "Future[None]":
        return self.background.start(("show", case, proposal), lambda: self._show(case, proposal))

    def _show(self, case: str, proposal: int) -> None:
        """Works out what a proposal would change, unless another process does."""
        claim = self._ledger.store.watch(Bell())
        try:
            found = self.find(case)
            # Numbers below 0 are no pool's.
            if not claim.leads(-1 - crc32(told_id(case, proposal).encode()) // 2) or not _hides(found, proposal):
                return
            data = found.events[proposal - 1].data
            assert data is not None
            evidence = evidence_of(self._ledger, found.pool, data["adjustment"], found.match)
            with self._ledger.beside() as own:
                self._turn(own.connection, case)
                now = case_of(own.connection, case)
                if _hides(now, proposal):
                    one, due = now.course.proposals[proposal], self._approvers <= 1 and evidence.effect != "refused"
                    told = {"evidence": evidence.as_json()}
                    self._add(own.connection, case, "shown", SERVICE, evidence.note[:LONGEST], one, due, told)
        finally:
            claim.close()
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
            self._turn(own.connection, case.id)
            now = case_of(own.connection, case.id).course.due
            if now is not None and now.n == due.n:  # else another process was here
                self._add(own.connection, case.id, action, SERVICE, why[:LONGEST], due)

    def _opened(
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
        case = f"case-{self._chance.getrandbits(_BITS):016x}"
        told = {"id": case, "pool": number, "kind": kind, "item": item, "player": player, "once": once}
        connection.execute(insert(CASE).values(**told, record=orjson.dumps(record)))
        self._add(connection, case, "open", by, why)
        return case

    def _add(
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
        state = self._taken(course, action)
        n = course.n + 1
        about = n if action == "propose" else None if proposal is None else proposal.n
        told = {"at": self._clock(), "by": by, "why": why, "due": int(due)}
        kept = None if about is None else orjson.dumps({"proposal": about, **(data or {})})
        connection.execute(insert(EVENT).values(case_id=case, n=n, action=action, state=state, data=kept, **told))
        return n

    def _turn(self, connection: Connection, case: str) -> None:
        """Nobody else goes on with the case until the transaction ends."""
        if SHAPE.fullmatch(case):
            connection.execute(_TURN, {"which": case})

    def _taken(self, course: Course, action: Action) -> State:
        state = course.after(action)
        if state is None:
            taken: list[Json] = [one for one in course.taken() if one in OF_PEOPLE]
            due = " while an adjustment is being told" if course.due else ""
            raise Problem("not-now", f"a case that is {course.state} takes no {action}{due}", taken=taken)
        return state

    def _record(self, pool: str, match: Id | None, player: Id | None) -> Mapping[str, Any]:
        """What the ledger says now of what a case is about."""
        if match is not None:
            fate = self._ledger.receipt(pool, match)
            told: dict[str, Any] = {"receipt": fate.number, "state": fate.state, "position": fate.position}
            if fate.entry is not None:
                entry = self._ledger.entry(pool, fate.entry)
                told |= {"hash": entry.hash.hex(), "entry": orjson.loads(entry.body)}
            return told
        assert player is not None
        found = self._ledger.history(player, pool, limit=1)[0]
        return {"position": found.position, "rating": found.after.rating, "deviation": found.after.deviation}


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


def _hides(case: Case, proposal: int) -> bool:
    return any(one.n == proposal for one in case.course.hidden)


def _proposal(case: Case, number: int) -> Proposal:
    one = case.course.proposals.get(number)
    if one is None:
        known = ", ".join(map(str, case.course.proposals)) or "none"
        raise InputError(f"proposal is {shortened(number)}; the case has {known}", field="proposal")
    return one


def _waits(one: Proposal) -> None:
    if one.state != "waiting":
        raise Problem("not-now", f"proposal {one.n} is {one.state}", taken=[])
