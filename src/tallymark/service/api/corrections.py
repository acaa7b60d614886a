"""Corrections: entries of their own, which say why and who answers for them; nothing is changed or taken away."""

from typing import Annotated, Final

from fastapi import APIRouter, Path
from starlette.responses import Response

from tallymark.errors import InputError
from tallymark.ledger.ids import checked_id
from tallymark.service.answers import Json
from tallymark.service.api.bodies import ID_SCHEMA, described, object_of, text_in
from tallymark.service.api.matches import fate_of
from tallymark.service.api.models import Fate
from tallymark.service.api.parameters import SPELLING, Body, PoolName, Wait, id_in
from tallymark.service.cases.adjustments import WHATS, Public, checked, checked_against, is_told, tell
from tallymark.service.keys.access import Corrector
from tallymark.service.problems import Problem
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["corrections"])
_SENDS: Final = described(
    {
        "title": "CorrectionRequest",
        "type": "object",
        "additionalProperties": False,
        "required": ["adjustment", "reason"],
        "properties": {
            "adjustment": {
                "type": "object",
                "required": ["do"],
                "properties": {
                    "do": {"type": "string", "enum": list(WHATS)},
                    "matches": {"type": "array", "items": ID_SCHEMA, "minItems": 1, "maxItems": 1000},
                    "match": {"type": "object"},
                    "player": ID_SCHEMA,
                    "into": ID_SCHEMA,
                    "voter": ID_SCHEMA,
                    "ratings": {"type": "array", "items": {"type": "object"}},
                },
                "description": "`annul` or `restore` with `matches`; `change` with a `match`, whole, under its own id; "
                "`merge` with `player` and `into`; `part` with `player`; `void` with `voter`; `adjust` with `ratings`.",
            },
            "reason": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "Public."},
            "case": {
                "type": "string",
                "maxLength": 200,
                "description": "Public: a case of this pool, where it was talked about.",
            },
        },
    },
    typo={
        "adjustment": {"do": "change", "match": {"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 0}},
        "reason": "The score sheet was read the wrong way round.",
    },
    annul={"adjustment": {"do": "annul", "matches": ["m1"]}, "reason": "It was a friendly game."},
)


@router.put(
    "/pools/{pool}/corrections/{correction}",
    operation_id="putCorrection",
    summary="Correct results",
    response_model=Fate,
    responses=problems(
        "bad-input", "no-key", "bad-key", "no-scope", "needs-approval", "unknown-pool", "unknown-match", "unknown-case",
        "conflict",
    ),
    openapi_extra=_SENDS,
)  # fmt: skip
def put_correction(
    pool: PoolName,
    correction: Annotated[str, Path(description=f"The id of the correction, chosen by whoever sends it. {SPELLING}")],
    body: Body,
    service: Here,
    key: Corrector,
    wait: Wait = None,
) -> Response:
    """Matches annulled, restored or changed, players merged, ratings set: an entry that names the reason and the key
    that sent it. Under one id it is told once, however often it is sent; the same id with anything else, or from
    another key, is a 409 that shows both. Where the service asks for more than one approver, it is a case."""
    if service.settings.approvers > 1:
        raise Problem(
            "needs-approval",
            f"here {service.settings.approvers} people approve what changes results",
            hint="flag the match and propose the correction in its case",
        )
    id = id_in(correction, "correction")
    if not isinstance(id, str):
        raise InputError(f"correction is {id}; expected text", field="correction")
    told = object_of(body, "adjustment", "reason", "case")
    case = told.get("case")
    public = Public(None if case is None else str(checked_id("case", case)), text_in(told, "reason"), (key.name,))
    adjustment = checked(told.get("adjustment"))
    if not is_told(service.ledger, pool, id, adjustment, public):
        if public.case is not None and service.cases.find(public.case).pool != pool:
            raise Problem("unknown-case", f"the case {public.case} is not one of {pool!r}")
        checked_against(service.ledger, pool, adjustment)
        tell(service.ledger, pool, id, adjustment, public)
    return Json(fate_of(service, pool, id, wait))
