"""The application: a ledger that is rated as results come, and everything that answers for it."""

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import anyio.to_thread
from fastapi import FastAPI

from tallymark import __version__
from tallymark.ledger.ledger import Ledger, wall_clock
from tallymark.service import schema
from tallymark.service.api import ballots, cases, health, items, matches, pools, ratings
from tallymark.service.api.description import TITLE, describe
from tallymark.service.cases.cases import Cases
from tallymark.service.cases.watching import Watch
from tallymark.service.keys.keyring import Keyring
from tallymark.service.problems.mapping import install
from tallymark.service.settings import Settings
from tallymark.service.state import Service
from tallymark.service.votes.polling import Polling
from tallymark.service.web.paths import Paths

_CHANCE: Final = random.SystemRandom()
_RESOURCES = (pools, matches, ratings, items, ballots, cases)


def create_app(
    settings: Settings, *, clock: Callable[[], int] = wall_clock, chance: random.Random = _CHANCE
) -> FastAPI:
    """The service of a ledger. `clock`: microseconds since 1970 UTC; `chance`: where ballots and ids of cases are from.

    While it runs, it rates what comes; when it is stopped, it finishes its batch. `LedgerError` on starting where
    there is no ledger.
    """

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = settings.threads
        with Ledger.open(settings.ledger.get_secret_value(), clock=clock) as ledger:
            schema.upgraded(ledger.store)
            keyring = Keyring(ledger.store, clock, settings.key_seconds)
            polling = Polling.of(ledger, clock, chance, seconds=settings.ballot_seconds, cap=settings.daily_votes)
            reviewed = Cases(ledger, clock, chance, approvers=settings.approvers)
            app.state.service = Service(settings, ledger, keyring, clock, polling, reviewed)
            with ledger.rating(), Watch(ledger, reviewed).watching():
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
