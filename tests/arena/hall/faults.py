"""What goes wrong in tests of a hall: a database that fails, and a game that cannot be begun."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from small_games import Noughts, NoughtsGame
from sqlalchemy.exc import OperationalError

from tallymark.errors import LedgerError
from tallymark.ledger.ledger import Ledger

Commit = Callable[[Any], None]


@contextmanager
def failing(ledger: Ledger, behind: bool) -> Iterator[None]:
    """Commits fail: before they are done, or behind: only the word of it is lost."""
    dialect: Any = ledger.store.writes.dialect
    commit: Commit = dialect.do_commit

    def fails(connection: Any) -> None:
        if behind:
            commit(connection)
        raise OperationalError("COMMIT", {}, Exception("the line is cut"))

    dialect.do_commit = fails
    try:
        yield
    finally:
        dialect.do_commit = commit


def fails(hall: Any) -> None:
    with pytest.raises(LedgerError, match="the line is cut"):
        hall.turn()


class Broken(NoughtsGame):
    """It cannot be begun."""

    def __init__(self) -> None:
        super().__init__(name="broken")

    def start(self, seed: bytes, seats: int) -> Noughts:
        raise ZeroDivisionError
