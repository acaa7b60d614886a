"""The highest rating that counts, and why higher points do not."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from tallymark.methodology import Methodology
from tallymark.methodology.rules import Published
from tallymark.service.pages.words import is_provisional, whole

Rule: TypeAlias = Callable[[float, float], str | None]
"""Why a rating with its deviation does not count; None where it does."""
_AT_THE_TIME: Final = "provisional at the time"
_NAMED: Final = 3
"""Higher points of which each is named; the highest first."""


class Higher(NamedTuple):
    """A point above the peak, by its place in the path, and why it does not count."""

    place: int
    rating: float
    deviation: float
    why: str


class Peak(NamedTuple):
    """The best point that counts, by its place in the path (None: there is none), and the highest of those above."""

    place: int | None
    rating: float | None
    higher: tuple[Higher, ...]

    @property
    def reason(self) -> str | None:
        """Why what is higher does not count, in words; None where nothing is."""
        if not self.higher:
            return None
        numbers = ", ".join(whole(one.rating) for one in self.higher)
        deviations = ", ".join(whole(one.deviation) for one in self.higher)
        does = "does" if len(self.higher) == 1 else "do"
        return f"{numbers} {does} not count as the peak: {self.higher[0].why} (RD {deviations})"


def peak_of(path: Sequence[tuple[float, float]], rule: Rule) -> Peak:
    """The peak of a path of ratings and deviations.

    >>> found = peak_of([(1712, 260), (1604, 108), (1611, 111)], at_most(110))
    >>> found.rating, found.reason
    (1604, '1712, 1611 do not count as the peak: provisional at the time (RD 260, 111)')
    """
    why = [rule(rating, deviation) for rating, deviation in path]
    counting = [place for place, reason in enumerate(why) if reason is None]
    best = max(counting, key=lambda place: (path[place][0], -place), default=None)
    rating = None if best is None else path[best][0]
    above = [
        Higher(place, *path[place], reason)
        for place, reason in enumerate(why)
        if reason is not None and (rating is None or path[place][0] > rating)
    ]
    above.sort(key=lambda one: (-one.rating, one.place))
    return Peak(best, rating, tuple(above[:_NAMED]))


def at_most(deviation: float) -> Rule:
    """Counts where the deviation is at most this."""
    return lambda _, given: None if given <= deviation else _AT_THE_TIME


def rule_of(rules: Methodology) -> Rule | None:
    """What counts by a methodology: where its peak is of the rating, what that says of the deviation; where it has no
    peak, what is not provisional. None where deviations do not tell."""
    published: Published = rules.published
    if published.peak == "lower-bound" or published.peak_games or published.established_deviation is not None:
        return None
    if published.peak == "rating":
        bound = published.peak_deviation
        return at_most(float("inf") if bound is None else bound)
    if published.provisional_deviation is None:
        return None
    return lambda _, given: _AT_THE_TIME if is_provisional(given, published) else None
