"""The file of an export: a line an entry, and after each pool's last one a line that says that it was the last.

    64 hexadecimal digits, a space, the entry's bytes
    end POSITION HASH

A file of several pools has one after the other. Packed where its name ends in .gz or .zst.
"""

import gzip
import os
import shutil
import stat
import tempfile
import weakref
from binascii import hexlify, unhexlify
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, Final, cast

from tallymark.checked import shortened
from tallymark.errors import LedgerError, ReadError
from tallymark.games.files.unpacking import unpacked, zstandard
from tallymark.games.progress import Progress
from tallymark.ledger.entries import Entry

BODY: Final = 65
"""Where an entry's bytes begin in its line: behind the hash in lower-case digits, and a space."""
END: Final = b"end "
"""How the line after a pool's last entry begins; no digit of a hash is an n."""
_LONGEST: Final = 64 * 1024 * 1024


def line_of(entry: Entry) -> bytes:
    """An entry as a line.

    >>> line_of(Entry(1, bytes(32), b"{}"))[60:]
    b'0000 {}\\n'
    """
    return b"%b %b\n" % (hexlify(entry.hash), entry.body)


def body_of(line: bytes) -> bytes:
    """The bytes of the entry in a line."""
    return line[BODY:].removesuffix(b"\n")


def end_line(position: int, link: bytes) -> bytes:
    """The line after a pool's last entry.

    >>> end_line(7, bytes(32))[:10]
    b'end 7 0000'
    """
    return b"%b%d %b\n" % (END, position, hexlify(link))


def text_of(entries: Iterable[Entry]) -> bytes:
    """Entries as lines."""
    return b"".join(map(line_of, entries))


@contextmanager
def packing(path: Path, name: str) -> Iterator[IO[bytes]]:
    """A file to write to, packed as `name` says. The same content gives the same bytes."""
    with path.open("wb") as file:
        if name.endswith(".gz"):
            with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                yield cast(IO[bytes], packed)
        elif name.endswith(".zst"):
            with zstandard().ZstdFile(file, "wb") as packed:
                yield cast(IO[bytes], packed)
        else:
            yield file


class Bundle:
    """The file of an export, read from the first line to the last, and again where something has to be looked up.

    What can be read only once is kept aside first, in a temporary file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._marks: list[tuple[int, int, int]] = []  # a pool's place, a position in it, and where that line begins
        self._plain: Path | None = None
        with self._explained():
            mode = path.stat().st_mode
            if stat.S_ISDIR(mode):
                raise ReadError(f"{path} is a directory", hint="name the file of an export")
            self._file = path
            if not stat.S_ISREG(mode):
                with path.open("rb") as file:
                    self._file = self._aside(file)
            self.size = self._file.stat().st_size
            """Bytes as they are stored."""

    def blocks(self, at_once: int, progress: Progress) -> Iterator[list[bytes]]:
        """The lines: those of entries of one pool, many at a time, or its end line alone. The file's last may have no
        end. `at_once`: bytes.
        """
        pool = done = offset = 0
        position = 1
        with self._opened() as (raw, file):
            rest = b""
            while block := file.read(at_once):
                text = rest + block
                lines = BytesIO(text).readlines()
                rest = b"" if lines[-1].endswith(b"\n") else lines.pop()
                if len(rest) > _LONGEST:
                    raise LedgerError(f"{self.path}: a line has more than {_LONGEST:,} bytes", hint="is it an export?")
                for part in _parted(lines) if END in text else filter(None, [lines]):
                    self._marks.append((pool, position, offset))
                    yield part
                    offset += sum(map(len, part))
                    if part[0].startswith(END):
                        pool, position = pool + 1, 1
                    else:
                        position += len(part)
                        done += len(part)
                progress(done, min(1.0, raw.tell() / self.size))
            if rest:
                yield [rest]

    def entries(self, pool: int, first: int, last: int) -> Iterator[Entry]:
        """The entries of a pool from a position to another; the pool by its place, and as far as was read before."""
        _, position, offset = max(mark for mark in self._marks if mark[:2] <= (pool, first))
        if self._plain is None:
            with self._opened() as (_, content):  # packed, it would be unpacked from its beginning each time
                plain = isinstance(content, BufferedReader)
                self._plain = self._file if plain else self._aside(content)
        with self._explained(), self._plain.open("rb") as file:
            file.seek(offset)
            while position <= last:
                line = file.readline()
                if position >= first:
                    yield Entry(position, unhexlify(line[: BODY - 1]), body_of(line))
                position += 1

    @contextmanager
    def _opened(self) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """The file as it is, and its content."""
        with self._explained(), self._file.open("rb") as raw, unpacked(raw, os.fspath(self.path)) as file:
            yield raw, file

    @contextmanager
    def _explained(self) -> Iterator[None]:
        name = os.fspath(self.path)
        try:
            yield
        except ReadError:
            raise
        except OSError as error:
            raise ReadError(f"{name} cannot be read: {error.strerror or error}") from None
        except ValueError as error:  # a NUL, or half a surrogate pair
            raise ReadError(f"{shortened(name)} is no name of a file: {error}") from None

    def _aside(self, content: IO[bytes]) -> Path:
        """A file with this content, for as long as the bundle is there."""
        folder = tempfile.mkdtemp()
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        with Path(folder, "content").open("wb") as file:
            shutil.copyfileobj(content, file)
        return Path(folder, "content")


def _parted(lines: list[bytes]) -> Iterator[list[bytes]]:
    """Runs of entries' lines, and end lines alone."""
    begin = 0
    for at in [at for at, line in enumerate(lines) if line[:4] == END]:
        if begin < at:
            yield lines[begin:at]
        yield lines[at : at + 1]
        begin = at + 1
    if begin < len(lines):
        yield lines[begin:]
