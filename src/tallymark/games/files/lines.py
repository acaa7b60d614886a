"""Files as lines of text: decoded strictly and block by block, so that an error knows its line."""

import codecs
import io
from collections.abc import Iterator
from typing import IO, Final

from tallymark.games.files.encodings import in_lines, is_wide, not_encoded

_BLOCK: Final = 1 << 20
_MARK: Final = codecs.BOM_UTF8


def lines_of(file: IO[bytes], name: str, encoding: str) -> Iterator[str]:
    r"""The lines with the ends they have (LF, CR LF or CR), a mark at the beginning dropped.

    ReadError for bytes that the encoding does not have. What one line holds at a time is all that is held.

    >>> list(lines_of(io.BytesIO(b"a\r\nb\rc"), "games.csv", "utf-8"))
    ['a\r\n', 'b\r', 'c']
    """
    plain = in_lines(file, name, encoding)
    before, rest = 0, plain.read(len(_MARK)).removeprefix(_MARK)
    while block := plain.read(max(_BLOCK, len(rest))):  # ever larger ones where no line ends
        block = rest + block
        # Up to the last end of a line; a carriage return at the very end may be half of one.
        cut = 1 + max(block.rfind(b"\n"), block.rfind(b"\r", 0, -1))
        whole, rest = block[:cut], block[cut:]
        yield from io.StringIO(_decoded(whole, before, name, encoding), newline="")
        before += _ends(whole)
    yield from io.StringIO(_decoded(rest, before, name, encoding), newline="")


def _decoded(block: bytes, before: int, name: str, encoding: str) -> str:
    wide = is_wide(encoding)  # such a file is in UTF-8 by now
    try:
        return block.decode("utf-8" if wide else encoding)
    except UnicodeDecodeError as error:
        line = before + 1 + _ends(block[: error.start])
        raise not_encoded(f"{name}, line {line}", block, error, encoding) from None


def _ends(block: bytes) -> int:
    return block.count(b"\n") + block.count(b"\r") - block.count(b"\r\n")
