"""A match played back from its records: every hash, every ending, seats and commitment are computed anew."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from tallymark.arena.chance import SEED_BYTES, commitment, seated
from tallymark.arena.games.face import Game, IllegalAction, Position, Seat
from tallymark.arena.referee.answers import action_of
from tallymark.arena.referee.endings import FORFEITS, Reason, aborted, forfeited, played
from tallymark.arena.referee.finished import Finished
from tallymark.arena.referee.record import FORM, Record, entrants_read, ruleset_told, verdict_read
from tallymark.arena.referee.saying import Entrant
from tallymark.checked import shortened
from tallymark.errors import BrokenChainError, InputError


@dataclass(frozen=True)
class Played:
    """A record, and where it led."""

    record: Record
    board: str
    """The position behind it, for a terminal."""


class Replay:
    """A finished match that is played back. Making it checks what the seed decides; `steps` checks all the rest.

    `BrokenChainError` names the first record that does not follow from those before it.
    """

    def __init__(self, lines: Sequence[bytes], find: Callable[[str], Game]) -> None:
        """`find`: the game of a name. `InputError` where this version does not know it, or plays it by other rules."""
        self.records: Final = Record.all(lines)
        self.finished: Final = Finished.of(lines, self.records)
        self.opening: Final = self.records[0]
        self.entrants: Final[tuple[Entrant, ...]] = entrants_read(self.opening)
        if self.opening.whole("form") != FORM:
            raise InputError(f"the records are of form {self.opening.whole('form')}; this version reads form {FORM}")
        self.game: Final = find(self.finished.game)
        self.exhibition: Final = self.opening.flag("exhibition")
        self.states = 0
        """How many hashes were found equal so far."""
        self._limit = self.opening.object("ruleset").whole("action_ms")
        self._requests: dict[Seat, int] = {}
        self._drawn()

    def steps(self) -> Iterator[Played]:
        """The records in their order, each when it was checked."""
        position = self.game.start(self.finished.seed, len(self.entrants))
        self._hash(self.opening, position)
        yield Played(self.opening, position.board())
        playing, missed = False, dict[Seat, Record]()
        for record in self.records[1:]:
            match record.kind:
                case "playing":
                    if playing:
                        raise record.wrong("kind", "playing once")
                    playing = True
                    self._seat(record)
                case "missed":
                    missed[self._seat(record)] = record
                    self._check_miss(record, position)
                case "action":
                    self._check_action(record, position, playing, missed)
                case "over":
                    self._check_end(record, position, playing, tuple(missed))
                case _:
                    self._check_settled(record)
            yield Played(record, position.board())

    def _drawn(self) -> None:
        """What follows from the seed: the commitment and the seats."""
        last = self.records[self.finished.n - 1]
        seed, match, first = self.finished.seed, self.finished.match, self.opening
        if len(seed) != SEED_BYTES:
            raise last.wrong("seed", f"{SEED_BYTES} bytes in hexadecimal")
        if commitment(seed, match) != self.finished.commitment:
            raise first.wrong("commitment", f"{commitment(seed, match)}, the SHA-256 of the revealed seed and {match}")
        agents = self.finished.agents
        if len(set(agents)) != len(agents) or len(agents) not in self.game.seats:
            raise first.wrong("seats", f"different agents, {' or '.join(map(str, self.game.seats))} of them")
        order = seated(seed, agents)
        if order != agents:
            raise BrokenChainError(
                f"record 0: seats are {', '.join(agents)}; expected {', '.join(order)}, as the seed has them",
                position=0,
            )
        if self.finished.ruleset != self.game.ruleset.name:
            raise InputError(
                f"{match} was played by ruleset {self.finished.ruleset}; this version of {self.game.name} has "
                f"{self.game.ruleset.name}",
                hint="play it back with the version that its first record names",
            )
        if self.finished.kind != self.game.kind:
            raise first.wrong("pool_kind", self.game.kind)
        if first.mapping("ruleset") != ruleset_told(self.game.ruleset):
            raise first.wrong("ruleset", shortened(ruleset_told(self.game.ruleset)))

    def _hash(self, record: Record, position: Position) -> None:
        found = position.digest()
        if record.text("hash") != found:
            raise record.wrong("hash", f"{found}, as the position is when it is played again")
        self.states += 1

    def _seat(self, record: Record) -> Seat:
        seat = record.whole("seat")
        if seat >= len(self.entrants):
            raise record.wrong("seat", f"0 to {len(self.entrants) - 1}")
        before, request = self._requests.get(seat, 1), record.whole_or_none("request")
        if request is not None and request < before:
            raise record.wrong("request", f"{before} or more, as the seat was asked before")
        self._requests[seat] = request or before
        return seat

    def _check_miss(self, record: Record, position: Position) -> None:
        """That a deadline had passed, that what was sent is illegal."""
        seat, latency = record.whole("seat"), record.whole_or_none("latency")
        reason, given = record.text("reason"), record.text_or_none("given")
        if reason not in FORFEITS:
            raise record.wrong("reason", f"one of {', '.join(FORFEITS)}")
        if reason != Reason.DISCONNECT and (latency is None or seat not in position.awaited):
            raise record.wrong("seat", "one that was asked for an action")
        if reason != Reason.DISCONNECT and ((latency or 0) > self._limit) != (reason == Reason.TIMEOUT):
            raise record.wrong("latency", f"more than {self._limit} ms where, and only where, the deadline was missed")
        if reason == Reason.ILLEGAL and given is not None:
            try:
                position.apply(seat, action_of(given, position.form(seat)))
            except IllegalAction:
                return
            raise record.wrong("given", "an action that the game does not allow")

    def _check_action(self, record: Record, position: Position, playing: bool, missed: dict[Seat, Record]) -> None:
        if missed and len(self.entrants) == 2:
            raise record.wrong("kind", "over: of two players one has failed")
        seat, action, latency = self._seat(record), record.text("action"), record.whole_or_none("latency")
        if seat not in position.awaited:
            raise record.wrong("seat", f"one that was asked: {', '.join(map(str, position.awaited)) or 'none'}")
        if record.flag("default"):
            if missed.pop(seat, None) is None:
                raise record.wrong("default", "false, for the seat has not failed")
            if latency is not None:
                raise record.wrong("latency", "none of a default")
            if action != position.default(seat):
                raise record.wrong("action", f"{shortened(position.default(seat))}, which the seed draws")
        elif not playing or latency is None or latency > self._limit:
            raise record.wrong("latency", f"{self._limit} at most, and a request that was delivered")
        try:
            position.apply(seat, action_of(action, position.form(seat)))
        except IllegalAction as error:
            raise BrokenChainError(f"record {record.n}: {error.message}", position=record.n) from None
        if record.whole("turn") != position.turn:
            raise record.wrong("turn", f"{position.turn}")
        self._hash(record, position)

    def _check_end(self, record: Record, position: Position, playing: bool, missed: tuple[Seat, ...]) -> None:
        told, outcome = verdict_read(record), position.outcome
        if told.aborted:
            if (told.reason is Reason.UNDELIVERED) and playing:
                raise record.wrong("reason", "another one: an action request was delivered")
            expected = aborted(told.reason)
        elif not playing:
            raise record.wrong("reason", "undelivered: no action request was delivered")
        elif missed and len(self.entrants) == 2:
            if told.reason not in FORFEITS:
                raise record.wrong("reason", f"one of {', '.join(FORFEITS)}: of two players one has failed")
            expected = forfeited(self.game, told.reason, tuple(sorted(missed)), told.told, self.exhibition)
        elif outcome is not None:
            expected = played(outcome, self.exhibition)
        else:
            raise record.wrong("reason", "one that the records before it give")
        if told != expected:
            raise BrokenChainError(
                f"record {record.n}: the match ended as {shortened(told)}; expected {shortened(expected)}",
                position=record.n,
            )
        if not told.aborted:
            for name, found in (("revealed", position.revealed()), ("fields", position.fields())):
                if record.mapping(name) != orjson.loads(orjson.dumps(found)):
                    raise record.wrong(name, shortened(found))

    def _check_settled(self, record: Record) -> None:
        changes, unrated = record.fields.get("changes"), record.text_or_none("unrated")
        if self.finished.verdict.unrated is not None or unrated not in (None, Reason.RULES, Reason.ID_TAKEN):
            raise record.wrong("kind", "nothing more: the match is not rated")
        if (record.whole_or_none("position") is None) != (unrated == Reason.ID_TAKEN):
            raise record.wrong("position", f"null where unrated is {Reason.ID_TAKEN.value}, and only there")
        if changes is None and "changes" in record.fields and unrated is None:
            return  # its pool rates it later
        expected = 0 if unrated else len(self.entrants)
        if not isinstance(changes, list) or len(changes) != expected:
            raise record.wrong("changes", f"a list of {expected}")
