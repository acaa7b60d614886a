"""What a rater at work waits on: appends that it hears of, or looks for; and whether it leads a pool."""

from typing import Protocol

from tallymark.ledger.bell import Bell


class Watch(Protocol):
    """A rater's ear on its ledger, and its claim to pools."""

    def leads(self, pool: int) -> bool:
        """Whether this is the rater of the pool: others need not try."""
        ...

    def wait(self, seconds: float) -> None:
        """Until something may have come since the last time, or some seconds long."""
        ...

    def close(self) -> None:
        """Leaves the pools to others."""
        ...


class BellWatch:
    """Hears this process only, and leads whatever there is: one process usually has the file.

    >>> watch = BellWatch(Bell())
    >>> watch.leads(1)
    True
    """

    def __init__(self, arrived: Bell) -> None:
        self._arrived, self._heard = arrived, arrived.count

    def leads(self, pool: int) -> bool:
        return True

    def wait(self, seconds: float) -> None:
        self._arrived.wait(self._heard, seconds)
        self._heard = self._arrived.count

    def close(self) -> None:
        """Nothing is held."""
