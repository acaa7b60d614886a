"""How far reading has come, for whoever waits."""

from collections.abc import Sequence
from typing import Protocol


class Progress(Protocol):
    """Is told now and then how many rows have been read so far, and which share of all bytes (None where unknown)."""

    def __call__(self, rows: int, share: float | None) -> None: ...


def silent(rows: int, share: float | None) -> None:
    """Tells nobody."""


class Steps:
    """Progress over several inputs of so many bytes (None = unknown), each of which tells of itself alone.

    >>> seen = []
    >>> steps = Steps(lambda rows, share: seen.append((rows, share)), [100, 300])
    >>> steps.of(0)(7, 1.0)
    >>> steps.of(1)(2, 0.5)
    >>> seen
    [(7, 0.25), (9, 0.625)]
    """

    def __init__(self, progress: Progress, sizes: Sequence[int | None]) -> None:
        self._progress = progress
        self._sizes = [size or 0 for size in sizes]
        self._whole = 0 if None in sizes else sum(self._sizes)
        self._rows = [0] * len(sizes)

    def of(self, at: int) -> Progress:
        """What the input at this position calls with rows and a share of its own; those before it are done."""

        def tell(rows: int, share: float | None) -> None:
            self._rows[at] = rows
            done = sum(self._sizes[:at]) + self._sizes[at] * (share or 0.0)
            known = share is not None and self._whole
            self._progress(sum(self._rows), done / self._whole if known else None)

        return tell
