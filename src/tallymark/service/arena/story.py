"""A match that is over, told from its records: what happened in it, how fast, and the positions it went through."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, NamedTuple

import orjson

from tallymark.arena.games.face import Game
from tallymark.arena.referee.answers import action_of
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.finished import Finished
from tallymark.arena.referee.record import Record
from tallymark.arena.store import records
from tallymark.arena.store.matches import LIVE, Match
from tallymark.ledger.matches import Json
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

    @property
    def settled(self) -> Record | None:
        """The record that it was rated, or that the pool's rules do not rate it."""
        return self.records[-1] if self.records[-1].kind == "settled" else None

    @property
    def actions(self) -> list[Record]:
        """Every action that was applied, in its order."""
        return [one for one in self.records if one.kind == "action"]

    @property
    def misses(self) -> list[Record]:
        """Every time that a seat failed."""
        return [one for one in self.records if one.kind == "missed"]

    def tempo(self) -> list["Tempo | None"]:
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
            Tempo(len(some) - late[seat], int(median(some)), max(some), sum(some)) if some else None
            for seat, some in found.items()
        ]


class Tempo(NamedTuple):
    """Actions of a seat, and the milliseconds that it was waited for: the middle one, the longest, all together."""

    actions: int
    median_ms: int
    max_ms: int
    total_ms: int


def story_of(service: Service, match: Match) -> Story:
    """The story of a match. While it is played it is nobody's business: records have what seats hide from each other,
    and hashes from which it could be found out."""
    if match.state == LIVE:
        raise Problem("still-played", f"{match.id} is still played", hint="watch it by its stream")
    with service.ledger.store.reading() as connection:
        lines = records.of(connection, match.id)
    return Story(match, lines, Record.all(lines), Finished.of(lines))


class Frame(NamedTuple):
    """A position of a match and what led to it. `seen`: what spectators may see, all of it when the match is over."""

    record: Record
    seen: Mapping[str, Json]


def frames(story: Story, game: Game) -> Iterator[Frame]:
    """Every position, the first one first, with the record behind which it stood."""
    position = game.start(story.finished.seed, len(story.finished.agents))
    yield Frame(story.records[0], position.seen(None))
    for one in story.actions:
        seat = one.whole("seat")
        position.apply(seat, action_of(one.text("action"), position.form(seat)))
        yield Frame(one, position.seen(None))


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
