"""Who is signed in, what they may do, and the forms that they send."""

import hmac
import json
from collections.abc import Callable
from typing import Annotated, Final, NamedTuple, TypeAlias
from urllib.parse import quote

from fastapi import Depends, FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.ids import key_of
from tallymark.service.admin.sessions import Session
from tallymark.service.keys.scopes import Scope
from tallymark.service.problems import Problem
from tallymark.service.state import service_of
from tallymark.service.web.bodies import allow
from tallymark.service.web.origins import ours

COOKIE: Final = "tallymark_session"
PROOF: Final = "proof"
"""The field of a form that says that it is one of ours."""
_FIELDS: Final = 100
_PARTS: Final = b"multipart/form-data"


class NotSignedIn(Exception):
    """Leads to the page on which one signs in, and from there back."""

    def __init__(self, path: str) -> None:
        self.path = path


def install(app: FastAPI) -> None:
    """Makes an application lead those who are not signed in to where they can be."""

    async def lead(request: Request, error: Exception) -> Response:
        assert isinstance(error, NotSignedIn)
        return RedirectResponse(f"/admin/sign-in?to={quote(error.path, safe='')}", 303, {"Cache-Control": "no-store"})

    app.add_exception_handler(NotSignedIn, lead)


class File(NamedTuple):
    """A file as it came."""

    name: str
    content: bytes


class Form(NamedTuple):
    """What a form has: fields, and the one file that may be with them."""

    fields: tuple[tuple[str, str], ...]
    file: File | None


class Sent(NamedTuple):
    """A form that was sent, by whom."""

    session: Session
    form: Form

    def text(self, name: str) -> str:
        """A field, without blanks around it, its lines ending as they do here; empty where there is none."""
        return text_in(self.form, name)

    def raw(self, name: str) -> str:
        """The same, with the blanks around it: in some fields a blank is all in which two names differ."""
        return _raw(self.form, name)

    def all(self, name: str) -> list[str]:
        """What was ticked."""
        return [value for field, value in self.form.fields if field == name]

    def number(self, name: str) -> int:
        """A field that has to be a whole number."""
        value = self.text(name)
        if not value.isascii() or not value.isdigit() or len(value) > 9:
            raise InputError(f"{name} is {shortened(value)}; expected a whole number", field=name)
        return int(value)


def text_in(form: Form, name: str) -> str:
    """A field of a form; empty where there is none.

    >>> text_in(Form((("why", " two\\r\\nlines "),), None), "why")
    'two\\nlines'
    """
    return _raw(form, name).strip()


def _raw(form: Form, name: str) -> str:
    return next((value.replace("\r\n", "\n") for field, value in form.fields if field == name), "")


def spelled(id: Id) -> str:
    """An id as it stands in a field, of which `Sent.text` takes blanks at the edges away: in quotes where it has some.

    >>> spelled("ann"), spelled(17), spelled(" ann")
    ('ann', '17', '" ann"')
    """
    key = key_of(id)
    return key if key == key.strip() else json.dumps(key, ensure_ascii=False)


async def session_of(request: Request) -> Session | None:
    """Who is signed in, if anybody is."""
    token = request.cookies.get(COOKIE)
    if token is None:
        return None
    sessions = (await service_of(request)).sessions
    return await run_in_threadpool(sessions.find, token)


async def _entered(request: Request, scope: Scope | None) -> Session:
    session = await session_of(request)
    if session is None:
        query = f"?{request.url.query}" if request.url.query else ""
        raise NotSignedIn(request.url.path + query if request.method == "GET" else "/admin")
    if scope is not None and not session.key.may(scope):
        raise Problem("no-scope", f"the key {session.key.name!r} does not have the scope {scope}", scope=scope)
    return session


def entered(scope: Scope | None) -> Callable[[Request], object]:
    """A dependency: who is signed in, with a key that has a scope, where one is named."""

    async def found(request: Request) -> Session:
        return await _entered(request, scope)

    return found


def sent(scope: Scope | None) -> Callable[[Request], object]:
    """A dependency: a form, sent from one of our pages by whom it was made for, whose key has a scope."""

    async def found(request: Request) -> Sent:
        ours(request)
        session = await _entered(request, scope)
        return Sent(session, await form_of(request, session))

    return found


async def form_of(request: Request, session: Session | None) -> Form:
    """The form of a request; of a session, it has to bring its proof. All of it is read: nothing stays open."""
    limit = 2 * (await service_of(request)).settings.upload_bytes
    if session is not None:
        allow(request, limit)
    try:
        async with _in_latin_1(request).form(max_files=1, max_fields=_FIELDS, max_part_size=limit) as found:
            parts = request.headers.get("content-type", "").encode().startswith(_PARTS)
            form = await _read(found, _text if parts else _replaced)
    except HTTPException as error:
        raise InputError(f"the form cannot be read: {error.detail}", field="form") from None
    if session is not None and not hmac.compare_digest(text_in(form, PROOF).encode(), session.proof.encode()):
        raise Problem("other-origin", "this form is not one of this session; load its page again")
    return form


async def _read(found: FormData, text: Callable[[str], str]) -> Form:
    fields: list[tuple[str, str]] = []
    file = None
    for name, value in found.multi_items():
        if isinstance(value, str):
            fields.append((text(name), text(value)))
        elif value.filename:
            file = File(text(value.filename), await value.read())
    return Form(tuple(fields), file)


def _in_latin_1(request: Request) -> Request:
    """The request, saying that parts of its form are in Latin-1, in which no byte is lost. What is no UTF-8 is to be
    found out here: it would be taken for Latin-1 without a word."""
    headers = [
        (name, value + b"; charset=latin-1" if name == b"content-type" and value.startswith(_PARTS) else value)
        for name, value in request.scope["headers"]
    ]
    return Request({**request.scope, "headers": headers}, request.receive)


def _text(value: str) -> str:
    """Text of a form in parts, as its bytes say it."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        raise InputError(f"the form has {shortened(value)}, which is not in UTF-8", field="form") from None


def _replaced(value: str) -> str:
    """Text of a form of fields, in which what was no UTF-8 is replaced already."""
    if "\ufffd" in value:
        raise InputError(f"the form has {shortened(value)}, in which something is not in UTF-8", field="form")
    return value


Anybody: TypeAlias = Annotated[Session, Depends(entered(None))]
"""A parameter of an endpoint: who is signed in, whatever they may do."""
Administrator: TypeAlias = Annotated[Session, Depends(entered("admin"))]
Reviewer: TypeAlias = Annotated[Session, Depends(entered("review"))]
Corrector: TypeAlias = Annotated[Session, Depends(entered("correct"))]
Appender: TypeAlias = Annotated[Session, Depends(entered("append"))]
FromAnybody: TypeAlias = Annotated[Sent, Depends(sent(None))]
"""A parameter of an endpoint: a form."""
FromAdministrator: TypeAlias = Annotated[Sent, Depends(sent("admin"))]
FromReviewer: TypeAlias = Annotated[Sent, Depends(sent("review"))]
FromCorrector: TypeAlias = Annotated[Sent, Depends(sent("correct"))]
FromAppender: TypeAlias = Annotated[Sent, Depends(sent("append"))]
