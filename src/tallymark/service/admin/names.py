"""What players are called: a name for people beside the id, which results go by and which never changes."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import InputError, TallymarkError
from tallymark.ledger.people import Player
from tallymark.service.admin.entered import Appender, FromAppender, spelled
from tallymark.service.admin.frame import admin_page, then, trouble_of
from tallymark.service.admin.sessions import Session
from tallymark.service.api.parameters import id_in
from tallymark.service.pages.links import with_query
from tallymark.service.problems import Problem
from tallymark.service.state import Here, Service

router = APIRouter()
_PLACE: Final = "Names"


@router.api_route("/admin/names", methods=["GET", "HEAD"], include_in_schema=False)
def names(
    service: Here,
    request: Request,
    session: Appender,
    player: Annotated[str, Query()] = "",
) -> Response:
    """The form; with the name that a player has, where one is said."""
    try:
        known = service.ledger.player(id_in(player, "player")) if player else None
        given = "" if known is None else spelled(known.id)
    except (TallymarkError, Problem) as error:
        return _page(request, service, session, player, "", trouble=trouble_of(error))
    return _page(request, service, session, given, "" if known is None else known.name or "", known=known)


@router.post("/admin/names", include_in_schema=False)
def named(service: Here, request: Request, sent: FromAppender) -> Response:
    """Says what a player is called."""
    player, name = sent.text("player"), sent.text("name")
    try:
        if not name:
            raise InputError("name is empty; expected what the player is called", field="name")
        service.ledger.name(id_in(player, "player"), name)
    except (TallymarkError, Problem) as error:
        return _page(request, service, sent.session, player, name, trouble=trouble_of(error))
    return then(with_query("/admin/names", player=player))


def _page(
    request: Request,
    service: Service,
    session: Session,
    player: str,
    name: str,
    *,
    known: Player | None = None,
    trouble: Problem | None = None,
) -> Response:
    given = {"player": player, "name": name}
    return admin_page(request, service, session, "names.html", at=_PLACE, trouble=trouble, given=given, known=known)
