"""Files written whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tallymark.errors import WriteError


@contextmanager
def written_beside(target: str | os.PathLike[str]) -> Iterator[Path]:
    """A path beside `target` to write to; renamed onto it at the end, removed where anything failed.

    A reader sees the old file or the whole new one. `OSError` becomes `WriteError` that names the target.
    """
    path = Path(target)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        if path.is_dir():
            raise WriteError(f"{path} is a directory", hint="name a file")
        yield beside
        beside.replace(path)
    except OSError as error:
        if isinstance(error, WriteError):
            raise
        raise WriteError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # nothing there, or no folder it could be in: the first error is the one to tell
            beside.unlink()
