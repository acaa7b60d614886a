"""What is drawn in a match: from its recorded seed alone, so that anybody can draw it again."""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

_T = TypeVar("_T")
SEED_BYTES: Final = 32
"""Bytes of a match's seed."""
_HALF: Final = 64


def commitment(seed: bytes, match: str) -> str:
    """What is published when a pair is announced: SHA-256 of the seed and the match's id, in hexadecimal.

    Source: the arena's spec, P5. The seed itself is published when the match is over.

    >>> commitment(bytes(32), "tic-tac-toe-1")[:16]
    '35beb2153deb5cf1'
    """
    return hashlib.sha256(seed + match.encode()).hexdigest()


def seated(seed: bytes, agents: Iterable[str]) -> tuple[str, ...]:
    """The agents in the order of their seats: by HMAC-SHA256 of "seat:" and their ids under the seed.

    Source: the arena's spec, P5.

    >>> sorted(seated(bytes(32), ["ann", "bob"]))
    ['ann', 'bob']
    """
    return tuple(sorted(agents, key=lambda agent: drawn(seed, f"seat:{agent}")))


def drawn(seed: bytes, label: str) -> bytes:
    """32 bytes that only who knows the seed could have known: HMAC-SHA256 of a label."""
    return hmac.new(seed, label.encode(), hashlib.sha256).digest()


def below(seed: bytes, label: str, count: int) -> int:
    """A whole number from 0 to `count` - 1, each as likely as the others.

    Draws whose remainder would favour small numbers are thrown away, and the next is taken: "LABEL:1" and so on.

    >>> below(bytes(32), "turn:1", 1)
    0
    """
    if count < 1:
        raise ValueError(f"count is {count}; expected 1 or more")
    fair = (1 << _HALF) - (1 << _HALF) % count
    n = 0
    while True:
        number = int.from_bytes(drawn(seed, label if n == 0 else f"{label}:{n}")[:8], "big")
        if number < fair:
            return number % count
        n += 1


def chosen(seed: bytes, label: str, among: Sequence[_T]) -> _T:
    """One of them, each as likely as the others."""
    return among[below(seed, label, len(among))]
