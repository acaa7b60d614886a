"""What is kept of a match: records, each one line of JSON, numbered from 0, written once."""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final, TypeGuard

import orjson

from tallymark.arena.games.face import Dated, PoolKind, Ruleset, Side
from tallymark.arena.referee.endings import Reason, Verdict
from tallymark.arena.referee.saying import Change, Entrant
from tallymark.checked import shortened
from tallymark.errors import BrokenChainError, InputError
from tallymark.games.vocabulary import Ending
from tallymark.ledger.matches import Json, read_object

FORM: Final = 1
"""The form of records; another one gets another number."""
BEYOND: Final = 2**63
"""More than any whole number of a record."""
KINDS: Final = ("announced", "playing", "missed", "action", "over", "settled")


class Writer:
    """Numbers the records of one match, and hashes them."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        """Goes on behind these."""
        self.n = 0
        self._hash = hashlib.sha256()
        for line in lines:
            self._count(line)

    @classmethod
    def at(cls, n: int) -> "Writer":
        """Goes on at this number, where nobody asks for the hash."""
        writer = cls()
        writer.n = n
        return writer

    def line(self, kind: str, ms: int, fields: Mapping[str, Json]) -> bytes:
        """The next record. `ms`: since the match was announced."""
        written = orjson.dumps({"n": self.n, "kind": kind, "ms": ms, **fields})
        self._count(written)
        return written

    @property
    def hash(self) -> str:
        """SHA-256 of the records so far, each with a line feed behind it, in hexadecimal."""
        return self._hash.hexdigest()

    def _count(self, line: bytes) -> None:
        self.n += 1
        self._hash.update(line + b"\n")


@dataclass(frozen=True)
class Opening:
    """What a match begins with."""

    match: str
    seed: bytes
    entrants: tuple[Entrant, ...]
    """In any order: seats follow from the seed."""
    at: int
    """When, in microseconds since 1970 UTC."""
    exhibition: bool = False
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of the programs that run it, by name."""


@dataclass(frozen=True)
class Record:
    """A record as it was read. Its fields are asked for by kind; one that is not as it should be is a
    `BrokenChainError` at the record's number."""

    n: int
    kind: str
    ms: int
    fields: Mapping[str, Json]

    @classmethod
    def read(cls, line: bytes, n: int) -> "Record":
        """The record that must have this number."""
        try:
            found = read_object(line, f"record {n}")
        except InputError as error:
            raise BrokenChainError(error.message, position=n) from None
        record = cls(n, "", 0, found)
        if record.whole("n") != n:
            raise record.wrong("n", f"{n}: the records of a match are numbered from 0 without a gap")
        kind = record.text("kind")
        if kind not in KINDS:
            raise record.wrong("kind", f"one of {', '.join(KINDS)}")
        return cls(n, kind, record.whole("ms"), found)

    @classmethod
    def all(cls, lines: Sequence[bytes]) -> tuple["Record", ...]:
        """The records of a match: the first announces it, their times never go back, one says how it ended, and at most
        one that it was rated stands behind that."""
        read = tuple(cls.read(line, n) for n, line in enumerate(lines))
        for n, record in enumerate(read):
            if (record.kind == "announced") != (n == 0):
                raise record.wrong("kind", "announced first, and only there")
            if n and record.ms < read[n - 1].ms:
                raise record.wrong("ms", f"{read[n - 1].ms} or more, as before it")
            behind = read[n - 1].kind if n else ""
            if (record.kind == "settled") != (behind == "over") or behind == "settled":
                raise record.wrong("kind", "settled behind the end, only there, and nothing behind that")
        if not any(record.kind == "over" for record in read):
            raise BrokenChainError(
                "no record says how the match ended", position=len(read), hint="is it still played, or was it cut off?"
            )
        return read

    def text(self, name: str) -> str:
        found = self.fields.get(name)
        if not isinstance(found, str):
            raise self.wrong(name, "text")
        return found

    def whole(self, name: str) -> int:
        found = self.fields.get(name)
        if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found < BEYOND:
            raise self.wrong(name, "a whole number")
        return found

    def flag(self, name: str) -> bool:
        found = self.fields.get(name)
        if not isinstance(found, bool):
            raise self.wrong(name, "true or false")
        return found

    def whole_or_none(self, name: str) -> int | None:
        return None if self.fields.get(name) is None else self.whole(name)

    def number_or_none(self, name: str) -> float | None:
        found = self.fields.get(name)
        if found is None or is_number(found):
            return found
        raise self.wrong(name, "a number or null")

    def text_or_none(self, name: str) -> str | None:
        return None if self.fields.get(name) is None else self.text(name)

    def mapping(self, name: str) -> Mapping[str, Json]:
        found = self.fields.get(name)
        if not isinstance(found, Mapping):
            raise self.wrong(name, "an object")
        return found

    def object(self, name: str) -> "Record":
        """An object, whose fields are asked for in the same way."""
        return Record(self.n, self.kind, self.ms, self.mapping(name))

    def objects(self, name: str) -> tuple["Record", ...]:
        """A list of objects, whose fields are asked for in the same way."""
        found = self.fields.get(name)
        if not isinstance(found, list):
            raise self.wrong(name, "a list of objects")
        objects = []
        for one in found:
            if not isinstance(one, dict):
                raise self.wrong(name, "a list of objects")
            objects.append(Record(self.n, self.kind, self.ms, one))
        return tuple(objects)

    def seed(self) -> bytes:
        try:
            return bytes.fromhex(self.text("seed"))
        except ValueError:
            raise self.wrong("seed", "hexadecimal digits") from None

    def wrong(self, name: str, expected: str) -> BrokenChainError:
        """What is wrong with a field."""
        given = shortened(self.fields[name]) if name in self.fields else "missing"
        return self.broken(f"{name} is {given}; expected {expected}")

    def broken(self, why: str) -> BrokenChainError:
        """What is wrong with it."""
        return BrokenChainError(f"record {self.n}: {why}", position=self.n)


