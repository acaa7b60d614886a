"""Tickets and the storage: no game twice, and no crash leaves what no order of whole ratings gives."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import permutations

import pytest

from tallymark.fixedpoint import RefusedError, unpack
from tallymark.fixedpoint.constants import DAY
from tallymark.fixedpoint.rules import Result, VoidReason
from tallymark.fixedpoint.storage import PLAYER, TICKET, Contract, Slot, Storage, Transaction
from tallymark.fixedpoint.tickets import Status, Ticket, accept, close, pack_ticket, unpack_ticket

NOW = 1700000000
Call = tuple[int, int, int, Result]
CALLS: tuple[Call, ...] = (
    (1, 10, 11, Result(2, NOW, 200, queue=True)),
    (2, 11, 12, Result(1, NOW - 40 * DAY, 90, band_b=1)),
    (3, 12, 10, Result(0, NOW + DAY, 5, forfeit=True)),
    (4, 10, 12, Result(2, NOW + 2 * DAY, 5)),
)
Slots = Mapping[Slot, int]


class CrashError(Exception):
    """The process ends here."""


class Crashing(Storage):
    """Storage whose process ends at a write: at the n-th that is made, or at the end of all (0: never)."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.left = at

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with super().transaction() as changes:
            yield _Crashing(changes, self)
            self.write()

    def write(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise CrashError


class _Crashing(Transaction):
    def __init__(self, inner: Transaction, storage: Crashing) -> None:
        self.inner, self.storage = inner, storage

    def read(self, slot: Slot) -> int:
        return self.inner.read(slot)

    def write(self, slot: Slot, felt: int) -> None:
        self.storage.write()
        self.inner.write(slot, felt)


class Leaky(Crashing):
    """What the model must not be: each write is there at once."""

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        yield _Crashing(_AtOnce(self._slots), self)


class _AtOnce(Transaction):
    def __init__(self, slots: dict[Slot, int]) -> None:
        super().__init__(slots)
        self.written = slots


def fresh(storage: Crashing) -> Contract:
    contract = Contract(storage)
    at, storage.left = storage.left, 0
    for ticket, *_ in CALLS:
        contract.accept(ticket)
    storage.left = at
    return contract


def orders() -> set[frozenset[tuple[Slot, int]]]:
    """The slots after every order of whole ratings of every choice of the games."""
    found = set()
    for count in range(len(CALLS) + 1):
        for order in permutations(CALLS, count):
            contract = fresh(Crashing(0))
            for call in order:
                contract.rate(*call)
            found.add(frozenset(contract.storage.slots.items()))
    return found


def states_after_crashes(kind: type[Crashing], *, again: bool) -> Iterator[Slots]:
    """Every order of the games, each rated twice, with a crash at every write; `again`: then all that is left, anew."""
    for order in permutations(CALLS):
        calls = [call for call in order for _ in range(2)]
        for at in range(1, 5 * len(CALLS) + 2):
            contract = fresh(kind(at))
            try:
                for call in calls:
                    contract.rate(*call)
            except CrashError:
                if again:
                    for call in calls:
                        contract.rate(*call)
            yield contract.storage.slots


@pytest.mark.parametrize("again", [False, True])
def test_a_crash_at_any_write_leaves_whole_ratings(again: bool) -> None:
    whole = orders()
    assert len(whole) > len(CALLS)
    for slots in states_after_crashes(Crashing, again=again):
        assert frozenset(slots.items()) in whole


@pytest.mark.parametrize("again", [False, True])
def test_storage_without_transactions_is_found_out(again: bool) -> None:
    whole = orders()
    assert any(frozenset(slots.items()) not in whole for slots in states_after_crashes(Leaky, again=again))


def test_three_writes() -> None:
    contract = fresh(Crashing(0))
    before = contract.storage.slots
    assert contract.rate(*CALLS[0]) is Status.RATED
    changed = {slot for slot, felt in contract.storage.slots.items() if before.get(slot, 0) != felt}
    assert changed == {Slot(PLAYER, 10), Slot(PLAYER, 11), Slot(TICKET, 1)}
    assert unpack(contract.storage.slots[Slot(PLAYER, 10)]).wins == 1


def test_a_void_game_writes_its_ticket_alone() -> None:
    contract = fresh(Crashing(0))
    before = contract.storage.slots
    assert contract.rate(*CALLS[3]) is Status.VOID
    after = contract.storage.slots
    assert {slot for slot in after if before.get(slot, 0) != after[slot]} == {Slot(TICKET, 4)}
    assert unpack_ticket(after[Slot(TICKET, 4)]) == Ticket(Status.VOID, VoidReason.SHORT)


@pytest.mark.parametrize("first", ["nothing", "rated", "void"])
def test_a_ticket_that_is_not_accepted_changes_nothing(first: str) -> None:
    contract = Contract(Storage())
    if first != "nothing":
        contract.accept(1)
    if first == "rated":
        contract.rate(*CALLS[0])
    elif first == "void":
        assert contract.void(1, VoidReason.REFEREE) is Status.VOID
    before = contract.storage.slots
    assert contract.rate(*CALLS[0]) is None
    assert contract.void(1, VoidReason.MATCHMAKER) is None
    assert contract.storage.slots == before


@pytest.mark.parametrize("reason", [None, 0, 6, 9, "short"])
def test_a_ticket_is_void_for_a_reason_that_there_is(reason: object) -> None:
    contract = Contract(Storage())
    contract.accept(1)
    before = dict(contract.storage.slots)
    with pytest.raises(RefusedError, match="reason is"):
        contract.void(1, reason)  # type: ignore[arg-type]
    assert contract.storage.slots == before
    assert contract.void(1, VoidReason.REFEREE) == Status.VOID


def test_nobody_plays_oneself() -> None:
    contract = fresh(Crashing(0))
    before = contract.storage.slots
    with pytest.raises(RefusedError, match=r"^player 10 is on both sides; expected two players$"):
        contract.rate(1, 10, 10, CALLS[0][3])
    assert contract.storage.slots == before


def test_a_refused_result_changes_nothing() -> None:
    contract = fresh(Crashing(0))
    before = contract.storage.slots
    with pytest.raises(RefusedError):
        contract.rate(1, 10, 11, CALLS[0][3]._replace(half_points=3))
    assert contract.storage.slots == before


def test_statuses_and_reasons_have_the_numbers_of_the_spec() -> None:
    assert {status.name: int(status) for status in Status} == {"NONE": 0, "ACCEPTED": 1, "RATED": 2, "VOID": 3}
    reasons = {"INVALID": 1, "MATCHMAKER": 2, "REFEREE": 3, "SHORT": 4, "ANCHOR": 5}
    assert {reason.name: int(reason) for reason in VoidReason} == reasons


TICKETS = [Ticket(status) for status in list(Status)[:3]] + [Ticket(Status.VOID, reason) for reason in VoidReason]


@pytest.mark.parametrize("ticket", TICKETS)
def test_the_ticket_goes_one_way(ticket: Ticket) -> None:
    assert accept(ticket) == (Ticket(Status.ACCEPTED) if ticket.status is Status.NONE else ticket)
    for reason in (None, *VoidReason):
        after = close(ticket, reason)
        expected = Ticket(Status.RATED) if reason is None else Ticket(Status.VOID, reason)
        assert after == (expected if ticket.status is Status.ACCEPTED else ticket)
    assert unpack_ticket(pack_ticket(ticket)) == ticket


@pytest.mark.parametrize("slot", [-1, 3, 4, 5, 6, 3 | 6 << 2, 1 << 200])
def test_slots_that_no_ticket_has(slot: int) -> None:
    with pytest.raises(RefusedError, match=f"^ticket is {slot}; expected a status"):
        unpack_ticket(slot)
