"""Games from PGN, the format of chess files: the tags of each game; its moves are passed over.

Games are told apart here, by the lines of their tags, and python-chess reads the tags of one game at a time: left to
itself it takes games without moves for one, and looks for the end of a comment that was cut off in the games after it.
"""

import importlib
import io
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Final

from tallymark.checked import shortened
from tallymark.errors import InputError, MissingLibraryError
from tallymark.games.files.lines import lines_of
from tallymark.games.files.opening import Source
from tallymark.games.files.raw import RawTable
from tallymark.games.files.records import Made, Record, table_of
from tallymark.games.shapes.plan import Choose
from tallymark.games.vocabulary import Ending

_TAG: Final = re.compile(r'\s*\[\s*([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s+"')
_SEVERAL: Final = re.compile(r'"\s*\]\s*\[\s*(?=[A-Za-z0-9_]+\s+")')
_FIRST_MOVE: Final = re.compile(r"1\s*\.")
_DATE: Final = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")
_CLOCK: Final = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}")
_ESCAPED: Final = re.compile(r'\\(["\\])')
_UNKNOWN: Final = ("?", "????.??.??")
_NEEDED: Final = (
    'a game of a PGN file begins with its tags: [Event "..."], [White "..."], [Black "..."], [Result "..."]'
)
_DERIVED: Final = {
    "player_a": Made("White", ("White",)),
    "player_b": Made("Black", ("Black",)),
    "result": Made("Result", ("Result",)),
    "played_at": Made("UTCDate and UTCTime, or Date", ("UTCDate", "UTCTime", "Date")),
    "ending": Made("Termination", ("Termination",)),
    "steps": Made("PlyCount", ("PlyCount",)),
}
_SAME: Final = ("player_a", "player_b", "result", "steps")
"""What means the same as the one tag that it was made of."""


def read_pgn(source: Source, choose: Choose, encoding: str = "utf-8", mapped: Collection[str] = ()) -> RawTable:
    """The columns that `choose` picks: what the tags mean by its canonical name, and the others and those `mapped`.

    `?` is a missing cell. A game whose tags cannot all be read has a fault that names the line. MissingLibraryError
    without python-chess, ReadError for text that is not in the encoding or has no tags.
    """
    chess = _chess()
    endings: dict[str, int] = {}

    def records() -> Iterator[Record]:
        endings.clear()
        with source.content() as file:
            for line, tags, fault in _games(lines_of(file, source.name, encoding)):
                yield _record(chess, line, tags, fault, endings)

    table = table_of(records, choose, source.name, _NEEDED, _DERIVED, mapped)
    notes = (*table.notes, *(_noted(endings) if "ending" in table.plan.columns else ()))
    return replace(table, notes=notes, whole=None)  # for the moves tell games apart


def _noted(endings: dict[str, int]) -> Iterator[str]:
    """What is said where words for how games ended are none that is known."""
    if endings:
        word, count = next(iter(endings.items()))
        more = sum(endings.values()) - count
        yield f"ending is left empty where Termination is no word for one: {shortened(word)} ({count:,})" + (
            f" and {more:,} more" if more else ""
        )


def _games(lines: Iterator[str]) -> Iterator[tuple[int, list[tuple[int, str]], str | None]]:
    """For each game the line it begins on, the lines of its tags, and what is wrong before its tags are read."""
    tags: list[tuple[int, str]] = []
    names: set[str] = set()
    begins, moves, blank = 0, False, False
    fault: str | None = None
    for number, line in enumerate(lines, 1):
        if line.isspace() or line.startswith("%"):
            blank = blank or line.isspace()
            continue
        found = _TAG.match(line)
        name = found[1] if found else None
        if begins and (
            (name and (moves or (name in names and (blank or name == "Event")) or (blank and name == "Event")))
            or (not name and moves and blank and _FIRST_MOVE.match(line))
        ):
            yield begins, tags, fault
            tags, names, begins, moves, fault = [], set(), 0, False, None
        begins = begins or number
        if name or (not moves and line.startswith("[")):
            tags.append((number, line))
            names.add(name or "")
        elif not line.startswith(";"):
            moves = True
            if not tags:
                fault = "text without tags: nobody is said to have played"
        blank = False
    if begins:
        yield begins, tags, fault


def _record(
    chess: ModuleType, line: int, tags: list[tuple[int, str]], fault: str | None, endings: dict[str, int]
) -> Record:
    text: list[str] = []
    for _, several in tags:
        plain = several.strip()
        text += [plain] if plain.count('"') == 2 else _SEVERAL.sub('"]\n[', plain).split("\n")
    try:
        read = dict(chess.read_headers(io.StringIO("\n".join(text) + "\n\n")) or {})
    except ValueError as error:
        return Record(line, {}, fault or f"tags that cannot be read: {error}")
    if len(read) < len(text) and fault is None:
        fault = _lost(chess, tags)
    cells: dict[str, object] = {name: _value(text) for name, text in read.items()}
    cells |= {name: cells[tag] for name in _SAME for tag in _DERIVED[name].of if tag in cells}
    if "Date" in cells or "UTCDate" in cells:
        cells["played_at"] = _moment(cells)
    if "Termination" in cells:
        cells["ending"] = _ending(cells["Termination"], endings)
    return Record(line, cells, fault)


def _lost(chess: ModuleType, tags: list[tuple[int, str]]) -> str:
    """Which line of its tags a game has lost in reading, and why."""
    seen: set[str] = set()
    for number, text in tags:
        for name in chess.read_headers(io.StringIO(text + "\n\n")) or {}:
            if name in seen:
                return f"the tag {name} is there twice (line {number})"
            seen.add(name)
            break
        else:
            return f"{shortened(text.strip())} is no whole tag (line {number})"
    return "tags that cannot be told apart"


def _value(text: str) -> str | None:
    return None if text in _UNKNOWN else _ESCAPED.sub(r"\1", text) if "\\" in text else text


def _moment(cells: dict[str, object]) -> object:
    """When a game was played: an instant where the tags have one, else the date; other text as it is."""
    day, clock = _iso(cells.get("UTCDate")), cells.get("UTCTime")
    if day is not None and isinstance(clock, str) and _CLOCK.fullmatch(clock):
        return f"{day}T{clock}Z"
    date = cells["Date"] if "Date" in cells else cells["UTCDate"]
    return _iso(date) or date


def _iso(date: object) -> str | None:
    found = _DATE.fullmatch(date) if isinstance(date, str) else None
    return "-".join(found.groups()) if found else None


def _ending(word: object, unknown: dict[str, int]) -> str | None:
    if not isinstance(word, str) or not word.strip():
        return None
    try:
        return Ending.spelt(word).value
    except InputError:
        unknown[word] = unknown.get(word, 0) + 1
        return None


def _chess() -> ModuleType:
    try:
        return importlib.import_module("chess.pgn")
    except ImportError as error:
        raise MissingLibraryError(
            "PGN files are read by python-chess, which is not installed",
            hint="pip install 'tallymark[chess]'; in a clone, uv run --extra chess tallymark ...",
        ) from error
