"""Players as people know them: names beside the chain, which change and can be forgotten."""

from typing import Annotated, Any, Final, NotRequired, cast

from fastapi import APIRouter, Depends
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.ledger.people import KINDS, LONGEST, Kind
from tallymark.ledger.people import Player as Known
from tallymark.service.answers import Json
from tallymark.service.api.bodies import ID_SCHEMA, described, object_of
from tallymark.service.api.models import Id
from tallymark.service.api.parameters import Body, PlayerId
from tallymark.service.keys.access import Admin, Appender, key_of
from tallymark.service.keys.keyring import Key
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["players"])
_LINE: Final[dict[str, Any]] = {"type": "string", "minLength": 1, "maxLength": LONGEST}
_SAYS: Final = described(
    {
        "title": "PlayerRequest",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "name": {**_LINE, "description": "Public: boards show it."},
            "contact": {**_LINE, "description": "For keys with the scope `read`."},
            "kind": {"type": "string", "enum": list(KINDS)},
            "owner": {**ID_SCHEMA, "description": "Whose agent it is."},
        },
    },
    person={"name": "Ann Other", "contact": "ann@example.org", "kind": "person"},
)


class Player(TypedDict):
    """What is known of a player besides results; `contact` and `owner` for keys with the scope `read` alone."""

    player: Id
    name: str | None
    kind: Kind | None
    contact: NotRequired[str | None]
    owner: NotRequired[Id | None]


class Forgotten(TypedDict):
    """Whether anything was known."""

    player: Id
    forgotten: bool


@router.put(
    "/players/{player}",
    operation_id="putPlayer",
    summary="Say who a player is",
    response_model=Player,
    responses=problems("bad-input", "no-key", "bad-key", "no-scope"),
    openapi_extra=_SAYS,
)
def put_player(player: PlayerId, body: Body, service: Here, key: Appender) -> Response:
    """A name for the boards, and what the site needs to know. What is not given stays; results know players by their
    ids alone, and do not change."""
    told = cast(dict[str, Any], object_of(body, "name", "contact", "kind", "owner"))
    now = service.ledger.name(
        player, told.get("name"), contact=told.get("contact"), kind=told.get("kind"), owner=told.get("owner")
    )
    return Json(_player(now, key.may("read")))


@router.get(
    "/players/{player}",
    operation_id="getPlayer",
    summary="Who a player is",
    response_model=Player,
    responses=problems("bad-input", "bad-key"),
)
def get_player(player: PlayerId, service: Here, key: Annotated[Key | None, Depends(key_of)]) -> Response:
    """Name and kind; with a key that has the scope `read` also contact and owner. Of who has no name, the id alone."""
    found = service.ledger.player(player)
    return Json(_player(found, key is not None and key.may("read")))


@router.delete(
    "/players/{player}",
    operation_id="forgetPlayer",
    summary="Forget who a player is",
    response_model=Forgotten,
    responses=problems("bad-input", "no-key", "bad-key", "no-scope"),
)
def forget_player(player: PlayerId, service: Here, key: Admin) -> Response:
    """Name, contact, kind and owner are gone, from the database too, and text and link of an item. Results stay, under
    an id that says nothing."""
    told = service.polling.abouts.forget(player)
    return Json(Forgotten(player=player, forgotten=service.ledger.forget(player) or told))


def _player(known: Known, all_of_it: bool) -> Player:
    found = Player(player=known.id, name=known.name, kind=known.kind)
    if all_of_it:
        found["contact"], found["owner"] = known.contact, known.owner
    return found
