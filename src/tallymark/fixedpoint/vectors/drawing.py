"""Random numbers from a seed: the same on every machine and under every version of Python.

States lie where an implementation is likely to be wrong as often as anywhere: about knots, at both ends of mu and phi,
never rated, games before the last one, of the same second, and beyond the longest time.
"""

from typing import Final

from tallymark.fixedpoint.constants import DAY, DT_MAX, KNOTS, MU_HI, MU_LO, PHI_MAX, PHI_MIN
from tallymark.fixedpoint.updating import State

_MASK: Final = (1 << 64) - 1
NOW: Final = 1700000000


class Draw:
    """A stream of numbers from a seed: splitmix64, of which a number below n is the remainder.

    >>> Draw(0).bits()
    16294208416658607535
    """

    def __init__(self, seed: int) -> None:
        self._at = seed & _MASK

    def apart(self, i: int) -> "Draw":
        """The i-th stream of this seed, which has nothing to do with its other ones."""
        inner = Draw(self._at ^ Draw(i).bits())
        return Draw(inner.bits())

    def bits(self) -> int:
        """64 bits."""
        self._at = self._at + 0x9E3779B97F4A7C15 & _MASK
        z = self._at
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
        return z ^ z >> 31

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high."""
        return low + (self.bits() << 64 | self.bits()) % (high - low + 1)

    def mu(self) -> int:
        """Anywhere on the scale, or within 3 of a knot, or at an end."""
        place = self.between(0, 7)
        if place == 0:
            return KNOTS[self.between(0, len(KNOTS) - 1)] + self.between(-3, 3)
        if place == 1:
            return MU_LO + self.between(0, 3) if self.between(0, 1) else MU_HI - self.between(0, 3)
        return self.between(MU_LO, MU_HI)

    def phi(self) -> int:
        """Anywhere, at an end, small, or never rated."""
        place = self.between(0, 7)
        if place == 0:
            return 0
        if place == 1:
            return PHI_MIN + self.between(0, 3) if self.between(0, 1) else PHI_MAX - self.between(0, 3)
        return self.between(PHI_MIN, PHI_MIN << 5 if place == 2 else PHI_MAX)

    def last(self, t: int) -> int:
        """Days before t, or about t, or about the longest time before it."""
        place = self.between(0, 7)
        if place == 0:
            return t - self.between(-2, 2)
        if place == 1:
            return t - DT_MAX + self.between(-2, 2)
        return t - self.between(-DAY, DAY << (9 if place == 2 else 6))

    def state(self, t: int) -> State:
        """A player about to play at t."""
        return State(self.mu(), self.phi(), self.last(t))
