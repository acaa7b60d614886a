"""A match: what came in, what is to be stored, what is to be said, and when something is due."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tallymark.arena.chance import commitment, seated
from tallymark.arena.games.face import Action, Game, IllegalAction, Position, Seat
from tallymark.arena.referee.answers import action_of, kept
from tallymark.arena.referee.endings import Reason, Verdict, aborted, forfeited, played
from tallymark.arena.referee.events import (
    Aborted,
    Acted,
    Delivered,
    Disconnected,
    Event,
    Expired,
    Reconnected,
)
from tallymark.arena.referee.finished import Finished, over_fields
from tallymark.arena.referee.record import FORM, GIVEN, Opening, Writer, entrants_told, ruleset_told
from tallymark.arena.referee.saying import Ack, ActionRequest, MatchStart, Missed, Refusal, Refused, Said, Say, Watched
from tallymark.arena.referee.step import Step
from tallymark.ledger.matches import Json


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


_TOLD: Final = {
    Refusal.OVER: "the match is over",
    Refusal.STALE: "that request is over: it was answered, or its deadline has passed",
    Refusal.UNASKED: "nothing was asked of you by that number",
    Refusal.GONE: "your connection broke: the match goes on without you",
}
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
        by_id = {entrant.agent: entrant for entrant in opening.entrants}
        if len(by_id) != len(opening.entrants) or len(by_id) not in game.seats:
            raise ValueError(
                f"entrants are {', '.join(one.agent for one in opening.entrants)}; expected different agents, "
                f"as many as {game.name} has seats: {' or '.join(map(str, game.seats))}"
            )
        self.game: Final = game
        self.opening: Final = opening
        self.entrants: Final = tuple(by_id[agent] for agent in seated(opening.seed, by_id))
        """In the order of their seats."""
        self.commitment: Final = commitment(opening.seed, opening.match)
        self.state = State.ANNOUNCED
        self.finished: Finished | None = None
        """What the ledger gets, when it is over."""
        self._position: Position = game.start(opening.seed, len(self.entrants))
        self._began = self._now = ms
        self._asked: dict[Seat, _Asked] = {}
        self._count = [0] * len(self.entrants)
        self._away: dict[Seat, int] = {}
        self._gone: set[Seat] = set()
        self._shown: Mapping[str, Json] | None = None
        self._writer = Writer()
        self._records: list[bytes] = []
        self._says: list[Say] = []

    @classmethod
    def announced(cls, game: Game, opening: Opening, ms: int) -> "tuple[Match, Step]":
        """A match that begins now: seats are fixed, the seed is committed to, the first actions are asked for.

        `ms`: of the clock that events are stamped with. `ValueError` where so many agents cannot play the game, or one
        is there twice.
        """
        match = cls(game, opening, ms)
        return match, match._step(match._announce)

    def take(self, event: Event) -> Step:
        """What an event makes of the match. Nothing is raised: where the game itself fails, the match is aborted."""
        self._now = max(self._now, event.ms)
        return self._step(lambda: self._take(event))

    @property
    def due(self) -> int | None:
        """The first millisecond at which `Expired` changes something; None when the match is over."""
        if self.finished is not None:
            return None
        times = [one.said.deadline_ms for one in self._asked.values()] + list(self._away.values())
        return min(times) + 1

    @property
    def seen(self) -> Mapping[str, Json]:
        """The position as spectators may see it now."""
        return self._position.seen(None)

    def asked(self, seat: Seat) -> ActionRequest | None:
        """What a seat was asked and has not answered."""
        found = self._asked.get(seat)
        return None if found is None else found.said

    def _step(self, act: Callable[[], None]) -> Step:
        """The one way to change a match: what was to be done, and all that came of it."""
        failure = None
        before = self.finished
        try:
            act()
        except Exception as error:  # a game's own failure costs its match, and no other
            if self._writer.n == 0:
                raise  # there is no match yet
            failure = error
            if self.finished is None:
                self._end(aborted(Reason.DEFECT), {}, {})
        step = Step(
            tuple(self._records),
            tuple(self._says),
            self.finished.verdict if self.finished is not before and self.finished is not None else None,
            failure,
        )
        self._records, self._says = [], []
        return step

    def _announce(self) -> None:
        opening, ruleset = self.opening, self.game.ruleset
        self._write(
            "announced",
            {
                "form": FORM,
                "match": opening.match,
                "at": opening.at,
                "game": self.game.name,
                "ruleset": ruleset_told(ruleset),
                "exhibition": opening.exhibition,
                "seats": entrants_told(self.entrants),
                "commitment": self.commitment,
                "versions": dict(opening.versions),
                "hash": self._position.digest(),
            },
        )
        for seat in (*range(len(self.entrants)), None):
            self._say(
                seat,
                MatchStart(
                    opening.match,
                    self.game.name,
                    seat,
                    self.entrants,
                    ruleset,
                    self.commitment,
                    opening.exhibition,
                ),
            )
        self._go_on()

    def _take(self, event: Event) -> None:
        if self.finished is None and not isinstance(event, Aborted):
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
            case Aborted():
                self._end(aborted(event.reason))
            case Expired():
                pass

    def _expire(self) -> None:
        """All whose time had run out before now, those first whose did first; at one time, actions before returns."""
        while self.finished is None and self.due is not None and self.due <= self._now:
            due = self.due - 1
            late = tuple(sorted(seat for seat, one in self._asked.items() if one.said.deadline_ms == due))
            if late:
                self._fail(late, Reason.TIMEOUT)
            else:
                lost = tuple(sorted(seat for seat, until in self._away.items() if until == due))
                self._lose(lost)

    def _acted(self, event: Acted) -> None:
        asked = self._asked.get(event.seat)
        if self.finished is not None:
            self._refuse(event, Refusal.OVER)
        elif event.seat in self._gone:
            self._refuse(event, Refusal.GONE)
        elif asked is None or asked.said.request != event.request:
            asked_before = 1 <= event.request <= self._count[event.seat]
            self._refuse(event, Refusal.STALE if asked_before else Refusal.UNASKED)
        else:
            if self.state is State.ANNOUNCED:
                self._play(event.seat, event.request)  # who answers has got it
            try:
                action = action_of(event.action, asked.said.form)
                self._position.apply(event.seat, action)
            except IllegalAction as error:
                self._fail((event.seat,), Reason.ILLEGAL, error.message, event.action)
                return
            del self._asked[event.seat]
            latency = self._now - asked.ms
            self._applied(event.seat, event.request, action, latency, default=False)
            self._say(event.seat, Ack(self.opening.match, event.seat, event.request, latency))
            self._go_on()

    def _refuse(self, event: Acted, why: Refusal) -> None:
        self._say(event.seat, Refused(self.opening.match, event.seat, event.request, why, _TOLD[why]))

    def _play(self, seat: Seat, request: int) -> None:
        self.state = State.PLAYING
        self._write("playing", {"seat": seat, "request": request})

    def _disconnected(self, seat: Seat) -> None:
        if seat in self._gone or seat in self._away:
            return
        if self.game.ruleset.grace_ms:
            self._away[seat] = self._now + self.game.ruleset.grace_ms
        else:
            self._lose((seat,))

    def _reconnected(self, seat: Seat) -> None:
        if seat in self._gone:
            self._say(seat, Refused(self.opening.match, seat, None, Refusal.GONE, _TOLD[Refusal.GONE]))
        self._away.pop(seat, None)
        if seat in self._asked:
            self._say(seat, self._asked[seat].said)

    def _lose(self, seats: tuple[Seat, ...]) -> None:
        """Connections that will not come back."""
        for seat in seats:
            self._away.pop(seat, None)
            self._gone.add(seat)
        if len(self.entrants) == 2:
            self._fail(seats, Reason.DISCONNECT)
        elif self.state is State.ANNOUNCED and len(self._gone) == len(self.entrants):
            self._end(aborted(Reason.UNDELIVERED))
        else:
            self._go_on()

    def _fail(self, seats: tuple[Seat, ...], reason: Reason, told: str = "", given: Json = None) -> None:
        """Seats did not do what they had to: E1 with two, E2 with more."""
        if self.state is State.ANNOUNCED:
            self._end(aborted(Reason.UNDELIVERED))
            return
        told = told or _FAILED[reason]
        for seat in seats:
            self._missed(seat, reason, told, given)
        if len(self.entrants) == 2:
            self._end(forfeited(self.game, reason, seats, told, self.opening.exhibition))
        else:
            for seat in seats:
                self._instead(seat, reason, told)
            self._go_on()

    def _missed(self, seat: Seat, reason: Reason, told: str, given: Json = None) -> None:
        asked = self._asked.get(seat)
        self._write(
            "missed",
            {
                "seat": seat,
                "request": None if asked is None else asked.said.request,
                "reason": reason.value,
                "latency": None if asked is None else self._now - asked.ms,
                "given": kept(given, GIVEN),
                "told": told,
            },
        )

    def _instead(self, seat: Seat, reason: Reason, told: str) -> None:
        """The safe default in the place of a seat, where it is still waited for."""
        asked = self._asked.pop(seat, None)
        if seat not in self._position.awaited:
            return
        action = self._position.default(seat)
        self._position.apply(seat, action)
        request = None if asked is None else asked.said.request
        self._applied(seat, request, action, None, default=True)
        if request is not None:
            self._say(seat, Missed(self.opening.match, seat, request, reason, action, told))

    def _applied(self, seat: Seat, request: int | None, action: Action, latency: int | None, *, default: bool) -> None:
        self._write(
            "action",
            {
                "turn": self._position.turn,
                "seat": seat,
                "request": request,
                "action": action,
                "default": default,
                "latency": latency,
                "hash": self._position.digest(),
            },
        )

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
            self._end(aborted(Reason.UNDELIVERED) if undelivered else played(outcome, self.opening.exhibition))
            return
        if not awaited:
            raise RuntimeError(f"{self.game.name} waits for nobody and is not over")
        self._asked = {seat: one for seat, one in self._asked.items() if seat in awaited}
        self._show()
        for seat in awaited:
            if seat not in self._asked:
                self._ask(seat)

    def _ask(self, seat: Seat) -> None:
        self._count[seat] += 1
        limit = self.game.ruleset.action_ms
        said = ActionRequest(
            self.opening.match,
            seat,
            self._count[seat],
            self._position.seen(seat),
            self._position.form(seat),
            limit,
            self._now + limit,
        )
        self._asked[seat] = _Asked(said, self._now)
        self._say(seat, said)

    def _show(self) -> None:
        """Tells who watches, where there is something new to see: what they may not see happens unseen."""
        seen = self._position.seen(None)
        if seen != self._shown:
            self._shown = seen
            self._say(None, Watched(self.opening.match, self._now - self._began, seen))

    def _end(
        self,
        verdict: Verdict,
        revealed: Mapping[str, Json] | None = None,
        fields: Mapping[str, Json] | None = None,
    ) -> None:
        revealed = self._position.revealed() if revealed is None else revealed
        fields = self._position.fields() if fields is None else fields
        if not verdict.aborted:
            self._show()
        self._write("over", over_fields(verdict, self.opening.seed, revealed, fields))
        self._asked, self._away = {}, {}
        self.state = State.ABORTED if verdict.aborted else State.OVER
        self.finished = Finished(
            self.opening.match,
            self.game.name,
            self.game.ruleset.name,
            tuple(one.agent for one in self.entrants),
            self.commitment,
            self.opening.at,
            self._now - self._began,
            self._writer.n,
            self._writer.hash,
            self.opening.seed,
            verdict,
            revealed,
            fields,
        )
        if verdict.unrated is not None:
            self._says.extend(self.finished.said())

    def _write(self, kind: str, fields: Mapping[str, Json]) -> None:
        self._records.append(self._writer.line(kind, self._now - self._began, fields))

    def _say(self, to: Seat | None, what: Said) -> None:
        self._says.append(Say(to, what))
