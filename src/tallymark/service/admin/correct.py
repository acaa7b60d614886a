"""A correction from the beginning: what is wrong, what it would change, and then a case that has it."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import InputError, TallymarkError, UnknownError
from tallymark.games.ids import Id
from tallymark.service.admin.adjusting import (
    ENDINGS,
    RESULTS,
    WORDS,
    NotShown,
    adjustment_of,
    asked_for,
    empty,
    filled,
    for_match,
)
from tallymark.service.admin.beside import compared
from tallymark.service.admin.entered import Corrector, FromCorrector, Sent, spelled
from tallymark.service.admin.frame import admin_page, then, trouble_of
from tallymark.service.admin.sessions import Session
from tallymark.service.api.parameters import id_in
from tallymark.service.cases.adjustments import checked
from tallymark.service.cases.evidence import Evidence
from tallymark.service.problems import Problem
from tallymark.service.state import Here, Service

router = APIRouter()
_PLACE: Final = "Correct"
_WHATS: Final = {name: WORDS[name] for name in ("change", "annul", "restore", "merge")}


@router.api_route("/admin/correct", methods=["GET", "HEAD"], include_in_schema=False)
def correct(
    service: Here,
    request: Request,
    session: Corrector,
    pool: Annotated[str, Query()] = "",
    match: Annotated[str, Query()] = "",
    player: Annotated[str, Query()] = "",
    done: Annotated[str, Query()] = "",
) -> Response:
    """The form; with what a match says now, where one is named."""
    given = empty(do="merge" if player else "change", player=player, match=match, matches=match)
    fresh = False
    try:
        if player:
            given["player"] = spelled(id_in(player, "player"))
        if match:
            id = id_in(match, "match")
            given["match"] = given["matches"] = spelled(id)
            if pool:
                given, fresh = for_match(service, pool, id), True
    except (TallymarkError, Problem) as error:
        return _page(request, service, session, pool, given, trouble=trouble_of(error))
    return _page(request, service, session, pool, given, done=done, fresh=fresh)


@router.post("/admin/correct", include_in_schema=False)
def corrected(service: Here, request: Request, sent: FromCorrector) -> Response:
    """Shows what it would change, or opens a case and proposes it there; where one is enough, that tells it."""
    pool, why = sent.text("pool"), sent.text("why")
    try:
        asked_for(sent)
        adjustment = checked(adjustment_of(service, pool, sent))
        if sent.text("action") != "propose":
            tried = service.cases.tried_in(pool, adjustment)
            return _page(
                request, service, sent.session, pool, filled(sent), why=why, tried=tried, adjustment=adjustment
            )
        case = _proposed(service, pool, adjustment, why, sent)
    except NotShown as error:
        return _shown(request, service, sent, error.match)
    except (TallymarkError, Problem) as error:
        return _page(request, service, sent.session, pool, filled(sent), why=why, trouble=trouble_of(error))
    return then(f"/admin/cases/{case}" if sent.session.key.may("review") else f"/admin/correct?done={case}")


def _shown(request: Request, service: Service, sent: Sent, match: Id) -> Response:
    """The form with what a match says now."""
    pool, why = sent.text("pool"), sent.text("why")
    try:
        given = for_match(service, pool, match)
    except TallymarkError as error:
        return _page(request, service, sent.session, pool, filled(sent), why=why, trouble=trouble_of(error))
    return _page(request, service, sent.session, pool, given, why=why, fresh=True)


def _proposed(service: Service, pool: str, adjustment: dict[str, Any], why: str, sent: Sent) -> str:
    """The case in which it is proposed: the one that is open about the same, or a new one."""
    by = sent.session.key.name
    if not why:
        raise InputError("why is empty; expected the reason, which everybody can read", field="why")
    match, player = _about(adjustment)
    there = service.cases.lately(pool, by, why, adjustment, match, player)
    if there is not None:
        return there
    service.cases.acceptable(pool, adjustment)  # before a case is opened
    try:
        case = service.cases.flag(pool, by, why, match, player)
    except UnknownError:
        # A name under which nothing was rated has no record: then the case is about who it is.
        if adjustment["do"] != "merge":
            raise
        case = service.cases.flag(pool, by, why, None, adjustment["into"])
    if service.cases.find(case).course.state == "open":
        try:
            service.cases.act(case, "review", by, why)
        except Problem:  # not now: the same form was sent twice, and the other one was here
            if service.cases.find(case).course.state == "open":
                raise
    service.cases.propose(case, by, why, adjustment)
    service.cases.decided(case)
    return case


def _about(adjustment: dict[str, Any]) -> tuple[Id | None, Id | None]:
    """The match or the player that a case about it is about."""
    if adjustment["do"] == "merge":
        return None, adjustment["player"]
    return (adjustment["match"]["id"] if adjustment["do"] == "change" else adjustment["matches"][0]), None


def _page(
    request: Request,
    service: Service,
    session: Session,
    pool: str,
    given: dict[str, str],
    *,
    why: str = "",
    tried: Evidence | None = None,
    adjustment: dict[str, Any] | None = None,
    fresh: bool = False,
    done: str = "",
    trouble: Problem | None = None,
) -> Response:
    return admin_page(
        request,
        service,
        session,
        "correct.html",
        at=_PLACE,
        trouble=trouble,
        chosen=pool,
        given=given,
        why=why,
        tried=None if tried is None else tried.as_json(),
        adjustment=adjustment,
        said=None if adjustment is None else compared(service, pool, adjustment),
        fresh=fresh,
        done=done,
        choices=_WHATS,
        results=RESULTS,
        endings=ENDINGS,
        needed=service.settings.approvers,
    )
