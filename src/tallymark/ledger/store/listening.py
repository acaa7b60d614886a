"""A rater's own session on PostgreSQL: it hears of appends by LISTEN, and leads pools by advisory locks.

A session of its own: a lock belongs to it, is free the moment it ends, and would stay with a connection that was given
back to a pool of connections. A leader that lost its session without knowing does no harm: the head's compare-and-swap
stops it.
"""

from typing import Final

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from tallymark.errors import LedgerError

_LOCK: Final = "SELECT pg_try_advisory_lock(hashtext(current_schema() || ' tallymark'), %s)"


class SessionWatch:
    """A session that listens, and holds the locks of the pools that it leads."""

    def __init__(self, engine: Engine, name: str, channel: str) -> None:
        self._name = name
        self._led: set[int] = set()
        try:
            taken = engine.raw_connection()
        except (SQLAlchemyError, psycopg.Error) as error:  # where the pool connects again, the driver's own
            raise LedgerError(f"{name}: {error}") from error
        raw = taken.driver_connection
        assert isinstance(raw, psycopg.Connection)
        taken.detach()
        self._raw = raw
        try:
            raw.autocommit = True
            raw.execute(SQL("LISTEN {}").format(Identifier(channel)))
        except psycopg.Error as error:
            raise self._lost(error) from error

    def leads(self, pool: int) -> bool:
        """Whether the lock of the pool is this session's: once it is, until the session ends."""
        if pool not in self._led:
            try:
                found = self._raw.execute(_LOCK, (pool,)).fetchone()
            except psycopg.Error as error:
                raise self._lost(error) from error
            if found is None or not found[0]:
                return False
            self._led.add(pool)
        return True

    def wait(self, seconds: float) -> None:
        """Until something was appended by anybody, or some seconds long."""
        try:
            for _ in self._raw.notifies(timeout=seconds, stop_after=1):
                pass
        except psycopg.Error as error:
            raise self._lost(error) from error

    def close(self) -> None:
        """Ends the session, and with it the locks."""
        self._raw.close()

    def _lost(self, error: psycopg.Error) -> LedgerError:
        self._raw.close()
        return LedgerError(f"{self._name}: {str(error).strip() or type(error).__name__}")
