"""Cases on pages: what waits, what happened, and what reviewers do about it."""

from typing import Annotated, Any, Final, NamedTuple, cast

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.checked import shortened
from tallymark.errors import InputError, TallymarkError
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
from tallymark.service.admin.beside import Compared, compared
from tallymark.service.admin.entered import FromReviewer, Reviewer, Sent, spelled
from tallymark.service.admin.frame import admin_page, then, trouble_of
from tallymark.service.admin.sessions import Session
from tallymark.service.answers import instant
from tallymark.service.api.cases import CaseId
from tallymark.service.api.matches import fate_of
from tallymark.service.api.models import Fate
from tallymark.service.arena.known import was_played
from tallymark.service.cases.adjustments import checked
from tallymark.service.cases.docket import told_id
from tallymark.service.cases.evidence import Evidence
from tallymark.service.cases.reading import SHAPE, Case, Listed
from tallymark.service.cases.states import OF_PEOPLE, STATES, Action, Proposal, State
from tallymark.service.pages.named import Names
from tallymark.service.pages.titles import titles
from tallymark.service.problems import Problem
from tallymark.service.state import Here, Service

router = APIRouter()
_PLACE: Final = "Cases"
_SIZE: Final = 50
STATE_WORDS: Final[dict[State, str]] = {
    "open": "open",
    "under-review": "under review",
    "dismissed": "dismissed",
    "upheld": "upheld",
}
_STEPS: Final = ("note", "review", "dismiss", "uphold")


class Proposed(NamedTuple):
    """A proposal as it is shown: what it would change, what the ledger made of it, and whether one may stand for it."""

    proposal: Proposal
    why: str
    adjustment: dict[str, Any]
    said: Compared
    evidence: dict[str, Any] | None
    told: Fate | None
    mine: bool
    overtaken: bool


@router.api_route("/admin/cases", methods=["GET", "HEAD"], include_in_schema=False)
def cases(
    service: Here,
    request: Request,
    session: Reviewer,
    state: Annotated[State | None, Query()] = None,
    after: Annotated[str, Query(pattern=rf"^([0-9]{{1,18}}-{SHAPE.pattern})?$")] = "",
) -> Response:
    """The queue: first where something happened last."""
    at, _, last = after.partition("-")
    found = service.cases.queue(state, (int(at), last) if after else None, _SIZE + 1)
    return admin_page(
        request,
        service,
        session,
        "cases.html",
        at=_PLACE,
        state=state,
        states=STATE_WORDS,
        cases=[(one, _title(service, one), instant(one.at)) for one in found[:_SIZE]],
        next=f"{found[_SIZE - 1].at}-{found[_SIZE - 1].id}" if len(found) > _SIZE else None,
    )


@router.api_route("/admin/cases/{case}", methods=["GET", "HEAD"], include_in_schema=False)
def case(case: CaseId, service: Here, request: Request, session: Reviewer) -> Response:
    """One case: what it is about, who did what when, what is proposed."""
    return _page(request, service, session, service.cases.find(case))


@router.post("/admin/cases/{case}", include_in_schema=False)
def act(case: CaseId, service: Here, request: Request, sent: FromReviewer) -> Response:
    """Does something in it."""
    found = service.cases.find(case)
    try:
        shown = _done(service, found, sent)
    except NotShown as error:
        try:
            given = for_match(service, found.pool, error.match)
        except TallymarkError as unknown:
            return _page(
                request, service, sent.session, found, given=filled(sent), sent=sent, trouble=trouble_of(unknown)
            )
        return _page(request, service, sent.session, found, given=given, sent=sent)
    except (TallymarkError, Problem) as error:
        now = service.cases.find(case)
        return _page(request, service, sent.session, now, given=filled(sent), sent=sent, trouble=trouble_of(error))
    if shown is not None:
        adjustment = checked(adjustment_of(service, found.pool, sent))
        return _page(
            request, service, sent.session, found, given=filled(sent), sent=sent, tried=shown, adjustment=adjustment
        )
    return then(f"/admin/cases/{case}")


def _done(service: Service, case: Case, sent: Sent) -> Evidence | None:
    """What a form asks for; of a trial, what it would change."""
    action, by, why = sent.text("action"), sent.session.key.name, sent.text("why")
    asked_for(sent)
    if action in ("try", "show"):
        return service.cases.tried(case.id, adjustment_of(service, case.pool, sent))
    if action == "propose":
        service.cases.propose(case.id, by, why, adjustment_of(service, case.pool, sent))
    elif action == "approve":
        service.cases.approve(
            case.id, sent.number("proposal"), by, why, sent.number("position") if sent.text("position") else None
        )
    elif action == "withdraw":
        service.cases.withdraw(case.id, sent.number("proposal"), by, why)
    elif action in _STEPS:
        service.cases.act(case.id, cast(Action, action), by, why)
    else:
        raise InputError(f"action is {shortened(action)}; expected {', '.join(OF_PEOPLE)}, try", field="action")
    service.cases.decided(case.id)
    return None


def _page(
    request: Request,
    service: Service,
    session: Session,
    case: Case,
    *,
    given: dict[str, str] | None = None,
    sent: Sent | None = None,
    tried: Evidence | None = None,
    adjustment: dict[str, Any] | None = None,
    trouble: Problem | None = None,
) -> Response:
    course = case.course
    if given is None or not given["do"]:
        given = empty(player="" if case.player is None else spelled(case.player))
        if case.match is not None:
            given = for_match(service, case.pool, case.match)
    return admin_page(
        request,
        service,
        session,
        "case.html",
        at=_PLACE,
        trouble=trouble,
        case=case,
        title=_title(service, case),
        played=None if case.match is None else was_played(service, case.pool, case.match),
        state=STATE_WORDS[course.state or STATES[0]],
        taken=course.taken(),
        events=[(one.event, instant(one.event.at)) for one in case.events],
        proposals=[_proposed(service, session, case, one) for one in course.proposals.values()],
        needed=service.settings.approvers,
        given=given,
        why="" if sent is None else sent.text("why"),
        tried=None if tried is None else tried.as_json(),
        adjustment=adjustment,
        said=None if adjustment is None else compared(service, case.pool, adjustment),
        choices=WORDS,
        results=RESULTS,
        endings=ENDINGS,
    )


def _proposed(service: Service, session: Session, case: Case, one: Proposal) -> Proposed:
    event, data = case.events[one.n - 1]
    assert data is not None
    told = fate_of(service, case.pool, told_id(case.id, one.n)) if one.state == "told" else None
    said = compared(service, case.pool, data["adjustment"], None if told is None else told["entry"])
    mine, overtaken = session.key.name in one.approvers, service.cases.overtaken(case, one)
    return Proposed(one, event.why, data["adjustment"], said, case.evidence_of(one.n), told, mine, overtaken)


def _title(service: Service, case: Case | Listed) -> str:
    """What a case is about, as people call it."""
    if case.match is not None:
        found = titles(service.ledger, case.pool, [case.match]).get(case.match)
        return f"match {case.match}" if found is None else found.short
    assert case.player is not None
    return Names(service.ledger, [case.player]).called(case.player)
