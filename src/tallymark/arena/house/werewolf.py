"""Scripted players of Werewolf: they listen, weigh what they heard, and say it in a few fixed sentences."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tallymark.arena.chance import below, chosen
from tallymark.arena.games.face import Action, Choice, Seat
from tallymark.arena.referee.saying import ActionRequest
from tallymark.ledger.matches import Json

_SEER: Final = re.compile(r"\bI am the seer\b", re.IGNORECASE)
_FOUND: Final = re.compile(r"\b(\d) is (a|no) wolf\b", re.IGNORECASE)
_SUSPECTED: Final = re.compile(r"\bI suspect (\d)\b", re.IGNORECASE)
_CERTAIN: Final = 1000


@dataclass(frozen=True)
class Table:
    """What a seat knows of the game, as it stands in its observation."""

    seat: Seat
    alive: tuple[Seat, ...]
    role: str
    pack: tuple[Seat, ...]
    looks: Mapping[Seat, bool]
    events: Sequence[Mapping[str, Json]]

    @property
    def others(self) -> tuple[Seat, ...]:
        """Who else lives."""
        return tuple(seat for seat in self.alive if seat != self.seat)

    @property
    def fallen(self) -> Mapping[Seat, bool]:
        """Who is out, and whether that was a wolf."""
        outs = [(event.get("out"), event.get("role")) for event in self.events]
        return {out: role == "wolf" for out, role in outs if isinstance(out, int)}

    @property
    def speeches(self) -> Sequence[tuple[Seat, str]]:
        """Who said what, in the order in which it was said."""
        said = [(event["seat"], event["text"]) for event in self.events if event["what"] == "speech"]
        return [(seat, str(text)) for seat, text in said if isinstance(seat, int)]

    @property
    def seers(self) -> Mapping[Seat, Mapping[Seat, bool]]:
        """Who said that it is the seer, and what it told of others: whether each is a wolf."""
        told: dict[Seat, dict[Seat, bool]] = {}
        for seat, text in self.speeches:
            if _SEER.search(text):
                told.setdefault(seat, {}).update({int(one): word == "a" for one, word in _FOUND.findall(text.lower())})
        return told


@dataclass(frozen=True)
class Scripted:
    """A player by script. `open_after`: as the seer it says so from that day on, or as soon as it has found a wolf.
    `trust`: how much more weight it gives to who says that it is the seer than to a suspicion. `bluffs`: as a wolf it
    says that it is the seer when another does. `votes`: at less suspicion it abstains."""

    open_after: int = 1
    trust: int = 6
    bluffs: bool = False
    votes: int = 0

    @property
    def told(self) -> str:
        """See `Mind`."""
        bluffs = " As a wolf it says that it is the seer where another has." if self.bluffs else ""
        return (
            f"By script: adds up what it knows, what seers told (weight {self.trust}), suspicions and votes; names "
            f"the most suspected and votes for that one, from a suspicion of {self.votes} on. As the seer it says so "
            f"from day {self.open_after} on, or once it has found a wolf.{bluffs} Wolves eat, and the doctor guards, "
            "who says that it is the seer."
        )

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """See `Mind`."""
        table = read(asked.seen, asked.seat)
        if not isinstance(asked.form, Choice):
            return self._speech(table, chance, asked.seen["day"])
        if asked.seen["phase"] == "vote":
            return self._vote(table, chance, asked.form.actions)
        return self._night(table, chance, asked.form.actions)

    def _night(self, table: Table, chance: bytes, actions: Sequence[Action]) -> Action:
        """Wolves eat seers first, the doctor guards them, the seer looks at whom it suspects most."""
        targets = {int(action.split()[1]): action for action in actions if " " in action}
        if not targets:
            return actions[0]
        weights = suspicion(table, self.trust)
        if table.role == "seer":
            return targets[_most(list(targets), weights, chance)]
        seers = [seat for seat in table.seers if seat in targets and seat != table.seat]
        return targets[chosen(chance, "night", seers or sorted(targets))]

    def _speech(self, table: Table, chance: bytes, day: Json) -> str:
        if table.role == "seer" and (any(table.looks.values()) or (isinstance(day, int) and day >= self.open_after)):
            found = [f"{seat} is {'a' if wolf else 'no'} wolf" for seat, wolf in sorted(table.looks.items())]
            return f"I am the seer: {', '.join(found)}." if found else "I am the seer."
        if self.bluffs and table.role == "wolf" and any(seat not in table.pack for seat in table.seers):
            accused = next(seat for seat in table.seers if seat not in table.pack)
            return f"I am the seer: {accused} is a wolf."
        weights = suspicion(table, self.trust)
        most = _most(table.others, weights, chance)
        return f"I suspect {most}." if weights[most] > 0 or table.role == "wolf" else "I know nothing."

    def _vote(self, table: Table, chance: bytes, actions: Sequence[Action]) -> Action:
        weights = suspicion(table, self.trust)
        most = _most(table.others, weights, chance)
        vote = f"vote {most}"
        return vote if vote in actions and (weights[most] >= self.votes or table.role == "wolf") else "abstain"


def suspicion(table: Table, trust: int) -> dict[Seat, int]:
    """How much a seat suspects each other that lives: what it knows, then what seers told, then suspicions and votes.

    Who told what proved wrong is suspected; of several who say that they are the seer, all are a little.
    """
    weights = dict.fromkeys(table.others, 0)

    def weigh(seat: Seat, weight: int) -> None:
        if seat in weights:
            weights[seat] += weight

    fallen, seers = table.fallen, table.seers
    for seer, told in seers.items():
        lies = any(fallen.get(seat, wolf) != wolf or (seat == table.seat and wolf) for seat, wolf in told.items())
        rivals = len(seers) > 1 or table.role == "seer"
        weigh(seer, 4 * trust if lies else trust // 2 if rivals else -trust)
        if not lies and not fallen.get(seer, False):
            for seat, wolf in told.items():
                weigh(seat, trust if wolf else -trust)
    for seat, text in table.speeches:
        for suspect in _SUSPECTED.findall(text):
            weigh(int(suspect), 1)
            if int(suspect) in fallen:
                weigh(seat, -1 if fallen[int(suspect)] else 1)
    for event in table.events:
        votes = event.get("votes")
        for vote in votes if isinstance(votes, Sequence) else ():
            if isinstance(vote, Mapping) and isinstance(vote["for"], int) and isinstance(vote["seat"], int):
                was = fallen.get(vote["for"])
                weigh(vote["seat"], 0 if was is None else -2 if was else 1)
    for seat, wolf in table.looks.items():
        weigh(seat, _CERTAIN if wolf else -_CERTAIN)
    for seat in table.pack:
        weigh(seat, -_CERTAIN)
    return weights


def read(seen: Mapping[str, Json], seat: Seat) -> Table:
    """A seat's observation as a table."""
    alive, events, you = seen["alive"], seen["events"], seen["you"]
    assert isinstance(alive, Sequence)
    assert isinstance(events, Sequence)
    assert isinstance(you, Mapping)
    pack, looks = you.get("pack", ()), you.get("looks", ())
    assert isinstance(pack, Sequence)
    assert isinstance(looks, Sequence)
    return Table(
        seat,
        tuple(one for one in alive if isinstance(one, int)),
        str(you["role"]),
        tuple(one for one in pack if isinstance(one, int)),
        {int(str(one["seat"])): bool(one["wolf"]) for one in looks if isinstance(one, Mapping)},
        [event for event in events if isinstance(event, Mapping)],
    )


def _most(seats: Sequence[Seat], weights: Mapping[Seat, int], chance: bytes) -> Seat:
    """The most suspected of some; of equals one by chance."""
    most = max(weights[seat] for seat in seats)
    among = [seat for seat in seats if weights[seat] == most]
    return among[below(chance, "most", len(among))]
