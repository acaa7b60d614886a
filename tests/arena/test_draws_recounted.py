"""Cards, roles and defaults of matches, recounted by what the guide says of them, and its own program, alone."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from pages import REPOSITORY, fences
from refereed import played

from tallymark.arena.games.catalogue import game

GUIDE = REPOSITORY / "docs" / "guide" / "arena-rules.md"
Fields = dict[str, Any]


def program(seed: str) -> dict[str, Any]:
    """The functions of the guide, on another seed."""
    (body,) = [one.body for one in fences(GUIDE.read_text(encoding="utf-8")) if "def below(" in one.body]
    found: dict[str, Any] = {}
    exec(body, found)
    found["SEED"] = bytes.fromhex(seed)
    return found


def of(name: str, number: int, **how: Any) -> tuple[list[Fields], dict[str, Any]]:
    records = [json.loads(line) for line in played(game(name), number, **how)]
    return records, program(records[-1]["seed"])


def test_the_cards_of_a_match() -> None:
    for number in range(10):
        records, guide = of("kuhn-poker", number)
        dealt = ["".join(hand) for hand in records[-1]["revealed"]["cards"]]
        assert [guide["hand"](n) for n in range(len(dealt))] == dealt


class Village:
    """A village as the guide has it."""

    def __init__(self, roles: list[str], below: Callable[[str, int], int]) -> None:
        self.roles, self.below = roles, below
        self.alive = list(range(len(roles)))
        self.day, self.phase = 1, "night"
        self.did: list[dict[int, str]] = [{}]
        """What was done in each night; the last one is under way."""
        self.votes: dict[int, str] = {}
        self.speakers: list[int] = []

    def legal(self, seat: int) -> list[str]:
        others = [other for other in self.alive if other != seat]
        before = [night[seat] for night in self.did[:-1]]
        match self.roles[seat]:
            case "wolf":
                return [f"eat {other}" for other in others if self.roles[other] != "wolf"]
            case "seer":
                return [f"look {other}" for other in others if f"look {other}" not in before] or ["sleep"]
            case "doctor":
                return [f"guard {one}" for one in self.alive if f"guard {one}" not in before[-1:]]
        return ["sleep"]

    def default(self, seat: int, applied: int) -> str:
        if self.phase != "night":
            return "abstain" if self.phase == "vote" else ""
        legal = self.legal(seat)
        return legal[self.below(f"default:{seat}:{applied}", len(legal))]

    def act(self, seat: int, action: str) -> None:
        if self.phase == "speech":
            assert seat == self.speakers.pop(0)
            self.phase = "speech" if self.speakers else "vote"
        elif self.phase == "night":
            self.did[-1][seat] = action
            if len(self.did[-1]) == len(self.alive):
                self.dawn(self.did[-1])
        else:
            self.votes[seat] = action
            if len(self.votes) == len(self.alive):
                self.count([vote for vote in self.votes.values() if vote != "abstain"])

    def dawn(self, did: dict[int, str]) -> None:
        prey = sorted({did[seat] for seat in did if self.roles[seat] == "wolf"})
        eaten = int(prey[self.below(f"prey:{self.day}", len(prey))].split()[1])
        if f"guard {eaten}" not in did.values():
            self.alive.remove(eaten)
        self.did.append({})
        first = self.below(f"first:{self.day}", len(self.alive))
        self.speakers = self.alive[first:] + self.alive[:first]
        self.phase = "speech"

    def count(self, votes: list[str]) -> None:
        most = max(map(votes.count, votes), default=0)
        out = {vote for vote in votes if votes.count(vote) == most}
        if len(out) == 1:
            self.alive.remove(int(out.pop().split()[1]))
        self.votes = {}
        self.day, self.phase = self.day + 1, "night"


@pytest.mark.parametrize("seats", [5, 6, 7, 8])
def test_the_roles_the_speakers_the_prey_and_the_defaults_of_a_village(seats: int) -> None:
    defaults = nights = 0
    for number in range(12):
        records, guide = of("werewolf", number, seats=seats, misses=True)
        roles, cast = records[-1]["revealed"]["roles"], ["wolf", "seer", *["villager"] * 4]
        if seats != 6:
            wolves = 1 if seats == 5 else 2
            cast = [*["wolf"] * wolves, "seer", "doctor", *["villager"] * (seats - wolves - 2)]
        by_seed = {guide["drawn"](f"role:{seat}"): seat for seat in range(seats)}
        assert [roles[by_seed[one]] for one in sorted(by_seed)] == cast
        village = Village(roles, guide["below"])
        for record in records:
            if record["kind"] == "action":
                if record["default"]:
                    assert record["action"] == village.default(record["seat"], record["turn"] - 1)
                    defaults, nights = defaults + 1, nights + (village.phase == "night")
                village.act(record["seat"], record["action"])
    assert defaults > 30
    assert nights > 10
