"""Games from SGF, the format of Go: the properties of each game tree's root; its moves are passed over.

A file may have any text before, between and after its trees. A tree that is not closed counts where its root is whole:
collections that cut their games short have no other ends.
"""

import codecs
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError
from tallymark.games.files.lines import lines_of
from tallymark.games.files.opening import Source
from tallymark.games.files.raw import RawTable
from tallymark.games.files.records import Made, Record, table_of
from tallymark.games.shapes.plan import Choose
from tallymark.games.vocabulary import Ending

# Quantifiers are possessive: what a broken file has without an end is gone through once.
_VALUE: Final = r"\[(?:[^\]\\]|\\.)*+\]"
_BEGIN: Final = re.compile(r"\(\s*;")
_ROOT: Final = re.compile(rf"(?:\s*+[A-Za-z]++\s*+(?:{_VALUE}\s*+)++)*+\s*+", re.DOTALL)
_PROPERTY: Final = re.compile(rf"([A-Za-z]++)\s*+((?:{_VALUE}\s*+)++)", re.DOTALL)
_OPEN_VALUE: Final = re.compile(r"[A-Za-z]*+\s*+\[")
_ONE: Final = re.compile(_VALUE, re.DOTALL)
_MOVES: Final = re.compile(rf"(?:[^()\[]++|{_VALUE})*+", re.DOTALL)
_FIRST: Final = "GM|FF|CA|AP|SZ|ST|GN|EV|RO|PB|PW|DT|RE|KM|HA|RU|PC|BR|WR|TM|US|SO|ID"
_STARTS: Final = re.compile(rf"\s*\(\s*;\s*(?:{_FIRST})\s*\[")
_OPENS: Final = re.compile(r"\s*\(\s*;?\s*")
_GOES_ON: Final = re.compile(rf"\s*;?\s*(?:{_FIRST})\s*\[")
_BROKEN_LINE: Final = re.compile(r"\\(?:\r\n|\n\r|\n|\r)")
_SPACE: Final = re.compile(r"\r\n|\n\r|[\t\n\v\f\r]")
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_RESULT: Final = re.compile(r"([BWbw])\+(.*)", re.DOTALL)
_POINTS: Final = re.compile(r"[0-9]*[.,]?[0-9]*")
_DRAWN: Final = ("0", "draw", "jigo")
_DAY: Final = re.compile(r"(?:(?:([0-9]{4})[-./])?([0-9]{2})[-./])?([0-9]{2})")
_NEEDED: Final = "a game of an SGF file begins like (;GM[1]PB[...]PW[...]RE[...]"
_DERIVED: Final = {
    "player_a": Made("PB (Black)", ("PB",)),
    "player_b": Made("PW (White)", ("PW",)),
    "result": Made("RE", ("RE",)),
    "ending": Made("RE", ("RE",)),
    "played_at": Made("DT", ("DT",)),
    "board": Made("SZ", ("SZ",)),
    "komi": Made("KM", ("KM",)),
    "handicap": Made("HA", ("HA",)),
}
_SAME: Final = ("player_a", "player_b", "komi", "handicap")
"""What means the same as the property that it was made of."""


@dataclass
class _Counted:
    """What is said of all games of a file together."""

    cut: list[int] = field(default_factory=list)
    """The lines of the games that are not closed."""
    days: int = 0
    endings: dict[str, int] = field(default_factory=dict)

    def clear(self) -> None:
        """For another time through the file."""
        self.cut, self.days, self.endings = [], 0, {}

    def notes(self, used: set[str]) -> Iterator[str]:
        if self.cut:
            yield (
                f"games that are not closed: {len(self.cut):,} (the first on line {self.cut[0]}); what is said before "
                "their moves counts"
            )
        if self.days and "played_at" in used:
            yield f"games of several days: {self.days:,}; the last day counts"
        if self.endings and "ending" in used:
            words = ", ".join(f"{shortened(word)} ({count:,})" for word, count in list(self.endings.items())[:5])
            yield f"ending is left empty where RE names none that is known: {words}"


def read_sgf(source: Source, choose: Choose, encoding: str = "utf-8", mapped: Collection[str] = ()) -> RawTable:
    """The columns that `choose` picks: what the root's properties mean by its canonical name, and the others and those
    `mapped`.

    ReadError for text that is not in the encoding, or says of itself that it is in another.
    """
    counted = _Counted()

    def records() -> Iterator[Record]:
        counted.clear()
        with source.content() as file:
            for line, part in _parts(lines_of(file, source.name, encoding)):
                yield from _records(part, line, counted, source.name, encoding)

    table = table_of(records, choose, source.name, _NEEDED, _DERIVED, mapped)
    notes = (*table.notes, *counted.notes(set(table.plan.columns)))
    return replace(table, notes=notes, whole=None)  # for the moves tell games apart


