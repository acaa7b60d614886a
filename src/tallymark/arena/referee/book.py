"""What is written down and what is said of a match while it is played."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from tallymark.arena.chance import commitment, seated
from tallymark.arena.games.face import Action, Game, Seat
from tallymark.arena.referee.endings import Reason, Verdict
from tallymark.arena.referee.finished import Finished, configurations_of, over_fields
from tallymark.arena.referee.record import FORM, Opening, Writer, entrants_told, pool_kind_told, ruleset_told
from tallymark.arena.referee.saying import Ack, ActionRequest, MatchStart, Missed, Refusal, Refused, Said, Say, Watched
from tallymark.ledger.matches import Json

REFUSALS: Final[Mapping[Refusal, str]] = {
    Refusal.OVER: "the match is over",
    Refusal.STALE: "that request is over: it was answered, or its deadline has passed",
    Refusal.UNASKED: "nothing was asked of you by that number",
    Refusal.GONE: "your connection broke: the match goes on without you",
}
"""Each refusal in words."""


class Book:
    """The records and the words of one match, in their order; `taken` hands over what is new."""

    def __init__(self, game: Game, opening: Opening, ms: int) -> None:
        """`ms`: when the match begins, on the clock of its events. `ValueError` as `Match.announced`."""
        by_id = {entrant.agent: entrant for entrant in opening.entrants}
        if len(by_id) != len(opening.entrants) or len(by_id) not in game.seats:
            raise ValueError(
                f"entrants are {', '.join(one.agent for one in opening.entrants)}; expected different agents, "
                f"as many as {game.name} has seats: {' or '.join(map(str, game.seats))}"
            )
        self.game, self.opening = game, opening
        self.entrants: Final = tuple(by_id[agent] for agent in seated(opening.seed, by_id))
        self.commitment: Final = commitment(opening.seed, opening.match)
        self.now = ms
        """The latest time that any event was stamped with."""
        self._began = ms
        self._misses: Counter[tuple[Seat, str]] = Counter()
        self._shown: Mapping[str, Json] | None = None
        self._writer = Writer()
        self._records: list[bytes] = []
        self._says: list[Say] = []

    @property
    def empty(self) -> bool:
        """Whether nothing was written yet."""
        return self._writer.n == 0

    def taken(self) -> tuple[tuple[bytes, ...], tuple[Say, ...]]:
        """What was written and said since the last time."""
        found = tuple(self._records), tuple(self._says)
        self._records, self._says = [], []
        return found

    def announced(self, digest: str) -> None:
        """The match begins, with the position of this hash."""
        opening, ruleset = self.opening, self.game.ruleset
        self._write(
            "announced",
            {
                "form": FORM,
                "match": opening.match,
                "at": opening.at,
                "game": self.game.name,
                **pool_kind_told(self.game.kind),
                "ruleset": ruleset_told(ruleset),
                "exhibition": opening.exhibition,
                "seats": entrants_told(self.entrants),
                "commitment": self.commitment,
                "versions": dict(opening.versions),
                "hash": digest,
            },
        )
        for seat in (*range(len(self.entrants)), None):
            self._say(seat, self.start(seat))

    def start(self, seat: Seat | None) -> MatchStart:
        """What a seat is told of the match first, or who watches."""
        name, ruleset, exhibition = self.game.name, self.game.ruleset, self.opening.exhibition
        return MatchStart(self.opening.match, name, seat, self.entrants, ruleset, self.commitment, exhibition)

    def playing(self, seat: Seat, request: int) -> None:
        """The first action request was delivered."""
        self._write("playing", {"seat": seat, "request": request})

    def asked(self, said: ActionRequest) -> None:
        """An action is asked for, once more where the agent has come back. It is not recorded: its answer is."""
        self._say(said.seat, said)

    def refused(self, seat: Seat, request: int | None, why: Refusal) -> None:
        """An answer had no effect."""
        self._say(seat, Refused(self.opening.match, seat, request, why, REFUSALS[why]))

    def missed(
        self, seat: Seat, request: int | None, reason: Reason, latency: int | None, told: str, given: str | None
    ) -> None:
        """A seat has failed. `given`: what is kept of an illegal action."""
        self._misses[seat, reason.value] += 1
        self._write(
            "missed",
            {
                "seat": seat,
                "request": request,
                "reason": reason.value,
                "latency": latency,
                "given": given,
                "told": told,
            },
        )

    def acted(self, seat: Seat, request: int, action: Action, latency: int, turn: int, digest: str) -> None:
        """A seat's action was applied, `latency` milliseconds after it was asked for; the position is of this hash."""
        self._action(seat, request, action, latency, turn, digest, default=False)
        self._say(seat, Ack(self.opening.match, seat, request, latency))

    def acted_for(
        self, seat: Seat, request: int | None, action: Action, reason: Reason, told: str, turn: int, digest: str
    ) -> None:
        """The default was applied in the place of a seat, which is told so where it had been asked."""
        self._action(seat, request, action, None, turn, digest, default=True)
        if request is not None:
            self._say(seat, Missed(self.opening.match, seat, request, reason, action, told))

    def shown(self, seen: Mapping[str, Json]) -> None:
        """Told to who watches, where there is something new to see: what they may not see happens unseen."""
        if seen != self._shown:
            self._shown = seen
            self._say(None, self.watched(self.now, seen))

    def watched(self, ms: int, seen: Mapping[str, Json]) -> Watched:
        """The position as spectators see it at a time."""
        return Watched(self.opening.match, max(ms, self.now) - self._began, seen)

    def over(self, verdict: Verdict, revealed: Mapping[str, Json], fields: Mapping[str, Json]) -> Finished:
        """The end. It is said at once where it is certain that the match is not rated."""
        self._write("over", over_fields(verdict, self.opening.seed, revealed, fields))
        finished = Finished(
            match=self.opening.match,
            game=self.game.name,
            ruleset=self.game.ruleset.name,
            kind=self.game.kind,
            agents=tuple(one.agent for one in self.entrants),
            configurations=configurations_of(self.entrants),
            commitment=self.commitment,
            at=self.opening.at,
            dated=self.game.ruleset.dated,
            ms=self.now - self._began,
            n=self._writer.n,
            hash=self._writer.hash,
            seed=self.opening.seed,
            verdict=verdict,
            misses=self._misses,
            revealed=revealed,
            fields=fields,
        )
        if verdict.unrated is not None:
            self._says.extend(finished.said())
        return finished

    def _action(
        self,
        seat: Seat,
        request: int | None,
        action: Action,
        latency: int | None,
        turn: int,
        digest: str,
        *,
        default: bool,
    ) -> None:
        self._write(
            "action",
            {
                "turn": turn,
                "seat": seat,
                "request": request,
                "action": action,
                "default": default,
                "latency": latency,
                "hash": digest,
            },
        )

    def _write(self, kind: str, fields: Mapping[str, Json]) -> None:
        self._records.append(self._writer.line(kind, self.now - self._began, fields))

    def _say(self, to: Seat | None, what: Said) -> None:
        self._says.append(Say(to, what))
