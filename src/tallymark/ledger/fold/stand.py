"""Where a pool stands after its last entry: all that the fold knows of it besides its players."""

from dataclasses import dataclass, fields

import orjson

from tallymark.games.ids import Id
from tallymark.replay.columns import NEVER


@dataclass(frozen=True, slots=True)
class Stand:
    """Mostly numbers: positions of entries, numbers of periods, instants in microseconds; `NEVER` where there is none.

    `rules_at`: the entry with the methodology in force, and `next_rules_at` with the one from the next period on (0:
    none). `at`: when the last entry was settled; `played`: the latest instant of any rated match. Calendar pools:
    `origin` is where period 0 begins, `closed` the last period that is over, `open_period` the one that has matches,
    `open_from` a position before which it has none. `waiting_from`: the first entry that waits for a recomputation,
    0 where none does. `merged`: players whose results are another's from the last recomputation on, and whose.
    """

    position: int
    hash: bytes
    rules_at: int
    at: int
    played: int = NEVER
    next_rules_at: int = 0
    origin: int = NEVER
    closed: int = NEVER
    open_period: int = NEVER
    open_from: int = 0
    waiting_from: int = 0
    merged: tuple[tuple[Id, Id], ...] = ()

    def to_bytes(self) -> bytes:
        """What is kept of it beside position and hash.

        >>> Stand.of(1, bytes(32), Stand(1, bytes(32), 1, 7).to_bytes()).at
        7
        """
        return orjson.dumps({name: getattr(self, name) for name in _KEPT})

    def moved(self, **moved: int) -> "Stand":
        """The stand with other numbers.

        >>> Stand(1, bytes(32), 1, 7).moved(at=8).at
        8
        """
        return Stand(**{name: getattr(self, name) for name in ("position", "hash", *_KEPT)} | moved)

    @classmethod
    def of(cls, position: int, hash_: bytes, kept: bytes) -> "Stand":
        """The stand of a head."""
        told = orjson.loads(kept)
        told["merged"] = tuple(map(tuple, told.get("merged", ())))
        return cls(position, hash_, **told)


_KEPT = [field.name for field in fields(Stand) if field.name not in ("position", "hash")]
