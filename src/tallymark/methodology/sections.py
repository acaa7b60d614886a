"""When games are rated together, how idle time counts, which numbers can occur and how they are kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import ClassVar, Final

from tallymark.errors import MethodologyError
from tallymark.methodology.section import Contradiction, Section, set_field
from tallymark.systems.parameters import SIGMA, parameter

PERIODS: Final = "spec glicko2.md, Periods"
BOUNDS: Final = "spec glicko2.md, One update"
FIRST_DAY: Final = "first-day"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def default_late(kind: object) -> str:
    """What `period.late` is where nobody says: a pool with closed periods refuses, the others follow the ledger."""
    return "refuse" if kind == "calendar" else "ledger-order"


@dataclass(frozen=True)
class Period(Section):
    """Which games are rated together, from the values before all of them.

    >>> Period("calendar", days=7).length // 1_000_000
    604800
    """

    section: ClassVar[str] = "period"

    kind: str = parameter(
        kind=str,
        choices=("calendar", "match", "game"),
        source=PERIODS,
        doc="calendar: all games of a stretch of time; match: the games of one match; game: each game alone, "
        "but for the pairwise games of one match, which are rated together, from the values before it.",
    )
    days: float | None = parameter(
        None,
        unit="days",
        low=1e-4,
        high=36525.0,
        optional=True,
        source=PERIODS,
        doc="Length of a calendar period, to the microsecond. Required there, absent otherwise.",
    )
    origin: str = parameter(
        FIRST_DAY,
        kind=str,
        unit="instant",
        source=PERIODS,
        doc="Where calendar periods are counted from: first-day (00:00 UTC of the first rated game's day in each "
        "pool) or ISO 8601.",
    )
    late: str = parameter(
        None,
        kind=str,
        choices=("refuse", "next-period", "recompute", "ledger-order"),
        optional=True,
        source=PERIODS,
        doc="What a game of a closed period does. Default: refuse for calendar, ledger-order for match and game.",
    )
    recompute_days: float | None = parameter(
        None,
        unit="days",
        low=0.0,
        high=36525.0,
        optional=True,
        source=PERIODS,
        doc="How far back a live pool recomputes: what was played so long before its latest game is refused. Only with "
        "late = recompute; absent: to the beginning.",
    )
    sum_order: str = parameter(
        "log",
        kind=str,
        choices=("log", "opponent"),
        source="spec glicko2.md, Periods; votes.md",
        doc="The order in which a period's games are summed: as the log has them, or by opponent id.",
    )

    @property
    def length(self) -> int:
        """Microseconds of a calendar period; 0 for the other kinds."""
        return 0 if self.days is None else round(self.days * 86_400_000_000)

    @property
    def origin_instant(self) -> int | None:
        """`origin` in microseconds since 1970 UTC; None for the first rated game's day."""
        if self.origin == FIRST_DAY:
            return None
        return (datetime.fromisoformat(self.origin) - _EPOCH) // _MICROSECOND

    def settle(self) -> None:
        given: object = self.late  # None until here, text from here on
        if given is None:
            set_field(self, "late", default_late(self.kind))
        set_field(self, "origin", _one_spelling(self.origin))

    def contradictions(self) -> Iterator[Contradiction]:
        calendar = self.kind == "calendar"
        if calendar and self.days is None:
            yield "days", 'is absent; period.kind = "calendar" needs a length'
        if not calendar and self.days is not None:
            yield "days", f"is {self.days!r}; only calendar periods have a length, this one's kind is {self.kind}"
        if not calendar and self.origin != FIRST_DAY:
            yield "origin", f"is {self.origin!r}; only calendar periods have one, this one's kind is {self.kind}"
        if calendar and self.late == "ledger-order":
            yield "late", "is 'ledger-order'; calendar periods close, so it is refuse, next-period or recompute"
        if self.recompute_days is not None and self.late != "recompute":
            yield "recompute_days", f"is {self.recompute_days!r}; period.late is {self.late!r}, nothing is recomputed"
        if not calendar and self.late == "next-period":
            yield "late", f"is 'next-period'; only calendar periods have a next one, this one's kind is {self.kind}"


def _one_spelling(origin: object) -> object:
    """An instant as `YYYY-MM-DDTHH:MM:SSZ`, so that two spellings of it have one hash."""
    if origin == FIRST_DAY or not isinstance(origin, str | date):
        return origin
    try:
        moment = datetime.fromisoformat(origin if isinstance(origin, str) else origin.isoformat())
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise MethodologyError(
            f"period.origin is {origin!r}; expected {FIRST_DAY} or an instant like 2026-01-31T00:00:00Z",
            field="period.origin",
        ) from None
    return moment.isoformat().removesuffix("+00:00") + "Z"


