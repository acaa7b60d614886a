"""Aliases: old ids that are read as new ones, from a mapping or a file."""

import csv
import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError
from tallymark.games.columns import Cells
from tallymark.games.files.encodings import is_utf8, not_encoded
from tallymark.games.ids import Id, exact_items
from tallymark.games.report import Findings
from tallymark.games.texts import Text

PLAYERS: Final = ("player_a", "player_b", "player")
"""The columns whose ids may be aliases."""
Aliases = Mapping[str, str]
"""Old ids and what they are read as."""

_FORM: Final = "a line is: old = new; or the file is CSV with the columns old and new"


def checked_aliases(
    aliases: Mapping[str, str] | str | os.PathLike[str] | None, encoding: str = "utf-8"
) -> dict[str, str]:
    """Aliases of a mapping, or of the file of a path; integers count as their digits.

    A file is UTF-8 or, where it is not, in the `encoding` of files of games that are not.

    InputError for an id that is old and new, in a circle or a chain: what is read would depend on where one begins.

    >>> checked_aliases({"Ann Smith": "Ann Jones", 7: 12})
    {'Ann Smith': 'Ann Jones', '7': '12'}
    """
    if aliases is None:
        return {}
    if isinstance(aliases, str | os.PathLike):
        pairs = _pairs_of(Path(aliases), encoding)
    elif isinstance(aliases, Mapping):
        pairs = [(_id(old), _id(new)) for old, new in aliases.items()]
    else:
        raise InputError(f"aliases is {shortened(aliases)}; expected a mapping of old to new, or the path of a file")
    found: dict[str, str] = {}
    for old, new in pairs:
        if found.setdefault(old, new) != new:
            raise InputError(f"aliases has {old!r} for {found[old]!r} and for {new!r}", hint="keep one of them")
    for old, new in found.items():
        if new == old:
            raise InputError(f"aliases has {old!r} for itself", hint="leave it out")
        if new in found:
            last = found[new]
            raise InputError(
                f"aliases has {old!r} for {new!r} and that for {last!r}",
                hint="keep one of them" if last == old else f"say the last at once: {old} = {last}",
            )
    return found


def renamed(cells: Mapping[str, Cells], aliases: Aliases, findings: Findings) -> dict[str, Cells]:
    """The columns with new ids of players for old ones; `findings` notes how many rows had some, and keeps the aliases.

    An old id is the text, and the integer of just these digits; a new one is what the rows have, text before integer,
    and what they do not have is an integer where it stands for integers alone.

    >>> renamed({"player_a": [7, 9, "ann"]}, {"7": "8", "ann": "9"}, Findings(3))["player_a"]
    [8, 9, 9]
    """
    columns = {name: _column(cells[name], name) for name in PLAYERS if name in cells}
    ids = {item for column in columns.values() for item in (column.texts if isinstance(column, Text) else column)}
    old_ids = [one for one in ids if isinstance(one, str | int) and str(one) in aliases]
    texts = {aliases[old] for old in old_ids if isinstance(old, str)}
    new_of = {old: _as_in(ids, aliases[str(old)], texts) for old in old_ids}
    replaced: dict[object, Id] = dict(new_of.items())
    touched = {row for column in columns.values() for row in _rows_with(column, replaced)}
    findings.aliases |= new_of
    unused = [old for old in aliases if old not in set(map(str, new_of))]
    rows = len({findings.row(entity) for entity in touched})
    findings.notes.append(
        f"aliases: {rows:,} row{'' if rows == 1 else 's'} with {len(new_of):,} old id{'' if len(new_of) == 1 else 's'}"
    )
    if unused:
        listed = ", ".join(map(shortened, unused[:3])) + (", ..." if len(unused) > 3 else "")
        findings.notes.append(f"aliases: {len(unused):,} of {len(aliases):,} in no row: {listed}")
    return {**cells, **{name: _replaced(column, replaced) for name, column in columns.items()}}


def _column(cells: Cells, name: str) -> list[object] | Text:
    return cells if isinstance(cells, Text) else exact_items(cells, name)


def _rows_with(column: list[object] | Text, new_of: Mapping[object, Id]) -> list[int]:
    """The rows of a column that have an old id."""
    if isinstance(column, Text):
        old = np.fromiter((text in new_of for text in column.texts), bool, len(column.texts))
        return np.flatnonzero(old[column.codes]).tolist()
    return [row for row, item in enumerate(column) if item in new_of]


def _replaced(column: list[object] | Text, new_of: Mapping[object, Id]) -> Cells:
    if isinstance(column, Text) and all(isinstance(new, str) for new in new_of.values()):
        return Text(column.codes, [str(new_of.get(text, text)) for text in column.texts])
    return [new_of.get(item, item) for item in column]


def _as_in(ids: set[object], new: str, texts: set[str]) -> Id:
    """A new id as it is in the column; where it is not, an integer if it replaces nothing but integers."""
    digits = new.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and str(int(new)) == new) or new in ids:
        return new
    return int(new) if int(new) in ids or new not in texts else new


def _id(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise InputError(f"aliases has {shortened(value)}; ids are strings or integers")
    return str(value)


def _pairs_of(path: Path, encoding: str) -> list[tuple[str, str]]:
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ReadError(f"{path} cannot be read as aliases: {reason}") from None
    if encoding == "utf-8" or is_utf8(io.BytesIO(content), encoding):
        encoding = "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = 1 + content.count(b"\n", 0, error.start)
        raise not_encoded(f"{path}, line {line}", content, error, encoding.removesuffix("-sig")) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if sorted(cell.strip(' "') for cell in lines[0].split(",")) == ["new", "old"]:
        return list(_of_csv(path, text))
    return [_of_line(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _of_csv(path: Path, text: str) -> Iterator[tuple[str, str]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    try:
        head = [cell.strip() for cell in next(reader)]
        old, new = head.index("old"), head.index("new")
        for cells in reader:
            if len(cells) not in (0, 2) or not all(cells):
                raise ReadError(f"{path}, line {reader.line_num}: expected an old and a new id", hint=_FORM)
            if cells:
                yield cells[old], cells[new]
    except csv.Error as error:
        raise ReadError(f"{path}, line {reader.line_num}: {error}", hint=_FORM) from None


def _of_line(path: Path, number: int, line: str) -> tuple[str, str]:
    for between in (" = ", "="):
        old, _, new = (part.strip() for part in line.partition(between))
        if old and new and line.count(between) == 1:
            return old, new
    raise ReadError(f"{path}, line {number}: {shortened(line)} is no alias", hint=_FORM)
