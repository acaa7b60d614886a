"""A bell between threads: who waits for something hears that it may have happened."""

import threading


class Bell:
    """Counts how often it was rung: who remembers the count misses no ring between two looks.

    >>> bell = Bell()
    >>> heard = bell.count
    >>> bell.ring()
    >>> bell.wait(heard, 10.0)
    True
    """

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self.count = 0

    def ring(self) -> None:
        """Wakes everybody who waits."""
        with self._condition:
            self.count += 1
            self._condition.notify_all()

    def wait(self, heard: int, seconds: float) -> bool:
        """Until it has been rung more often than `heard`, or some seconds long; whether it was."""
        with self._condition:
            return self._condition.wait_for(lambda: self.count != heard, seconds)
