"""The rules of pairing as data: how far apart two ratings may be, and when house agents step in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tallymark.arena.games.face import Game, PoolKind
from tallymark.systems.parameters import accept_all, parameter, refuse_idle

MINUTE: Final = 60_000
"""Milliseconds."""
HOUSE_AFTER_MS: Final = 10_000
"""P2: when a house agent steps in where two play."""
HOUSE_AFTER_MS_OF_MORE: Final = 15_000
"""P2: the same where more play."""
_SPEC: Final = "the arena's spec, P1"
_SCALE: Final = MINUTE * 1000
_OF_WINDOWS: Final = ("base_centi", "growth_centi", "whose", "deviation_milli", "cap_centi")
"""What says how far apart people may be."""


@dataclass(frozen=True, slots=True)
class PairingRules:
    """How one queue is paired. Every number is an integer, so that a window ends at the same millisecond everywhere.

    Points are told in hundredths: the gap of two ratings is |rint(100 r_a) - rint(100 r_b)|. Raises `InputError` for
    a value outside its range.

    >>> rules = PairingRules()
    >>> rules.reach(60_000), rules.reach(59_999)
    (30000, 29999)
    """

    seats: tuple[int, ...] = parameter(
        (2,), kind=tuple, each=int, unit="agents", source="the game", doc="how many may play, ascending", low=2
    )
    base_centi: int = parameter(
        20_000, kind=int, unit="hundredths of a point", source=_SPEC, doc="the gap that is always allowed", low=0
    )
    growth_centi: int = parameter(
        10_000, kind=int, unit="hundredths of a point a minute", source=_SPEC, doc="how fast waiting widens it", low=0
    )
    whose: str = parameter(
        "longer", kind=str, source=_SPEC, choices=("longer", "shorter"), doc="whose waiting widens it, of two"
    )
    deviation_milli: int = parameter(
        0, kind=int, unit="thousandths", source=f"{_SPEC}: k", doc="how much of RD_a + RD_b widens it", low=0
    )
    cap_centi: int | None = parameter(
        None, kind=int, unit="hundredths of a point", source="no cap in arena-v0", optional=True, low=0,
        doc="the gap that no waiting goes beyond",
    )  # fmt: skip
    house_after_ms: int = parameter(
        HOUSE_AFTER_MS, kind=int, unit="ms", source="the arena's spec, P2", low=0,
        doc="who waited so long without an admissible opponent is given house agents",
    )  # fmt: skip
    house_only: bool = parameter(
        False, kind=bool, source="the arena's spec, R6: a benchmark",
        doc="people's agents never meet each other: everybody is given the house agents that it has met least",
    )  # fmt: skip
    tell_after_ms: int = parameter(
        30_000, kind=int, unit="ms", source="case MM-07", low=0,
        doc="who waited so long and still is not paired is told that nobody is in range",
    )  # fmt: skip

    def __post_init__(self) -> None:
        accept_all(self)
        object.__setattr__(self, "seats", tuple(sorted(self.seats)))
        if self.house_only:
            refuse_idle(self, _OF_WINDOWS, "house_only")

    @property
    def by_waiting_alone(self) -> bool:
        """Whether the window of an agent is the same towards everybody who came later."""
        return self.whose == "longer" and self.deviation_milli == 0

    def reach(self, waited_ms: int, deviations_centi: int = 0) -> int:
        """The largest gap, in hundredths of a point, that is allowed to a pair who waited so long.

        `waited_ms`: of the one whose waiting counts; `deviations_centi`: rint(100 RD_a) + rint(100 RD_b). A gap is an
        integer, so that flooring leaves the inequality of the spec as it is.
        """
        scaled = self.base_centi * _SCALE + self.growth_centi * waited_ms * 1000
        reach = (scaled + self.deviation_milli * deviations_centi * MINUTE) // _SCALE
        return reach if self.cap_centi is None else min(reach, self.cap_centi)

    def wait_ms(self, gap_centi: int, deviations_centi: int = 0) -> int | None:
        """The first whole millisecond of waiting at which `reach` covers the gap; None where it never does.

        >>> PairingRules().wait_ms(30_000), PairingRules(cap_centi=50_000).wait_ms(80_000)
        (60000, None)
        """
        if self.cap_centi is not None and gap_centi > self.cap_centi:
            return None
        short = (gap_centi - self.base_centi) * _SCALE - self.deviation_milli * deviations_centi * MINUTE
        if short <= 0:
            return 0
        return -(-short // (self.growth_centi * 1000)) if self.growth_centi else None


def pairing_rules(game: Game) -> PairingRules:
    """The rules of arena-v0 for a game, or those of its benchmark."""
    return rules_for(game.seats, game.kind)


def rules_for(seats: Sequence[int], kind: PoolKind = "arena") -> PairingRules:
    """The rules of arena-v0 for a game that so many may play; in a benchmark house agents are there at once.

    >>> rules_for((2,)).house_after_ms, rules_for((5, 6, 7, 8)).house_after_ms
    (10000, 15000)
    >>> rules_for((2,), "benchmark").house_only
    True
    """
    if kind == "benchmark":
        return PairingRules(seats=tuple(seats), house_after_ms=0, house_only=True)
    after = HOUSE_AFTER_MS if max(seats) == 2 else HOUSE_AFTER_MS_OF_MORE
    return PairingRules(seats=tuple(seats), house_after_ms=after)


ARENA_V0: Final = PairingRules()
"""Those of two."""
