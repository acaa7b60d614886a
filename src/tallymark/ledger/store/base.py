"""A database that holds a ledger: connections for reading and for writing, and the few statements that differ."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple, TypeAlias

from sqlalchemy import Table
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as Late

from tallymark.errors import LedgerError
from tallymark.ledger.bell import Bell
from tallymark.ledger.store.watch import Watch

Cell: TypeAlias = int | float | str | bytes | None
Values: TypeAlias = Mapping[str, Cell]
"""A row by the names of its columns."""
Cells: TypeAlias = tuple[Cell, ...]
"""A row in the order of its table's columns."""


def of_the_database(error: BaseException) -> bool:
    """Whether everybody meets an error, for the database is gone, full or locked: it is not about what was asked."""
    return isinstance(error, LedgerError) and isinstance(error.__cause__, OperationalError | InterfaceError | Late)


class Enrolled(NamedTuple):
    """What stands in `receipt` for an item: its number and the digest of its content."""

    number: int
    digest: bytes


class Store(ABC):
    """One database. `reads` and `writes` are where connections of either kind come from."""

    def __init__(self, reads: Engine, writes: Engine) -> None:
        self.reads, self.writes = reads, writes

    @property
    def name(self) -> str:
        """How messages call it: without a password."""
        return self.writes.url.render_as_string(hide_password=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads: one state of the database, and no lock that a writer would wait for."""
        try:
            with self.reads.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise self.told(error) from error

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes: all of it is there for ever when this ends, or nothing is."""
        try:
            with self.writes.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise self.told(error) from error

    def forgetting(self) -> AbstractContextManager[Connection]:
        """As `writing`, for what is to be gone: where the database can do it, its bytes are overwritten."""
        return self.writing()

    def told(self, error: SQLAlchemyError) -> LedgerError:
        """The driver's error in our words."""
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        first = str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
        return LedgerError(f"{self.name}: {first}", hint=self.advice(first))

    @abstractmethod
    def look(self, create: bool) -> None:
        """`LedgerError` where it can be seen that nothing of ours is there, before anything is connected to.

        `create`: one is about to be made there.
        """

    @abstractmethod
    def alone(self, connection: Connection) -> None:
        """Until the end of the transaction nobody else changes tables."""

    @abstractmethod
    def advice(self, message: str) -> str | None:
        """What to do about a driver's error, where that can be said."""

    @abstractmethod
    def logged(self) -> None:
        """Makes sure that a commit is on the disk when it is acknowledged."""

    @abstractmethod
    def enroll(self, connection: Connection, pool: int, rows: Mapping[str, Cells]) -> dict[str, Enrolled]:
        """Inserts those of these rows of `receipt`, by item, whose item is new; of the others, what stands there.

        Rows come ordered by item: all take their locks in that order, or two clients wait for each other.
        """

    @abstractmethod
    def insert(self, connection: Connection, table: Table, rows: Iterable[Cells]) -> None:
        """Inserts rows. There is at least one."""

    @abstractmethod
    def upsert(self, connection: Connection, table: Table, rows: Iterable[Values]) -> None:
        """Inserts rows, or puts them in the place of those with their primary key. There is at least one."""

    @abstractmethod
    def receipt_numbers(self, connection: Connection, count: int) -> Sequence[int]:
        """Numbers that no receipt has, ascending."""

    @abstractmethod
    def rouse(self) -> None:
        """Tells raters in other processes that something has come. It may be lost: they look now and then."""

    @abstractmethod
    def watch(self, arrived: Bell) -> Watch:
        """What a rater waits on; `arrived` rings for what this process appends."""

    def close(self) -> None:
        """Gives back all connections."""
        self.reads.dispose()
        self.writes.dispose()
