"""Cases: anybody flags; reviewers look, propose and approve; what is told to the ledger then is public."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias, cast

from fastapi import APIRouter, Depends, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.matches import Json as Told
from tallymark.service.answers import Json, instant
from tallymark.service.api.bodies import ID_SCHEMA, described, object_of, text_in
from tallymark.service.api.case_answers import CaseAnswer, CaseList, EvidenceAnswer, Flagged, ListedCase, answer_of
from tallymark.service.api.parameters import Body, PoolName, id_value, plain
from tallymark.service.api.turns import take
from tallymark.service.cases.adjustments import WHATS
from tallymark.service.cases.docket import LONGEST
from tallymark.service.cases.reading import SHAPE
from tallymark.service.cases.states import OF_PEOPLE, Action, State
from tallymark.service.keys.access import Reviewer, key_of
from tallymark.service.keys.keyring import NOBODY
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here, service_of
from tallymark.service.web.origins import ours

router = APIRouter(tags=["cases"])
MOST: Final = 1000
SOMEBODY: Final = NOBODY[1]
"""Who flags without a key."""
ACTIONS: Final = (*OF_PEOPLE, "try")
_WHY: Final[dict[str, Any]] = {"type": "string", "minLength": 1, "maxLength": LONGEST}
_FLAGS: Final = described(
    {
        "title": "FlagRequest",
        "type": "object",
        "additionalProperties": False,
        "required": ["why"],
        "properties": {
            "match": {**ID_SCHEMA, "description": "What it is about: a match, or else a player."},
            "player": ID_SCHEMA,
            "why": _WHY,
        },
    },
    match={"match": "m1", "why": "Both accounts are the same person."},
)
_ACTS: Final = described(
    {
        "title": "ActionRequest",
        "type": "object",
        "additionalProperties": False,
        "required": ["action"],
        "properties": {
            "action": {"type": "string", "enum": list(ACTIONS)},
            "why": {**_WHY, "description": "Kept with it; of `propose` it is the public reason. Not of `try`."},
            "adjustment": {
                "type": "object",
                "required": ["do"],
                "properties": {"do": {"type": "string", "enum": list(WHATS)}},
                "description": "Of `propose` and `try`: `annul` or `restore` with `matches`, `change` with a `match`, "
                "`merge` with `player` and `into`, `part` with `player`, `void` with a `voter`, `adjust` with "
                "`ratings` (each player, rating, deviation, volatility).",
            },
            "proposal": {"type": "integer", "description": "Of `approve` and `withdraw`: the number of its event."},
            "position": {
                "type": "integer",
                "description": "Of `approve`: the `position` of the evidence that was looked at, which a 409 names. "
                "Where one likes, but in a pool that moves on all the while.",
            },
        },
    },
    review={"action": "review", "why": "I look at it."},
    propose={
        "action": "propose",
        "why": "Both accounts were one person.",
        "adjustment": {"do": "annul", "matches": ["m1"]},
    },
    approve={"action": "approve", "why": "So I think.", "proposal": 3},
)


async def _case(case: Annotated[str, Path(description="The id of a case.", examples=["case-0123456789abcdef"])]) -> str:
    return plain(case)


CaseId: TypeAlias = Annotated[str, Depends(_case)]


async def _flagger(request: Request) -> str:
    key = await key_of(request)
    if key is None:
        ours(request)
        take((await service_of(request)).flags, request, "flags")
    return SOMEBODY if key is None else key.name


@router.post(
    "/pools/{pool}/cases",
    operation_id="flag",
    summary="Flag a match or a player",
    status_code=201,
    response_model=Flagged,
    responses=problems("bad-input", "bad-key", "other-origin", "unknown-pool", "unknown-match", "unknown-player"),
    openapi_extra=_FLAGS,
)
def flag(pool: PoolName, body: Body, service: Here, by: Annotated[str, Depends(_flagger)]) -> Response:
    """Opens a private case, which reviewers look at. Nothing public changes by it. Anybody may; with a key, its name
    stands in the case."""
    told = object_of(body, "match", "player", "why")
    about = {name: id_value(told, name) for name in ("match", "player") if told.get(name) is not None}
    case = service.cases.flag(pool, by, text_in(told, "why"), about.get("match"), about.get("player"))
    return Json(Flagged(case=case), 201)


@router.get(
    "/cases",
    operation_id="listCases",
    summary="Cases",
    response_model=CaseList,
    responses=problems("no-key", "bad-key", "no-scope", "unknown-pool"),
)
def list_cases(
    service: Here,
    key: Reviewer,
    pool: Annotated[str | None, Query(description="Of this pool alone.")] = None,
    state: Annotated[State | None, Query(description="In this state.")] = None,
    after: Annotated[str, Query(description="The `next` of the page before.", pattern=f"^({SHAPE.pattern})?$")] = "",
    limit: Annotated[int, Query(ge=1, le=MOST)] = 100,
) -> Response:
    """For reviewers."""
    found = service.cases.all(pool, state, after, limit + 1)
    lines = [
        ListedCase(
            id=one.id,
            pool=one.pool,
            kind=one.kind,
            match=one.match,
            player=one.player,
            state=one.state,
            events=one.events,
            at=instant(one.at),
        )
        for one in found[:limit]
    ]
    return Json(CaseList(cases=lines, next=lines[-1]["id"] if len(found) > limit else None))


@router.get(
    "/cases/{case}",
    operation_id="getCase",
    summary="A case",
    response_model=CaseAnswer,
    responses=problems("no-key", "bad-key", "no-scope", "unknown-case"),
)
def get_case(case: CaseId, service: Here, key: Reviewer) -> Response:
    """A case with all that has happened in it, for reviewers."""
    return Json(answer_of(service, service.cases.find(case)))


@router.post(
    "/cases/{case}/actions",
    operation_id="act",
    summary="Do something in a case",
    response_model=CaseAnswer,
    responses=problems(
        "bad-input", "no-key", "bad-key", "no-scope", "unknown-case", "unknown-match", "not-now", "computing"
    ),
    openapi_extra=_ACTS,
)
def act(case: CaseId, body: Body, service: Here, key: Reviewer) -> Response:
    """`note`, `review`, `dismiss` and `uphold`; `propose` an adjustment, `approve` or `withdraw` one. What it would
    change is worked out once and shown with it, of a large pool some time later (`evidence_state`); `try` tells it
    first, or 503 `computing`, and then whoever asks again. Whoever proposes stands for it already, and the same again
    is the same proposal while it is undecided; what the ledger would refuse is refused here, with the reason. With as
    many named approvers as the setting `approvers` says it is told to the ledger, once, with case, reason and names."""
    told = object_of(body, "action", "why", "adjustment", "proposal", "position")
    action = told.get("action")
    if action not in ACTIONS:
        raise InputError(f"action is {shortened(action)}; expected {', '.join(ACTIONS)}", field="action")
    evidence = None
    if action == "try":
        evidence = service.cases.tried(case, told.get("adjustment"))
    else:
        why = text_in(told, "why")
        if action == "propose":
            service.cases.propose(case, key.name, why, told.get("adjustment"))
        elif action == "approve":
            seen = None if told.get("position") is None else _number(told, "position", "that of the evidence")
            service.cases.approve(case, _number(told), key.name, why, seen)
        elif action == "withdraw":
            service.cases.withdraw(case, _number(told), key.name, why)
        else:
            service.cases.act(case, cast(Action, action), key.name, why)
        service.cases.decided(case)
    answer = answer_of(service, service.cases.find(case))
    if evidence is not None:
        answer["evidence"] = cast(EvidenceAnswer, evidence.as_json())
    return Json(answer)


def _number(told: Mapping[str, Told], field: str = "proposal", expected: str = "the number of its event") -> int:
    value = told.get(field)
    if type(value) is not int:
        raise InputError(f"{field} is {shortened(value)}; expected {expected}", field=field)
    return value
