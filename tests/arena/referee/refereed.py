"""A match in a test: events by hand, everything that came of them kept, and the records checked at the end."""

import random
from dataclasses import replace

from small_games import NoughtsGame, ParlourGame

from tallymark.arena.games.face import Choice, Game, Seat
from tallymark.arena.referee.endings import Reason, Verdict
from tallymark.arena.referee.events import Aborted, Acted, Delivered, Disconnected, Event, Expired, Reconnected
from tallymark.arena.referee.finished import Finished
from tallymark.arena.referee.match import Match
from tallymark.arena.referee.record import Opening, Record
from tallymark.arena.referee.replaying import Replay
from tallymark.arena.referee.saying import Entrant, Said
from tallymark.arena.referee.step import Step
from tallymark.ledger.matches import Json

SEED = bytes(range(32))
BEGAN = 5000
LIMIT = 1000
AT = 1_800_000_000_000_000
LATER = AT + 10**12
NAMES = ("ann", "bob", "cyd", "dan", "eve", "fay", "gus", "hal")


class Table:
    """A match, begun at `BEGAN`; times are told since then."""

    def __init__(
        self,
        seats: int = 2,
        *,
        grace: int = 0,
        exhibition: bool = False,
        game: Game | None = None,
        seed: bytes = SEED,
        kind: str = "agent",
    ) -> None:
        made: NoughtsGame | ParlourGame = NoughtsGame() if seats == 2 else ParlourGame()
        made.ruleset = replace(made.ruleset, grace_ms=grace)
        self.game: Game = game or made
        entrants = tuple(Entrant(f"agent-{n}", kind) for n in range(seats))
        opening = Opening(f"{self.game.name}-1", seed, entrants, AT, exhibition=exhibition)
        self.match, step = Match.announced(self.game, opening, BEGAN)
        self.steps: list[Step] = []
        self.lines: list[bytes] = []
        self.records: list[Record] = []
        self._keep(step)

    def take(self, event: Event) -> Step:
        self._keep(self.match.take(event))
        return self.steps[-1]

    def _keep(self, step: Step) -> None:
        self.steps.append(step)
        for line in step.records:
            self.records.append(Record.read(line, len(self.lines)))
            self.lines.append(line)

    def delivered(self, ms: int, seat: Seat, request: int = 1) -> Step:
        return self.take(Delivered(BEGAN + ms, seat, request))

    def acts(self, ms: int, seat: Seat, action: Json, request: int | None = None) -> Step:
        """An answer to what the seat was asked last, or to another request."""
        asked = self.match.asked(seat)
        number = request if request is not None else 0 if asked is None else asked.request
        return self.take(Acted(BEGAN + ms, seat, number, action))

    def leaves(self, ms: int, seat: Seat) -> Step:
        return self.take(Disconnected(BEGAN + ms, seat))

    def returns(self, ms: int, seat: Seat) -> Step:
        return self.take(Reconnected(BEGAN + ms, seat))

    def passes(self, ms: int) -> Step:
        return self.take(Expired(BEGAN + ms))

    def aborts(self, ms: int, reason: Reason) -> Step:
        return self.take(Aborted(BEGAN + ms, reason))

    @property
    def kinds(self) -> list[str]:
        return [record.kind for record in self.records]

    @property
    def verdict(self) -> Verdict | None:
        return None if self.match.finished is None else self.match.finished.verdict

    def said(self, kind: type[Said]) -> list[tuple[Seat | None, Said]]:
        """To whom something of a kind was said, and what."""
        return [(say.to, say.what) for step in self.steps for say in step.says if isinstance(say.what, kind)]

    def lost_by(self, seat: Seat, reason: Reason) -> bool:
        """Whether it ended so, said so once, and its records give the same when they are played back."""
        verdict = self.verdict
        assert verdict is not None
        self.check()
        return (verdict.reason, verdict.seat) == (reason, seat) and {
            side.rank: side.seats for side in verdict.sides
        } == {1: (1 - seat,), 2: (seat,)}

    def was_aborted(self, reason: Reason = Reason.UNDELIVERED) -> bool:
        verdict = self.verdict
        assert verdict is not None
        self.check()
        return (verdict.reason, verdict.unrated, verdict.sides) == (reason, reason, ())

    def check(self) -> None:
        """One ending, and records that anybody can recount."""
        assert sum(step.verdict is not None for step in self.steps) == 1
        assert self.kinds.count("over") == 1
        assert self.kinds[-1] == "over"
        replay = Replay(self.lines, {self.game.name: self.game}.__getitem__)
        assert len(list(replay.steps())) == len(self.lines)
        assert replay.finished == self.match.finished == Finished.of(self.lines)


def played(game: Game, number: int, seats: int | None = None, misses: bool = False) -> list[bytes]:
    """The records of a match between agents that choose at random, the same for the same number.

    `misses`: in games for more than two, some let a deadline pass.
    """
    chance = random.Random(f"{game.name} {number}")
    count = seats or chance.choice(list(game.seats))
    opening = Opening(f"{game.name}-{number}", chance.randbytes(32), tuple(map(Entrant, NAMES[:count])), AT)
    match, step = Match.announced(game, opening, 0)
    lines, ms = list(step.records), 0
    while match.finished is None:
        seat = chance.choice([seat for seat in range(count) if match.asked(seat)])
        asked = match.asked(seat)
        assert asked is not None
        ms += chance.randrange(100)
        if misses and chance.random() < 0.1:
            assert match.due is not None
            ms = match.due
            step = match.take(Expired(ms))
        else:
            form = asked.form
            action = chance.choice(form.actions) if isinstance(form, Choice) else f"I am at {seat}"[: form.longest]
            step = match.take(Acted(ms, seat, asked.request, action))
        assert step.failure is None
        lines += step.records
    return lines
