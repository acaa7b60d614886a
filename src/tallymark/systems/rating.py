"""The rating that a person reads, and the state that a fold carries."""

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

from tallymark.checked import checked

LARGEST: Final = 1e300
"""Beyond this a number of a state counts as out of range: on the display scale it might not be finite."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating on the display scale: points, points, and a plain number. Finite and not negative, or `InputError`.

    >>> Rating(1500, 200, 0.06)
    Rating(rating=1500.0, deviation=200.0, volatility=0.06)
    >>> Rating(float("nan"), 200)
    Traceback (most recent call last):
    tallymark.errors.InputError: rating is nan; expected a finite number
    """

    rating: float
    deviation: float = 350.0
    volatility: float = 0.06

    def __post_init__(self) -> None:
        object.__setattr__(self, "rating", checked("rating", self.rating, "a finite number"))
        for name in ("deviation", "volatility"):
            object.__setattr__(self, name, checked(name, getattr(self, name), "a finite number from 0 up", low=0.0))

    def interval(self, deviations: float = 2.0) -> tuple[float, float]:
        """Lower and upper end of rating +- `deviations` deviations; 2 is the paper's rounding of 95 %.

        >>> Rating(1850, 50).interval()
        (1750.0, 1950.0)
        """
        return self.rating - deviations * self.deviation, self.rating + deviations * self.deviation


class State(NamedTuple):
    """What a fold carries for one player, in doubles: mu, phi^2 and sigma^2 on the scale of the system."""

    mu: float
    phi2: float
    sigma2: float


class Scale(NamedTuple):
    """Where the display scale lies on the system's: rating = unit * mu + centre, deviation = unit * phi."""

    unit: float
    centre: float

    def to_state(self, rating: float, deviation: float, volatility: float) -> State:
        """The state of a player with these numbers."""
        phi = deviation / self.unit
        return State((rating - self.centre) / self.unit, phi * phi, volatility * volatility)

    def to_display(self, mu: float, phi2: float, sigma2: float) -> tuple[float, float, float]:
        """Rating, deviation and volatility as shown; the one way from a state to what is published."""
        return self.unit * mu + self.centre, self.unit * math.sqrt(phi2), math.sqrt(sigma2)
