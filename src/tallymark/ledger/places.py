"""The order of boards as bytes: the best rating first, then the lower deviation, more games, and the id."""

import struct
from typing import Final

from tallymark.games.ids import Id

_DOUBLE: Final = struct.Struct(">d")
_SIGNED: Final = struct.Struct(">q")
_REST: Final = struct.Struct(">dq")
_MOST: Final = 2**63 - 1
DEVIATION: Final = slice(8, 16)
"""Where the deviation stands in a place."""
_NAME: Final = 24
"""Where the player begins in it."""


def place_of(rating: float, deviation: float, games: int, player: Id) -> bytes:
    """Where a player stands on a board: whoever has the lesser bytes stands before. No two players have the same.

    `rating` and `deviation` on the display scale, finite; ids as elsewhere: numbers, then text by code point.

    >>> sorted([(place_of(1500.0, 80.0, 3, "bob"), "bob"), (place_of(1600.0, 90.0, 1, "ann"), "ann")])[0][1]
    'ann'
    >>> place_of(1500.0, 80.0, 3, 9) < place_of(1500.0, 80.0, 3, 10) < place_of(1500.0, 80.0, 3, "10")
    True
    """
    name = b"\1" + player.encode() if isinstance(player, str) else b"\0" + (player + 2**63).to_bytes(8, "big")
    return place_of_rating(rating) + _REST.pack(deviation, _MOST - games) + name


def place_of_rating(rating: float) -> bytes:
    """What the places of all who have a rating begin with: the lesser bytes, the better.

    >>> place_of_rating(1500.0) < place_of_rating(0.0) == place_of_rating(-0.0) < place_of_rating(-3.0)
    True
    """
    bits: int = _SIGNED.unpack(_DOUBLE.pack(0.0 - rating))[0]
    # Bits of positive doubles are in the order of the doubles, those of negative ones in the opposite order.
    return (bits + 2**63 if bits >= 0 else -1 - bits).to_bytes(8, "big")


def rating_of(place: bytes) -> float:
    """The rating in a place.

    >>> rating_of(place_of(1512.5, 80.0, 3, "bob")), rating_of(place_of_rating(-3.25))
    (1512.5, -3.25)
    """
    number = int.from_bytes(place[:8], "big")
    rating: float = _DOUBLE.unpack(_SIGNED.pack(number - 2**63 if number >= 2**63 else -1 - number))[0]
    return 0.0 - rating


def player_of(place: bytes) -> Id:
    """The player whose place it is.

    >>> player_of(place_of(1500.0, 80.0, 3, "bob")), player_of(place_of(1500.0, 80.0, 3, -7))
    ('bob', -7)
    """
    name = place[_NAME:]
    return name[1:].decode() if name[:1] == b"\1" else int.from_bytes(name[1:], "big") - 2**63


def interval_of(place: bytes) -> tuple[float, float]:
    """The rating and the deviation in a place.

    >>> interval_of(place_of(1500.0, 80.0, 3, "bob"))
    (1500.0, 80.0)
    """
    deviation: float = _DOUBLE.unpack(place[DEVIATION])[0]
    return rating_of(place), deviation


def deviation_bytes(deviation: float) -> bytes:
    """A deviation as it stands in places.

    >>> deviation_bytes(80.0) == place_of(1500.0, 80.0, 3, "bob")[DEVIATION]
    True
    """
    return _DOUBLE.pack(deviation)
