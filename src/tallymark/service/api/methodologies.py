"""Methodologies: the rules as data, as they are run."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.checked import shortened
from tallymark.errors import InputError, UnknownMethodologyError
from tallymark.ledger.matches import Json as Told
from tallymark.methodology import Methodology, diff, methodology, shipped
from tallymark.methodology.reference import unit_of
from tallymark.service.answers import Json
from tallymark.service.api.bodies import text_in
from tallymark.service.api.parameters import PoolName, plain
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["methodologies"])
_Name = Annotated[str, Path(description="A name or id.", examples=["lichess-1"])]


class Named(TypedDict):
    """A methodology by its names."""

    id: Annotated[str, Field(examples=["lichess-1"])]
    hash: Annotated[str, Field(description="Of its content, in hexadecimal: equal hashes are equal rules.")]
    title: str


class Methodologies(TypedDict):
    """Those that the service has."""

    methodologies: list[Named]


class Rule(TypedDict):
    """A field, dotted: its value, unit, range, where it is from, and what it means."""

    field: str
    value: Any
    unit: str
    range: str
    source: str
    meaning: str


class Rules(TypedDict):
    """A whole methodology."""

    id: str
    hash: str
    title: str
    description: str | None
    toml: Annotated[str, Field(description="The file, every default written out.")]
    fields: list[Rule]


class Differing(TypedDict):
    """A field in which two differ; null where it is absent."""

    field: str
    a: Any
    b: Any


class Difference(TypedDict):
    """Two methodologies, and the fields in which they differ."""

    a: Named
    b: Named
    differences: list[Differing]


@router.get(
    "/methodologies", operation_id="listMethodologies", summary="The methodologies", response_model=Methodologies
)
def list_methodologies() -> Response:
    """Those that come with the service; a pool may have one of its own."""
    return Json(Methodologies(methodologies=[_named(rules) for rules in shipped()]))


@router.get(
    "/methodologies/{methodology}",
    operation_id="getMethodology",
    summary="A methodology",
    response_model=Rules,
    responses=problems("unknown-methodology"),
)
def get_methodology(methodology: _Name) -> Response:
    """Every rule: value, unit, range, source, meaning."""
    return Json(rules_told(shipped_rules(plain(methodology))))


@router.get(
    "/methodologies/{methodology}/diff/{other}",
    operation_id="diffMethodologies",
    summary="How two methodologies differ",
    response_model=Difference,
    responses=problems("unknown-methodology"),
)
def diff_methodologies(methodology: _Name, other: _Name) -> Response:
    """The fields in which they differ."""
    a, b = shipped_rules(plain(methodology)), shipped_rules(plain(other))
    found = [Differing(field=one.field, a=_plain(one.a), b=_plain(one.b)) for one in diff(a, b)]
    return Json(Difference(a=_named(a), b=_named(b), differences=found))


@router.get(
    "/pools/{pool}/methodology",
    operation_id="getRulesInForce",
    summary="The rules of a pool",
    response_model=Rules,
    responses=problems("unknown-pool"),
)
def get_rules_in_force(pool: PoolName, service: Here) -> Response:
    """The methodology that the pool's next match is rated by."""
    return Json(rules_told(service.ledger.rules(pool)))


def shipped_rules(name: str) -> Methodology:
    """The methodology of a name or id; never a file: `UnknownMethodologyError`."""
    if name.endswith(".toml"):
        raise UnknownMethodologyError(f"there is no methodology {shortened(name)}")
    return methodology(name)


def rules_of(told: Mapping[str, Told]) -> Methodology:
    """The methodology that a body asks for: one that is shipped, or one with other `settings`."""
    rules = shipped_rules(text_in(told, "methodology"))
    settings = told.get("settings")
    if settings is None:
        return rules
    if not isinstance(settings, Mapping):
        raise InputError(f"settings is {shortened(settings)}; expected an object of fields", field="settings")
    for field, value in settings.items():
        if isinstance(value, list | dict) or value is None:
            raise InputError(f"{field} is {shortened(value)}; expected a number, text, true or false", field="settings")
    return rules.with_(settings)


def _named(rules: Methodology) -> Named:
    return Named(id=rules.id, hash=rules.hash, title=rules.title)


def rules_told(rules: Methodology) -> Rules:
    """A methodology as it is answered."""
    return Rules(
        id=rules.id,
        hash=rules.hash,
        title=rules.title,
        description=rules.description,
        toml=rules.to_toml(),
        fields=[
            Rule(
                field=name,
                value=_plain(value),
                unit=unit_of(described),
                range=described.range,
                source=described.source,
                meaning=described.doc,
            )
            for name, value, described in rules.fields()
        ],
    )


def _plain(value: Any) -> Any:
    return {str(key): one for key, one in value.items()} if isinstance(value, Mapping) else value
