"""Where agents stand in their pools, as the ledger has it now: read once, and then from its news."""

from collections.abc import Iterable, Mapping
from typing import Final

from sqlalchemy import select

from tallymark.games.ids import Id
from tallymark.ledger.fold.rows import displayed, newcomer
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.reading.effects import Effects
from tallymark.ledger.tables import HEAD, POOL
from tallymark.systems import Rating

_PAGE: Final = 200
_ALL: Final = ("imported", "rules", "opened")
"""Kinds of entries that say something of many."""
_HEADS: Final = select(POOL.c.name, HEAD.c.position).join(HEAD, HEAD.c.pool == POOL.c.id)


class Standing:
    """The ratings of all players of some pools."""

    def __init__(self, ledger: Ledger, pools: Iterable[str]) -> None:
        self._ledger = ledger
        self._at: dict[str, int] = {}
        self._new: dict[str, Rating] = {}
        self._ratings: dict[str, dict[Id, Rating]] = {}
        for pool in pools:
            self._load(pool)

    def rating(self, pool: str, agent: str) -> Rating:
        """An agent's rating now; of who has not played, that of everybody who begins."""
        return self._ratings[pool].get(agent, self._new[pool])

    def heads(self) -> dict[str, int]:
        """Where the pools of the ledger are."""
        with self._ledger.store.reading() as connection:
            return {row.name: row.position for row in connection.execute(_HEADS)}

    def follow(self, heads: Mapping[str, int]) -> list[tuple[str, Effects]]:
        """The entries that are new, of pools whose heads are there, in the order of each pool."""
        found: list[tuple[str, Effects]] = []
        for pool, head in heads.items():
            while self._at.get(pool, head) < head:
                some = self._ledger.effects(pool, self._at[pool], _PAGE)
                if not some:
                    break
                found += [(pool, one) for one in some]
                self._at[pool] = some[-1].entry.position
                self._learn(pool, some)
        return found

    def _learn(self, pool: str, some: Iterable[Effects]) -> None:
        known = self._ratings[pool]
        for entry in some:
            if entry.kind in _ALL:
                at = self._at[pool]
                self._load(pool)
                self._at[pool] = at  # what came since is still to be told
                return
            for player in entry.players:
                known[player.player] = player.after

    def _load(self, pool: str) -> None:
        moved = self._ledger.moved(pool)
        self._at[pool] = moved.position
        self._new[pool] = Rating(*displayed(newcomer(moved.rules), moved.rules))
        self._ratings[pool] = {player: Rating(*displayed(row, moved.rules)) for player, row in moved.rows.items()}
