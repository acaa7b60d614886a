"""A database that holds a ledger: connections for reading and for writing, and the few statements that differ."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from sqlalchemy import Table
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError

from tallymark.errors import LedgerError

Values: TypeAlias = Mapping[str, int | float | str | bytes | None]


class Store(ABC):
    """One database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def name(self) -> str:
        """How messages call it: without a password."""
        return self.engine.url.render_as_string(hide_password=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads: one state of the database, and no lock that a writer would wait for."""
        try:
            with self.engine.connect() as connection:
                self.begin_reading(connection)
                with connection.begin():
                    yield connection
        except DBAPIError as error:
            raise self.told(error) from error

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes: all of it is there for ever when this ends, or nothing is."""
        try:
            with self.engine.begin() as connection:
                yield connection
        except DBAPIError as error:
            raise self.told(error) from error

    def told(self, error: DBAPIError) -> LedgerError:
        """The driver's error in our words."""
        first = str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else type(error.orig).__name__
        return LedgerError(f"{self.name}: {first}", hint=self.advice(first))

    @abstractmethod
    def begin_reading(self, connection: Connection) -> None:
        """Makes the transaction that is about to begin one that only reads."""

    @abstractmethod
    def advice(self, message: str) -> str | None:
        """What to do about a driver's error, where that can be said."""

    @abstractmethod
    def insert_new(self, connection: Connection, table: Table, rows: Sequence[Values]) -> None:
        """Inserts the rows that are not there yet; those that are stay as they are."""

    @abstractmethod
    def upsert(self, connection: Connection, table: Table, rows: Sequence[Values]) -> None:
        """Inserts rows, or puts them in the place of those with their primary key."""

    @abstractmethod
    def receipt_numbers(self, connection: Connection, count: int) -> Sequence[int]:
        """Numbers that no receipt has, ascending."""

    @abstractmethod
    def wake(self, connection: Connection, pool: int) -> None:
        """Tells raters in other processes, when the transaction ends well, that the pool's inbox has something."""

    def close(self) -> None:
        """Gives back all connections."""
        self.engine.dispose()
