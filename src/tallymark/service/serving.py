"""The service on a port, until it is told to stop."""

import uvicorn

from tallymark.service.app import create_app
from tallymark.service.settings import Settings


def server_of(settings: Settings) -> uvicorn.Server:
    """The server, not yet running: `run()` returns when it was stopped and its batch is finished."""
    config = uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_config=None,
        server_header=False,
        ws="none",
        proxy_headers=False,
        timeout_graceful_shutdown=10,
    )
    return uvicorn.Server(config)