@dataclass(frozen=True)
class Ageing(Section):
    """How deviations grow while a player does not play.

    >>> Ageing("elapsed", periods_per_day=0.5).whole
    False
    """

    section: ClassVar[str] = "ageing"

    kind: str = parameter(
        kind=str,
        choices=("none", "periods", "elapsed"),
        source=PERIODS,
        doc="none: idle time changes nothing; periods: empty periods count; elapsed: time since the last game does.",
    )
    periods_per_day: float | None = parameter(
        None,
        unit="periods a day",
        low=1e-9,
        high=1e9,
        optional=True,
        source=PERIODS,
        doc="How many of the system's periods pass in a day. Required with elapsed, absent otherwise.",
    )
    whole: bool = parameter(
        False, kind=bool, source=PERIODS, doc="Count whole elapsed periods only. Only with elapsed."
    )

    def contradictions(self) -> Iterator[Contradiction]:
        if self.kind == "elapsed" and self.periods_per_day is None:
            yield "periods_per_day", 'is absent; ageing.kind = "elapsed" needs it'
        if self.kind != "elapsed" and self.periods_per_day is not None:
            yield "periods_per_day", f"is {self.periods_per_day!r}; it goes with elapsed, ageing.kind is {self.kind}"
        if self.kind != "elapsed" and self.whole:
            yield "whole", f"is true; it goes with elapsed, ageing.kind is {self.kind}"


@dataclass(frozen=True)
class Bounds(Section):
    """What no number of the pool passes, on the display scale; None is no bound. Applied after step 8, in the order
    change, rating, deviation, volatility.

    >>> Bounds(rating_min=100).rating_max is None
    True
    """

    section: ClassVar[str] = "bounds"

    rating_min: float | None = parameter(
        None, unit="points", low=-1e6, high=1e6, optional=True, source=BOUNDS, doc="Lowest rating."
    )
    rating_max: float | None = parameter(
        None, unit="points", low=-1e6, high=1e6, optional=True, source=BOUNDS, doc="Highest rating."
    )
    deviation_min: float | None = parameter(
        None, unit="points", low=0.0, high=1e6, optional=True, source=BOUNDS, doc="Lowest deviation."
    )
    deviation_max: float | None = parameter(
        None, unit="points", low=0.0, high=1e6, optional=True, source=BOUNDS, doc="Highest deviation, ageing included."
    )
    volatility_min: float | None = parameter(
        None, unit=SIGMA, low=0.0, high=1e3, optional=True, source=BOUNDS, doc="Lowest volatility."
    )
    volatility_max: float | None = parameter(
        None, unit=SIGMA, low=0.0, high=1e3, optional=True, source=BOUNDS, doc="Highest volatility."
    )
    change_max: float | None = parameter(
        None, unit="points", low=1e-6, high=1e6, optional=True, source=BOUNDS, doc="Largest change of a rating at once."
    )

    def of(self, quantity: str) -> tuple[float | None, float | None]:
        """The lowest and highest `rating`, `deviation` or `volatility`.

        >>> Bounds(rating_min=100).of("rating")
        (100.0, None)
        """
        return getattr(self, f"{quantity}_min"), getattr(self, f"{quantity}_max")

    def contradictions(self) -> Iterator[Contradiction]:
        for quantity in ("rating", "deviation", "volatility"):
            low, high = self.of(quantity)
            if low is not None and high is not None and low > high:
                yield f"{quantity}_min", f"is {low!r}; expected at most {quantity}_max, {high!r}"


@dataclass(frozen=True)
class Numbers(Section):
    """How numbers are kept between updates: doubles, whole multiples of a unit, rounded once, or Q32.32 throughout.

    >>> Numbers("scaled-integers").volatility_multiplier
    1000000
    """

    section: ClassVar[str] = "numbers"

    format: str = parameter(
        "float64",
        kind=str,
        choices=("float64", "scaled-integers", "q32.32"),
        source="spec votes.md; go-onchain.md, Integers",
        doc="float64: a fold carries doubles; scaled-integers: one rounding to stored integers after each update; "
        "q32.32: the whole update in integers, as the contract of go-onchain-v2 has it.",
    )
    rating_multiplier: int = parameter(
        100, kind=int, unit="stored units a point", low=1, high=10**9, source="spec votes.md", doc="Stored rating."
    )
    deviation_multiplier: int = parameter(
        100, kind=int, unit="stored units a point", low=1, high=10**9, source="spec votes.md", doc="Stored deviation."
    )
    volatility_multiplier: int = parameter(
        10**6, kind=int, unit="stored units a unit", low=1, high=10**9, source="spec votes.md", doc="Stored volatility."
    )
    rounding: str = parameter(
        "half-even",
        kind=str,
        choices=("half-even", "half-up"),
        source="spec votes.md",
        doc="Ties of the one rounding: to even, or upwards as JavaScript's Math.round.",
    )

    @property
    def scaled(self) -> bool:
        """Whether integers are kept."""
        return self.format == "scaled-integers"

    @property
    def exact(self) -> bool:
        """Whether the update itself is one of integers."""
        return self.format == "q32.32"

    def contradictions(self) -> Iterator[Contradiction]:
        plain = {"rating_multiplier": 100, "deviation_multiplier": 100, "volatility_multiplier": 10**6}
        for name, default in {**plain, "rounding": "half-even"}.items():
            if not self.scaled and getattr(self, name) != default:
                yield name, f"is {getattr(self, name)!r}; it goes with scaled-integers, numbers.format is {self.format}"
