"""Where a pool stands after its last entry: all that the fold knows of it besides its players."""

from dataclasses import dataclass

import orjson

from tallymark.replay.columns import NEVER


@dataclass(frozen=True, slots=True)
class Stand:
    """Numbers only: positions and instants, in microseconds.

    `rules_at`: the entry with the methodology in force; `at`: when the last entry was settled; `played`: the latest
    instant of any rated match, `NEVER` if there is none.
    """

    position: int
    hash: bytes
    rules_at: int
    at: int
    played: int = NEVER

    def to_bytes(self) -> bytes:
        """What is kept of it beside position and hash.

        >>> Stand.of(1, bytes(32), Stand(1, bytes(32), 1, 7).to_bytes()).at
        7
        """
        return orjson.dumps({"rules_at": self.rules_at, "at": self.at, "played": self.played})

    @classmethod
    def of(cls, position: int, hash_: bytes, kept: bytes) -> "Stand":
        """The stand of a head."""
        return cls(position, hash_, **orjson.loads(kept))
