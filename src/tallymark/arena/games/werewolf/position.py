"""A game of Werewolf in play."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from tallymark.arena.chance import below, chosen
from tallymark.arena.games.checking import checked_legal, checked_turn
from tallymark.arena.games.digests import digest
from tallymark.arena.games.face import Action, Choice, Form, Outcome, Seat, Side, Text
from tallymark.arena.games.werewolf.roles import COUNTS, Role, team
from tallymark.arena.games.werewolf.speech import LONGEST, checked_speech
from tallymark.games.vocabulary import Ending
from tallymark.ledger.matches import Json

DAYS: Final = 8
"""After so many days without an end the wolves have won."""
SLEEP: Final = "sleep"
ABSTAIN: Final = "abstain"


class Phase(StrEnum):
    """What is going on. Each night is followed by speeches and a vote of the same day."""

    NIGHT = "night"
    SPEECH = "speech"
    VOTE = "vote"
    OVER = "over"


class WerewolfPosition:
    """Werewolf in play: see `Position`.

    At night everybody who lives is asked, those too who can only sleep, and what was done is known when all have done
    it: neither who is waited for nor how often anybody acted tells a role.
    """

    def __init__(self, name: str, seed: bytes, cast: Sequence[Role]) -> None:
        self._name = name
        self._seed = seed
        self._cast = tuple(cast)
        self._alive = list(range(len(cast)))
        self._day = 1
        self._phase = Phase.NIGHT
        self._pending: dict[Seat, Action] = {}
        self._speakers: list[Seat] = []
        self._events: list[Mapping[str, Json]] = []
        self._nights: list[dict[Seat, Action]] = []
        self._turn = 0
        self._outcome: Outcome | None = None

    @property
    def turn(self) -> int:
        """How many actions were applied."""
        return self._turn

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Who speaks; at night and in a vote, all who live and have not acted."""
        if self._phase is Phase.SPEECH:
            return (self._speakers[0],)
        if self._phase is Phase.OVER:
            return ()
        return tuple(seat for seat in self._alive if seat not in self._pending)

    @property
    def outcome(self) -> Outcome | None:
        """Which team won, or None."""
        return self._outcome

    def seen(self, seat: Seat | None) -> Mapping[str, Json]:
        """What everybody knows; with `you`, what the seat itself knows; the roles of all when it is over.

        It does not change while a night or a vote is under way.
        """
        over = self._outcome is not None
        return {
            "game": self._name,
            "seat": seat,
            "day": self._day,
            "phase": self._phase.value,
            "counts": {role.value: count for role, count in COUNTS[len(self._cast)].items()},
            "alive": list(self._alive),
            "to_move": self._speakers[0] if self._speakers else None,
            "events": list(self._events),
            "you": None if seat is None else self._known(seat),
            "roles": [role.value for role in self._cast] if over else None,
            "told": self._outcome.told if self._outcome else None,
        }

    def _known(self, seat: Seat) -> Mapping[str, Json]:
        """What a seat knows by its role: its own nights, what it saw in them, and the other wolves."""
        role = self._cast[seat]
        nights = [night[seat] for night in self._nights if seat in night]
        known: dict[str, Json] = {"role": role.value, "nights": list(nights)}
        if role is Role.WOLF:
            known["pack"] = [other for other in team(self._cast, wolves=True) if other != seat]
        if role is Role.SEER:
            looked = [_target(action) for action in nights if action != SLEEP]
            known["looks"] = [{"seat": other, "wolf": self._cast[other] is Role.WOLF} for other in looked]
        return known

    def form(self, seat: Seat) -> Form:
        """What the phase asks: an action of the night by role, a text, or a vote."""
        checked_turn(self, seat)
        if self._phase is Phase.SPEECH:
            return Text(LONGEST)
        others = [other for other in self._alive if other != seat]
        if self._phase is Phase.VOTE:
            return Choice((*(f"vote {other}" for other in others), ABSTAIN))
        role = self._cast[seat]
        mine = [night[seat] for night in self._nights]
        if role is Role.WOLF:
            return Choice(tuple(f"eat {other}" for other in others if self._cast[other] is not Role.WOLF))
        if role is Role.SEER:
            looks = tuple(action for other in others if (action := f"look {other}") not in mine)
            return Choice(looks or (SLEEP,))
        if role is Role.DOCTOR:
            return Choice(tuple(action for one in self._alive if (action := f"guard {one}") not in mine[-1:]))
        return Choice((SLEEP,))

    def apply(self, seat: Seat, action: Action) -> None:
        """Takes it; where it was the last of a night or a vote, all of them take effect. Or `IllegalAction`."""
        form = self.form(seat)
        if isinstance(form, Text):
            checked_speech(action)
            self._speakers.pop(0)
            self._tell("speech", seat=seat, text=action)
            if not self._speakers:
                self._phase = Phase.VOTE
        else:
            self._pending[seat] = checked_legal(action, form.actions)
            if not self.awaited:
                acts, self._pending = self._pending, {}
                self._dawn(acts) if self._phase is Phase.NIGHT else self._count(acts)
        self._turn += 1

    def _dawn(self, acts: dict[Seat, Action]) -> None:
        """The night is over: who is eaten, unless guarded, is out."""
        self._nights.append(acts)
        prey = sorted({action for seat, action in acts.items() if self._cast[seat] is Role.WOLF})
        eaten = _target(chosen(self._seed, f"prey:{self._day}", prey))
        out = None if f"guard {eaten}" in acts.values() else eaten
        self._fall(out)
        self._tell("night", out=out, role=None if out is None else self._cast[out].value)
        if self._decided():
            return
        first = below(self._seed, f"first:{self._day}", len(self._alive))
        self._speakers = [*self._alive[first:], *self._alive[:first]]
        self._phase = Phase.SPEECH

    def _count(self, acts: dict[Seat, Action]) -> None:
        """The votes are in: who has more than anybody else is out."""
        votes = {seat: None if action == ABSTAIN else _target(action) for seat, action in sorted(acts.items())}
        named = [other for other in votes.values() if other is not None]
        most = max((named.count(other) for other in named), default=0)
        first = sorted({other for other in named if named.count(other) == most})
        out = first[0] if len(first) == 1 else None
        self._fall(out)
        self._tell(
            "vote",
            votes=[{"seat": seat, "for": other} for seat, other in votes.items()],
            out=out,
            role=None if out is None else self._cast[out].value,
        )
        if self._decided():
            return
        if self._day == DAYS:
            self._end(wolves=True, told=f"the wolves win: {DAYS} days, and not all of them were found")
            return
        self._day += 1
        self._phase = Phase.NIGHT

    def _fall(self, out: Seat | None) -> None:
        if out is not None:
            self._alive.remove(out)

    def _tell(self, what: str, **told: Json) -> None:
        self._events.append({"day": self._day, "what": what, **told})

    def _decided(self) -> bool:
        """Ends it where no wolf lives, or no fewer wolves than others."""
        wolves = sum(self._cast[seat] is Role.WOLF for seat in self._alive)
        if wolves == 0:
            self._end(wolves=False, told="the village wins: no wolf is left")
        elif 2 * wolves >= len(self._alive):
            self._end(wolves=True, told="the wolves win: they are no fewer than the others")
        return self._outcome is not None

    def _end(self, *, wolves: bool, told: str) -> None:
        self._phase = Phase.OVER
        sides = (Side(team(self._cast, wolves=wolves), 1), Side(team(self._cast, wolves=not wolves), 2))
        self._outcome = Outcome(sides, Ending.NORMAL, told)

    def default(self, seat: Seat) -> Action:
        """A legal action of the night, drawn from seed, seat and turn; nothing said; an abstention."""
        form = self.form(seat)
        if isinstance(form, Text):
            return ""
        return ABSTAIN if self._phase is Phase.VOTE else chosen(self._seed, f"default:{seat}:{self.turn}", form.actions)

    def digest(self) -> str:
        """Of the seed, the roles, what was done in every night and vote so far, and all that everybody knows."""
        return digest(
            {
                "seed": self._seed.hex(),
                **self.seen(None),
                "roles": [role.value for role in self._cast],
                "turn": self._turn,
                "nights": [_listed(night) for night in self._nights],
                "pending": _listed(self._pending),
            }
        )

    def board(self) -> str:
        """Who lives, and what happened, a line an event."""
        head = f"day {self._day}, {self._phase.value}; alive: {' '.join(map(str, self._alive))}"
        cast = "roles: " + ", ".join(f"{seat} {role.value}" for seat, role in enumerate(self._cast))
        return "\n".join([head, *map(_line, self._events), *([cast] if self._outcome else [])])

    def revealed(self) -> Mapping[str, Json]:
        """`roles` by seat, and `nights`: what each seat did in each of them that is over."""
        return {"roles": [role.value for role in self._cast], "nights": [_listed(night) for night in self._nights]}

    def fields(self) -> Mapping[str, Json]:
        """`steps`: how many actions."""
        return {"steps": self.turn}


def _target(action: Action) -> Seat:
    return int(action.split()[1])


def _listed(acts: Mapping[Seat, Action]) -> list[Json]:
    return [{"seat": seat, "action": action} for seat, action in sorted(acts.items())]


def _line(event: Mapping[str, Json]) -> str:
    day, out = event["day"], event.get("out")
    gone = "nobody is out" if out is None else f"{out} is out, {event['role']}"
    if event["what"] == "speech":
        return f"day {day}: {event['seat']} says {event['text']}" if event["text"] else f"day {day}: {event['seat']} -"
    if event["what"] == "night":
        return f"night {day}: {gone}"
    votes = event["votes"]
    assert isinstance(votes, Sequence)
    told = ", ".join(
        f"{vote['seat']} for {'nobody' if vote['for'] is None else vote['for']}"
        for vote in votes
        if isinstance(vote, Mapping)
    )
    return f"day {day}: {told}; {gone}"
