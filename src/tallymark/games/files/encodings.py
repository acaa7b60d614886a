"""Encodings of text files: UTF-8, and for those that are not UTF-8 the one chosen. Likely ones are shown, not taken."""

import codecs
import io
import re
from typing import IO, Final

from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError

_LIKELY: Final = ("cp1252", "cp1250", "cp1251", "gb18030", "shift_jis")
_WIDE: Final = ("utf-16", "utf-32")
_BLOCK: Final = 1 << 20
_ENDS: Final = re.compile(rb"[\r\n]")
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


def is_utf8(file: IO[bytes], encoding: str) -> bool:
    """Whether a file is UTF-8 though `encoding` was chosen for those that are not.

    A mark at its beginning says so; where the encoding has a character for every byte, so do bytes beyond ASCII that
    are UTF-8 throughout, which text in such an encoding is not by chance.

    >>> is_utf8(io.BytesIO("Weiß".encode()), "cp1252"), is_utf8(io.BytesIO("Weiß".encode("cp1252")), "cp1252")
    (True, False)
    """
    if is_wide(encoding) or encoding.startswith("utf"):
        return False
    block = file.read(_BLOCK)
    if block.startswith(codecs.BOM_UTF8):
        return True
    if not _is_of_single_bytes(encoding):
        return False
    decoder = codecs.getincrementaldecoder("utf-8")()
    beyond = False
    try:
        while block:
            beyond = beyond or not block.isascii()
            decoder.decode(block)
            block = file.read(_BLOCK)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return beyond


def _is_of_single_bytes(encoding: str) -> bool:
    """Whether no two bytes beyond ASCII stand for one character together."""
    return all(len(bytes([byte, byte]).decode(encoding, "replace")) > 1 for byte in range(128, 256))


def not_encoded(where: str, content: bytes, error: UnicodeDecodeError, encoding: str) -> ReadError:
    """The error for bytes that the encoding does not have: the bytes, and how likely encodings would read them."""
    wrong = content[error.start : error.end]
    around = (
        _ENDS.split(content[max(0, error.start - _AROUND) : error.start])[-1]
        + wrong
        + _ENDS.split(content[error.end : error.end + _AROUND])[0]
    )
    if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        hint = "the file begins as utf-16 does: encoding='utf-16'"
    else:
        readings = {name: _reading(around, name) for name in _LIKELY if name != encoding}
        hint = "choose encoding='cp1252' or another; it would read as " + ", ".join(
            f"{text!r} in {name}" for name, text in readings.items() if text is not None
        )
    return ReadError(f"{where}: the bytes {wrong.hex(' ')} are not {encoding.upper()}", hint=hint)


def _reading(around: bytes, encoding: str) -> str | None:
    """What is around the wrong bytes, in another encoding, None where that has no such bytes."""
    try:
        return around.decode(encoding)
    except UnicodeDecodeError:
        return None
