"""Agents for Kuhn poker: by the card alone, and the strategy that nobody can beat."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tallymark.arena.chance import below
from tallymark.arena.games.face import Action
from tallymark.arena.referee.saying import ActionRequest

THIRDS: Final[Mapping[str, Mapping[str, int]]] = {
    "": {"J": 1, "Q": 0, "K": 3},
    "pass": {"J": 1, "Q": 0, "K": 3},
    "bet": {"J": 0, "Q": 1, "K": 3},
    "pass bet": {"J": 0, "Q": 2, "K": 3},
}
"""How often in three the equilibrium bets, by what was done in the hand and by the card. Source: Kuhn, A simplified
two-person poker (1950), with the first player's free parameter at 1/3."""


@dataclass(frozen=True)
class ByTheCard:
    """Bets and calls with a king, calls with a queen, passes otherwise."""

    @property
    def told(self) -> str:
        """See `Mind`."""
        return "Bets and calls with a king, calls with a queen, passes otherwise."

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """See `Mind`."""
        card, done = hand(asked)
        return "bet" if card == "K" or (card == "Q" and done.endswith("bet")) else "pass"


@dataclass(frozen=True)
class Equilibrium:
    """Bluffs and calls as often as makes it no matter what the other does: in the long run nobody wins chips of it."""

    @property
    def told(self) -> str:
        """See `Mind`."""
        return (
            "The equilibrium of Kuhn (1950) with the first player's free parameter at 1/3: a jack bluffs one time in "
            "three, a queen calls one or two times in three, a king always bets."
        )

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """See `Mind`."""
        card, done = hand(asked)
        return "bet" if below(chance, "bet", 3) < THIRDS[done][card] else "pass"


def hand(asked: ActionRequest) -> tuple[str, str]:
    """The seat's own card in the hand that is played, and what was done in it."""
    hands = asked.seen["hands"]
    assert isinstance(hands, Sequence)
    last = hands[-1]
    assert isinstance(last, Mapping)
    cards, actions = last["cards"], last["actions"]
    assert isinstance(cards, Sequence)
    assert isinstance(actions, Sequence)
    return str(cards[asked.seat]), " ".join(map(str, actions))
