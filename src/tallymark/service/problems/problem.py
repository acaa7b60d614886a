"""A problem on its way out: raised by whoever finds it, written in one form."""

from collections.abc import Mapping
from typing import Final

import orjson
from starlette.responses import Response

from tallymark.ledger.matches import Json
from tallymark.service.problems.types import type_named

PROBLEM_JSON: Final = "application/problem+json"
_LONGEST: Final = 1000
"""Characters of a detail, a hint or a field: what was sent is repeated in them, and may be as long as a body may."""
_OWN: Final = frozenset({"type", "title", "status", "detail", "hint"})


class Problem(Exception):
    """A request that cannot be answered as asked. `more`: members of its own, such as the field that is wrong.

    >>> Problem("unknown-pool", "there is no pool 'x'", pool="x").status
    404
    """

    def __init__(
        self,
        name: str,
        detail: str,
        *,
        hint: str | None = None,
        headers: Mapping[str, str] | None = None,
        **more: Json,
    ) -> None:
        super().__init__(detail)
        assert not _OWN & set(more)
        self.type = type_named(name)
        self.detail, self.hint, self.headers = _cut(detail), None if hint is None else _cut(hint), headers
        self.more = {name: _cut(one) if name == "field" and isinstance(one, str) else one for name, one in more.items()}

    @property
    def status(self) -> int:
        """Of HTTP."""
        return self.type.status

    def document(self) -> dict[str, Json]:
        """As it is sent."""
        found: dict[str, Json] = {
            "type": self.type.uri,
            "title": self.type.title,
            "status": self.type.status,
            "detail": self.detail,
        }
        if self.hint is not None:
            found["hint"] = self.hint
        return found | self.more


def _cut(text: str) -> str:
    """A text, cut in the middle where it is long."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 203]}...{text[-200:]}"


def problem_response(problem: Problem) -> Response:
    """The answer that tells it."""
    return Response(
        orjson.dumps(problem.document()),
        problem.status,
        headers=None if problem.headers is None else dict(problem.headers),
        media_type=PROBLEM_JSON,
    )
