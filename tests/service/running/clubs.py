"""A service for tests: a ledger with a pool, a clock that is moved by hand, and a key for each scope."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.testclient import TestClient

import tallymark as tm
from tallymark.ledger.matches import Json
from tallymark.service import schema
from tallymark.service.app import create_app
from tallymark.service.keys.keyring import Keyring
from tallymark.service.keys.scopes import SCOPES
from tallymark.service.settings import Settings
from tallymark.service.state import Service

START = 1_780_000_000_000_000
"""In June 2026."""


class Clock:
    """Microseconds since 1970 UTC, which stand still until they are moved."""

    def __init__(self, at: int = START) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at


class Club:
    """A client of a service that runs as long as the test."""

    def __init__(self, client: TestClient, keys: dict[str, str], clock: Clock, path: Path) -> None:
        self.client, self.keys, self.clock, self.path = client, keys, clock, path

    @property
    def service(self) -> Service:
        """What runs behind it."""
        app = self.client.app
        assert isinstance(app, FastAPI)
        found = app.state.service
        assert isinstance(found, Service)
        return found

    def by(self, scope: str) -> dict[str, str]:
        """The header of somebody who has a scope."""
        return {"Authorization": f"Bearer {self.keys[scope]}"}

    def played(self, id: str, a: str, b: str, score: float | None, pool: str = "chess") -> dict[str, Json]:
        """Sends a match and waits until it is settled; the answer."""
        answer = self.client.put(
            f"/v1/pools/{pool}/matches/{id}?wait=30",
            json={"player_a": a, "player_b": b, "score_a": score},
            headers=self.by("append"),
        )
        assert answer.status_code in (200, 201), answer.text
        found: dict[str, Json] = answer.json()
        return found


@contextmanager
def opened(
    path: Path, url: str | None = None, ticks: Callable[[], float] = time.monotonic, **settings: object
) -> Iterator[Club]:
    """A service on a new ledger with the pool `chess`, under `arena`; `path` is a folder of its own."""
    clock = Clock()
    where = url or str(path / "club.db")
    with tm.Ledger.open(where, create=True, clock=clock) as ledger:
        ledger.open_pool("chess", "arena")
        schema.upgraded(ledger.store)
        keyring = Keyring(ledger.store, clock, 0.0)
        keys: dict[str, str] = {scope: keyring.make(f"the {scope}", [scope])[1] for scope in SCOPES}
    app = create_app(Settings(ledger=where, **({"log_requests": False} | settings)), clock=clock, ticks=ticks)  # type: ignore[arg-type]
    with TestClient(app, raise_server_exceptions=False) as client:
        yield Club(client, keys, clock, path / "club.db")
