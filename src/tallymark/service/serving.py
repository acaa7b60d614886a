"""The service on a port, until it is told to stop."""

import asyncio
import gc
import socket
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Final

import uvicorn
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool

from tallymark.arena.wire.heard import LARGEST
from tallymark.errors import LedgerError, ReadError
from tallymark.service.app import create_app
from tallymark.service.pages.charts.beforehand import draw_one, make_bundle
from tallymark.service.settings import Settings
from tallymark.service.state import Service
from tallymark.service.web.http import Http
from tallymark.service.web.logs import configure

_YOUNG: Final = 20_000
"""Objects that are made before garbage is looked for among them."""
_PING: Final = 10.0
"""Seconds after which an agent is pinged, and again as many in which it has to answer."""
_LATER: Final = 2.0
"""Seconds after which a chart is drawn beforehand: who waited for the service to start comes first."""
_LATER_STILL: Final = 15.0
"""Seconds after which browsers' script for charts is made: that takes a while, and is for those who explore one."""


class Server(uvicorn.Server):
    """A server that ends streams when it is to stop: it waits for all that is being answered, and they never are."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app
        self.opened: Callable[[], None] = lambda: None
        """Is called when the application has begun, and answers."""
        self.beforehand = threading.Timer(_LATER, draw_one), threading.Timer(_LATER_STILL, make_bundle)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Opens, when the application has begun."""
        await super().startup(sockets)
        # What was imported stays for ever, and requests make hardly any cycles: looking through all of it for garbage
        # as often as a small program does would cost a fifth of the time.
        gc.collect()
        gc.freeze()
        gc.set_threshold(_YOUNG, 20, 50)
        if not self.should_exit:
            self.opened()
            for one in self.beforehand:
                one.start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends what is going on, and closes."""
        for one in self.beforehand:
            one.cancel()
        service: Service = self._app.state.service
        service.live.stop()
        if service.arena is not None:  # before connections are closed: no agent is to lose a match by that
            await run_in_threadpool(service.arena.close)
        await super().shutdown(sockets)


def run(settings: Settings, listening: Callable[[str], None]) -> None:
    """Serves until SIGINT or SIGTERM, and finishes its batch. `listening` is told the address, when the service has
    begun: who connects before that waits. `ReadError` where the port cannot be had, `LedgerError` where the service
    cannot start."""
    server = server_of(settings)
    configure()
    with closing(_bound(settings.host, settings.port)) as port:
        host, number = port.getsockname()[:2]
        address = f"http://[{host}]:{number}" if ":" in host else f"http://{host}:{number}"
        server.opened = lambda: listening(address)
        try:
            with suppress(KeyboardInterrupt):  # the signal that stopped it, raised again when all is finished
                server.run(sockets=[port])
        except SystemExit as error:  # what the server says where the application cannot begin
            raise LedgerError("the service cannot start", hint="its log says why") from error


def server_of(settings: Settings) -> Server:
    """The server, not yet running, for a port that is there."""
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        server_header=False,
        http=Http,
        ws=_web_socket() if settings.arena else "none",
        ws_max_size=LARGEST,
        ws_ping_interval=_PING,
        ws_ping_timeout=_PING,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies,
        timeout_graceful_shutdown=10,
    )
    return Server(config, app)


def _web_socket() -> type[asyncio.Protocol]:
    from tallymark.service.web.sockets import WebSocket  # of the arena, whose libraries a plain service does without

    return WebSocket


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(2048)  # who connects from now on waits for the service to start
    except OSError as error:
        found.close()
        raise ReadError(
            f"{host}:{port} cannot be listened on: {error.strerror or error}",
            hint="does another program have it? port 0 takes a free one",
        ) from error
    return found
