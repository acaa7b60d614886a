"""Work that makes very many objects and no cycles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Nobody looks for cycles meanwhile: what a fold makes has none, and looking costs a tenth of it. Where several
    threads are in here, looking goes on when the first who came is done.

    >>> with uncollected():
    ...     gc.isenabled()
    False
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
