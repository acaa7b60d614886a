"""`tallymark serve`: the service on a port."""

from typing import Annotated

from typer import Option

from tallymark.cli.endings import CommandError, Ending
from tallymark.cli.ledger.opening import Where
from tallymark.cli.service import settings_of
from tallymark.cli.words import console, say


def serve(
    ledger: Where = None,
    host: Annotated[str | None, Option("--host", metavar="ADDRESS", help="Listen on it (default 127.0.0.1).")] = None,
    port: Annotated[
        int | None, Option("--port", metavar="N", help="Listen on it (default 8000); 0 takes a free one.")
    ] = None,
) -> int:
    """Serve a ledger over HTTP: results in, boards out, each match rated as it comes.

    Every setting is in the environment or a file too: tallymark config show. Stop it with Ctrl-C or SIGTERM: what was
    acknowledged is on the disk, and the batch at hand is finished.

    For example:

    $ tallymark serve --ledger club.db

    $ tallymark serve --ledger club.db --host 0.0.0.0 --port 8080
    """
    settings = settings_of(ledger=ledger, host=host, port=port)
    from tallymark import Ledger
    from tallymark.service.serving import server_of

    with Ledger.open(
        settings.ledger.get_secret_value()
    ) as found:  # what is wrong with it is said before a port is taken
        pools = len(found.pools())
    out = console()
    server = server_of(settings)
    try:
        socket = server.config.bind_socket()
    except SystemExit:
        raise CommandError(
            Ending.UNREADABLE,
            f"{settings.host}:{settings.port} cannot be listened on",
            "does another program have the port? --port 0 takes a free one",
        ) from None
    name, number = socket.getsockname()[:2]
    say(out, f"serving {found.where} ({pools} {'pool' if pools == 1 else 'pools'}) at http://{name}:{number}")
    server.run(sockets=[socket])
    return Ending.DONE
