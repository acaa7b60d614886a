"""Encodings of text files: UTF-8 unless somebody chooses another. Never guessed, but the likely ones are shown."""

import codecs
import io
from typing import IO, Final

from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError

_LIKELY: Final = ("cp1252", "cp1250", "cp1251", "gb18030", "shift_jis")
_WIDE: Final = ("utf-16", "utf-32")
_AROUND: Final = 12
"""So many bytes to either side of the wrong ones are shown as they would read."""


def checked_encoding(encoding: str) -> str:
    """The codec's own name for a text encoding, or `InputError`.

    >>> checked_encoding("UTF8"), checked_encoding("windows-1252")
    ('utf-8', 'cp1252')
    """
    try:
        codec = codecs.lookup(encoding)
        "".encode(encoding)  # refuses what is no encoding of text, such as base64
    except (LookupError, TypeError, ValueError):
        hint = f"for example {', '.join(_LIKELY)} or utf-16"
        raise InputError(f"encoding is {shortened(encoding)}, which is none that is known", hint=hint) from None
    return codec.name


def is_wide(encoding: str) -> bool:
    """Whether an end of a line is more than one byte."""
    return encoding.startswith(_WIDE)


def in_lines(file: IO[bytes], name: str, encoding: str) -> IO[bytes]:
    """The file with ends of lines of one byte: as it is, or for UTF-16 and UTF-32 the whole of it as UTF-8."""
    if not is_wide(encoding):
        return file
    content = file.read()
    try:
        return io.BytesIO(content.decode(encoding).encode())
    except UnicodeDecodeError as error:
        raise not_encoded(f"{name}, byte {error.start}", content, error, encoding) from None


def not_encoded(where: str, content: bytes, error: UnicodeDecodeError, encoding: str) -> ReadError:
    """The error for bytes that the encoding does not have: the bytes, and how likely encodings would read them."""
    wrong = content[error.start : error.end]
    around = content[max(0, error.start - _AROUND) : error.end + _AROUND]
    if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        hint = "the file begins as utf-16 does: encoding='utf-16'"
    else:
        readings = {name: _reading(around, name) for name in _LIKELY if name != encoding}
        hint = "choose encoding='cp1252' or another; it would read as " + ", ".join(
            f"{text!r} in {name}" for name, text in readings.items() if text is not None
        )
    return ReadError(f"{where}: the bytes {wrong.hex(' ')} are not {encoding.upper()}", hint=hint)


def _reading(around: bytes, encoding: str) -> str | None:
    """The last of the lines around the wrong bytes in another encoding, None where that has no such bytes."""
    try:
        return around.decode(encoding).replace("\r", "\n").strip("\n").split("\n")[-1]
    except UnicodeDecodeError:
        return None
