"""Agents of the arena: who they are, what they say of their programs, how often they failed."""

from fastapi import APIRouter
from starlette.responses import Response

from tallymark.arena.store import agents, locks, matches
from tallymark.arena.store.agents import Release as Known
from tallymark.arena.store.locks import Lock
from tallymark.checked import shortened
from tallymark.service.answers import Json, instant
from tallymark.service.arena.documents import Locked, Missed, OneAgent, Release
from tallymark.service.arena.here import NAME, AgentName
from tallymark.service.problems import Problem
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here, Service

router = APIRouter(tags=["arena"])


@router.get(
    "/arena/agents/{agent}",
    operation_id="getAgent",
    summary="An agent",
    response_model=OneAgent,
    responses=problems("unknown-agent"),
)
def get_agent(agent: AgentName, service: Here) -> Response:
    """Whether it is one of the site's own, whose it is, its versions and since when it has each, the algorithm and
    its hash where it tells that, the program that it plays each benchmark with, how often it failed, and how."""
    return Json(agent_of(service, agent), headers={"Cache-Control": "no-cache"})


def agent_of(service: Service, name: str) -> OneAgent:
    """An agent as it is answered."""
    with service.ledger.store.reading() as connection:
        known = agents.find(connection, name) if NAME.fullmatch(name) else None
        if known is None:
            raise Problem("unknown-agent", f"there is no agent {shortened(name)}")
        releases = agents.releases(connection, name)
        played, held = matches.failed(connection, name), locks.of_agent(connection, name)
    return OneAgent(
        agent=known.id,
        kind=known.kind,
        owner=known.owner,
        since=instant(releases[0].since),
        releases=[_release(one) for one in releases],
        locked=[_locked(one) for one in held],
        matches=played.matches,
        misses=Missed(timeout=played.timeout, illegal=played.illegal, disconnect=played.disconnect),
    )


def _release(one: Known) -> Release:
    program = one.program
    return Release(
        version=program.version, algorithm=program.algorithm, digest=program.digest, since=instant(one.since)
    )


def _locked(one: Lock) -> Locked:
    program = one.program
    return Locked(
        game=one.game,
        configuration=one.configuration,
        version=program.version,
        algorithm=program.algorithm,
        digest=program.digest,
        since=instant(one.since),
    )
