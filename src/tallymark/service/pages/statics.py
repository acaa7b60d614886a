"""Styles and scripts. They change with the program alone: their address has a hash, so a browser asks once."""

import gzip
import hashlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.service.problems import Problem

router = APIRouter()
_SCRIPT: Final = "text/javascript; charset=utf-8"
_TYPES: Final = {"css": "text/css; charset=utf-8", "js": _SCRIPT, "mjs": _SCRIPT, "svg": "image/svg+xml"}
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_OWN: Final = resources.files("tallymark.service.pages") / "static"
_SHARED: Final = Path(__file__).parents[4] / "sdk" / "js" / "seats.mjs"
"""What the SDK for JavaScript and a page have in common, in a source checkout; a wheel has it among the others."""


class Static(NamedTuple):
    """A file as it is sent, plain and packed."""

    media_type: str
    plain: bytes
    packed: bytes


@cache
def statics() -> dict[str, Static]:
    """Our own files by name."""
    files = [*_OWN.iterdir(), *([_SHARED] if _SHARED.is_file() else [])]
    return {
        one.name: packed(one.read_bytes(), _TYPES[one.name.rpartition(".")[2]])
        for one in sorted(files, key=lambda one: one.name)
        if one.name.rpartition(".")[2] in _TYPES
    }


@cache
def version() -> str:
    """A hash of all of them: modules name each other without it."""
    found = hashlib.sha256()
    for name, static in statics().items():
        found.update(b"%b\0%d\0" % (name.encode(), len(static.plain)) + static.plain)
    return found.hexdigest()[:12]


def static_path(name: str) -> str:
    """The address of a file. `KeyError` where there is none, so that no page has a link to nothing."""
    statics()[name]
    return f"/static/{version()}/{name}"


def packed(content: bytes, media_type: str) -> Static:
    """A file of which a packed form is made once."""
    return Static(media_type, content, gzip.compress(content, 6, mtime=0))


def answer(request: Request, static: Static, keep: str = _FOR_EVER) -> Response:
    """A file, packed for those who take it so."""
    headers = {"Cache-Control": keep, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(static.packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=static.media_type)
    return Response(static.plain, headers=headers, media_type=static.media_type)


@router.api_route("/static/{hash}/{name}", methods=["GET", "HEAD"], include_in_schema=False)
async def get_static(hash: str, name: str, request: Request) -> Response:
    """One of them; of another version of the program, that of now, which nobody is to keep."""
    static = statics().get(name)
    if static is None:
        raise Problem("not-found", "nothing is at this path")
    return answer(request, static, _FOR_EVER if hash == version() else "no-store")
