"""Files written whole or not at all."""

import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tallymark.checked import shortened
from tallymark.errors import WriteError

_READABLE = 40
"""So many characters of a target's name stand in that of the file beside it, which must not be too long itself."""


@contextmanager
def written_beside(target: str | os.PathLike[str]) -> Iterator[Path]:
    """A path to write to, whose content is the target's once all of it is there, and gone where anything failed.

    A file is written beside its target, given the mode of the one that is there, and renamed: a reader sees the old
    file or the whole new one. Of a symbolic link the file that it points to is replaced, not the link. What is no
    regular file (a pipe, a device) stays what it is, and the content is written into it. `OSError` becomes
    `WriteError` that names the target.
    """
    path = Path(target)
    try:
        there = _mode(path)
        if there is not None and stat.S_ISDIR(there):
            raise WriteError(f"{path} is a directory", hint="name a file")
        if there is not None and not stat.S_ISREG(there):
            with _poured_into(path) as apart:
                yield apart
        else:
            with _renamed_onto(Path(os.path.realpath(path)), there) as beside:
                yield beside
    except OSError as error:
        if isinstance(error, WriteError):
            raise
        raise WriteError(f"{path} cannot be written: {error.strerror or error}") from error


def _mode(path: Path) -> int | None:
    """What is at the end of the path, None where nothing is yet."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
    except ValueError as error:  # as of a zero byte
        raise WriteError(f"{shortened(str(path))} is no name of a file: {error}") from None


@contextmanager
def _renamed_onto(path: Path, mode: int | None) -> Iterator[Path]:
    beside = path.with_name(f".{path.name[:_READABLE]}.{secrets.token_hex(4)}.part")
    try:
        yield beside
        if mode is not None:
            beside.chmod(stat.S_IMODE(mode))
        beside.replace(path)
    finally:
        with suppress(OSError):  # nothing there, or no folder it could be in: the first error is the one to tell
            beside.unlink()


@contextmanager
def _poured_into(path: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        apart = Path(folder, "content")
        yield apart
        with apart.open("rb") as content, path.open("wb") as into:
            shutil.copyfileobj(content, into)
