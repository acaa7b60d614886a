"""Which format a file has: by the ending of its name, and by how it begins where the name does not say."""

import re
from enum import StrEnum
from typing import Final

from tallymark.errors import ReadError
from tallymark.games.files.encodings import is_wide
from tallymark.games.files.opening import Source


class Format(StrEnum):
    """The formats that games are read from."""

    TEXT = "delimited text"
    JSON = "JSON"
    PGN = "PGN"
    SGF = "SGF"
    TRF = "TRF"
    PARQUET = "Parquet"


_BY_SUFFIX: Final = {
    ".csv": Format.TEXT,
    ".tsv": Format.TEXT,
    ".json": Format.JSON,
    ".jsonl": Format.JSON,
    ".ndjson": Format.JSON,
    ".pgn": Format.PGN,
    ".sgf": Format.SGF,
    ".trf": Format.TRF,
    ".trfx": Format.TRF,
    ".parquet": Format.PARQUET,
    ".pq": Format.PARQUET,
}
_SPREADSHEET: Final = "save the sheet as CSV UTF-8 and give that"
_ARCHIVE: Final = "unpack it and give the files inside, or a pattern such as 'games/*.csv'"
_DATABASE: Final = "export the table of games as CSV with a header"
_DUMP: Final = "export the table with its header instead: \\copy games TO 'games.csv' CSV HEADER"
_YAML: Final = "convert it to JSON lines, one game a line"
_PACKED: Final = "unpack it first; gzip and Zstandard are read as they are"
_REFUSED: Final = {
    ".xlsx": _SPREADSHEET,
    ".xlsm": _SPREADSHEET,
    ".xls": _SPREADSHEET,
    ".ods": _SPREADSHEET,
    ".numbers": _SPREADSHEET,
    ".zip": _ARCHIVE,
    ".7z": _ARCHIVE,
    ".rar": _ARCHIVE,
    ".tar": _ARCHIVE,
    ".tgz": _ARCHIVE,
    ".bz2": _PACKED,
    ".xz": _PACKED,
    ".sql": _DUMP,
    ".db": _DATABASE,
    ".sqlite": _DATABASE,
    ".sqlite3": _DATABASE,
    ".duckdb": _DATABASE,
    ".yml": _YAML,
    ".yaml": _YAML,
    ".html": "copy the table into a spreadsheet and save it as CSV UTF-8",
    ".htm": "copy the table into a spreadsheet and save it as CSV UTF-8",
    ".pdf": "ask for the results as CSV: a PDF holds letters at places, and no table",
}
_BEGINNING: Final = 1 << 13
"""So many bytes are looked at, unpacked; nothing after them decides about the format."""
# What no text begins with, and what to call it.
_MAGIC: Final = (
    (b"PAR1", Format.PARQUET),
    (b"PK\x03\x04", ".zip"),
    (b"%PDF", ".pdf"),
    (b"SQLite format 3\0", ".sqlite"),
    (b"\xd0\xcf\x11\xe0", ".xls"),
    (b"7z\xbc\xaf\x27\x1c", ".7z"),
    (b"Rar!\x1a", ".rar"),
    (b"BZh", ".bz2"),
    (b"\xfd7zXZ\0", ".xz"),
)
_TAG: Final = re.compile(r'\[[A-Za-z0-9_]+\s+"')
_TREE: Final = re.compile(r"\(\s*;")
_OBJECT: Final = re.compile(r'\{\s*(?:"|\}|$)|\[\s*(?:\{|\]|$)')
_CODE: Final = re.compile(r"(?:0[0-9]2|1[0-9]2|001|013) |### ?")
_MARKUP: Final = re.compile(r"<(?:!doctype|html|\?xml|table)", re.IGNORECASE)
_STATEMENT: Final = re.compile(
    r"COPY \S+ ?\(.*\) FROM stdin|(?:INSERT INTO|CREATE TABLE) |-- .*\bdump\b", re.IGNORECASE
)


def format_of(source: Source, encoding: str) -> Format:
    """The format of a file. ReadError for one that is not read, saying what to do, and for a name that misleads.

    The name decides; without a known ending, and in a .txt file, the first bytes do.
    """
    suffix = source.suffix
    if suffix in _REFUSED:
        raise ReadError(f"{source.name}: games are not read from {suffix} files", hint=_REFUSED[suffix])
    named = _BY_SUFFIX.get(suffix)
    with source.content() as file:
        begins = told_by(file.read(_BEGINNING), encoding)
    if isinstance(begins, str) and begins in _REFUSED:
        raise ReadError(f"{source.name} is a {begins} file, whatever its name", hint=_REFUSED[begins])
    if named is None:
        return Format(begins or Format.TEXT)
    if begins is not None and begins != named:
        raise ReadError(
            f"{source.name} is named {suffix} and begins as {begins} does", hint="give it the name of what it is"
        )
    return named


def told_by(beginning: bytes, encoding: str = "utf-8") -> Format | str | None:
    """The format that a file begins as, the ending (".zip") of what is not read, None for what may be any text.

    >>> told_by(b'[Event "Club Open"]'), told_by(b"PK\\x03\\x04..."), told_by(b"player_a,player_b")
    (<Format.PGN: 'PGN'>, '.zip', None)
    """
    for magic, kind in _MAGIC:
        if beginning.startswith(magic):
            return kind
    text = beginning.decode(encoding if is_wide(encoding) else "utf-8", errors="replace").removeprefix("\ufeff")
    # Lines after a % are remarks in chess files, and names of files where somebody put several together.
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("%")]
    plain = "\n".join(lines[:3]).lstrip()
    if _TAG.match(plain):
        return Format.PGN
    if _TREE.match(plain):
        return Format.SGF
    if _OBJECT.match(plain):
        return Format.JSON
    if lines and all(_CODE.match(line) for line in lines[:2]):
        return Format.TRF
    if _MARKUP.match(plain):
        return ".html"
    return ".sql" if any(_STATEMENT.match(line) for line in lines[:3]) else None
