"""Methodologies as pages: every rule from the data that is run, and what changed from one version to the next."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import UnknownError
from tallymark.ledger.reading.notable import Ruled
from tallymark.ledger.rules import rules_in
from tallymark.methodology import Methodology, diff, shipped
from tallymark.methodology.model import Field, Value
from tallymark.methodology.reference import unit_of
from tallymark.service.api.methodologies import shipped_rules
from tallymark.service.api.parameters import PoolName, plain
from tallymark.service.pages.frame import AsOf, head_of, page
from tallymark.service.pages.links import api, pool_path
from tallymark.service.shown import DASH
from tallymark.service.state import Here, Service

router = APIRouter()
_SECTIONS: Final = {
    "system": ("The system", "The formulas, and their parameters."),
    "period": ("Periods", "Which matches are rated together, and when."),
    "ageing": ("Ageing", "What time without matches does."),
    "bounds": ("Bounds", "What numbers are held to."),
    "numbers": ("Numbers", "How numbers are kept."),
    "rated": ("What is rated", "Which matches count."),
    "published": ("What is published", "What is shown beside a rating."),
}
_LATE: Final = {
    "ledger-order": "A match is rated when it is received, however long ago it was played; a correction stands on "
    "record and moves no rating.",
    "recompute": "A match that is received late, or corrected, counts as if it had been right from the start: "
    "everything after it is computed again. What was published before stays on record.",
    "refuse": "A match of a period that is over is on record and not rated.",
    "next-period": "A match of a period that is over is rated in the period that is open.",
}
"""What a pool does with what comes late, by `period.late`."""


class Rule(NamedTuple):
    """A field as it is shown."""

    name: str
    value: str
    unit: str
    meaning: str
    source: str


class Section(NamedTuple):
    """Fields that belong together."""

    title: str
    words: str
    rules: list[Rule]


class Differing(NamedTuple):
    """A field in which two differ; `means`: what the second of them has, in words."""

    field: str
    before: str
    now: str
    means: str = ""


@router.api_route("/pools/{pool}/methodology", methods=["GET", "HEAD"], include_in_schema=False)
def pool_rules(
    pool: PoolName,
    service: Here,
    request: Request,
    entry: Annotated[int | None, Query(ge=1)] = None,
    other: Annotated[str | None, Query(alias="with")] = None,
) -> Response:
    """The methodology of a pool: the newest, or the one that an entry brought; beside the one before it, or beside one
    that comes with the program where that is named."""
    as_of = head_of(service, pool)
    history = service.ledger.rules_history(pool)
    places = [n for n, one in enumerate(history) if entry in (None, one.position)]
    if not places:
        raise UnknownError(f"entry {entry} brings no methodology", kind="entry")
    place = places[-1]
    rules = _brought(service, pool, history[place].position)
    before = _brought(service, pool, history[place - 1].position) if place else None
    if other:
        before = shipped_rules(other)
    return _page(
        request,
        service,
        rules,
        before,
        pool=pool,
        as_of=as_of,
        twin=f"{api(pool_path(pool))}/methodology",
        history=history,
        position=history[place].position,
        in_force=service.ledger.rules(pool).hash,
    )


@router.api_route("/methodologies", methods=["GET", "HEAD"], include_in_schema=False)
def all_rules(service: Here, request: Request) -> Response:
    """Those that come with the program."""
    return page(request, service, "methodologies.html", twin="/v1/methodologies", shipped=shipped())


@router.api_route("/methodologies/{methodology}", methods=["GET", "HEAD"], include_in_schema=False)
def shipped_page(
    methodology: str, service: Here, request: Request, other: Annotated[str | None, Query(alias="with")] = None
) -> Response:
    """One of them, beside another where that is named."""
    rules = shipped_rules(plain(methodology))
    before = shipped_rules(other) if other else None
    return _page(request, service, rules, before, twin=f"/v1/methodologies/{rules.id}", shipped=shipped())


def _page(
    request: Request,
    service: Service,
    rules: Methodology,
    before: Methodology | None,
    *,
    twin: str,
    as_of: AsOf | None = None,
    pool: str | None = None,
    history: Sequence[Ruled] = (),
    position: int | None = None,
    in_force: str | None = None,
    shipped: Sequence[Methodology] = (),
) -> Response:
    return page(
        request,
        service,
        "methodology.html",
        rules=rules,
        before=before,
        sections=sections_of(rules),
        differences=None if before is None else differences(before, rules),
        base=rules.base_id if rules.id != rules.base_id else None,
        changed=changed_from_base(rules),
        twin=twin,
        as_of=as_of,
        pool=pool,
        tab=None if pool is None else "Methodology",
        history=history,
        position=position,
        in_force=in_force,
        shipped=shipped,
    )


def sections_of(rules: Methodology) -> list[Section]:
    """Every rule, section by section."""
    found: dict[str, list[Rule]] = {}
    for field in rules.fields():
        section, _, name = field.name.partition(".")
        found.setdefault(section, []).append(
            Rule(
                name,
                value_of(field.value),
                unit_of(field.parameter),
                f"{field.parameter.doc} {_here(field)}".strip(),
                _source(field),
            )
        )
    return [Section(*_SECTIONS[name], some) for name, some in found.items()]


def differences(before: Methodology, now: Methodology) -> list[Differing]:
    """In what the second differs from the first."""
    return [Differing(one.field, value_of(one.a), value_of(one.b)) for one in diff(before, now)]


def changed_from_base(rules: Methodology) -> list[Differing]:
    """In what a variant of a shipped methodology differs from it, each with what it means; nothing of what is none."""
    if rules.id == rules.base_id or rules.base_id not in {one.id for one in shipped()}:
        return []
    meanings = {field.name: _here(field) or field.parameter.doc for field in rules.fields()}
    return [one._replace(means=meanings.get(one.field, "")) for one in differences(shipped_rules(rules.base_id), rules)]


def _here(field: Field) -> str:
    """What the value of a rule does, where the rule alone does not say it."""
    return _LATE.get(str(field.value), "") if field.name == "period.late" else ""


def _source(field: Field) -> str:
    """Where a rule is from, where that is something to be found: texts of the project's own are on these pages."""
    return "" if field.parameter.source.startswith("spec ") else field.parameter.source


def value_of(value: Value) -> str:
    """A value as people read it.

    >>> value_of(None) == DASH, value_of(True), value_of(("draw", "normal")), value_of({9: 7.0}), value_of(350.0)
    (True, 'yes', 'draw, normal', '9: 7.0', '350.0')
    """
    if value is None:
        return DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {one}" for key, one in value.items()) or DASH
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value)) or DASH
    return str(value)


def _brought(service: Service, pool: str, position: int) -> Methodology:
    return rules_in(service.ledger.entry(pool, position).body, position)
