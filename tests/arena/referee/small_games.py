"""Two games as small as games can be, for tests of who referees them: noughts and crosses, and a parlour game."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tallymark.arena.chance import below, chosen
from tallymark.arena.games.face import (
    Action,
    Choice,
    Form,
    IllegalAction,
    Outcome,
    PoolKind,
    Ruleset,
    Seat,
    Side,
    Text,
)
from tallymark.games.vocabulary import Ending
from tallymark.ledger.matches import Json

_LINES: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Noughts:
    """Noughts and crosses: cells 0 to 8; `resign` too, which no real one has."""

    def __init__(self) -> None:
        self.cells = [" "] * 9
        self.gave_up: Seat | None = None
        self.turn = 0

    @property
    def awaited(self) -> tuple[Seat, ...]:
        return () if self.outcome else (self.turn % 2,)

    @property
    def outcome(self) -> Outcome | None:
        if self.gave_up is not None:
            sides = (Side((1 - self.gave_up,), 1), Side((self.gave_up,), 2))
            return Outcome(sides, Ending.RESIGNATION, "given up")
        for a, b, c in _LINES:
            if self.cells[a] != " " and self.cells[a] == self.cells[b] == self.cells[c]:
                won = "xo".index(self.cells[a])
                return Outcome((Side((won,), 1), Side((1 - won,), 2)), Ending.NORMAL, "three in a row")
        return None if " " in self.cells else Outcome((Side((0,), 1), Side((1,), 1)), Ending.NORMAL, "full")

    def seen(self, seat: Seat | None) -> Mapping[str, Json]:
        return {"cells": "".join(self.cells)}

    def form(self, seat: Seat) -> Form:
        return Choice((*(str(cell) for cell in range(9) if self.cells[cell] == " "), "resign"))

    def apply(self, seat: Seat, action: Action) -> None:
        form = self.form(seat)
        if seat not in self.awaited or not isinstance(form, Choice) or action not in form.actions:
            raise IllegalAction(f"{action!r} is not allowed")
        if action == "resign":
            self.gave_up = seat
        else:
            self.cells[int(action)] = "xo"[seat]
        self.turn += 1

    def default(self, seat: Seat) -> Action:
        raise AssertionError("two players have no defaults")

    def digest(self) -> str:
        return hashlib.sha256(f"{''.join(self.cells)} {self.gave_up}".encode()).hexdigest()

    def board(self) -> str:
        return "\n".join("".join(self.cells[row : row + 3]).replace(" ", ".") for row in (0, 3, 6))

    def revealed(self) -> Mapping[str, Json]:
        return {}

    def fields(self) -> Mapping[str, Json]:
        return {"steps": self.turn}


class Parlour:
    """Each in turn says something; then all vote at once for somebody else; twice. Who has most votes loses.

    Everybody has a secret number, which nobody sees.
    """

    def __init__(self, seed: bytes, seats: int) -> None:
        self.seed, self.seats = seed, seats
        self.secrets = [below(seed, f"secret:{seat}", 100) for seat in range(seats)]
        self.said: list[str] = []
        self.votes: dict[Seat, Seat] = {}
        self.against = [0] * seats
        self.round = 0
        self.turn = 0

    @property
    def awaited(self) -> tuple[Seat, ...]:
        if self.round == 2:
            return ()
        if len(self.said) < self.seats:
            return (len(self.said),)
        return tuple(seat for seat in range(self.seats) if seat not in self.votes)

    @property
    def outcome(self) -> Outcome | None:
        if self.round < 2:
            return None
        lost = self.against.index(max(self.against))
        won = tuple(seat for seat in range(self.seats) if seat != lost)
        return Outcome((Side(won, 1), Side((lost,), 2)), Ending.NORMAL, f"seat {lost} is out")

    def seen(self, seat: Seat | None) -> Mapping[str, Json]:
        own = {} if seat is None else {"secret": self.secrets[seat]}
        return {"round": self.round, "said": list(self.said), **own}

    def form(self, seat: Seat) -> Form:
        if len(self.said) < self.seats:
            return Text(40)
        return Choice(tuple(str(other) for other in range(self.seats) if other != seat))

    def apply(self, seat: Seat, action: Action) -> None:
        form = self.form(seat)
        if seat not in self.awaited:
            raise IllegalAction(f"seat {seat} is not asked")
        if isinstance(form, Text):
            if not action.isprintable():
                raise IllegalAction(f"{action!r} has characters that are not printable")
            self.said.append(action)
        elif action not in form.actions:
            raise IllegalAction(f"{action!r} is nobody")
        else:
            self.votes[seat] = int(action)
        self.turn += 1
        if len(self.votes) == self.seats:
            for vote in self.votes.values():
                self.against[vote] += 1
            self.said, self.votes, self.round = [], {}, self.round + 1

    def default(self, seat: Seat) -> Action:
        form = self.form(seat)
        return "" if isinstance(form, Text) else chosen(self.seed, f"default:{seat}:{self.turn}", form.actions)

    def digest(self) -> str:
        votes = {str(seat): vote for seat, vote in self.votes.items()}
        whole = [self.secrets, self.said, votes, self.against, self.round]
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()

    def board(self) -> str:
        return "\n".join(self.said)

    def revealed(self) -> Mapping[str, Json]:
        return {"secrets": list(self.secrets)}

    def fields(self) -> Mapping[str, Json]:
        return {}


@dataclass
class NoughtsGame:
    name: str = "noughts"
    title: str = "Noughts and crosses"
    pool: str = "noughts"
    kind: PoolKind = "arena"
    rules: str = "arena-v0"
    seats: Sequence[int] = (2,)
    ruleset: Ruleset = field(default_factory=lambda: Ruleset("noughts-1", action_ms=1000))

    def start(self, seed: bytes, seats: int) -> Noughts:
        return Noughts()

    def counted(self, reason: Ending) -> Ending:
        return reason


@dataclass
class ParlourGame:
    name: str = "parlour"
    title: str = "A parlour game"
    pool: str = "parlour"
    kind: PoolKind = "arena"
    rules: str = "arena-v0"
    seats: Sequence[int] = (3, 4, 5)
    ruleset: Ruleset = field(default_factory=lambda: Ruleset("parlour-1", action_ms=1000))

    def start(self, seed: bytes, seats: int) -> Parlour:
        return Parlour(seed, seats)

    def counted(self, reason: Ending) -> Ending:
        return reason
