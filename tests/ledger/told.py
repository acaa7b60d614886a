"""Ledgers for tests: on a file, with a clock that is set, and their rows read back."""

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import select

from tallymark.games.ids import Id
from tallymark.ledger.fold.rows import Row, displayed
from tallymark.ledger.ids import id_of
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.ratings import row_of
from tallymark.ledger.tables import ENTRY, RATING
from tallymark.methodology import Methodology

NOW = 1_780_000_000_000_000
"""Some time in 2026."""


class Clock:
    """A clock that shows what it is told to."""

    def __init__(self, now: int = NOW) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


def new(folder: Path, rules: Methodology | str, pool: str = "p", clock: Callable[[], int] | None = None) -> Ledger:
    """A ledger of one pool."""
    ledger = Ledger.open(folder / "ledger.db", create=True, clock=clock or Clock())
    ledger.open_pool(pool, rules)
    return ledger


def rows(ledger: Ledger, pool: str = "p") -> dict[Id, Row]:
    """Every rated player's row."""
    number, rules = ledger.number(pool), ledger.rules(pool)
    with ledger._store.reading() as connection:
        found = connection.execute(select(RATING).where(RATING.c.pool == number)).all()
    return {id_of(one.player): row_of(one, rules) for one in found if one.rated}


def shown(ledger: Ledger, pool: str = "p") -> dict[Id, tuple[float, float, float]]:
    """Every rated player's rating, deviation and volatility."""
    return {player: displayed(row, ledger.rules(pool)) for player, row in rows(ledger, pool).items()}


def bodies(ledger: Ledger, pool: str = "p") -> list[bytes]:
    """The entries of a pool."""
    number = ledger.number(pool)
    with ledger._store.reading() as connection:
        found = connection.scalars(select(ENTRY.c.body).where(ENTRY.c.pool == number).order_by(ENTRY.c.position))
        return [bytes(body) for body in found]


def kinds(ledger: Ledger, pool: str = "p") -> list[str]:
    """The kinds of its entries."""
    from tallymark.ledger.entries import prefix

    return [prefix(body).kind for body in bodies(ledger, pool)]


def game(n: int | str, a: Id, b: Id, score: float | None, played: str | None = None, **more: object) -> dict:  # type: ignore[type-arg]
    """A match."""
    told = {"id": n, "player_a": a, "player_b": b, "score_a": score, "played_at": played, **more}
    return {key: value for key, value in told.items() if value is not None or key == "score_a"}
