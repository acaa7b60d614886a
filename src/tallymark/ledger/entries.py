"""Entries: their bytes, composed once and never again, and the chain of their hashes.

An entry is one line of JSON. Its keys stand in this order, so that whoever recounts composes the same bytes:
`n` (position), `kind`, `at` (when it was settled, in microseconds since 1970 UTC, never falling), `rules` (the position
of the entry that has the methodology's text), and what its kind has. A match stands in it as it was received.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

import orjson

from tallymark.games.ids import Id
from tallymark.ledger.fold.rating import After
from tallymark.ledger.fold.rows import DOUBLES, FELT_BYTES, scaled_text
from tallymark.methodology import Methodology

FORMAT: Final = "tallymark-ledger-1"
GENESIS: Final = bytes(32)
"""What the first entry's hash covers in the place of a hash before it."""


class Entry(NamedTuple):
    """One entry of a stream; `receipt` is that of the item it is about, None where it is about none."""

    position: int
    hash: bytes
    body: bytes
    receipt: int | None = None


def chained(before: bytes, body: bytes) -> bytes:
    """The hash of an entry: SHA-256 of the 32 bytes of the hash before it, then its own bytes.

    >>> chained(GENESIS, b"{}").hex()[:16]
    'fb1634c4e6cd4b1f'
    """
    return hashlib.sha256(before + body).digest()


def opened(at: int, pool: str, rules: Methodology) -> bytes:
    """The first entry of a pool: the methodology's whole text stands in it."""
    return (
        b'{"n":1,"kind":"opened","at":%d,"rules":1,"format":"%b","pool":%b,"methodology":%b,"hash":"%b","text":%b}'
        % (
            at,
            FORMAT.encode(),
            _json(pool),
            _json(rules.id),
            rules.hash.encode(),
            _json(rules.to_toml()),
        )
    )


def rated(
    n: int, at: int, rules_at: int, rules: Methodology, body: bytes, after: Sequence[After], before: Sequence[int]
) -> bytes:
    """A match and everybody's exact state after it; `before` are the positions of their entries before this one."""
    sides = b",".join(
        b"[%b,%b,%d]" % (_json(one.player), state(one, rules), previous)
        for one, previous in zip(after, before, strict=True)
    )
    return b'{"n":%d,"kind":"rated","at":%d,"rules":%d,"match":%b,"after":[%b]%b}' % (
        n, at, rules_at, body, sides, happened(after)
    )  # fmt: skip


def not_rated(n: int, at: int, rules_at: int, body: bytes, reason: str) -> bytes:
    """A match that changes nobody's rating, and why."""
    return b'{"n":%d,"kind":"not-rated","at":%d,"rules":%d,"match":%b,"reason":"%b"}' % (
        n, at, rules_at, body, reason.encode()
    )  # fmt: skip


def state(one: After, rules: Methodology) -> bytes:
    """The exact state in JSON: hexadecimal of the doubles' bytes or of the felt, or the scaled integers."""
    if rules.numbers.exact:
        return b'"%b"' % one.felt.to_bytes(FELT_BYTES, "big").hex().encode()
    if rules.numbers.scaled:
        return scaled_text((one.mu, one.phi2, one.sigma2), rules).encode()
    return b'"%b"' % DOUBLES.pack(one.mu, one.phi2, one.sigma2).hex().encode()


def happened(after: Sequence[After]) -> bytes:
    """What was out of the ordinary: bounds that were hit, solvers that did not converge. Nothing where nothing was."""
    if not any(one.flags or not one.converged for one in after):
        return b""
    clamped = {str(n): one.clamped for n, one in enumerate(after) if one.flags}
    unconverged = [n for n, one in enumerate(after) if not one.converged]
    return (b',"clamped":%b' % orjson.dumps(clamped) if clamped else b"") + (
        b',"unconverged":%b' % orjson.dumps(unconverged) if unconverged else b""
    )


def _json(value: Id) -> bytes:
    return orjson.dumps(value)
