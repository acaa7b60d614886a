"""A player in one felt: 240 bits, each field where the spec's table has it, none across bit 128."""

import operator
from typing import Final, NamedTuple, SupportsIndex

from tallymark.fixedpoint.constants import PHI_MAX, PHI_MIN
from tallymark.fixedpoint.refusing import RefusedError, between, whole
from tallymark.fixedpoint.units import Q
from tallymark.fixedpoint.updating import State

COUNTER_MAX: Final = (1 << 24) - 1
"""Wins, losses and draws hold here."""


class Field(NamedTuple):
    """A field of the felt: its lowest bit, its width, and what is added to the value before it is stored."""

    name: str
    at: int
    width: int
    offset: int = 0


FIELDS: Final = (
    Field("mu", 0, 40, 1 << 39),
    Field("phi", 40, 34),
    Field("last", 74, 40),
    Field("band", 114, 3),
    Field("established", 117, 1),
    Field("has_peak", 118, 1),
    Field("version", 119, 8),
    Field("wins", 128, 24),
    Field("losses", 152, 24),
    Field("draws", 176, 24),
    Field("peak", 200, 40, 1 << 39),
)
RESERVED: Final = 127
BITS: Final = 240


class Player(NamedTuple):
    """What a felt holds. mu, phi and peak are Q, last is in seconds; without a peak, `peak` is 0.

    >>> Player() == NEVER_RATED
    True
    """

    mu: Q = 0
    phi: Q = 0
    last: int = 0
    band: int = 0
    established: bool = False
    has_peak: bool = False
    version: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    peak: Q = 0

    @property
    def state(self) -> State:
        """What an update takes."""
        return State(self.mu, self.phi, self.last)

    @property
    def games(self) -> int:
        """Won, lost and drawn."""
        return self.wins + self.losses + self.draws


NEVER_RATED: Final = Player()
"""The player of felt 0."""


def pack(player: Player) -> int:
    """The felt of a player: 0 for `NEVER_RATED`. `RefusedError` for a field that its width does not hold, a phi outside
    PHI_MIN to 2**33, and for who has phi 0 and yet anything else.

    >>> hex(pack(Player(mu=1, phi=1 << 32, last=2, band=3, version=2, wins=1)))
    '0x8000000000000000000000000001010c0000000009000000008000000001'
    """
    if player == NEVER_RATED:
        return 0
    felt = 0
    for field, value in zip(FIELDS, player, strict=True):
        low, high = -field.offset, (1 << field.width) - 1 - field.offset
        if field.name == "phi":
            low, high = PHI_MIN, PHI_MAX
        number = int(value) if field.width == 1 and isinstance(value, bool) else value
        felt |= whole(field.name, number, low, high) + field.offset << field.at
    return felt


def unpack(felt: SupportsIndex) -> Player:
    """The player of a felt. `RefusedError` for one that no player has; `what` is the first of these that holds:
    `range` (below 0, or 2**240 and above), `reserved` (bit 127 is set), `phi` (outside PHI_MIN to 2**33).

    Every felt that is accepted packs to itself again, whatever its version says and its unused fields hold.

    >>> unpack(pack(Player(mu=-1, phi=1 << 32, version=2, losses=7))).losses
    7
    >>> unpack(0) is NEVER_RATED
    True
    """
    number = operator.index(felt)
    if not 0 <= number < 1 << BITS:
        raise RefusedError("range", f"felt has {number.bit_length()} bits or a sign; expected 0 to below 2**{BITS}")
    if number == 0:
        return NEVER_RATED
    if number >> RESERVED & 1:
        raise RefusedError("reserved", f"felt is {number:#x}; expected bit {RESERVED} to be 0")
    values = [(number >> field.at & (1 << field.width) - 1) - field.offset for field in FIELDS]
    mu, phi, last, band, established, has_peak, *rest = values
    if not PHI_MIN <= phi <= PHI_MAX:
        raise RefusedError("phi", f"phi of the felt is {phi}; expected {between(PHI_MIN, PHI_MAX)}")
    return Player(mu, phi, last, band, bool(established), bool(has_peak), *rest)
