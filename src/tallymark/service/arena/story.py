"""A match that is over, told from its records: what happened in it, how fast, and the positions it went through."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import median
from typing import Final, NamedTuple

import orjson

from tallymark.arena.games.face import Action, Game, Position, Seat
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.finished import Finished
from tallymark.arena.referee.record import Record
from tallymark.arena.store import records
from tallymark.arena.store.matches import LIVE, Match
from tallymark.ledger.matches import Json
from tallymark.service.arena.documents import Latency
from tallymark.service.problems import Problem
from tallymark.service.state import Service

FINAL: Final = ("settled", "aborted")
"""States of matches to whose records nothing is added any more."""


@dataclass(frozen=True)
class Story:
    """A match that is over, and its records: as bytes, and as they were read."""

    match: Match
    lines: Sequence[bytes]
    records: Sequence[Record]
    finished: Finished

    @classmethod
    def of(cls, match: Match, lines: Sequence[bytes]) -> "Story":
        """Of the records of a match, which has ended."""
        read = Record.all(lines)
        return cls(match, lines, read, Finished.of(lines, read))

    @property
    def settled(self) -> Record | None:
        """The record that it was rated, or that the pool's rules do not rate it."""
        return self.records[-1] if self.records[-1].kind == "settled" else None

    @property
    def actions(self) -> list[Record]:
        """Every action that was applied, in its order."""
        return _actions(self.records)

    @property
    def misses(self) -> list[Record]:
        """Every time that a seat failed."""
        return [one for one in self.records if one.kind == "missed"]

    def latency(self) -> list[Latency | None]:
        """How fast each seat was; None of one that was never waited for. A deadline that passed counts as the wait that
        it was, and as no action."""
        found: dict[int, list[int]] = {seat: [] for seat in range(len(self.finished.agents))}
        late = dict.fromkeys(found, 0)
        for one in self.records:
            passed = one.kind == "missed" and one.text("reason") == Reason.TIMEOUT.value
            if one.kind == "action" or passed:
                seat, latency = one.whole("seat"), one.whole_or_none("latency")
                if latency is not None:
                    found[seat].append(latency)
                    late[seat] += passed
        return [
            Latency(actions=len(some) - late[seat], median_ms=int(median(some)), max_ms=max(some), total_ms=sum(some))
            if some
            else None
            for seat, some in found.items()
        ]


def story_of(service: Service, match: Match) -> Story | None:
    """The story of a match; None while it is played."""
    return None if match.state == LIVE else Story.of(match, lines_of(service, match))


def lines_of(service: Service, match: Match, *, live: bool = False) -> list[bytes]:
    """The records of a match. While it is played they are nobody's business: they have what seats hide from each other,
    and hashes from which it could be found out. `live`: they are asked for all the same, for what everybody sees."""
    if match.state == LIVE and not live:
        raise Problem("still-played", f"{match.id} is still played", hint="watch it by its stream")
    with service.ledger.store.reading() as connection:
        return records.of(connection, match.id)


def is_open(match: Match, game: Game) -> bool:
    """Whether spectators see every action, and with it every position, while a match is played."""
    return "actions" in game.start(match.seed, len(match.seats)).seen(None)


def _actions(read: Sequence[Record]) -> list[Record]:
    return [one for one in read if one.kind == "action"]


class Frame(NamedTuple):
    """A position of a match and what led to it. `seen`: what spectators may see, all of it when the match is over."""

    record: Record
    seen: Mapping[str, Json]


def frames(match: Match, read: Sequence[Record], game: Game) -> Iterator[Frame]:
    """Every position of a match by its records, the first one first, with the record behind which it stood."""
    actions = _actions(read)
    for record, position in zip((read[0], *actions), _positions(_Played.of(match, actions, game)), strict=True):
        yield Frame(record, position.seen(None))


def last_board(story: Story, game: Game) -> str:
    """The last position as a terminal shows it: for whoever has no scripts. Those that were asked for last are kept."""
    return _last_board(_Played.of(story.match, story.actions, game))


@dataclass(frozen=True)
class _Played:
    """All that the positions of a match follow from. The ruleset stands for its game, which may have no hash."""

    game: Game = field(compare=False)
    ruleset: str
    seed: bytes
    seats: int
    acts: tuple[tuple[Seat, Action], ...]

    @classmethod
    def of(cls, match: Match, actions: Sequence[Record], game: Game) -> "_Played":
        acts = tuple((one.whole("seat"), one.text("action")) for one in actions)
        return cls(game, game.ruleset.name, match.seed, len(match.seats), acts)


def _positions(played: _Played) -> Iterator[Position]:
    """A match played again: one position, as it was at first and behind each action."""
    position = played.game.start(played.seed, played.seats)
    yield position
    for seat, action in played.acts:
        position.apply(seat, action)
        yield position


@lru_cache(maxsize=64)
def _last_board(played: _Played) -> str:
    *_, last = _positions(played)
    return last.board()


class Step(NamedTuple):
    """What is new in a position, against the one before: members that are other ones, and what is added to lists that
    only got longer."""

    set: dict[str, Json]
    add: dict[str, Json]


def steps(seen: Iterator[Mapping[str, Json]]) -> Iterator[Step]:
    """The same as positions, with what is new in each alone: the first one is against nothing.

    >>> [step.add for step in steps(iter([{"actions": ["a1"]}, {"actions": ["a1", "b2"]}]))]
    [{}, {'actions': ['b2']}]
    """
    before: Mapping[str, Json] = {}
    for one in seen:
        now: dict[str, Json] = orjson.loads(orjson.dumps(one))
        step = Step({}, {})
        for name, value in now.items():
            known = before.get(name)
            if name in before and known == value:
                continue
            if isinstance(known, list) and isinstance(value, list) and value[: len(known)] == known:
                step.add[name] = value[len(known) :]
            else:
                step.set[name] = value
        yield step
        before = now
