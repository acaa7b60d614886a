"""The application: a ledger that is rated as results come, and everything that answers for it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio.to_thread
from fastapi import FastAPI

from tallymark import __version__
from tallymark.ledger.ledger import Ledger, wall_clock
from tallymark.service import schema
from tallymark.service.api import health, matches, pools, ratings
from tallymark.service.api.description import TITLE, describe
from tallymark.service.keys.keyring import Keyring
from tallymark.service.problems.mapping import install
from tallymark.service.settings import Settings
from tallymark.service.state import Service
from tallymark.service.web.paths import Paths

_RESOURCES = (pools, matches, ratings)


def create_app(settings: Settings, *, clock: Callable[[], int] = wall_clock) -> FastAPI:
    """The service of a ledger. `clock`: microseconds since 1970 UTC.

    While it runs, it rates what comes; when it is stopped, it finishes its batch. `LedgerError` on starting where
    there is no ledger.
    """

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = settings.threads
        with Ledger.open(settings.ledger.get_secret_value(), clock=clock) as ledger:
            schema.upgraded(ledger.store)
            app.state.service = Service(settings, ledger, Keyring(ledger.store, clock, settings.key_seconds), clock)
            with ledger.rating():
                yield

    app = FastAPI(
        title=TITLE,
        version=__version__,
        lifespan=life,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    install(app)
    app.include_router(health.router)
    for resource in _RESOURCES:
        app.include_router(resource.router, prefix="/v1")
    app.add_middleware(Paths)
    return app
