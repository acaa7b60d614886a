"""The items that are voted on in a pool."""

from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id as ItemId
from tallymark.ledger.ids import checked_id
from tallymark.service.answers import Json
from tallymark.service.api.bodies import ID_SCHEMA, described, object_of
from tallymark.service.api.models import Id
from tallymark.service.api.parameters import Body, PlayerId, PoolName
from tallymark.service.keys.access import Appender
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here

router = APIRouter(tags=["votes"])
MOST: Final = 1000
"""Items of a request."""
_LISTS: Final = described(
    {
        "title": "ItemsRequest",
        "type": "object",
        "additionalProperties": False,
        "required": ["items"],
        "properties": {
            "items": {
                "type": "array",
                "minItems": 1,
                "maxItems": MOST,
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["id"],
                    "properties": {"id": ID_SCHEMA, "name": {"type": "string", "minLength": 1, "maxLength": 200}},
                },
            }
        },
    },
    cakes={"items": [{"id": "plum", "name": "Plum cake"}, {"id": "pear"}]},
)


class Changed(TypedDict):
    """How many items the list has now, and how many of them this request put there or took away."""

    pool: str
    items: int
    changed: int


class Item(TypedDict):
    """An item by id, and its name where it has one."""

    id: Id
    name: str | None


class Items(TypedDict):
    """A page of the list, in the order in which items came onto it."""

    pool: str
    count: Annotated[int, Field(description="Items on the list.")]
    items: list[Item]
    next: Annotated[int | None, Field(description="The `after` of the next page; null on the last.")]


@router.post(
    "/pools/{pool}/items",
    operation_id="listItems",
    summary="Put items on the list of what is voted on",
    response_model=Changed,
    responses=problems("bad-input", "no-key", "bad-key", "no-scope", "unknown-pool"),
    openapi_extra=_LISTS,
)
def list_items(pool: PoolName, body: Body, service: Here, key: Appender) -> Response:
    """Up to 1,000 at once; those that are on it stay where they are. A `name` is kept for items of which nothing is
    known yet."""
    names = _items(object_of(body, "items"))
    known = {one: name for one, name in names.items() if name is not None}
    service.ledger.learn(known, kind="item")  # it refuses what is no name: before anything is listed
    items = service.polling.ballots.items(pool)
    changed = items.list(names)
    return Json(Changed(pool=pool, items=len(items.view().ids), changed=changed))


@router.delete(
    "/pools/{pool}/items/{player}",
    operation_id="unlistItem",
    summary="Take an item off that list",
    response_model=Changed,
    responses=problems("bad-input", "no-key", "bad-key", "no-scope", "unknown-pool"),
)
def unlist_item(pool: PoolName, player: PlayerId, service: Here, key: Appender) -> Response:
    """No new ballot has it. Its rating stays, and ballots that are open may still be voted on."""
    items = service.polling.ballots.items(pool)
    changed = items.unlist([player])
    return Json(Changed(pool=pool, items=len(items.view().ids), changed=changed))


@router.get(
    "/pools/{pool}/items",
    operation_id="getItems",
    summary="What is voted on",
    response_model=Items,
    responses=problems("unknown-pool"),
)
def get_items(
    pool: PoolName,
    service: Here,
    after: Annotated[int, Query(ge=0, description="Items to leave out: the `next` of the page before.")] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST, description="Items on the page.")] = 100,
) -> Response:
    """The list of what is voted on, with names; where they stand is the pool's board."""
    ids = service.polling.ballots.items(pool).view().ids
    page = list(ids[after : after + limit])
    names = service.ledger.names(page)
    left = after + limit < len(ids)
    return Json(
        Items(
            pool=pool,
            count=len(ids),
            items=[Item(id=one, name=names.get(one)) for one in page],
            next=after + limit if left else None,
        )
    )


def _items(told: Mapping[str, object]) -> dict[ItemId, str | None]:
    given = told.get("items")
    if not isinstance(given, list) or not 1 <= len(given) <= MOST:
        raise InputError(f"items is {shortened(given)}; expected a list of 1 to {MOST:,} objects", field="items")
    found: dict[ItemId, str | None] = {}
    for n, one in enumerate(given):
        where = f"items[{n}]"
        if not isinstance(one, Mapping) or set(one) - {"id", "name"}:
            raise InputError(f"{where} is {shortened(one)}; expected an object with id, and perhaps name", field=where)
        name = one.get("name")
        if name is not None and not isinstance(name, str):
            raise InputError(f"{where}.name is {shortened(name)}; expected text", field=f"{where}.name")
        found[checked_id(f"{where}.id", one.get("id"))] = name
    return found
