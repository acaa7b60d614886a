"""An agent's profile: what it is, which programs it had, how it failed, what it played."""

from typing import Final, NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.arena.games.face import Game
from tallymark.arena.hall.hall import Hall
from tallymark.errors import UnknownError
from tallymark.service.arena.agents import agent_of
from tallymark.service.arena.documents import Locked, OneAgent, match_of
from tallymark.service.arena.here import AgentName, Arena
from tallymark.service.arena.matches import page_of
from tallymark.service.pages.arena.rows import rows_of
from tallymark.service.pages.frame import page
from tallymark.service.pages.links import agent_path, api, with_query
from tallymark.service.pages.player import standing
from tallymark.service.pages.words import whole
from tallymark.service.state import Here, Service

router = APIRouter()
_MATCHES: Final = 20


class Shown(NamedTuple):
    """A rating in a pool."""

    pool: str
    rating: str
    deviation: str
    provisional: bool


@router.api_route("/arena/agents/{agent}", methods=["GET", "HEAD"], include_in_schema=False)
def agent(agent: AgentName, service: Here, hall: Arena, request: Request) -> Response:
    """A profile."""
    known = agent_of(service, agent)
    found, more = page_of(service, agent=agent, limit=_MATCHES)
    pools = dict.fromkeys(game.pool for game in hall.games.values() if game.kind == "arena")
    return page(
        request,
        service,
        "arena/agent.html",
        twin=api(agent_path(agent)),
        known=known,
        now=known["releases"][-1],
        matches=rows_of(service, [match_of(one) for one in found], known["agent"]),
        ratings=[told for pool in pools if (told := _rating(service, pool, agent)) is not None],
        benchmarks=_benchmarks(service, hall, known),
        more=with_query("/arena/matches", agent=agent) if more else None,
    )


class Benchmarked(NamedTuple):
    """How an agent stands in a benchmark: its rating there, and the program that it is held to, which house agents are
    not."""

    game: Game
    rating: Shown | None
    lock: Locked | None


def _benchmarks(service: Service, hall: Hall, known: OneAgent) -> list[Benchmarked]:
    """The benchmarks that it has joined, or was an opponent in."""
    locks = {one["game"]: one for one in known["locked"]}
    found = [
        Benchmarked(game, _rating(service, game.pool, known["agent"]), locks.get(name))
        for name, game in hall.games.items()
        if game.kind == "benchmark"
    ]
    return [one for one in found if one.rating is not None or one.lock is not None]


def _rating(service: Service, pool: str, agent: str) -> Shown | None:
    """Where it stands in a pool, as it is shown; None where it does not."""
    try:
        now = standing(service, pool, agent)
    except UnknownError:
        return None
    after = now.change.after
    return Shown(pool, whole(after.rating), whole(after.deviation), now.row is not None and now.row["provisional"])
