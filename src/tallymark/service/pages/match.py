"""A match: who played, how it ended, what it did to whom and why, its entry, and how to check it."""

from typing import NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.games.ids import Id
from tallymark.ledger.reading.matches import MatchInfo
from tallymark.ledger.reading.seats import Seat, Side
from tallymark.ledger.rules import rules_in
from tallymark.service.api.parameters import MatchId, PoolName
from tallymark.service.pages.checking import checks
from tallymark.service.pages.explained import explained
from tallymark.service.pages.frame import head_of, page
from tallymark.service.pages.links import api, match_path
from tallymark.service.state import Here, Service

router = APIRouter()


class Line(NamedTuple):
    """A seat as it is shown: the side's number from 1, and why the rating changed."""

    side: int
    seat: Seat
    why: list[str]


@router.api_route("/pools/{pool}/matches/{match}", methods=["GET", "HEAD"], include_in_schema=False)
def match(pool: PoolName, match: MatchId, service: Here, request: Request) -> Response:
    """A match of a pool."""
    as_of = head_of(service, pool)
    found = service.ledger.match(pool, match)
    people = [seat.player for side in found.sides for seat in side.seats]
    names = service.ledger.names(people)
    return page(
        request,
        service,
        "match.html",
        pool=pool,
        as_of=as_of,
        twin=api(match_path(pool, match)),
        match=found,
        title=title_of(found.sides, names),
        result=result_of(found.sides, names),
        lines=lines_of(found),
        teams=any(len(side.seats) > 1 for side in found.sides) or len(found.sides) > 2,
        names=names,
        rules=None if found.rules is None else _rules(service, pool, found.rules),
        entry=None if found.position is None else service.ledger.entry(pool, found.position),
        checks=checks(str(request.base_url), pool, found.position),
    )


def title_of(sides: tuple[Side, ...], names: dict[Id, str]) -> str:
    """Who played whom."""
    return " v ".join(_side(side, names) for side in sides)


def result_of(sides: tuple[Side, ...], names: dict[Id, str]) -> str | None:
    """How it ended, in words; None where there is no result."""
    ranks = [side.rank for side in sides if side.rank is not None]
    if len(ranks) < len(sides):
        return None
    best = [side for side in sides if side.rank == min(ranks)]
    if len(best) == len(sides):
        return "Drawn"
    return f"{' and '.join(_side(side, names) for side in best)} won"


def lines_of(found: MatchInfo) -> list[Line]:
    """Its seats, side by side."""
    everybody = sum(len(side.seats) for side in found.sides)
    by_period = found.state == "accepted"
    return [
        Line(n, seat, [] if by_period else explained(seat, everybody - len(side.seats)))
        for n, side in enumerate(found.sides, 1)
        for seat in side.seats
    ]


def _side(side: Side, names: dict[Id, str]) -> str:
    return ", ".join(names.get(seat.player, str(seat.player)) for seat in side.seats)


def _rules(service: Service, pool: str, position: int) -> str:
    return rules_in(service.ledger.entry(pool, position).body, position).id
