"""Columns by what somebody called them: by name, by number where there is no header, or several by a pattern."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tallymark.errors import InputError, ReadError
from tallymark.games.shapes import spellings
from tallymark.games.shapes.alphabets import Alphabet
from tallymark.games.shapes.head import Head
from tallymark.games.shapes.names import COLUMNS, close
from tallymark.games.shapes.plan import Seats
from tallymark.games.shapes.results import known_word, plainly
from tallymark.games.shapes.spellings import plain

_NUMBER: Final = re.compile(r"#([1-9][0-9]{0,5})")
_VALUE: Final = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
_DAY: Final = re.compile(
    r"(?:19|20)[0-9]{2}[-./][0-9]{1,2}[-./][0-9]{1,2}|[0-9]{1,2}[-./][0-9]{1,2}[-./](?:19|20)?[0-9]{2}\b"
)
_SHOWN: Final = 30
SEVERAL: Final = ("player", "rank", "points", "winner", "loser", "player_a", "player_b", "white", "black")
"""What a row may have several of, by a pattern with # for 1, 2, 3 and so on."""


def by_number(mapping: Mapping[str, str], names: Sequence[str]) -> bool:
    """Whether columns are meant by their number: the file has no header then.

    >>> by_number({"player_a": "#1"}, ["ann", "bob"]), by_number({"player_a": "#1"}, ["#1"])
    (True, False)
    """
    given = [column for column in mapping.values() if column]
    numbered = [column for column in given if _NUMBER.fullmatch(column) and column not in names]
    if numbered and len(numbered) < len(given):
        other = next(column for column in given if column not in numbered)
        raise InputError(
            f"columns has {numbered[0]!r}, a number, and {other!r}, a name",
            hint="all by number where the file has no header, else all by name",
        )
    return bool(numbered)


def positions(mapping: Mapping[str, str], head: Head, numbers: bool) -> dict[str, tuple[int, ...]]:
    """The positions of the columns that are mapped; ReadError for one that the file does not have.

    >>> positions({"player": "system#"}, Head(["system1", "system2", "rank1"], [], "x.csv"), False)
    {'player': (0, 1)}
    """
    found: dict[str, tuple[int, ...]] = {}
    for name, column in mapping.items():
        if not column:
            continue
        if numbers:
            at = int(column.removeprefix("#")) - 1
            if at >= len(head.names):
                raise ReadError(
                    f"{head.file} has no column {column!r} (for {name}); its first row has {len(head.names)} cells"
                )
            found[name] = (at,)
        elif column in head.names:
            found[name] = (head.once(column),)
        elif several := _numbered(column, head):
            if name not in SEVERAL:
                raise InputError(
                    f"columns has {column!r} for {name}, which is one column", hint=f"# is for {', '.join(SEVERAL)}"
                )
            found[name] = several
        else:
            raise ReadError(
                f"{head.file} has no column {column!r} (for {name}); it has {head.listing()}",
                hint=close(column, head.names),
            )
    for one, other in (("player", "rank"), ("player", "points")):
        if one in found and other in found and len(found[one]) != len(found[other]):
            raise ReadError(
                f"{head.file} has {len(found[one])} columns for {one} and {len(found[other])} for {other}",
                hint="each player of a row needs one of both",
            )
    return found


def _numbered(pattern: str, head: Head) -> tuple[int, ...]:
    """The positions of the columns of a pattern in which # stands for 1, 2, 3 and so on, in that order."""
    before, sign, behind = pattern.partition("#")
    if not sign:
        return ()
    several: list[int] = []
    while f"{before}{len(several) + 1}{behind}" in head.names:
        several.append(head.once(f"{before}{len(several) + 1}{behind}"))
    return tuple(several)


def refuse_headless(head: Head) -> None:
    """ReadError, with the first row by number, where it looks like a game and has no name that is known."""
    known = {plain(name) for name in COLUMNS} | spellings.ALL
    if len(head.names) < 3 or any(name in known for name in head.plains):
        return
    if not any(_VALUE.fullmatch(cell.strip()) or _DAY.search(cell) for cell in head.names):
        return
    row = ", ".join(f"#{at + 1} {_cut(cell)}" for at, cell in enumerate(head.names[:_SHOWN]))
    raise ReadError(
        f"{head.file} has no header, it seems; its first row is {row}",
        hint=f"say which column is which by number, for example {_example(head)}",
    )


def _example(head: Head) -> str:
    """A mapping by number that fits the first rows, as far as that can be told."""
    width = len(head.names)
    rows = [head.names, *(row for row in head.sample if len(row) == width)]
    cells = [[str(row[at]) for row in rows] for at in range(width)]
    told = next((at for at in reversed(range(width)) if _is_result(cells[at])), None)
    text = [
        at for at in range(width) if at != told and not any(_VALUE.fullmatch(c) or _DAY.search(c) for c in cells[at])
    ]
    others = [at for at in text if cells[at] != cells[text[0]]] if text else []
    if not text or not others:
        return "columns={'player_a': '#1', 'player_b': '#2', 'score_a': '#3'}"
    result = f"#{told + 1}" if told is not None else "..."
    one, two = f"#{text[0] + 1}", f"#{others[0] + 1}"
    if told is not None and Alphabet.of(cells[told], Seats.PLAIN).go:
        return f"columns={ {'white': one, 'black': two, 'result': result} }, or black and white the other way round"
    return f"columns={ {'player_a': one, 'player_b': two, 'score_a': result} }"


def _is_result(cells: Sequence[str]) -> bool:
    alphabet = Alphabet.of(cells, Seats.PLAIN)
    return all(known_word(plainly(cell)) is not None for cell in cells) or alphabet.go


def _cut(cell: str) -> str:
    return repr(cell if len(cell) <= _SHOWN else cell[:_SHOWN] + "...")
