"""What people without a key may do seldom: to flag, and to begin as another voter."""

import math
from collections.abc import Callable
from typing import TypeAlias

from starlette.requests import Request

from tallymark.service.problems import Problem
from tallymark.service.web.buckets import Left

Turn: TypeAlias = Callable[[str], Left]
"""Takes one from what an address has left."""


def take(turn: Turn, request: Request, what: str) -> None:
    """Takes one for the address of a request; 429 where it has none left."""
    left = turn("" if request.client is None else request.client.host)
    if left.wait:
        seconds = math.ceil(left.wait)
        raise Problem(
            "too-many-requests",
            f"more than {left.limit} {what} a minute from one address; the next is taken in {seconds} s",
            headers={"Retry-After": str(seconds)},
        )
