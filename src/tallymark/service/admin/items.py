"""The items of a pool of votes: put on the list, taken off it."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import InputError, TallymarkError
from tallymark.service.admin.entered import Appender, FromAppender, Sent, spelled
from tallymark.service.admin.frame import admin_page, then, trouble_of
from tallymark.service.admin.sessions import Session
from tallymark.service.api.parameters import id_in
from tallymark.service.pages.links import with_query
from tallymark.service.problems import Problem
from tallymark.service.state import Here, Service
from tallymark.service.votes.listing import items_in, list_items

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
    """Puts items on the list, a line each, or those of a file, or takes one off."""
    pool = sent.text("pool")
    try:
        if sent.text("action") == "remove":
            service.polling.ballots.items(pool).unlist([id_in(sent.text("item"), "item")])
        else:
            list_items(service.ledger, service.polling, pool, items_in(_lines(sent)))
    except TallymarkError as error:
        return _page(request, service, sent.session, pool, 0, sent.text("items"), trouble_of(error))
    return then(with_query("/admin/items", pool=pool))


def _lines(sent: Sent) -> str:
    """The lines that were written, or those of the file."""
    file = sent.form.file
    if file is None:
        return sent.text("items")
    try:
        return file.content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("the file is not in UTF-8", hint="save it as CSV UTF-8", field="file") from None


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
        abouts=service.polling.abouts.of(chosen, shown) if shown else {},
        spelled=spelled,
        given=given,
        next=after + _SIZE if after + _SIZE < len(ids) else None,
    )
