"""The items that are voted on in a pool."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.games.ids import Id as ItemId
from tallymark.service.answers import Json
from tallymark.service.api.bodies import ID_SCHEMA, described, object_of
from tallymark.service.api.models import Id
from tallymark.service.api.parameters import Body, PlayerId, PoolName
from tallymark.service.keys.access import Appender
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here
from tallymark.service.votes.about import LINK, LINK_PATTERN, TEXT, About
from tallymark.service.votes.listing import MOST, items_of
from tallymark.service.votes.listing import list_items as put

router = APIRouter(tags=["votes"])
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
                    "properties": {
                        "id": ID_SCHEMA,
                        "name": {"type": "string", "minLength": 1, "maxLength": 200, "description": "Its title."},
                        "text": {
                            "type": ["string", "null"],
                            "minLength": 1,
                            "maxLength": TEXT,
                            "description": "What people see below the name; null takes away what there is.",
                        },
                        "link": {
                            "type": ["string", "null"],
                            "pattern": f"^{LINK_PATTERN}$",
                            "maxLength": LINK,
                            "description": "A page about it; null takes away what there is.",
                        },
                    },
                },
            }
        },
    },
    cakes={
        "items": [
            {"id": "plum", "name": "Plum cake", "text": "With yeast.", "link": "https://example.org/plum"},
            {"id": "pear"},
        ]
    },
)


class Changed(TypedDict):
    """How many items the list has now, and how many of them this request put there or took away."""

    pool: str
    items: int
    changed: int


class Item(TypedDict):
    """An item by id; its name, and what people see besides, where there is any."""

    id: Id
    name: str | None
    text: str | None
    link: str | None


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
    known yet; a `text` or a `link` takes the place of the one before."""
    told = items_of(object_of(body, "items").get("items"))
    changed = put(service.ledger, service.polling, pool, told)
    return Json(Changed(pool=pool, items=len(service.polling.ballots.items(pool).view().ids), changed=changed))


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
    """The list of what is voted on, with names and texts; where they stand is the pool's board."""
    ids = service.polling.ballots.items(pool).view().ids
    page = list(ids[after : after + limit])
    names, abouts = service.ledger.names(page), service.polling.abouts.of(pool, page)
    left = after + limit < len(ids)

    def item(one: ItemId) -> Item:
        text, link = abouts.get(one, About())
        return Item(id=one, name=names.get(one), text=text, link=link)

    return Json(
        Items(
            pool=pool,
            count=len(ids),
            items=list(map(item, page)),
            next=after + limit if left else None,
        )
    )
