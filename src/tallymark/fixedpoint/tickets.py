"""A game's ticket: it is accepted once, and then rated or void for ever."""

from enum import IntEnum
from typing import NamedTuple

from tallymark.fixedpoint.refusing import RefusedError
from tallymark.fixedpoint.rules import VoidReason


class Status(IntEnum):
    """Where a ticket is."""

    NONE = 0
    ACCEPTED = 1
    RATED = 2
    VOID = 3


class Ticket(NamedTuple):
    """A ticket, and of a void one why."""

    status: Status = Status.NONE
    reason: VoidReason | None = None


def accept(ticket: Ticket) -> Ticket:
    """The ticket accepted if there was none; else as it is.

    >>> accept(Ticket()).status
    <Status.ACCEPTED: 1>
    """
    return Ticket(Status.ACCEPTED) if ticket.status == Status.NONE else ticket


def close(ticket: Ticket, reason: VoidReason | None) -> Ticket:
    """An accepted ticket rated, or void for a reason. Any other stays as it is.

    >>> close(accept(Ticket()), VoidReason.SHORT)
    Ticket(status=<Status.VOID: 3>, reason=<VoidReason.SHORT: 4>)
    >>> close(Ticket(Status.RATED), VoidReason.SHORT).status
    <Status.RATED: 2>
    """
    if ticket.status != Status.ACCEPTED:
        return ticket
    return Ticket(Status.RATED) if reason is None else Ticket(Status.VOID, reason)


def pack_ticket(ticket: Ticket) -> int:
    """The ticket in one slot: the status, and above its two bits the reason.

    >>> pack_ticket(Ticket(Status.VOID, VoidReason.SHORT))
    19
    """
    return int(ticket.status) | int(ticket.reason or 0) << 2


def unpack_ticket(slot: int) -> Ticket:
    """The ticket of a slot; `RefusedError` for one that no ticket has.

    >>> unpack_ticket(0)
    Ticket(status=<Status.NONE: 0>, reason=None)
    """
    status, reason = slot & 3, slot >> 2
    if slot < 0 or (reason not in list(VoidReason) if status == Status.VOID else reason):
        raise RefusedError("ticket", f"ticket is {slot}; expected a status, and a reason where it is void")
    return Ticket(Status(status), VoidReason(reason) if reason else None)
