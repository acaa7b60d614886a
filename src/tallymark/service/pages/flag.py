"""Anybody says that something is wrong with a match or a player. That is a private case; nothing public changes."""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.service.api.cases import SOMEBODY
from tallymark.service.api.parameters import MatchId, PlayerId, PoolName
from tallymark.service.api.turns import take
from tallymark.service.pages.frame import page
from tallymark.service.pages.links import match_path, player_path
from tallymark.service.pages.named import Names
from tallymark.service.pages.titles import titles
from tallymark.service.problems import Problem
from tallymark.service.problems.mapping import told
from tallymark.service.state import Here, Service, service_of
from tallymark.service.web.origins import ours

router = APIRouter()
_MATCH = "/pools/{pool}/matches/{match}/flag"
_PLAYER = "/pools/{pool}/players/{player}/flag"


class About(NamedTuple):
    """What a flag is about."""

    pool: str
    match: Id | None
    player: Id | None

    @property
    def path(self) -> str:
        """Its page."""
        if self.match is not None:
            return match_path(self.pool, self.match)
        assert self.player is not None
        return player_path(self.pool, self.player)


async def _why(request: Request) -> str:
    ours(request)
    take((await service_of(request)).flags, request, "flags")
    async with request.form(max_files=0, max_fields=2) as form:
        why = form.get("why")
    return why.replace("\r\n", "\n").strip() if isinstance(why, str) else ""


Why = Annotated[str, Depends(_why)]


@router.api_route(_MATCH, methods=["GET", "HEAD"], include_in_schema=False)
def flag_match(pool: PoolName, match: MatchId, service: Here, request: Request) -> Response:
    """Asks what is wrong with a match."""
    service.ledger.receipt(pool, match)  # or there is none
    return _page(request, service, About(pool, match, None))


@router.api_route(_PLAYER, methods=["GET", "HEAD"], include_in_schema=False)
def flag_player(pool: PoolName, player: PlayerId, service: Here, request: Request) -> Response:
    """Asks what is wrong with a player."""
    service.ledger.history(player, pool, limit=1)  # or there is none
    return _page(request, service, About(pool, None, player))


@router.post(_MATCH, include_in_schema=False)
def match_flagged(pool: PoolName, match: MatchId, why: Why, service: Here, request: Request) -> Response:
    """Keeps it for reviewers."""
    return _flagged(request, service, About(pool, match, None), why)


@router.post(_PLAYER, include_in_schema=False)
def player_flagged(pool: PoolName, player: PlayerId, why: Why, service: Here, request: Request) -> Response:
    """Keeps it for reviewers."""
    return _flagged(request, service, About(pool, None, player), why)


def _flagged(request: Request, service: Service, about: About, why: str) -> Response:
    try:
        service.cases.flag(about.pool, SOMEBODY, why, about.match, about.player)
    except InputError as error:
        return _page(request, service, about, why=why, trouble=told(error))
    return _page(request, service, about, done=True)


def _page(
    request: Request,
    service: Service,
    about: About,
    *,
    why: str = "",
    done: bool = False,
    trouble: Problem | None = None,
) -> Response:
    status = 200 if trouble is None else trouble.status
    return page(
        request,
        service,
        "flag.html",
        pool=about.pool,
        status=status,
        about=about,
        name=_name(service, about),
        why=why,
        done=done,
        trouble=trouble,
    )


def _name(service: Service, about: About) -> str:
    """What it is about, as people call it."""
    if about.match is not None:
        found = titles(service.ledger, about.pool, [about.match]).get(about.match)
        return f"match {about.match}" if found is None else found.short
    assert about.player is not None
    return Names(service.ledger, [about.player]).called(about.player)
