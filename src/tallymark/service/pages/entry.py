"""An entry of a pool's stream: its bytes, its hash, and how to check it."""

from typing import Annotated, Final

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from tallymark.ledger import entries
from tallymark.ledger.fold.played import read_match
from tallymark.ledger.reading.again import Cause
from tallymark.service.answers import instant
from tallymark.service.api.parameters import PoolName
from tallymark.service.pages.checking import checks
from tallymark.service.pages.frame import AsOf, page
from tallymark.service.pages.links import api, entry_path
from tallymark.service.pages.named import Names
from tallymark.service.pages.titles import titled, titles
from tallymark.service.state import Here, Service

router = APIRouter()
KINDS: Final = {
    "opened": "The pool was opened, with its methodology.",
    "rated": "A match, and everybody's state after it.",
    "not-rated": "A match that changes nobody's rating, and why.",
    "accepted": "A match that is rated later, with its period or the next recomputation.",
    "closed": "A period is over: its matches were rated together.",
    "states": "States of players, which belong to another entry.",
    "restated": "Everything was computed again, for late matches and corrections.",
    "corrected": "Matches were annulled, restored or changed, or players merged.",
    "adjusted": "People set states, with a reason.",
    "imported": "States were taken in from before.",
    "rules": "Another methodology.",
    "refused": "A command that did nothing, and why.",
}


MOST: Final = 50
"""Late matches and corrections of a recomputation that are listed."""


@router.api_route("/pools/{pool}/entries/{position}", methods=["GET", "HEAD"], include_in_schema=False)
def entry(pool: PoolName, position: Annotated[int, Path(ge=1)], service: Here, request: Request) -> Response:
    """One of them, which never changes."""
    found = service.ledger.entry(pool, position)
    begins = entries.prefix(found.body)
    causes = causes_of(service, pool, position) if begins.kind == "restated" else ()
    item = entries.item_in(found.body, begins.kind) if begins.kind in entries.MATCHES else None
    match = None if item is None else read_match(item)
    return page(
        request,
        service,
        "entry.html",
        pool=pool,
        as_of=AsOf(pool, position, found.hash.hex()),
        twin=api(entry_path(pool, position)),
        entry=found,
        kind=begins.kind,
        words=KINDS.get(begins.kind, "An entry."),
        at=instant(begins.at),
        rules_at=begins.rules_at,
        header=entries.header_of(found.body) if begins.kind == "states" else None,
        causes=causes[:MOST],
        others=max(0, len(causes) - MOST),
        names=Names(service.ledger, [who for one in causes[:MOST] for who in one.players]),
        titles=titles(service.ledger, pool, {match for one in causes[:MOST] for match in one.matches[:3]}),
        match=None if match is None else match.id,
        title=None if match is None else titled(match, Names(service.ledger, match.people)),
        last=service.ledger.head(pool).position,
        checks=checks(str(request.base_url), pool, position),
    )


def causes_of(service: Service, pool: str, position: int) -> tuple[Cause, ...]:
    """What everything was computed again for, by an entry that says so."""
    return next((one.causes for one in service.ledger.recomputations(pool) if one.position == position), ())
