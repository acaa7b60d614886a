"""Where a browser's request comes from: what cookies stand for may be asked by our own pages alone."""

from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

from tallymark.service.problems import Problem

_OURS: Final = ("same-origin", "none")


def ours(request: Request) -> None:
    """Refuses what a page of another site makes a browser send. (Cookies are `SameSite=Strict` besides; programs that
    are no browsers say nothing of where they come from, and have no cookies that somebody else could use.)"""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is not None:
        fine = site in _OURS
    elif origin is not None:
        fine = urlsplit(origin).netloc == request.headers.get("host")
    else:
        fine = True
    if not fine:
        raise Problem("other-origin", f"this came from a page of {origin or 'another site'}; expected one of our own")
