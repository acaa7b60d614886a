"""Two players against each other: the record, the last meetings, and what is expected of the next."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.ledger.ids import key_of
from tallymark.service.api.parameters import PlayerId, PoolName, id_in
from tallymark.service.pages.frame import head_of, page
from tallymark.service.pages.links import against_path, api, pool_path, with_query
from tallymark.service.pages.named import Names
from tallymark.service.state import Here

router = APIRouter()
SIZE = 20
"""Meetings of a page."""


@router.api_route("/pools/{pool}/players/{player}/against/{other}", methods=["GET", "HEAD"], include_in_schema=False)
def against(
    pool: PoolName,
    player: PlayerId,
    other: str,
    service: Here,
    request: Request,
    before: Annotated[int | None, Query(ge=1)] = None,
) -> Response:
    """The first one's side of it."""
    b = id_in(other, "other")
    found = service.ledger.head_to_head(player, b, pool, SIZE, before)
    names = Names(service.ledger, [player, b])
    said = service.ledger.said(pool, [one.match for one in found.meetings])
    last = found.meetings[-1].position if len(found.meetings) == SIZE else None
    return page(
        request,
        service,
        "against.html",
        pool=pool,
        as_of=head_of(service, pool),
        twin=with_query(api(pool_path(pool, "head-to-head")), a=key_of(player), b=key_of(b), before=before, limit=SIZE),
        a=player,
        b=b,
        name_a=names.called(player),
        name_b=names.called(b),
        met=found,
        next=service.ledger.predict(pool, player, b),
        corrected={id for id, one in said.items() if one.corrections},
        older=None if last is None else with_query(against_path(pool, player, b), before=last),
    )
