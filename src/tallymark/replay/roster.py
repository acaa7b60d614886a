"""Who has a row in the columns of players: every player of the log and of the snapshot, once a pool."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tallymark.games import GameLog
from tallymark.games.ids import Id, rank_order
from tallymark.replay.kinds import Places


@dataclass(frozen=True, slots=True)
class Roster:
    """Rows in the order of pool name and player id: a lower row is a lower id, in every pool."""

    pools: list[str]
    players: Sequence[Id]
    """Every id once, in rank order."""
    key: NDArray[np.int64]
    """pool * len(players) + player of each row, ascending."""

    def __len__(self) -> int:
        return len(self.key)

    @property
    def pool(self) -> NDArray[np.int64]:
        """Each row's place in `pools`."""
        return self.key // max(len(self.players), 1)

    @property
    def player(self) -> NDArray[np.int64]:
        """Each row's place in `players`."""
        return self.key % max(len(self.players), 1)

    def seats(self, rows: Places) -> tuple[NDArray[np.int64], Places]:
        """The places of rows in `pools` and in `players`. In one pool everyone has a row."""
        if len(self.pools) == 1:
            return np.broadcast_to(np.int64(0), len(rows)), rows
        key = self.key[rows]
        return key // max(len(self.players), 1), key % max(len(self.players), 1)

    def spread(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each row, the value of its pool."""
        return np.broadcast_to(values[0], len(self)) if len(self.pools) == 1 else values[self.pool]

    def rows(self, pools: Sequence[str], players: Sequence[Id]) -> NDArray[np.int64]:
        """The row of each (pool, player); all of them must be on the roster."""
        pool_at = {name: code for code, name in enumerate(self.pools)}
        player_at = {name: code for code, name in enumerate(self.players)}
        width = len(self.players)
        keys = [pool_at[p] * width + player_at[q] for p, q in zip(pools, players, strict=True)]
        return np.searchsorted(self.key, np.array(keys, np.int64)).astype(np.int64)

    def codes(self, log: GameLog) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """For each game of the log: its pool's place in `pools`, and the rows of player a and player b."""
        if not len(log):
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)
        pool_at = {name: code for code, name in enumerate(self.pools)}
        pool = np.array([pool_at[name] for name in log.pools], np.int64)[log.pool]
        seat = _places(log.players, self.players)
        width = len(self.players)
        a, b = pool * width + seat[log.a], pool * width + seat[log.b]
        if len(self.key) < len(self.pools) * width:  # else everyone is in every pool, and the key is the row
            a, b = np.searchsorted(self.key, a), np.searchsorted(self.key, b)
        return pool, a.astype(np.int64), b.astype(np.int64)


def roster(log: GameLog, pools: Sequence[str] = (), players: Sequence[Id] = ()) -> Roster:
    """The roster of a log and of a snapshot's (pool, player) pairs."""
    all_pools = sorted({*log.pools, *pools}) if len(log) else sorted(set(pools))
    everyone = rank_order({*log.players, *players}) if players else log.players
    width = len(everyone)
    pool_at = {name: code for code, name in enumerate(all_pools)}
    seat = _places(log.players, everyone)
    if len(all_pools) == 1:
        return Roster(all_pools, everyone, np.arange(width, dtype=np.int64))
    parts = []
    if len(log):
        pool = np.array([pool_at[name] for name in log.pools], np.int64)[log.pool] * width
        parts += [np.unique(pool + seat[log.a]), np.unique(pool + seat[log.b])]
    if players:
        player_at = {name: code for code, name in enumerate(everyone)}
        known = [pool_at[p] * width + player_at[q] for p, q in zip(pools, players, strict=True)]
        parts.append(np.array(known, np.int64))
    key = np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int64)
    return Roster(all_pools, everyone, key)


def _places(some: Sequence[Id], all_of_them: Sequence[Id]) -> NDArray[np.int64]:
    """The place of each of `some` in `all_of_them`."""
    if len(some) == len(all_of_them):
        return np.arange(len(some), dtype=np.int64)
    at = {name: code for code, name in enumerate(all_of_them)}
    return np.array([at[name] for name in some], np.int64)
