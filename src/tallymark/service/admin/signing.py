"""Signing in, with a key of the API, and out; and the first page."""

from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Depends, Query
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from tallymark.service.admin.entered import COOKIE, Anybody, FromAnybody, form_of, text_in
from tallymark.service.admin.frame import admin_page, then
from tallymark.service.api.turns import take
from tallymark.service.problems import Problem
from tallymark.service.state import Here, service_of
from tallymark.service.web.origins import ours

router = APIRouter()
_WRONG: Final = "this key is not known, has run out or was revoked"


class _Tried(NamedTuple):
    """What somebody sent to sign in with, and where they wanted to go."""

    key: str
    to: str


async def _tried(request: Request) -> _Tried:
    ours(request)
    take((await service_of(request)).guesses, request, "attempts to sign in")
    form = await form_of(request, None)
    return _Tried(text_in(form, "key"), text_in(form, "to"))


@router.api_route("/admin", methods=["GET", "HEAD"], include_in_schema=False)
def home(service: Here, request: Request, session: Anybody) -> Response:
    """What one can do with one's key."""
    counts = service.cases.counts() if session.key.may("review") else {}
    return admin_page(
        request,
        service,
        session,
        "home.html",
        open=counts.get("open", 0),
        reviewed=counts.get("under-review", 0),
        reviewer=session.key.may("review"),
    )


@router.api_route("/admin/sign-in", methods=["GET", "HEAD"], include_in_schema=False)
def sign_in(service: Here, request: Request, to: Annotated[str, Query()] = "") -> Response:
    """Asks for the key."""
    return admin_page(request, service, None, "sign-in.html", to=_inside(to))


@router.post("/admin/sign-in", include_in_schema=False)
def signed_in(service: Here, request: Request, tried: Annotated[_Tried, Depends(_tried)]) -> Response:
    """Begins a session, and leads to where one wanted to go."""
    key = service.keyring.find(tried.key)
    if key is None:
        trouble = Problem("bad-key", _WRONG)
        return admin_page(request, service, None, "sign-in.html", to=_inside(tried.to), trouble=trouble)
    session = service.sessions.begin(key)
    answer = then(_inside(tried.to))
    age = int(service.settings.session_hours * 3600)
    secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, session.token, age, path="/admin", secure=secure, httponly=True, samesite="strict")
    return answer


@router.post("/admin/sign-out", include_in_schema=False)
async def sign_out(service: Here, sent: FromAnybody) -> Response:
    """Ends the session, here and in the database."""
    await run_in_threadpool(service.sessions.end, sent.session.token)
    answer = then("/admin/sign-in")
    answer.delete_cookie(COOKIE, path="/admin", httponly=True, samesite="strict")
    return answer


def _inside(path: str) -> str:
    """A path of the admin pages, and of no other place, whoever wrote the link.

    >>> _inside("/admin/keys"), _inside("https://elsewhere.example"), _inside("//elsewhere.example/admin")
    ('/admin/keys', '/admin', '/admin')
    """
    return path if path.startswith("/admin") and "\\" not in path and path.isprintable() else "/admin"