def _parts(lines: Iterator[str]) -> Iterator[tuple[int, str]]:
    """The text from one line that a game begins on to the next, with its line: what is cut short ends there."""
    held: list[str] = []
    begins = 1
    opening = 0  # so many of the last lines held open a tree, if what follows are properties of a root
    for number, line in enumerate(lines, 1):
        starts = _STARTS.match(line) is not None
        if starts or (opening and _GOES_ON.match(line)):
            cut = len(held) - (0 if starts else opening)
            if cut:
                yield begins, "".join(held[:cut])
            held, opening = held[cut:], 0
            begins = number - len(held)
        elif _OPENS.fullmatch(line):
            opening = 1
        elif opening:
            opening = opening + 1 if line.strip() in ("", ";") else 0
        held.append(line)
    yield begins, "".join(held)


def _records(text: str, line: int, counted: _Counted, name: str, encoding: str) -> Iterator[Record]:
    """The games of a part of the file that begins on this line."""
    at = 0
    while (begin := _BEGIN.search(text, at)) is not None:
        line, at = line + _ends(text, at, begin.start()), begin.start()
        root = _ROOT.match(text, begin.end())
        end = root.end() if root else begin.end()
        found = [(re.sub("[a-z]", "", one[1]), one[2]) for one in _PROPERTY.finditer(text, begin.end(), end)]
        properties = {name: _plain(_ONE.findall(values)[0][1:-1]) for name, values in found}
        after = text[end : end + 1]
        if after not in (";", "(", ")"):
            cut = not after or _OPEN_VALUE.match(text, end)
            what = "the game is cut short before its moves" if cut else f"{after!r} where a property is expected"
            yield Record(line, {}, f"{what} (line {line + _ends(text, at, end)})")
            closed = end
        else:
            closed, whole = _closing(text, end)
            if not whole:
                counted.cut.append(line)
            record = _record(line, dict(properties), counted, f"{name}, line {line}", encoding)
            twice = [name for name, count in Counter(name for name, _ in found).items() if count > 1]
            yield record._replace(fault=f"the property {twice[0]} is there twice") if twice else record
        line, at = line + _ends(text, at, closed), closed


def _closing(text: str, at: int) -> tuple[int, bool]:
    """Where the tree ends of whose root this is the end, and whether it is closed there."""
    depth = 1
    while True:
        found = _MOVES.match(text, at)
        at = found.end() if found else at
        mark = text[at : at + 1]
        if mark not in ("(", ")"):
            return len(text), False
        depth += 1 if mark == "(" else -1
        at += 1
        if depth == 0:
            return at, True


def _record(line: int, cells: dict[str, object], counted: _Counted, where: str, encoding: str) -> Record:
    _check_encoding(cells, where, encoding)
    cells |= {name: cells[of] for name in _SAME for of in _DERIVED[name].of if of in cells}
    if "SZ" in cells:
        lines, _, other = str(cells["SZ"]).partition(":")
        cells["board"] = lines if other == lines else cells["SZ"]
    if "RE" in cells:
        cells["result"], cells["ending"] = _result(str(cells["RE"]), counted)
    if "DT" in cells:
        cells["played_at"] = _last_day(str(cells["DT"]), counted)
    return Record(line, cells)


def _check_encoding(cells: dict[str, object], where: str, encoding: str) -> None:
    """ReadError where a game says it is in another encoding than it is read in, and that makes a difference."""
    said = str(cells.get("CA", "")).strip()
    if not said or encoding != "utf-8" or all(str(text).isascii() for text in cells.values()):
        return
    try:
        codec = codecs.lookup(said).name
    except (LookupError, ValueError):  # what nobody knows says nothing
        return
    if codec not in ("utf-8", "ascii"):
        raise ReadError(
            f"{where}: the game says that it is in {said}, and is read as UTF-8",
            hint=f"choose encoding={codec!r}, or encoding='utf-8-sig' if it is UTF-8 all the same",
        )


def _result(text: str, counted: _Counted) -> tuple[str, str | None]:
    """The result as a word of the vocabulary (as it is where it is none), and the ending it names."""
    plain = text.strip()
    if plain.casefold() in _DRAWN:
        return "1/2-1/2", None
    if plain == "?":
        return "", None
    won = _RESULT.fullmatch(plain)
    if won is None:
        return text, None
    result = "1-0" if won[1] in "Bb" else "0-1"
    how = won[2].strip()
    if _POINTS.fullmatch(how):
        return result, "normal" if how else None
    try:
        return result, Ending.spelt(how).value
    except InputError:
        counted.endings[how] = counted.endings.get(how, 0) + 1
        return result, None


def _last_day(text: str, counted: _Counted) -> str:
    """The last of the days of a game, of which each may leave out what the one before said; other text as it is."""
    year = month = ""
    days = text.strip().split(",")
    last = text
    for day in days:
        found = _DAY.fullmatch(day.strip())
        if found is None:
            return text
        year, month = found[1] or year, found[2] or month
        if not year or not month:
            return text
        last = f"{year}-{month}-{found[3]}"
    counted.days += len(days) > 1
    return last


def _plain(value: str) -> str:
    r"""A value without its escapes: a line that was broken for the eye is one, other white space is blanks."""
    text = _ESCAPED.sub(r"\1", _BROKEN_LINE.sub("", value)) if "\\" in value else value
    return _SPACE.sub(" ", text)


def _ends(text: str, start: int, end: int) -> int:
    return text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)
