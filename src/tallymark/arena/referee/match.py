"""A match: what came in, what is to be stored, what is to be said, and when something is due."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tallymark.arena.games.face import Game, IllegalAction, Position, Seat
from tallymark.arena.referee.answers import action_of, kept
from tallymark.arena.referee.book import Book
from tallymark.arena.referee.endings import Reason, Verdict, aborted, forfeited, played
from tallymark.arena.referee.events import Aborted, Acted, Delivered, Disconnected, Event, Expired, Lost, Reconnected
from tallymark.arena.referee.finished import Finished
from tallymark.arena.referee.record import Opening
from tallymark.arena.referee.saying import ActionRequest, Entrant, Refusal, Said
from tallymark.arena.referee.step import Step


class State(StrEnum):
    """Where a match is. It goes forward through the first three, or to the last, and never back; a match that is over
    is settled when it was rated (`Finished.settled`)."""

    ANNOUNCED = "announced"
    """Seats and commitment are published; no action request was delivered yet."""
    PLAYING = "playing"
    """An action request was delivered: from now on somebody wins, or the server fails."""
    OVER = "over"
    """Decided."""
    ABORTED = "aborted"
    """Nobody won or lost."""


_FAILED: Final = {
    Reason.TIMEOUT: "no action came until the deadline",
    Reason.DISCONNECT: "the connection broke",
}


@dataclass(frozen=True)
class _Asked:
    said: ActionRequest
    ms: int


class Match:
    """One match. Events are handed to `take` in the order in which they were received.

    The clock of events never goes back: an earlier time than the last one counts as the last one. Whatever comes, a
    match ends once, with a reason from the list, and nothing is recorded behind its end but how it was rated.
    """

    def __init__(self, game: Game, opening: Opening, ms: int) -> None:
        """A match that `announced` begins."""
        self._book = Book(game, opening, ms)
        self.game: Final = game
        self.state = State.ANNOUNCED
        self.finished: Finished | None = None
        """What the ledger gets, when it is over."""
        self._position: Position = game.start(opening.seed, len(self.entrants))
        self._asked: dict[Seat, _Asked] = {}
        self._count = [0] * len(self.entrants)
        self._away: dict[Seat, int] = {}
        """Whose connection is broken, and until when it may come back."""
        self._gone: set[Seat] = set()

    @classmethod
    def announced(cls, game: Game, opening: Opening, ms: int) -> "tuple[Match, Step]":
        """A match that begins now: seats are fixed, the seed is committed to, the first actions are asked for.

        `ms`: of the clock that events are stamped with. `ValueError` where so many agents cannot play the game, or one
        is there twice. What the game raises when it is started, is raised.
        """
        match = cls(game, opening, ms)
        return match, match._step(match._announce)

    def take(self, event: Event) -> Step:
        """What an event makes of the match. Nothing is raised: where the game itself fails, the match is aborted."""
        self._book.now = max(self._book.now, event.ms)
        return self._step(lambda: self._take(event))

    @property
    def id(self) -> str:
        """What the match is called."""
        return self._book.opening.match

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Who plays, in the order of their seats."""
        return self._book.entrants

    @property
    def due(self) -> int | None:
        """The first millisecond at which `Expired` changes something; None when the match is over."""
        if self.finished is not None:
            return None
        return min([*(one.said.deadline_ms for one in self._asked.values()), *self._away.values()]) + 1

    def shown(self, ms: int) -> tuple[Said, ...]:
        """What somebody is told who begins to watch at this time."""
        return self._book.start(None), self._book.watched(ms, self._position.seen(None))

    def asked(self, seat: Seat) -> ActionRequest | None:
        """What a seat was asked and has not answered."""
        found = self._asked.get(seat)
        return None if found is None else found.said

    def _step(self, act: Callable[[], None]) -> Step:
        """The one way to change a match: what was to be done, and all that came of it."""
        failure, before = None, self.finished
        try:
            act()
        except Exception as error:  # a game's own failure costs its match, and no other
            if self._book.empty:
                raise  # there is no match yet
            failure = error
            if self.finished is None:
                self._end(aborted(Reason.DEFECT))
        ended = self.finished if before is None else None
        return Step(*self._book.taken(), verdict=None if ended is None else ended.verdict, failure=failure)

    def _announce(self) -> None:
        self._book.announced(self._position.digest())
        self._go_on()

    def _take(self, event: Event) -> None:
        if self.finished is None and not isinstance(event, Aborted | Lost):
            self._expire()  # what was due before the event happened before it
        match event:
            case Acted():
                self._acted(event)
            case _ if self.finished is not None:
                pass
            case Delivered():
                if self.state is State.ANNOUNCED and 1 <= event.request <= self._count[event.seat]:
                    self._play(event.seat, event.request)
            case Disconnected():
                self._disconnected(event.seat)
            case Reconnected():
                self._reconnected(event.seat)
            case Lost():
                self._lose(event.seats)
            case Aborted():
                self._end(aborted(event.reason))
            case Expired():
                pass

    def _expire(self) -> None:
        """All whose time had run out before now, those first whose did first; at one time, actions before returns."""
        while self.due is not None and self.due <= self._book.now:
            due = self.due - 1
            late = tuple(sorted(seat for seat, one in self._asked.items() if one.said.deadline_ms == due))
            if late:
                self._fail(late, Reason.TIMEOUT, _FAILED[Reason.TIMEOUT])
            else:
                self._lose(tuple(sorted(seat for seat, until in self._away.items() if until == due)))

    def _acted(self, event: Acted) -> None:
        asked = self._asked.get(event.seat)
        if self.finished is not None:
            self._book.refused(event.seat, event.request, Refusal.OVER)
        elif event.seat in self._gone:
            self._book.refused(event.seat, event.request, Refusal.GONE)
        elif asked is None or asked.said.request != event.request:
            before = 1 <= event.request <= self._count[event.seat]
            self._book.refused(event.seat, event.request, Refusal.STALE if before else Refusal.UNASKED)
        else:
            self._answered(asked, event)

    def _answered(self, asked: _Asked, event: Acted) -> None:
        """The request that the seat was asked last has its answer."""
        if self.state is State.ANNOUNCED:
            self._play(event.seat, event.request)  # who answers has got it
        try:
            action = action_of(event.action, asked.said.form)
            self._position.apply(event.seat, action)
        except IllegalAction as error:
            self._fail((event.seat,), Reason.ILLEGAL, error.message, kept(event.action))
            return
        del self._asked[event.seat]
        latency = self._book.now - asked.ms
        self._book.acted(event.seat, event.request, action, latency, self._position.turn, self._position.digest())
        self._go_on()

    def _play(self, seat: Seat, request: int) -> None:
        self.state = State.PLAYING
        self._book.playing(seat, request)

    def _disconnected(self, seat: Seat) -> None:
        if seat in self._gone or seat in self._away:
            return
        grace = self.game.ruleset.grace_ms
        if grace:
            self._away[seat] = self._book.now + grace
        else:
            self._lose((seat,))

    def _reconnected(self, seat: Seat) -> None:
        if seat in self._gone:
            self._book.refused(seat, None, Refusal.GONE)
        self._away.pop(seat, None)
        if seat in self._asked:
            self._book.asked(self._asked[seat].said)

    def _lose(self, seats: tuple[Seat, ...]) -> None:
        """Connections that will not come back."""
        for seat in seats:
            self._away.pop(seat, None)
            self._gone.add(seat)
        if len(self.entrants) == 2:
            self._fail(seats, Reason.DISCONNECT, _FAILED[Reason.DISCONNECT])
        elif self.state is State.ANNOUNCED and len(self._gone) == len(self.entrants):
            self._end(aborted(Reason.UNDELIVERED))
        else:
            self._go_on()

    def _fail(self, seats: tuple[Seat, ...], reason: Reason, told: str, given: str | None = None) -> None:
        """Seats did not do what they had to: E1 with two, E2 with more; and nobody did where nobody was asked."""
        if self.state is State.ANNOUNCED:
            self._end(aborted(Reason.UNDELIVERED))
            return
        for seat in seats:
            self._missed(seat, reason, told, given)
        if len(self.entrants) == 2:
            self._end(forfeited(self.game, reason, seats, told, self._book.opening.exhibition))
        else:
            for seat in seats:
                self._instead(seat, reason, told)
            self._go_on()

    def _missed(self, seat: Seat, reason: Reason, told: str, given: str | None = None) -> None:
        asked = self._asked.get(seat)
        request, latency = (None, None) if asked is None else (asked.said.request, self._book.now - asked.ms)
        self._book.missed(seat, request, reason, latency, told, given)

    def _instead(self, seat: Seat, reason: Reason, told: str) -> None:
        """The safe default in the place of a seat, where it is still waited for."""
        asked = self._asked.pop(seat, None)
        if seat in self._position.awaited:
            action = self._position.default(seat)
            self._position.apply(seat, action)
            request = None if asked is None else asked.said.request
            self._book.acted_for(seat, request, action, reason, told, self._position.turn, self._position.digest())

    def _go_on(self) -> None:
        """Ends the match where the game has, or asks for what it waits for."""
        while (outcome := self._position.outcome) is None:
            awaited = self._position.awaited
            gone = next((seat for seat in awaited if seat in self._gone), None)
            if gone is None:
                break
            self._missed(gone, Reason.DISCONNECT, _FAILED[Reason.DISCONNECT])
            self._instead(gone, Reason.DISCONNECT, _FAILED[Reason.DISCONNECT])
        if outcome is not None:
            undelivered = self.state is State.ANNOUNCED
            self._end(aborted(Reason.UNDELIVERED) if undelivered else played(outcome, self._book.opening.exhibition))
            return
        if not awaited:
            raise RuntimeError(f"{self.game.name} waits for nobody and is not over")
        self._asked = {seat: one for seat, one in self._asked.items() if seat in awaited}
        self._book.shown(self._position.seen(None))
        for seat in awaited:
            if seat not in self._asked:
                self._ask(seat)

    def _ask(self, seat: Seat) -> None:
        self._count[seat] += 1
        ruleset, now, position = self.game.ruleset, self._book.now, self._position
        limit, pace = ruleset.action_ms, ruleset.pace_ms if self._book.opening.exhibition else 0
        said = ActionRequest(
            self.id, seat, self._count[seat], position.seen(seat), position.form(seat), limit, now + limit, pace
        )
        self._asked[seat] = _Asked(said, now)
        self._book.asked(said)

    def _end(self, verdict: Verdict) -> None:
        """The match is over. Of an aborted one nothing is revealed but its seed: the game may be what failed."""
        position = self._position
        if verdict.aborted:
            self.finished = self._book.over(verdict, {}, {})
        else:
            self._book.shown(position.seen(None))
            self.finished = self._book.over(verdict, position.revealed(), position.fields())
        self._asked, self._away = {}, {}
        self.state = State.ABORTED if verdict.aborted else State.OVER
