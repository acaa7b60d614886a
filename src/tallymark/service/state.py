"""What a running service holds: one object, which every endpoint can ask for."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeAlias, cast

from fastapi import Depends
from starlette.requests import Request

from tallymark.arena.hall.hall import Hall
from tallymark.ledger.ledger import Ledger
from tallymark.service.admin.sessions import Sessions
from tallymark.service.api.turns import Turn
from tallymark.service.cases.cases import Cases
from tallymark.service.desk import Desk
from tallymark.service.keys.keyring import Keyring
from tallymark.service.latency import Latency
from tallymark.service.live.live import Live
from tallymark.service.metrics import Metrics
from tallymark.service.settings import Settings
from tallymark.service.unrated import Forecasts
from tallymark.service.votes.polling import Polling


@dataclass(frozen=True)
class Service:
    """A ledger that is open, and what stands around it. `clock` in microseconds since 1970 UTC. `flags`,
    `newcomers` and `guesses`: how many flags, new voters and attempts to sign in each address has left. `arena`: where
    agents play each other; None where none do."""

    settings: Settings
    ledger: Ledger
    desk: Desk
    forecasts: Forecasts
    keyring: Keyring
    clock: Callable[[], int]
    polling: Polling
    cases: Cases
    flags: Turn
    newcomers: Turn
    guesses: Turn
    sessions: Sessions
    metrics: Metrics
    latency: Latency
    live: Live
    arena: Hall | None


async def service_of(request: Request) -> Service:
    """The service that a request came to. (Not a plain `def`: that would cost a thread.)"""
    return cast(Service, request.app.state.service)


Here: TypeAlias = Annotated[Service, Depends(service_of)]
"""A parameter of an endpoint: the service."""
