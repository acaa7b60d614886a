"""Games from JSON: an object a line, or an array of objects. Every row keeps the line that it begins on.

A line that is no JSON, names a key twice or holds what JSON has no word for (NaN) is a row with a fault: lines stand
for themselves. In an array the rest hangs on every part, so that there it is an error of the file.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from tallymark.checked import shortened
from tallymark.errors import ReadError
from tallymark.games.files.lines import lines_of
from tallymark.games.files.opening import Source
from tallymark.games.files.raw import RawTable
from tallymark.games.files.records import Digits, Record, table_of
from tallymark.games.shapes.plan import Choose

_INT64: Final = range(-(2**63), 2**63)
_DIGITS: Final = 18
"""So many digits have room in 64 bits whatever they are."""
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_HALF: Final = re.compile(r"\\u[dD][89abAB]|\\u[dD][c-fC-F]")
_FORMS: Final = "one object a line, or an array of objects"


class _Strict:
    """A decoder that says what is wrong with a value, where the standard one takes it or stops."""

    def __init__(self) -> None:
        self.fault: str | None = None
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=_whole, parse_float=self._float, parse_constant=self._constant
        )

    def at(self, text: str, start: int) -> tuple[object, int]:
        """The value that begins there, and where it ends; ValueError or RecursionError for none."""
        self.fault = None
        value, end = self._decoder.raw_decode(text, start)
        if _HALF.search(text, start, end) and not _is_text(value):
            self.fault = self.fault or "a character is half of a pair of surrogates, which is no text"
        return value, end

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
            self.fault = self.fault or f"the key {shortened(twice)} is there twice"
        return found

    def _float(self, digits: str) -> float:
        number = float(digits)
        if math.isinf(number):
            self.fault = self.fault or f"{shortened(digits)} is beyond every number"
        return number

    def _constant(self, word: str) -> None:
        self.fault = self.fault or f"{word} is no JSON"


def read_json(source: Source, choose: Choose, encoding: str = "utf-8") -> RawTable:
    """The columns that `choose` picks: keys of the objects, of objects inside of them by dotted names.

    Whole numbers beyond 64 bits become text, their digits, for they are ids; a note says so.
    ReadError for what is no JSON as a whole, or not in the encoding.
    """
    return table_of(lambda: _rows(source, encoding), choose, source.name, f"games are {_FORMS}")


def _rows(source: Source, encoding: str) -> Iterator[Record]:
    with source.content() as file:
        lines = lines_of(file, source.name, encoding)
        number, begin = 0, ""
        for number, begin in enumerate(lines, 1):  # noqa: B007
            if begin.strip():
                break
        if begin.lstrip().startswith("["):
            yield from _of_array(lines, number, begin, source.name)
        elif begin.strip():
            yield from _of_lines(lines, number, begin)


def _of_lines(lines: Iterator[str], number: int, first: str) -> Iterator[Record]:
    strict = _Strict()
    text: str | None = first
    while text is not None:
        start = _end_of_space(text, 0)
        if start < len(text):
            yield _of_line(strict, text, start, number)
        number, text = number + 1, next(lines, None)


def _of_line(strict: _Strict, text: str, start: int, number: int) -> Record:
    try:
        value, end = strict.at(text, start)
    except (ValueError, RecursionError) as error:
        place = min(getattr(error, "pos", 0), len(text.rstrip()))
        if isinstance(error, json.JSONDecodeError) and (
            error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated") or text[error.pos] in "\r\n"
        ):
            return Record(number, {}, f"no JSON: the line is cut off after {len(text.rstrip())} characters")
        at = f" at character {place + 1}" if isinstance(error, json.JSONDecodeError) else ""
        return Record(number, {}, f"no JSON: {_said(error)}{at}")
    if _end_of_space(text, end) < len(text):
        return Record(number, {}, f"no JSON: more than one value, from character {end + 1} on")
    if not isinstance(value, dict):
        return Record(number, {}, f"{shortened(text.strip())} is no object")
    return Record(number, value, strict.fault)


def _of_array(lines: Iterator[str], number: int, first: str, name: str) -> Iterator[Record]:
    """The objects of an array. What is held at a time are the lines of one object."""
    strict = _Strict()
    text, line = first, number  # the line of what is at `at`
    at = _end_of_space(text, 0) + 1
    before = "["
    while True:
        space = _end_of_space(text, at)
        line, at = line + _ends(text, at, space), space
        if at == len(text):
            more = next(lines, None)
            if more is None:
                raise ReadError(f"{name}, line {line}: the array is not closed", hint="is the file cut short?")
            text, at = more, 0
        elif text[at] == "]" and before != ",":
            break
        elif before == "}":
            if text[at] != ",":
                raise _array_error(name, line, f"{text[at]!r} where a comma or ] is expected")
            before, at = ",", at + 1
        elif text[at] != "{":
            raise _array_error(name, line, f"{text[at]!r} where an object is expected")
        else:
            value, end, text, at = _object_at(strict, text, at, lines, name, line)
            yield Record(line, value, strict.fault)
            line, at, before = line + _ends(text, at, end), end, "}"
    rest = text[at + 1 :]
    while not rest.strip(" \t\r\n"):
        following = next(lines, None)
        if following is None:
            return
        rest = following
    raise _array_error(name, line, "there is more after the array")


def _object_at(
    strict: _Strict, text: str, at: int, lines: Iterator[str], name: str, line: int
) -> tuple[dict[str, object], int, str, int]:
    """The object that begins there, where it ends, and the text, with the lines that it took, and where it began."""
    wanted = 1
    while True:
        try:
            value, end = strict.at(text, at)
        except (ValueError, RecursionError) as error:
            place = getattr(error, "pos", at)
            more = []
            if place >= len(text.rstrip(" \t\r\n")):  # nothing is wrong but that it ends
                more = list(islice(lines, wanted))
            if not more:
                raise _array_error(name, line + _ends(text, at, place), _said(error)) from None
            text, at, wanted = text[at:] + "".join(more), 0, wanted * 2
        else:
            assert isinstance(value, dict)
            return value, end, text, at


def _array_error(name: str, line: int, message: str) -> ReadError:
    return ReadError(f"{name}, line {line}: no JSON: {message}", hint=f"games are {_FORMS}")


def _said(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return error.msg[0].lower() + error.msg[1:].removesuffix(" at")
    return "too many digits" if isinstance(error, ValueError) else "too many objects inside of one another"


def _ends(text: str, start: int, end: int) -> int:
    """How many lines end in between."""
    return text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)


def _end_of_space(text: str, start: int) -> int:
    found = _SPACE.match(text, start)
    return found.end() if found else start


def _whole(digits: str) -> int | str:
    if len(digits) <= _DIGITS or (len(digits) <= _DIGITS + 2 and int(digits) in _INT64):
        return int(digits)
    return Digits(digits)


def _is_text(value: object) -> bool:
    """Whether all text in a value is Unicode."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
