"""Entries: their bytes, composed once and never again, and the chain of their hashes.

An entry is one line of JSON. Its keys stand in this order, so that whoever recounts composes the same bytes:
`n` (position), `kind`, `at` (when it was settled, in microseconds since 1970 UTC, never falling), `rules` (the position
of the entry that has the methodology's text), and what its kind has. A match stands in it as it was received.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from tallymark.games.ids import Id
from tallymark.ledger.fold.rating import After
from tallymark.ledger.fold.rows import DOUBLES, FELT_BYTES, scaled_text
from tallymark.methodology import Methodology

FORMAT: Final = "tallymark-ledger-1"
GENESIS: Final = bytes(32)
"""What the first entry's hash covers in the place of a hash before it."""


CHUNK: Final = 1000
"""Players in a chunk of states."""


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


def opened(at: int, pool: str, rules: Methodology, text: str | None = None) -> bytes:
    """The first entry of a pool: the methodology's whole text stands in it. `text`: where it was written before."""
    return (
        b'{"n":1,"kind":"opened","at":%d,"rules":1,"format":"%b","pool":%b,"methodology":%b,"hash":"%b","text":%b}'
        % (
            at,
            FORMAT.encode(),
            _json(pool),
            _json(rules.id),
            rules.hash.encode(),
            _json(rules.to_toml() if text is None else text),
        )
    )


def rated(
    n: int,
    at: int,
    rules_at: int,
    rules: Methodology,
    body: bytes,
    after: Sequence[After],
    before: Sequence[int],
    called: Mapping[Id, Id] = MappingProxyType({}),
) -> bytes:
    """A match and everybody's exact state after it; `before` are the positions of their entries before this one.
    `called`: players whom it names by an id that is another's now, and whose."""
    names = b',"as":%b' % _json([*map(list, called.items())]) if called else b""
    return b'{"n":%d,"kind":"rated","at":%d,"rules":%d,"match":%b%b%b}' % (
        n, at, rules_at, body, after_part(after, before, rules), names
    )  # fmt: skip


def rated_form(rules: Methodology) -> bytes:
    """`rated` for a match of two, to be filled by position, time, rules, match, then for each side its player in JSON,
    digits of the state and the position before, and what happened."""
    side = b"[%b,%b,%d]" if rules.numbers.scaled else b'[%b,"%b",%d]'
    return b'{"n":%d,"kind":"rated","at":%d,"rules":%d,"match":%b,"after":[' + side + b"," + side + b"]%b}"


def not_rated(n: int, at: int, rules_at: int, body: bytes, reason: str) -> bytes:
    """A match that changes nobody's rating, and why."""
    return b'{"n":%d,"kind":"not-rated","at":%d,"rules":%d,"match":%b,"reason":"%b"}' % (
        n, at, rules_at, body, reason.encode()
    )  # fmt: skip


def accepted(n: int, at: int, rules_at: int, body: bytes, period: int | None, late: bool) -> bytes:
    """A match that is rated later: with its period, or where it is late with the next recomputation."""
    return b'{"n":%d,"kind":"accepted","at":%d,"rules":%d,"match":%b,"period":%b,"late":%b}' % (
        n, at, rules_at, body, _json(period), _json(late)
    )  # fmt: skip


def closed(
    n: int,
    at: int,
    rules_at: int,
    period: int | None,
    rated_period: int | None,
    matches: int,
    players: int,
    chunks: int,
    item: bytes | None,
) -> bytes:
    """Periods up to one are over; the one of them that had matches was rated, and its players stand in chunks."""
    whole = (
        b'{"n":%d,"kind":"closed","at":%d,"rules":%d,"period":%b,"rated":%b,"matches":%d,"players":%d,"chunks":%d%b}'
    )
    return whole % (
        n, at, rules_at, _json(period), _json(rated_period), matches, players, chunks,
        b"" if item is None else b',"item":' + item,
    )  # fmt: skip


def states(
    n: int, at: int, rules_at: int, rules: Methodology, header: int, after: Sequence[After], before: Sequence[int]
) -> bytes:
    """A chunk of states that belong to the header at a position."""
    return b'{"n":%d,"kind":"states","at":%d,"rules":%d,"of":%d%b}' % (
        n, at, rules_at, header, after_part(after, before, rules)
    )  # fmt: skip


def restated(
    n: int,
    at: int,
    rules_at: int,
    waiting: Sequence[int],
    superseded: Sequence[int],
    changed: int,
    players: int,
    chunks: int,
    digest: bytes,
) -> bytes:
    """What was recomputed: the entries that waited, the first and the last whose numbers may be superseded, how many
    values changed, a digest over all of them, and how many players stand in the chunks behind it."""
    return (
        b'{"n":%d,"kind":"restated","at":%d,"rules":%d,"late":%b,"superseded":%b,"changed":%d,"players":%d,"chunks":%d,'
        b'"digest":"%b"}'
    ) % (n, at, rules_at, _json(waiting), _json(superseded), changed, players, chunks, digest.hex().encode())


def with_item(kind: str, n: int, at: int, rules_at: int, item: bytes, more: bytes = b"") -> bytes:
    """A command and, in `more`, what it did."""
    return b'{"n":%d,"kind":"%b","at":%d,"rules":%d,"item":%b%b}' % (n, kind.encode(), at, rules_at, item, more)


def refused(n: int, at: int, rules_at: int, item: bytes, reason: str) -> bytes:
    """A command that did nothing, and why."""
    return with_item("refused", n, at, rules_at, item, b',"reason":"%b"' % reason.encode())


