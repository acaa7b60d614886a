"""The application: a ledger that is rated as results come, and everything that answers for it."""

import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from typing import Any, Final

import anyio.to_thread
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.types import Scope

from tallymark import __version__
from tallymark.errors import LedgerError
from tallymark.ledger.ledger import Ledger, wall_clock
from tallymark.service import schema
from tallymark.service.admin import entered
from tallymark.service.admin import routes as admin
from tallymark.service.admin.sessions import Sessions
from tallymark.service.api import (
    ballots,
    boards,
    bulk,
    cases,
    corrections,
    entries,
    health,
    imagined,
    items,
    keys,
    kinds,
    matches,
    methodologies,
    pairs,
    players,
    pools,
    ratings,
    ruling,
    stream,
    views,
)
from tallymark.service.api.description import TITLE, describe
from tallymark.service.arena import routes as arena
from tallymark.service.arena.opening import playing
from tallymark.service.cases.cases import Cases
from tallymark.service.cases.watching import Watch
from tallymark.service.desk import Desk
from tallymark.service.keys.keyring import Keyring
from tallymark.service.latency import Latency
from tallymark.service.live.live import Live
from tallymark.service.metrics import Metrics
from tallymark.service.pages import errors, routes
from tallymark.service.pages.arena import routes as arena_pages
from tallymark.service.problems.mapping import install
from tallymark.service.settings import Settings
from tallymark.service.state import Service
from tallymark.service.unrated import Forecasts
from tallymark.service.votes.polling import Polling
from tallymark.service.web.bodies import Bodies
from tallymark.service.web.buckets import Buckets
from tallymark.service.web.heads import Heads
from tallymark.service.web.limits import Limits
from tallymark.service.web.logs import RequestLog, to_standard_error
from tallymark.service.web.paths import Paths
from tallymark.service.web.requests import Answered, Requests
from tallymark.service.web.whole import Whole

_CHANCE: Final = random.SystemRandom()
_RESOURCES = (
    matches,  # first, for most requests are for it, and routes are looked through in their order
    pools,
    players,
    views,
    bulk,
    ratings,
    boards,
    pairs,
    entries,
    methodologies,
    ruling,
    corrections,
    items,
    ballots,
    cases,
    imagined,
    keys,
    stream,
)


class _Application(FastAPI):
    """FastAPI's, with a description of our own."""

    def openapi(self) -> dict[str, Any]:
        """What the service can do, as OpenAPI has it."""
        return describe(self)


def create_app(
    settings: Settings,
    *,
    clock: Callable[[], int] = wall_clock,
    ticks: Callable[[], float] = time.monotonic,
    chance: random.Random = _CHANCE,
) -> FastAPI:
    """The service of a ledger. `clock`: microseconds since 1970 UTC; `ticks`: seconds that never go back, for limits;
    `chance`: where ballots and ids of cases are from.

    While it runs, it rates what comes; when it is stopped, it finishes its batch. `LedgerError` on starting where
    there is no ledger.
    """

    log = RequestLog(to_standard_error) if settings.log_requests else None

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = settings.threads
        with Ledger.open(settings.ledger.get_secret_value(), clock=clock) as ledger, ExitStack() as stack:
            schema.upgraded(ledger.store)
            metrics = Metrics(ledger, arena=settings.arena)
            latency = Latency(ledger, metrics.settled)
            keyring = Keyring(ledger.store, clock, settings.key_seconds)
            polling = Polling.of(ledger, clock, chance, seconds=settings.ballot_seconds, cap=settings.daily_votes)
            reviewed = Cases(ledger, clock, chance, approvers=settings.approvers)
            guesses = Buckets(settings.sign_ins_a_minute)
            flags, newcomers = Buckets(settings.flags_a_minute), Buckets(settings.voters_a_minute)
            live = Live(
                ledger,
                beat=settings.beat_seconds,
                kept=settings.stream_bytes,
                each=settings.streams,
                most=settings.all_streams,
            )
            metrics.streams(lambda: live.readers)
            app.state.service = Service(
                settings=settings,
                ledger=ledger,
                desk=Desk(ledger),
                forecasts=Forecasts(ledger, ticks),
                keyring=keyring,
                clock=clock,
                polling=polling,
                cases=reviewed,
                flags=lambda address: flags.take(address, ticks()),
                newcomers=lambda address: newcomers.take(address, ticks()),
                guesses=lambda address: guesses.take(address, ticks()),
                sessions=Sessions(ledger.store, keyring, clock, settings.session_hours),
                metrics=metrics,
                latency=latency,
                live=live,
                arena=stack.enter_context(playing(ledger, settings, metrics.turned)) if settings.arena else None,
            )
            async with live.running():
                with ledger.rating(), latency.measuring(), Watch(ledger, reviewed).watching():
                    yield
        if log is not None:
            log.flush()

    app = _Application(
        title=TITLE,
        version=__version__,
        lifespan=life,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    install(app, errors.answer)
    entered.install(app)
    for resource in _RESOURCES:
        app.include_router(resource.router, prefix="/v1")
    if settings.arena:
        app.include_router(arena.router, prefix="/v1")
        app.include_router(arena_pages.router)
    app.include_router(health.router)
    app.include_router(kinds.router)
    app.include_router(routes.router)
    app.include_router(admin.router)
    # The last one is the outermost.
    app.add_middleware(Whole)
    app.add_middleware(Paths)
    app.add_middleware(Heads)
    app.add_middleware(Bodies, limit=settings.body_bytes, seconds=settings.body_seconds)
    app.add_middleware(
        Limits, reads=settings.reads_a_minute, writes=settings.writes_a_minute, known=_known, find=_found, clock=ticks
    )
    app.add_middleware(Requests, answered=_answered, log=log)
    return app


def _service(scope: Scope) -> Service | None:
    """The service, when it has started."""
    found: Service | None = getattr(scope["app"].state, "service", None)
    return found


def _known(scope: Scope, text: str) -> str | None:
    service = _service(scope)
    key = None if service is None else service.keyring.familiar(text)
    return None if key is None else key.id


async def _found(scope: Scope, text: str) -> str | None:
    service = _service(scope)
    if service is None:
        return None
    try:
        key = await run_in_threadpool(service.keyring.find, text)
    except LedgerError:  # which the request itself is told
        return None
    return None if key is None else key.id


def _answered(scope: Scope) -> Answered | None:
    service = _service(scope)
    return None if service is None else service.metrics.answered
