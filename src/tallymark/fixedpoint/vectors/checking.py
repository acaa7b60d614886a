"""A file of vectors gone through again: the first thing in it that this package answers otherwise."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from tallymark.errors import ReadError
from tallymark.fixedpoint.constants import VERSION
from tallymark.fixedpoint.vectors.kinds import Answer, answer
from tallymark.fixedpoint.vectors.values import Fields, Value, read, written
from tallymark.fixedpoint.vectors.writing import FORMAT, FORMAT_VERSION


@dataclass(frozen=True)
class Difference:
    """The first place where a file and this package differ: the line, the vector's id, the member (`steps.a.exp.h3`),
    what the file has there and what is right. A file whose answers are all right may still have another `sha256`."""

    line: int
    id: str
    member: str
    found: str
    expected: str

    def __str__(self) -> str:
        where = f"line {self.line}, {self.id}" if self.id else f"line {self.line}"
        return f"{where}: {self.member} is {self.found}; expected {self.expected}"


@dataclass(frozen=True)
class Checked:
    """A file gone through: how many vectors were compared, the first difference if there is one, its SHA-256."""

    vectors: int
    difference: Difference | None
    sha256: str


def check(lines: Iterable[bytes]) -> Checked:
    """Answers every vector of a file anew, and tells the first difference: within a vector an intermediate before the
    result that follows from it. `steps` that the file does not have are not compared.

    `ReadError` for what is no such file, or is cut short.

    >>> from tallymark.fixedpoint.vectors.writing import lines
    >>> file = [line.encode() for line in lines(1, 1, 0, 0)]
    >>> check(file).difference is None
    True
    >>> file[1] = file[1].replace(b'"out":"0"', b'"out":"1"')
    >>> print(check(file).difference)
    line 2, rdiv/1:2: out is "1"; expected "0"
    """
    digest = hashlib.sha256()
    count = number = 0
    told = ""
    for number, line in enumerate(lines, 1):
        if told:
            raise ReadError(f"line {number} comes after the SHA-256; expected that to be the last")
        read_line = _fields(number, line)
        if "sha256" in read_line.value:
            told = str(read_line.value["sha256"])
            continue
        digest.update(line)
        if number == 1:
            _accept_head(read_line)
            continue
        count += 1
        difference = _compared(number, read_line)
        if difference is not None:
            return Checked(count, difference, "")
    if not told:
        raise ReadError(f"the file ends after {number} lines without its SHA-256", hint="is it whole?")
    sha256 = digest.hexdigest()
    return Checked(count, None if told == sha256 else Difference(number, "", "sha256", told, sha256), sha256)


def _fields(number: int, line: bytes) -> Fields:
    try:
        return Fields(read(line.decode()), "this")
    except (ReadError, UnicodeDecodeError) as error:
        raise ReadError(f"line {number}: {error}") from None


def _accept_head(head: Fields) -> None:
    try:
        if head.word("format") != FORMAT:
            raise ReadError(f"format is {head.word('format')!r}; expected {FORMAT!r}")
        for name, ours in (("format_version", FORMAT_VERSION), ("constants_version", VERSION)):
            if head.whole(name) != ours:
                raise ReadError(f"{name} is {head.whole(name)}; expected {ours}")
    except ReadError as error:
        raise ReadError(f"line 1: {error.message}", hint="give a file of tallymark vectors") from None


def _compared(number: int, vector: Fields) -> Difference | None:
    try:
        name, kind = vector.word("id"), vector.word("kind")
        ours = answer(kind, vector.fields("in").value)
        return next((Difference(number, name, *found) for found in _differences(vector.value, ours)), None)
    except ReadError as error:
        raise ReadError(f"line {number}: {error.message}") from None


def _differences(theirs: Mapping[str, Value], ours: Answer) -> Iterator[tuple[str, str, str]]:
    """Member, what the file has there, and what is right."""
    refused = theirs.get("refused", "")
    if refused != ours.refused:
        yield "refused", _shown(refused), _shown(ours.refused)
    steps = theirs.get("steps", {})
    if not isinstance(steps, Mapping):
        yield "steps", written(steps)[:80], "an object"
        return
    for name, value in ours.steps.items():
        if name in steps and steps[name] != value:
            yield f"steps.{name}", written(steps[name]), written(value)
    for name in steps:
        if name not in ours.steps:
            yield f"steps.{name}", "there", "no such step"
    if not ours.refused:
        yield from _between("out", theirs.get("out", "nothing"), ours.out)


def _between(where: str, found: Value, expected: Value) -> Iterator[tuple[str, str, str]]:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for name, value in expected.items():
            yield from _between(f"{where}.{name}", found.get(name, "nothing"), value)
        for name in found:
            if name not in expected:
                yield f"{where}.{name}", "there", "no such member"
    elif _array(expected) and _array(found) and len(expected) == len(found):
        for i, (theirs, ours) in enumerate(zip(found, expected, strict=True)):
            yield from _between(f"{where}.{i}", theirs, ours)
    elif type(found) is not type(expected) or found != expected:
        yield where, written(found)[:120], written(expected)[:120]


def _array(value: Value) -> TypeGuard[Sequence[Value]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _shown(refused: Value) -> str:
    return written(refused) if refused else "no refusal"
