"""`tallymark serve`: the service on a port."""

from importlib.util import find_spec
from typing import Annotated

from typer import Option

from tallymark.cli.endings import Ending
from tallymark.cli.ledger.opening import Where
from tallymark.cli.service import settings_of
from tallymark.cli.words import console, counted, say
from tallymark.errors import MissingLibraryError


def serve(
    ledger: Where = None,
    host: Annotated[str | None, Option("--host", metavar="ADDRESS", help="Listen on it (default 127.0.0.1).")] = None,
    port: Annotated[
        int | None, Option("--port", metavar="N", help="Listen on it (default 8000); 0 takes a free one.")
    ] = None,
    arena: Annotated[
        bool | None, Option("--arena", help="Let agents play each other here: queues, matches, house agents.")
    ] = None,
) -> int:
    """Serve a ledger over HTTP: results in, boards out, each match rated as it comes.

    Every setting is in the environment or a file too: tallymark config show. Stop it with Ctrl-C or SIGTERM: what was
    acknowledged is on the disk, and the batch at hand is finished.

    For example:

    $ tallymark serve --ledger club.db

    $ tallymark serve --ledger club.db --host 0.0.0.0 --port 8080

    $ tallymark serve --ledger arena.db --arena
    """
    settings = settings_of(ledger=ledger, host=host, port=port, arena=arena)
    for library in ("websockets", "pyspiel") if settings.arena else ():
        if find_spec(library) is None:
            raise MissingLibraryError(f"{library} is not installed", hint="pip install 'tallymark[service,arena]'")
    from tallymark import Ledger
    from tallymark.service import serving
    from tallymark.service.arena.opening import check

    # What is wrong with it is said before a port is taken. An arena opens its own pools: it can begin with nothing.
    with Ledger.open(settings.ledger.get_secret_value(), create=settings.arena) as found:
        where, pools = found.where, len(found.pools())
        if settings.arena:
            check(found)
    out = console()

    def listening(address: str) -> None:
        what = "an arena" if settings.arena else counted(pools, "pool")
        say(out, f"serving {where} ({what}) at {address}")
        if settings.arena:
            say(out, f"agents connect with a key: tallymark keys create OWNER --scope play --ledger {where}")

    serving.run(settings, listening)
    return Ending.DONE
