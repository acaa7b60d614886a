"""Token buckets: so many requests a minute from each caller, as many of them at once where nothing else is said."""

import math
from typing import Final, NamedTuple

_MOST: Final = 100_000
"""Callers that are remembered, at most: of those behind it, who have been quiet for a minute are forgotten."""


class Left(NamedTuple):
    """What a caller has left: `wait` seconds until the next request, 0 if there is one; `reset` until all of them."""

    limit: int
    remaining: int
    wait: float
    reset: float


class Buckets:
    """A bucket a caller, which fills with `a_minute` and holds `at_once`: as many, where it is not given."""

    def __init__(self, a_minute: int, at_once: int | None = None) -> None:
        self._limit, self._rate = a_minute if at_once is None else at_once, a_minute / 60
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, caller: str, now: float) -> Left:
        """Takes one, if there is one. `now` in seconds of a clock that never goes back.

        >>> buckets = Buckets(60)
        >>> [buckets.take("a", 0.0).remaining for _ in range(61)][-2:], buckets.take("a", 0.0).wait
        ([0, 0], 1.0)
        >>> buckets.take("a", 2.0).remaining
        1
        """
        tokens, at = self._buckets.get(caller, (float(self._limit), now))
        tokens = min(self._limit, tokens + (now - at) * self._rate)
        wait = 0.0
        if tokens >= 1:
            tokens -= 1
        else:
            wait = (1 - tokens) / self._rate
        if len(self._buckets) >= _MOST and caller not in self._buckets:
            self._forget(now)
        self._buckets[caller] = tokens, now
        return Left(self._limit, math.floor(tokens), wait, (self._limit - tokens) / self._rate)

    def _forget(self, now: float) -> None:
        self._buckets = {who: (tokens, at) for who, (tokens, at) in self._buckets.items() if now - at < 60}
        if len(self._buckets) >= _MOST:  # a crowd: everybody begins anew, and nobody's memory is filled
            self._buckets.clear()
