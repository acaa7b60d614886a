"""`tallymark demo --serve`: the football results as a site, with pools to look at and one to vote in."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from tallymark.cli.service import settings_of
from tallymark.cli.words import console, say

if TYPE_CHECKING:
    from tallymark import GameLog, Ledger

_RULES: Final = "arena"
_VOTED: Final = "favourites"
_ITEMS: Final = 32
"""Teams that are voted on: the first ones of the board."""
_KEY: Final = "demo"


def serve(log: "GameLog", ledger: str | None, port: int | None) -> None:
    """Serves the games of a log, each of its pools by itself, until it is told to stop. `ledger`: where they are kept,
    by default in a folder that goes when it ends; what is there already is not made again."""
    settings_of()  # or it says what is not installed, before anything is made
    with _place(ledger) as where:
        settings = settings_of(ledger=where, port=port)
        from tallymark import Ledger
        from tallymark.service import schema, serving
        from tallymark.service.keys.keyring import Keyring

        out = console()
        say(out, f"rating {len(log):,} matches ...")
        with Ledger.open(where, create=True) as made:
            schema.upgraded(made.store)
            _fill(made, log)
            _, key = Keyring(made.store, made.now, 0.0).make(_KEY, ["admin"])
            pools = ", ".join(one.pool for one in made.pools())

        def listening(address: str) -> None:
            say(out, f"serving {pools} at {address}")
            say(out, f"a key that may do everything there: {key}")
            say(out, "Ctrl-C ends it.", style="dim")

        serving.run(settings, listening)


def _fill(ledger: "Ledger", log: "GameLog") -> None:
    from tallymark.service.votes.items import Items

    there = {one.pool for one in ledger.pools()}
    for pool in log.pools:
        if pool not in there:
            ledger.open_pool(pool, _RULES)
    ledger.append_log(log)
    ledger.settle()
    if _VOTED not in there:
        ledger.open_pool(_VOTED, "votes")
        first = ledger.board(log.pools[0], provisional="without", limit=_ITEMS)
        Items(ledger, _VOTED).list(first.table["player"].tolist())


@contextmanager
def _place(ledger: str | None) -> Iterator[str]:
    if ledger is not None:
        yield ledger
        return
    with TemporaryDirectory(prefix="tallymark-demo-", ignore_cleanup_errors=True) as folder:
        yield str(Path(folder) / "demo.db")
