"""Ids in paths may have slashes, percent-encoded: %2F is part of an id and divides nothing."""

from typing import Final
from urllib.parse import unquote_to_bytes

from starlette.types import ASGIApp, Receive, Scope, Send

from tallymark.service.api.parameters import SLASH
from tallymark.service.problems import Problem, problem_response
from tallymark.service.web.scopes import passed_on

_KEPT: Final = "\x00"
_NUL: Final = b"%00"
_NO_TEXT: Final = "the path is no UTF-8, percent-encoded"


class Paths:
    """Gives the router paths in which an encoded slash is another character than a slash; what is no UTF-8 is refused,
    where the server would put the same sign for all of it, and so is NUL."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raw: bytes = scope.get("raw_path") or b""
        if b"%" in raw:
            path = decoded(raw.partition(b"?")[0])
            if path is None:
                problem = Problem("bad-input", "the path has %00, which is part of no id" if _NUL in raw else _NO_TEXT)
                await problem_response(problem)(scope, receive, send)
                return
            with passed_on(scope, path=path) as asked:
                await self._app(asked, receive, send)
            return
        await self._app(scope, receive, send)


def decoded(raw: bytes) -> str | None:
    """A path with `SLASH` for encoded slashes; None where it is no text.

    >>> decoded(b"/a%2Fb%20c") == f"/a{SLASH}b c", decoded(b"/%FF")
    (True, None)
    """
    marked = raw.replace(b"%2F", _NUL).replace(b"%2f", _NUL) if _NUL not in raw else None
    if marked is None:
        return None
    try:
        return unquote_to_bytes(marked).decode().replace(_KEPT, SLASH)
    except UnicodeDecodeError:
        return None
