"""Which halls are there: each holds the tickets and matches that name it, as long as it goes on saying so.

The times are of the ledger's clock, which the machines of a site must agree on to a part of the lease.
"""

from typing import Final

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.engine import Connection

from tallymark.arena.store.tables import HALL

_UNTIL: Final = select(HALL.c.until).where(HALL.c.id == bindparam("hall")).with_for_update()
_RENEW: Final = update(HALL).where(HALL.c.id == bindparam("hall")).values(until=bindparam("then"))
_THERE: Final = select(HALL.c.id).where(HALL.c.id == bindparam("hall"))
_GIVE_UP: Final = update(HALL).where(HALL.c.id == bindparam("hall")).values(until=-1)
_GONE: Final = select(HALL.c.id).where(HALL.c.until < bindparam("now")).with_for_update(skip_locked=True)
_OTHERS: Final = select(HALL.c.id).where(HALL.c.id != bindparam("hall"))
_END: Final = delete(HALL).where(HALL.c.id == bindparam("hall"))


def begin(connection: Connection, hall: str, until: int) -> None:
    """A new hall, which is there until a time."""
    connection.execute(insert(HALL), {"id": hall, "until": until})


def renewed(connection: Connection, hall: str, now: int, until: int) -> bool:
    """Goes on until a time; whether it still was there, and not too late to say so. Until the transaction ends nobody
    else can say that it is not: what it writes in that transaction, it writes as the one that holds its matches."""
    known: int | None = connection.scalar(_UNTIL, {"hall": hall})
    if known is None or known < now:
        return False
    if known < until - (until - now) // 10:  # hundreds of transactions a second need not write it all
        connection.execute(_RENEW, {"hall": hall, "then": until})
    return True


def there(connection: Connection, hall: str) -> bool:
    """Whether nobody has ended a hall, though its time may be over."""
    return connection.scalar(_THERE, {"hall": hall}) is not None


def given_up(connection: Connection, hall: str) -> None:
    """A hall stops: whoever comes next has what it held."""
    connection.execute(_GIVE_UP, {"hall": hall})


def expired(connection: Connection, now: int) -> list[str]:
    """Halls that did not say in time that they go on; nobody else ends them until the transaction does."""
    return list(connection.scalars(_GONE, {"now": now}))


def others(connection: Connection, hall: str) -> list[str]:
    """All halls besides this one."""
    return list(connection.scalars(_OTHERS, {"hall": hall}))


def end(connection: Connection, hall: str) -> None:
    """A hall is there no more."""
    connection.execute(_END, {"hall": hall})
