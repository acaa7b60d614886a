"""The page on which people vote: which two, the script asks the API; what is kept of a vote, the API says."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.service.api.parameters import PoolName
from tallymark.service.pages.frame import page
from tallymark.service.pages.links import api, pool_path
from tallymark.service.state import Here

router = APIRouter()


@router.api_route("/pools/{pool}/vote", methods=["GET", "HEAD"], include_in_schema=False)
def vote(pool: PoolName, service: Here, request: Request) -> Response:
    """Two items beside each other, to choose from."""
    rules = service.ledger.rules(pool)
    return page(
        request,
        service,
        "vote.html",
        pool=pool,
        tab="Vote",
        open=service.settings.anonymous_votes,
        here=api(pool_path(pool)),
        undo=service.settings.undo_seconds,
        ties=rules.rated.draws,
        rules=rules,
    )
