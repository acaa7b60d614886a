"""An arena for tests: a server on a port of this machine, keys of its owners, and agents that speak by hand."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from listeners import serving
from pydantic import SecretStr
from websockets.sync.client import ClientConnection, connect

import tallymark as tm
from tallymark.ledger.ledger import wall_clock
from tallymark.service import schema
from tallymark.service.keys.keyring import Keyring
from tallymark.service.settings import Settings


@dataclass(frozen=True)
class Arena:
    """Where it is, its server, the file of its ledger, and a key with the scope `play` for each owner."""

    url: str
    server: uvicorn.Server
    path: Path
    keys: dict[str, str]

    @contextmanager
    def line(self) -> Iterator["Speaker"]:
        """A connection on which nothing was said yet."""
        with connect(f"ws{self.url.removeprefix('http')}/v1/arena/play") as connection:
            yield Speaker(connection)

    @contextmanager
    def agent(self, owner: str, agent: str) -> Iterator["Speaker"]:
        """A connection that has said hello."""
        with self.line() as speaker:
            speaker.say(type="hello", protocol=1, key=self.keys[owner], agent=agent)
            assert speaker.hear()["type"] == "ready"
            yield speaker

    @contextmanager
    def renamed(self, match: str, ruleset: str) -> Iterator[None]:
        """For a while a match is of a ruleset that this version does not have, as after the game got a new one."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as store:
            ((was,),) = store.execute("SELECT ruleset FROM arena_match WHERE id = ?", (match,)).fetchall()
            store.execute("UPDATE arena_match SET ruleset = ? WHERE id = ?", (ruleset, match))
            try:
                yield
            finally:
                store.execute("UPDATE arena_match SET ruleset = ? WHERE id = ?", (was, match))


@dataclass(frozen=True)
class Speaker:
    """A connection to the arena, on which messages are said and heard by hand."""

    connection: ClientConnection

    def say(self, **message: object) -> None:
        """Sends a message."""
        self.connection.send(json.dumps(message))

    def hear(self, kind: str | None = None) -> dict[str, Any]:
        """The next message; of that type, where one is named: others are passed over."""
        while True:
            message: dict[str, Any] = json.loads(self.connection.recv(20))
            if kind in (None, message["type"]):
                return message


@contextmanager
def arena(path: Path, kept: int | None = None, **settings: Any) -> Iterator[Arena]:
    """An arena on a ledger in a folder, which is made where it is not there. `kept`: as of `serving`."""
    file = path / "arena.db"
    with tm.Ledger.open(file, create=True) as ledger:
        schema.upgraded(ledger.store)
        keyring = Keyring(ledger.store, wall_clock, 0.0)
        keys = {owner: keyring.make(owner, ["play"])[1] for owner in ("ann", "bob", "cyd")}
        keys["nobody"] = keyring.make("nobody", ["append"])[1]
    told = Settings(ledger=SecretStr(str(file)), arena=True, log_requests=False, **settings)
    with serving(told, kept=kept) as (port, server):
        yield Arena(f"http://127.0.0.1:{port}", server, file, keys)
