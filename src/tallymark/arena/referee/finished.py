"""A match that is over: what the ledger gets of it, and what is recorded and said when it was rated."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from tallymark.arena.games.face import Dated, PoolKind, Seat
from tallymark.arena.referee.endings import Reason, Verdict, aborted, interruption
from tallymark.arena.referee.record import (
    Record,
    Writer,
    changes_told,
    dated_read,
    entrants_read,
    pool_kind_read,
    verdict_read,
    verdict_told,
)
from tallymark.arena.referee.saying import Change, Entrant, MatchEnd, Say
from tallymark.arena.referee.step import Step
from tallymark.games.times import format_instant
from tallymark.ledger.matches import Json

_SECOND: Final = 1_000_000


@dataclass(frozen=True)
class Settlement:
    """What the ledger made of a match."""

    at: int
    """When it was rated, in microseconds since 1970 UTC."""
    position: int | None
    """Of the entry in the pool's stream; None where it got none."""
    changes: tuple[Change | None, ...] | None = ()
    """In the order of the seats; empty where it was not rated; None where its pool rates it later, by period or by
    recomputation."""
    unrated: Reason | None = None
    """`Reason.RULES` where the pool's methodology does not rate it, `Reason.ID_TAKEN` where it got no entry."""


@dataclass(frozen=True)
class Finished:
    """A match that is over, whoever saw its end: also made from its records alone (`of`)."""

    match: str
    game: str
    ruleset: str
    kind: PoolKind
    agents: tuple[str, ...]
    """In the order of their seats."""
    configurations: Mapping[str, str]
    """In benchmarks: the configuration hash of each agent."""
    commitment: str
    at: int
    """When it was announced, in microseconds since 1970 UTC."""
    dated: Dated
    """Whether the ledger is told that, or its end, as the time when it was played."""
    ms: int
    """From then to its end."""
    n: int
    """Records up to its end, which is the number of the next one."""
    hash: str
    """SHA-256 of these, each with a line feed behind it."""
    seed: bytes
    verdict: Verdict
    misses: Mapping[tuple[Seat, str], int]
    """How often a seat failed for a reason; nothing for those that never did."""
    revealed: Mapping[str, Json]
    fields: Mapping[str, Json]
    """What the game adds to the match in the ledger."""

    @classmethod
    def of(cls, lines: Sequence[bytes], read: Sequence[Record] | None = None) -> "Finished":
        """The match of these records, which have its end. `BrokenChainError` where they are no records of one. `read`:
        the same, where somebody has read them already."""
        read = Record.all(lines) if read is None else read
        opening, last = read[0], next(record for record in read if record.kind == "over")
        entrants = entrants_read(opening)
        agents = tuple(entrant.agent for entrant in entrants)
        return cls(
            opening.text("match"),
            opening.text("game"),
            opening.object("ruleset").text("name"),
            pool_kind_read(opening),
            agents,
            configurations_of(entrants),
            opening.text("commitment"),
            opening.whole("at"),
            dated_read(opening),
            last.ms,
            last.n + 1,
            Writer(lines[: last.n + 1]).hash,
            last.seed(),
            verdict_read(last),
            Counter((one.whole("seat"), one.text("reason")) for one in read if one.kind == "missed"),
            last.mapping("revealed"),
            last.mapping("fields"),
        )

    def for_ledger(self, now: int) -> dict[str, Json]:
        """The match as the ledger takes it: two agents with the score of seat 0, more as sides; aborted, no result.

        `now`: by the ledger's clock, in microseconds since 1970 UTC; nothing is played later than that, whatever the
        clock of the match says. A start is told in whole seconds, as rules that count from it do (`go-onchain`).
        `data` has the pool's kind, why it ended, the ruleset, the commitment, and the hash of the records that anybody
        can recount; of a benchmark, what each agent played with.
        """
        verdict, configuration = self.verdict, dict(self.configurations)
        played = self.at // _SECOND * _SECOND if self.dated == "start" else self.at + self.ms * 1000
        return {
            "id": self.match,
            **self._result(),
            "played_at": format_instant(min(played, now)),
            "ending": verdict.ending.value,
            "source": "queue",
            **self.fields,
            "data": {
                "arena": {
                    "game": self.game,
                    "kind": self.kind,
                    "ruleset": self.ruleset,
                    "reason": verdict.reason.value,
                    "commitment": self.commitment,
                    "record": self.hash,
                    **({"configuration": configuration} if configuration else {}),
                }
            },
        }

    def is_in(self, item: bytes) -> bool:
        """Whether what a pool received under the match's id is this match, by the hash of its records."""
        return told_of(item).get("record") == self.hash

    def settled(self, settlement: Settlement) -> Step:
        """The match was rated, or was not: the last record, and what everybody is told."""
        unrated = self.verdict.unrated or settlement.unrated
        ms = max(self.ms, (settlement.at - self.at) // 1000)
        line = Writer.at(self.n).line(
            "settled",
            ms,
            {
                "position": settlement.position,
                "unrated": None if unrated is None else unrated.value,
                "changes": None if settlement.changes is None else changes_told(settlement.changes),
            },
        )
        return Step((line,), self.said(settlement))

    def left_out(self) -> Step:
        """The ledger did not take the match, for another one has its id there: the last record, and what everybody is
        told. Of an aborted one nothing more is to be said than that it was."""
        if self.verdict.unrated is not None:
            return Step()
        return self.settled(Settlement(self.at + self.ms * 1000, None, unrated=Reason.ID_TAKEN))

    def said(self, settlement: Settlement | None = None) -> tuple[Say, ...]:
        """How it ended, to every seat and who watches."""
        unrated = self.verdict.unrated or (None if settlement is None else settlement.unrated)
        changes, position = ((), None) if settlement is None else (settlement.changes or (), settlement.position)
        told = (self.verdict, self.seed.hex(), self.revealed, unrated, changes, position)
        return tuple(Say(seat, MatchEnd(self.match, seat, *told)) for seat in (*range(len(self.agents)), None))

    def _result(self) -> dict[str, Json]:
        if len(self.agents) == 2:
            first, second = self.agents
            return {"player_a": first, "player_b": second, "score_a": self._score()}
        if self.verdict.aborted:
            return {"sides": [{"player": agent, "rank": None} for agent in self.agents]}
        return {
            "sides": [
                {"players": [self.agents[seat] for seat in side.seats], "rank": side.rank}
                for side in self.verdict.sides
            ]
        }

    def _score(self) -> float | None:
        if self.verdict.aborted:
            return None
        rank = {seat: side.rank for side in self.verdict.sides for seat in side.seats}
        return 0.5 if rank[0] == rank[1] else float(rank[0] < rank[1])


def told_of(item: bytes) -> dict[str, Json]:
    """What a match in the ledger says of the arena, as `Finished.for_ledger` tells it; empty where it says nothing."""
    data = orjson.loads(item).get("data")
    told = data.get("arena") if isinstance(data, dict) else None
    return told if isinstance(told, dict) else {}


def configurations_of(entrants: Iterable[Entrant]) -> dict[str, str]:
    """The configuration hashes of those who have one, by agent."""
    return {one.agent: one.configuration for one in entrants if one.configuration is not None}


def over_fields(
    verdict: Verdict, seed: bytes, revealed: Mapping[str, Json], fields: Mapping[str, Json]
) -> dict[str, Json]:
    """What the record of an end has."""
    return verdict_told(verdict) | {"seed": seed.hex(), "revealed": dict(revealed), "fields": dict(fields)}


def interrupted(lines: Sequence[bytes], seed: bytes, reason: Reason, at: int) -> tuple[Step, Finished]:
    """The end of a match whose process is gone, from its records and its seed: it is aborted (E3).

    `at`: now, in microseconds since 1970 UTC. `ValueError` where `reason` is none of `endings.INTERRUPTIONS`, and where
    the records have an end.
    """
    if any(Record.read(line, n).kind == "over" for n, line in enumerate(lines)):
        raise ValueError("the match is over: it can be rated, not aborted")
    verdict = aborted(interruption(reason))
    first, last = Record.read(lines[0], 0), Record.read(lines[-1], len(lines) - 1)
    ms = max(last.ms, (at - first.whole("at")) // 1000)
    line = Writer(lines).line("over", ms, over_fields(verdict, seed, {}, {}))
    finished = Finished.of([*lines, line])
    return Step((line,), finished.said(), verdict), finished
