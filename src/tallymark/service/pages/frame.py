"""The frame of every page: its templates, what all of them know, and how a browser keeps them."""

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple
from urllib.parse import unquote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tallymark import __version__
from tallymark.service.answers import has, tag_of
from tallymark.service.pages import links, words
from tallymark.service.pages.charts.drawn import bundle_path
from tallymark.service.pages.statics import static_path
from tallymark.service.shown import digits, interval_words, percent
from tallymark.service.state import Service
from tallymark.service.unrated import WHY

FEW: Final = 6
"""Pools in the header; the others are on the first page."""


class Tab(NamedTuple):
    """A page of every pool. `path`: below the pool's own; none is the board."""

    name: str
    path: tuple[str, ...] = ()


TABS: Final = (Tab("Board"), Tab("Methodology", ("methodology",)))
VOTE: Final = Tab("Vote", ("vote",))
"""The page of pools where something may be voted on."""


class AsOf(NamedTuple):
    """The entry that a page is as of."""

    pool: str
    position: int
    hash: str


@cache
def templates() -> Environment:
    """The templates; everything that they write is escaped, and a name that they do not know is an error."""
    found = Environment(
        loader=PackageLoader("tallymark.service.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for one in (
        words.whole, words.exact, words.change, words.exact_change, words.minus, words.count, words.counted,
        words.points, words.sentence, words.day, words.minute, words.window_words, words.host_of,
        percent, interval_words, digits, words.duration, words.provisional_words, words.is_provisional,
    ):  # fmt: skip
        found.filters[one.__name__] = one
    for link in (
        links.pool_path, links.player_path, links.match_path, links.entry_path, links.against_path, links.with_query,
        links.arena_match_path, links.agent_path, links.records_path,
    ):  # fmt: skip
        found.globals[link.__name__] = link
    found.filters["unquoted"] = unquote
    found.globals |= {
        "static": static_path,
        "vega": bundle_path,
        "version": __version__,
        "few": FEW,
        "not_rated": WHY,
        "ended": words.ENDED,
    }
    return found


def page(
    request: Request,
    service: Service,
    template: str,
    *,
    as_of: AsOf | None = None,
    pool: str | None = None,
    tab: str | None = None,
    twin: str | None = None,
    status: int = 200,
    **context: object,
) -> Response:
    """A page. `as_of`: the entry it is as of, which it shows and which stands in its ETag; `twin`: the path at which
    the API says the same."""
    text = templates().get_template(template).render(
        context
        | {
            "pools": [one.pool for one in service.ledger.backlogs()],
            "site": service.settings.site,
            "arena": service.arena is not None,
            "pool": pool,
            "tabs": () if pool is None else tabs_of(service, pool),
            "tab": tab,
            "as_of": as_of,
            "twin": twin,
        }
    )  # fmt: skip
    return kept(request, text, as_of, status)


def tabs_of(service: Service, pool: str) -> tuple[Tab, ...]:
    """The pages of a pool."""
    votes = service.settings.anonymous_votes and service.polling.ballots.items(pool).begun()
    return (*TABS, VOTE) if votes else TABS


def kept(request: Request, text: str, as_of: AsOf | None, status: int = 200) -> Response:
    """The page, or 304 where the browser has it. The tag is of the text too, as in the API."""
    body = text.encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"' if as_of is None else tag_of(body, as_of.pool, as_of.position)
    headers: Mapping[str, str] = {"ETag": etag, "Cache-Control": "no-cache"}
    if status == 200 and has(request, etag):
        return Response(status_code=304, headers=headers)
    return HTMLResponse(body, status, headers=headers)


def head_of(service: Service, pool: str) -> AsOf:
    """The last entry of a pool."""
    found = service.ledger.head(pool)
    return AsOf(pool, found.position, found.hash.hex())


def entry_of(service: Service, pool: str, position: int) -> AsOf:
    """An entry of a pool."""
    return AsOf(pool, position, service.ledger.entry(pool, position).hash.hex())
