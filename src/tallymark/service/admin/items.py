"""The items of a pool of votes: put on the list, taken off it."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import InputError, TallymarkError
from tallymark.games.ids import Id
from tallymark.ledger.ids import key_of
from tallymark.service.admin.entered import Appender, FromAppender, Sent
from tallymark.service.admin.frame import admin_page, then, trouble_of
from tallymark.service.admin.sessions import Session
from tallymark.service.api.items import MOST
from tallymark.service.api.parameters import id_in
from tallymark.service.pages.links import with_query
from tallymark.service.problems import Problem
from tallymark.service.state import Here, Service

router = APIRouter()
_PLACE: Final = "Items"
_SIZE: Final = 100


@router.api_route("/admin/items", methods=["GET", "HEAD"], include_in_schema=False)
def items(
    service: Here,
    request: Request,
    session: Appender,
    pool: Annotated[str, Query()] = "",
    after: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """The list of a pool."""
    return _page(request, service, session, pool, after)


@router.post("/admin/items", include_in_schema=False)
def listed(service: Here, request: Request, sent: FromAppender) -> Response:
    """Puts items on the list, a line each, or takes one off."""
    pool = sent.text("pool")
    try:
        found = service.polling.ballots.items(pool)
        if sent.text("action") == "remove":
            found.unlist([id_in(sent.text("item"), "item")])
        else:
            told = _told(sent)
            service.ledger.learn({one: name for one, name in told.items() if name}, kind="item")
            found.list(told)
    except TallymarkError as error:
        return _page(request, service, sent.session, pool, 0, sent.text("items"), trouble_of(error))
    return then(with_query("/admin/items", pool=pool))


def _told(sent: Sent) -> dict[Id, str]:
    """Items by id, each with its name where the line has one: `plum, Plum cake`."""
    lines = [line for line in sent.text("items").splitlines() if line.strip()]
    if not 1 <= len(lines) <= MOST:
        raise InputError(f"there are {len(lines):,} lines; expected 1 to {MOST:,}, an item each", field="items")
    found: dict[Id, str] = {}
    for line in lines:
        id, _, name = (part.strip() for part in line.partition(","))
        found[id_in(id, "items")] = name
    return found


def _page(
    request: Request,
    service: Service,
    session: Session,
    pool: str,
    after: int,
    given: str = "",
    trouble: Problem | None = None,
) -> Response:
    known = [one.pool for one in service.ledger.backlogs()]
    chosen = pool or (known[0] if known else "")
    ids = service.polling.ballots.items(chosen).view().ids if chosen in known else []
    shown = list(ids[after : after + _SIZE])
    return admin_page(
        request,
        service,
        session,
        "items.html",
        at=_PLACE,
        trouble=trouble,
        chosen=chosen,
        count=len(ids),
        items=shown,
        names=service.ledger.names(shown),
        spelled=key_of,
        given=given,
        next=after + _SIZE if after + _SIZE < len(ids) else None,
    )
