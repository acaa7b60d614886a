"""A model of the contract's storage: one transaction a call, whose writes are all there or none."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from tallymark.fixedpoint.felt import pack, unpack
from tallymark.fixedpoint.refusing import RefusedError, whole
from tallymark.fixedpoint.rules import Rated, Result, VoidReason, rate
from tallymark.fixedpoint.tickets import Status, accept, close, pack_ticket, unpack_ticket

PLAYER: Final = "player"
TICKET: Final = "ticket"


class Slot(NamedTuple):
    """The place of a felt: a player's or a ticket's, and whose."""

    kind: str
    key: int


class Transaction:
    """What a call reads and writes: its own writes are seen by it alone until it ends."""

    def __init__(self, slots: Mapping[Slot, int]) -> None:
        self._slots = slots
        self.written: dict[Slot, int] = {}

    def read(self, slot: Slot) -> int:
        """What is in a slot; 0 where nothing was ever written."""
        return self.written.get(slot, self._slots.get(slot, 0))

    def write(self, slot: Slot, felt: int) -> None:
        """One write."""
        self.written[slot] = felt


class Storage:
    """Slots of felts, changed by whole transactions.

    >>> storage = Storage()
    >>> with storage.transaction() as changes:
    ...     changes.write(Slot(TICKET, 7), 1)
    >>> storage.slots
    {Slot(kind='ticket', key=7): 1}
    """

    def __init__(self) -> None:
        self._slots: dict[Slot, int] = {}

    @property
    def slots(self) -> Mapping[Slot, int]:
        """A copy of every slot that was written."""
        return dict(self._slots)

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Where the block ends all its writes are there; where it breaks off none is."""
        changes = Transaction(self._slots)
        yield changes
        self._slots = {**self._slots, **changes.written}


class Contract:
    """The rating part of the contract: tickets are accepted, and their games rated or void.

    >>> contract = Contract(Storage())
    >>> contract.accept(7)
    >>> contract.rate(7, 1, 2, Result(2, 1700000000, 20))
    <Status.RATED: 2>
    >>> contract.rate(7, 1, 2, Result(2, 1700000000, 20)) is None
    True
    """

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def accept(self, ticket: int) -> None:
        """The ticket of a game that may be rated once."""
        with self.storage.transaction() as changes:
            slot = Slot(TICKET, ticket)
            changes.write(slot, pack_ticket(accept(unpack_ticket(changes.read(slot)))))

    def rate(self, ticket: int, a: int, b: int, result: Result) -> Status | None:
        """Rates the game of a ticket: three writes, both players and the ticket; one where it is void.

        The ticket's status after it, or None: it was not accepted, or is done with, and nothing has changed.
        `RefusedError` for a player against itself.
        """
        if a == b:
            raise RefusedError("b", f"player {a} is on both sides; expected two players")
        with self.storage.transaction() as changes:
            slot = Slot(TICKET, ticket)
            before = unpack_ticket(changes.read(slot))
            if before.status != Status.ACCEPTED:
                return None
            slot_a, slot_b = Slot(PLAYER, a), Slot(PLAYER, b)
            done = rate(unpack(changes.read(slot_a)), unpack(changes.read(slot_b)), result)
            after = close(before, None if isinstance(done, Rated) else done)
            if isinstance(done, Rated):
                changes.write(slot_a, pack(done.a))
                changes.write(slot_b, pack(done.b))
            changes.write(slot, pack_ticket(after))
        return after.status

    def void(self, ticket: int, reason: VoidReason) -> Status | None:
        """Closes a ticket without rating its game; None, and nothing changed, where it was not accepted.

        `RefusedError` for a reason that there is not.
        """
        why = VoidReason(whole("reason", reason, min(VoidReason), max(VoidReason)))
        with self.storage.transaction() as changes:
            slot = Slot(TICKET, ticket)
            before = unpack_ticket(changes.read(slot))
            if before.status != Status.ACCEPTED:
                return None
            changes.write(slot, pack_ticket(close(before, why)))
        return Status.VOID