def after_part(after: Sequence[After], before: Sequence[int], rules: Methodology) -> bytes:
    """States after an entry: player, exact state, position of the player's entry before."""
    sides = b",".join(
        b"[%b,%b,%d]" % (_json(one.player), state(one, rules), previous)
        for one, previous in zip(after, before, strict=True)
    )
    return b',"after":[%b]%b' % (sides, happened(after))


class Prefix(NamedTuple):
    """What every entry begins with."""

    position: int
    kind: str
    at: int
    rules_at: int


_PREFIX: Final = re.compile(rb'\{"n":([0-9]+),"kind":"([a-z-]+)","at":(-?[0-9]+),"rules":([0-9]+)')
_TAILS: Final = {
    "rated": b',"after":[',
    "not-rated": b',"reason":"',
    "accepted": b',"period":',
    "refused": b',"reason":"',
    "corrected": b',"effect":"',
    "adjusted": b',"after":[',
}
"""What comes behind the item in an entry. A quote inside a text is escaped: the last of these marks is ours."""


def prefix(body: bytes) -> Prefix:
    """What an entry begins with; `ValueError` for what is no entry.

    >>> prefix(b'{"n":7,"kind":"rated","at":3,"rules":1,"match":{}}').kind
    'rated'
    """
    found = _PREFIX.match(body)
    if found is None:
        raise ValueError("this is no entry")
    return Prefix(int(found[1]), found[2].decode(), int(found[3]), int(found[4]))


def item_in(body: bytes, kind: str) -> bytes | None:
    """The bytes of the item that an entry is about; None where it is about none. `ValueError` for what is no entry.

    >>> item_in(b'{"n":7,"kind":"not-rated","at":3,"rules":1,"match":{"id":1},"reason":"draw"}', "not-rated")
    b'{"id":1}'
    """
    mark = b',"match":' if kind in MATCHES else b',"item":'
    if mark not in body:
        return None
    start = body.index(mark) + len(mark)
    tail = _TAILS.get(kind)
    return body[start : len(body) - 1 if tail is None else body.rindex(tail, start)]


State: TypeAlias = "str | list[int]"
"""An exact state as entries have it: hexadecimal digits of doubles or of a felt, or the scaled integers."""


def after_in(body: bytes) -> list[tuple[Id, State, int]]:
    """Players, their states after an entry, and the positions of their entries before it; nobody where it has none.

    >>> after_in(b'{"n":7,"kind":"adjusted","at":3,"rules":1,"item":{},"after":[["ann",[150000,35000,60000],2]]}')
    [('ann', [150000, 35000, 60000], 2)]
    """
    return [(player, told, before) for player, told, before in _behind(body).get("after", ())]


class Happened(NamedTuple):
    """What was out of the ordinary, by the place of the player in `after`: bounds that were hit, and whose solver did
    not converge."""

    clamped: dict[int, tuple[str, ...]]
    unconverged: list[int]


def happened_in(body: bytes) -> Happened:
    """What `happened` wrote."""
    told = _behind(body)
    clamped = {int(place): tuple(words) for place, words in told.get("clamped", {}).items()}
    return Happened(clamped, told.get("unconverged", []))


def called_in(body: bytes) -> dict[Id, Id]:
    """Players whom the match of an entry names by an id that was another's then, and whose.

    >>> called_in(b'{"n":7,"kind":"rated","at":3,"rules":1,"match":{},"after":[],"as":[["Ann","ann"]]}')
    {'Ann': 'ann'}
    """
    return dict(_behind(body).get("as", ()))


def has_effect(body: bytes) -> bool:
    """Whether a correction changes ratings, now or when it is recomputed: the entry ends with it."""
    return not body.endswith(b',"effect":"none"}')


def header_of(body: bytes) -> int:
    """The position of the entry that a chunk of states belongs to."""
    header: int = orjson.loads(body)["of"]
    return header


def _behind(body: bytes) -> dict[str, Any]:
    """An entry from `after` on; nothing where it has none, whatever a client's data has."""
    start = body.rfind(b',"after":[') if prefix(body).kind in _WITH_STATES else -1
    found: dict[str, Any] = orjson.loads(b"{" + body[start + 1 :]) if start >= 0 else {}
    return found


_WITH_STATES: Final = ("rated", "adjusted", "states")


def is_late(body: bytes) -> bool:
    """Whether an accepted match came late."""
    return body.endswith(b',"late":true}')


def reason_in(body: bytes) -> str:
    """Why the match or command of an entry did nothing: the entry ends with it."""
    return body[body.rindex(b',"reason":"') + 11 : -2].decode()


def effect_of(body: bytes) -> str:
    """What a correction did to ratings: the entry ends with it."""
    return body[body.rindex(b',"effect":"') + 11 : -2].decode()


def period_of(body: bytes) -> int | None:
    """The period of an accepted match; None where no calendar has one."""
    period: int | None = orjson.loads(b"{" + body[body.rindex(b',"period":') + 1 :])["period"]
    return period


def rated_period(body: bytes) -> int | None:
    """The period that a `closed` entry says was rated."""
    period: int | None = orjson.loads(body)["rated"]
    return period


MATCHES: Final = ("rated", "not-rated", "accepted")
"""Kinds of entries about a match."""


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


def _json(value: Id | Sequence[int] | Sequence[Sequence[Id]] | None) -> bytes:
    return orjson.dumps(value)
