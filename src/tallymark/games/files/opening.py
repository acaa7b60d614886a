"""The files that names stand for: patterns spelled out, what can be read only once kept aside."""

import errno
import glob
import os
import shutil
import stat
import sys
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tallymark.checked import shortened
from tallymark.errors import ReadError
from tallymark.games.files.encodings import is_utf8
from tallymark.games.files.unpacking import unpacked

STANDARD_INPUT = "-"


class Source:
    """A file of games: its name for messages, and its bytes, as often as they are asked for.

    A pipe is kept in a temporary file as it is first read, so that the rows a report names can be shown.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = "standard input" if str(path) == STANDARD_INPUT else str(path)
        self._kept: IO[bytes] | None = None
        self._encodings: dict[str, str] = {}
        if str(path) == STANDARD_INPUT:
            self.regular = False
            self.identity: tuple[int, int] | None = None
            return
        try:
            status = path.stat()
        except ValueError as error:  # a NUL, or half a surrogate pair
            raise ReadError(f"{shortened(str(path))} is no name of a file: {error}") from None
        if stat.S_ISDIR(status.st_mode):
            raise ReadError(f"{path} is a directory", hint="name a file, or a pattern such as 'games/*.csv'")
        if _is_endless(path, status.st_mode):
            raise ReadError(f"{path} is a device", hint="name a file, or - for standard input")
        self.regular = stat.S_ISREG(status.st_mode)
        self.identity = (status.st_dev, status.st_ino)
        self._stamp = (status.st_size, status.st_mtime_ns)

    def is_as_it_was(self) -> bool:
        """Whether the file is as it was when its name was first looked at; what is kept aside always is."""
        if not self.regular:
            return True
        status = self.path.stat()
        return (status.st_size, status.st_mtime_ns) == self._stamp

    @property
    def suffix(self) -> str:
        """The ending of the name that tells the format, in lower case, those of packing left out."""
        path = self.path
        if path.suffix.lower() in (".gz", ".zst"):
            path = path.with_suffix("")
        return path.suffix.lower()

    def size(self) -> int | None:
        """How many bytes are stored, None where only the end of a pipe will tell."""
        return self.path.stat().st_size if self.regular else None

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """The bytes as they are stored, from the first on."""
        if self.regular:
            with self.path.open("rb") as file:
                yield file
        else:
            yield self._aside()

    @contextmanager
    def content(self) -> Iterator[IO[bytes]]:
        """The bytes unpacked, where their beginning says that they are packed."""
        with self.opened() as file, unpacked(file, self.name) as plain:
            yield plain

    def encoding(self, chosen: str) -> str:
        """The encoding of the file: the one that was chosen for those that are not UTF-8, or `utf-8-sig`."""
        if chosen == "utf-8":
            return chosen
        if chosen not in self._encodings:
            with self.content() as file:
                self._encodings[chosen] = "utf-8-sig" if is_utf8(file, chosen) else chosen
        return self._encodings[chosen]

    def _aside(self) -> IO[bytes]:
        if self._kept is None:
            try:
                self._kept = self._copied()
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
                raise ReadError(
                    f"{self.name} cannot be kept aside: {error.strerror} in {tempfile.gettempdir()}",
                    hint="TMPDIR names another folder for it, or write it to a file first",
                ) from error
        self._kept.seek(0)
        return self._kept

    def _copied(self) -> IO[bytes]:
        kept = tempfile.TemporaryFile()  # noqa: SIM115  # for as long as the source is
        weakref.finalize(self, kept.close)
        if str(self.path) == STANDARD_INPUT:
            shutil.copyfileobj(sys.stdin.buffer, kept)
        else:
            with self.path.open("rb") as file:
                shutil.copyfileobj(file, kept)
        return kept


def sources(paths: Iterable[Path]) -> list[Source]:
    """The files in the order of their names here; a name that is no file but a pattern stands for those it fits.

    ReadError for a pattern that fits none, a directory, and a file that is named twice.
    """
    found: list[Source] = []
    for path in paths:
        found += [Source(one) for one in spelled_out(path)]
    seen: dict[tuple[int, int] | None, Source] = {}
    for source in found:
        other = seen.setdefault(source.identity, source)
        if other is not source:
            twice = "is named twice" if other.name == source.name else f"and {other.name} are one file"
            raise ReadError(f"{source.name} {twice}", hint="its games would count twice")
    return found


def _is_endless(path: Path, mode: int) -> bool:
    """Whether it is a device that may have no end: neither a terminal nor the empty one."""
    if not stat.S_ISCHR(mode):
        return stat.S_ISBLK(mode)
    if path.samefile(os.devnull):
        return False
    with path.open("rb", buffering=0) as device:
        return not device.isatty()


def spelled_out(path: Path) -> list[Path]:
    """The files that a name stands for: itself, or those that it fits where it is a pattern. ReadError for none."""
    text = str(path)
    if glob.has_magic(text) and "\0" not in text and not path.exists():
        fitting = sorted(glob.glob(text, recursive=True))  # noqa: PTH207  # Path.glob takes no absolute pattern
        if not fitting:
            raise ReadError(f"{text} fits no file", hint="is the folder right? A name with *, ? or [ is a pattern")
        return [Path(one) for one in fitting]
    return [path]
