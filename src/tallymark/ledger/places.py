"""The order of boards as bytes: the best rating first, then the lower deviation, more games, and the id."""

import struct
from typing import Final

from tallymark.games.ids import Id

_NUMBERS: Final = struct.Struct(">Qdq")
_DOUBLE: Final = struct.Struct(">d")
_SIGNED: Final = struct.Struct(">q")
_MOST: Final = 2**63 - 1


def place_of(rating: float, deviation: float, games: int, player: Id) -> bytes:
    """Where a player stands on a board: whoever has the lesser bytes stands before. No two players have the same.

    `rating` and `deviation` on the display scale, finite; ids as elsewhere: numbers, then text by code point.

    >>> sorted([(place_of(1500.0, 80.0, 3, "bob"), "bob"), (place_of(1600.0, 90.0, 1, "ann"), "ann")])[0][1]
    'ann'
    >>> place_of(1500.0, 80.0, 3, 9) < place_of(1500.0, 80.0, 3, 10) < place_of(1500.0, 80.0, 3, "10")
    True
    """
    bits = _SIGNED.unpack(_DOUBLE.pack(0.0 - rating))[0]
    # Bits of positive doubles are in the order of the doubles, those of negative ones in the opposite order.
    numbers = _NUMBERS.pack(bits + 2**63 if bits >= 0 else -1 - bits, deviation, _MOST - games)
    return numbers + (
        b"\1" + player.encode() if isinstance(player, str) else b"\0" + (player + 2**63).to_bytes(8, "big")
    )
