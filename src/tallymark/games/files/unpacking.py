"""Packed bytes unpacked: gzip and Zstandard, told by how they begin."""

import gzip
import importlib
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import IO, Final, cast

from tallymark.errors import ReadError

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"


@contextmanager
def unpacked(file: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """The file's content; ReadError where the packing is damaged, whenever that shows.

    >>> with unpacked(io.BytesIO(gzip.compress(b"a,b")), "games.csv.gz") as plain:
    ...     plain.read()
    b'a,b'
    """
    buffered = cast(io.BufferedReader, file if hasattr(file, "peek") else io.BufferedReader(cast(io.RawIOBase, file)))
    begin = buffered.peek(4)[:4]
    try:
        if begin[:2] == _GZIP:
            yield cast(IO[bytes], gzip.GzipFile(fileobj=buffered))
        elif begin == _ZSTD:
            yield cast(IO[bytes], zstandard().ZstdFile(buffered))
        else:
            yield cast(IO[bytes], buffered)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _damaged(name, error) from None
    except Exception as error:
        if begin == _ZSTD and type(error).__name__ == "ZstdError":
            raise _damaged(name, error) from None
        raise


def _damaged(name: str, error: Exception) -> ReadError:
    return ReadError(f"{name} cannot be unpacked: {error}", hint="is the file cut short?")


def zstandard() -> ModuleType:
    """Zstandard of the standard library, from Python 3.14 on, or the package that has it for the ones before."""
    return importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
