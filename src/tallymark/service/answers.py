"""How answers are written: JSON without NaN, and the entry that they are as of."""

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

import orjson
from starlette.requests import Request
from starlette.responses import Response

from tallymark.games.ids import Id
from tallymark.ledger.ids import key_of

JSON: Final = "application/json"
_OPTIONS: Final = orjson.OPT_UTC_Z
_QUOTED: Final = re.compile(r'"([^"]*)"')


class Json(Response):
    """An answer in JSON: times with a Z, what is no number as null."""

    media_type = JSON

    def render(self, content: Any) -> bytes:
        return written(content)


def written(content: object) -> bytes:
    """JSON: times with a Z, what is no number as null; whole numbers of more than 64 bits, which a rating may come to
    that people have set, as the doubles that they were rounded from.

    >>> orjson.loads(written({"shown": [10**18, round(1e300)]}))
    {'shown': [1000000000000000000, 1e+300]}
    """
    try:
        return orjson.dumps(content, option=_OPTIONS)
    except TypeError:  # looking through all of every answer beforehand would be a price for next to nobody
        return orjson.dumps(_as_doubles(content), option=_OPTIONS)


def _as_doubles(content: object) -> object:
    if isinstance(content, Mapping):
        return {name: _as_doubles(value) for name, value in content.items()}
    if isinstance(content, list | tuple):
        return [_as_doubles(value) for value in content]
    if isinstance(content, int) and not -(2**63) <= content < 2**64:
        return float(content)
    return content


def tag(pool: str, position: int, *more: object) -> str:
    """An ETag of what is as of an entry.

    >>> tag("chess", 17), tag("a b", 1, "week")
    ('"chess-17"', '"a%20b-1-week"')
    """
    return '"' + "-".join([quote(pool, safe=""), str(position), *(quote(str(one), safe="") for one in more)]) + '"'


def tag_of(body: bytes, pool: str, position: int) -> str:
    """The ETag of an answer: of the entry that it is as of, and of its bytes. Names change without an entry, and the
    window of a board moves on with the clock."""
    return tag(pool, position, hashlib.sha256(body).hexdigest()[:16])


def as_of(request: Request, pool: str, position: int, content: Mapping[str, object], seconds: int = 0) -> Response:
    """The answer as of an entry, with its ETag; 304 without a body where the client has it. `seconds`: so long a cache
    may keep it without asking."""
    answer = Json(content)
    etag = tag_of(bytes(answer.body), pool, position)
    headers = {"ETag": etag, "Cache-Control": f"public, max-age={seconds}" if seconds else "no-cache"}
    if has(request, etag):
        return Response(status_code=304, headers=headers)
    answer.headers.update(headers)
    return answer


def has(request: Request, etag: str) -> bool:
    """Whether the client says that it has an answer already."""
    given = request.headers.get("if-none-match")
    return given is not None and (given.strip() == "*" or etag[1:-1] in _QUOTED.findall(given))


def instant(microseconds: int) -> datetime:
    """A time of the ledger.

    >>> instant(0).isoformat()
    '1970-01-01T00:00:00+00:00'
    """
    from tallymark.games.times.iso import EPOCH, MICROSECOND

    return EPOCH + microseconds * MICROSECOND


def path_of(id: Id) -> str:
    """An id as a segment of a path: whole numbers in digits; text that looks like one, begins with a quotation mark,
    or is one of the segments that clients take for a way up, in quotation marks.

    >>> path_of("ann/1"), path_of(17), path_of("17"), path_of("..")
    ('ann%2F1', '17', '%2217%22', '%22..%22')
    """
    return quote(f'"{id}"' if id in (".", "..") else key_of(id), safe="")