def is_number(value: Json) -> TypeGuard[float]:
    """Whether it is a number that a record may have: a finite one, and if it is whole, none of more than 64 bits."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < BEYOND


def entrants_told(entrants: Iterable[Entrant]) -> list[Json]:
    """Agents in the order of their seats; without `configuration` where there is none."""
    return [
        {name: value for name, value in asdict(one).items() if name != "configuration" or value is not None}
        for one in entrants
    ]


def entrants_read(record: Record) -> tuple[Entrant, ...]:
    """The same from the first record."""
    return tuple(
        Entrant(
            one.text("agent"),
            one.text("kind"),
            one.text("version"),
            one.number_or_none("rating"),
            one.number_or_none("deviation"),
            one.text_or_none("configuration"),
        )
        for one in record.objects("seats")
    )


def pool_kind_told(kind: PoolKind) -> dict[str, Json]:
    """What the first record says of a pool that is not like most."""
    return {} if kind == "arena" else {"pool_kind": kind}


def pool_kind_read(record: Record) -> PoolKind:
    """The same from the first record."""
    match record.text_or_none("pool_kind"):
        case None:
            return "arena"
        case "benchmark":
            return "benchmark"
    raise record.wrong("pool_kind", "benchmark, or nothing")


def ruleset_told(ruleset: Ruleset) -> dict[str, Json]:
    """What belongs to a game's rules besides the game; without `dated` where that is as for most."""
    dated: dict[str, Json] = {} if ruleset.dated == "end" else {"dated": ruleset.dated}
    return {"name": ruleset.name, "action_ms": ruleset.action_ms, "grace_ms": ruleset.grace_ms, **dated}


def dated_read(opening: Record) -> Dated:
    """When a match is said to have been played, from its first record."""
    ruleset = opening.object("ruleset")
    match ruleset.text_or_none("dated"):
        case None:
            return "end"
        case "start":
            return "start"
    raise ruleset.wrong("dated", "start, or nothing")


def verdict_told(verdict: Verdict) -> dict[str, Json]:
    """How a match ended."""
    return {
        "reason": verdict.reason.value,
        "ending": verdict.ending.value,
        "told": verdict.told,
        "seat": verdict.seat,
        "sides": sides_told(verdict.sides),
        "unrated": None if verdict.unrated is None else verdict.unrated.value,
    }


def sides_told(sides: Iterable[Side]) -> list[Json]:
    """Who won: seats and the place that they share."""
    return [{"seats": list(side.seats), "rank": side.rank} for side in sides]


def verdict_read(record: Record) -> Verdict:
    """The same from a record."""
    sides = []
    for one in record.objects("sides"):
        seats = one.fields.get("seats")
        if not isinstance(seats, list):
            raise one.wrong("seats", "a list of seats")
        sides.append(Side(tuple(seat for seat in seats if isinstance(seat, int)), one.whole("rank")))
    unrated = record.text_or_none("unrated")
    try:
        reason, ending = Reason(record.text("reason")), Ending(record.text("ending"))
        unrated_for = None if unrated is None else Reason(unrated)
    except ValueError as error:
        raise record.broken(str(error)) from None
    return Verdict(reason, tuple(sides), ending, record.text("told"), record.whole_or_none("seat"), unrated_for)


def changes_told(changes: Iterable[Change | None]) -> list[Json]:
    """What a match made of each rating, in the order of the seats."""
    return [None if one is None else change_told(one) for one in changes]


def change_told(change: Change) -> dict[str, Json]:
    """What a match made of one rating."""
    return {
        "rating_before": change.rating_before,
        "deviation_before": change.deviation_before,
        "rating": change.rating,
        "deviation": change.deviation,
    }
