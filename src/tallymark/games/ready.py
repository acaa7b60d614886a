"""A log that is replayed many times: what one replay works out of it is there for the next."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Final, TypeVar, cast

if TYPE_CHECKING:
    from tallymark.games.log import GameLog

T = TypeVar("T")

_MOST: Final = 8
"""A search over lengths of periods asks for a schedule a length, and no memory has room for all of them."""


class ReadyLog:
    """A log to be replayed many times, made by `GameLog.prepare()`; `replay` takes it in the log's place.

    It keeps, in memory, what depends on the log alone and not on the numbers of a rating system: the rows of players,
    which games are rated, and in which units and order. That is worked out at the first replay and again only for other
    rules of period, rated games or publication, or another start; the newest eight are kept. Bits and report are
    those of the log itself.

    >>> from tallymark import GameLog, methodology, replay
    >>> ready = GameLog.from_arrays(player_a=["ann", "bob"], player_b=["bob", "cid"], score_a=[1, 0]).prepare()
    >>> [float(replay(ready, methodology("elo").with_(k=k)).ratings.rating.max()) for k in (10.0, 20.0)]
    [1505.0, 1510.0]
    >>> ready
    ReadyLog: 2 games, 1 schedule
    """

    __slots__ = ("_kept", "log")

    def __init__(self, log: "GameLog") -> None:
        self.log = log
        """The log itself."""
        self._kept: dict[Hashable, object] = {}

    def __len__(self) -> int:
        return len(self.log)

    def __repr__(self) -> str:
        games, kept = len(self.log), len(self._kept)
        return f"ReadyLog: {games:,} game{'' if games == 1 else 's'}, {kept} schedule{'' if kept == 1 else 's'}"

    def __reduce__(self) -> tuple[type["ReadyLog"], tuple["GameLog"]]:
        return ReadyLog, (self.log,)  # what is kept may be much, and is soon there again

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for this key, or makes it: the business of `tallymark.replay`, whose keys say what it is."""
        found = self._kept.get(key)
        if found is None:
            found = make()
            kept = [*self._kept.items(), (key, found)]
            self._kept = dict(kept[-_MOST:])  # a new one, for other threads may look at the old one now
        return cast(T, found)
