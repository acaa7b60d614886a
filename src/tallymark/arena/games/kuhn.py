"""Kuhn poker: a match of several hands, with three cards of which each player sees one, dealt from the match's seed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tallymark.arena.chance import chosen
from tallymark.arena.games.checking import checked_legal, checked_seats, checked_turn, decided
from tallymark.arena.games.digests import digest
from tallymark.arena.games.engine import State, engine
from tallymark.arena.games.face import Action, Choice, Outcome, PoolKind, Ruleset, Seat
from tallymark.games.vocabulary import Ending
from tallymark.ledger.matches import Json

HANDS: Final = 12
"""Hands of a match: even, so that both speak first as often."""
CARDS: Final = "JQK"
"""The cards, the lowest first."""
ACTIONS: Final = ("pass", "bet")
"""OpenSpiel's actions, by number. To pass after a bet is to fold; to bet after a bet is to call."""

RULESET: Final = Ruleset(
    "kuhn-poker-1",
    10_000,
    told=f"{HANDS} hands; who speaks first alternates. Both put in a chip and see one of three cards: J, Q, K. Each "
    "passes or bets one more chip. Two passes, and a bet that is called with a bet, show both cards, and the higher "
    "wins; a pass after a bet gives the hand away unseen. More chips after the last hand win the match.",
)


@dataclass
class Hand:
    """One hand: who speaks first, the cards by seat, and what was done. OpenSpiel's player 0 is who speaks first."""

    first: Seat
    cards: tuple[str, str]
    state: State
    actions: list[Action] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether its chips are won."""
        return self.state.is_terminal()

    @property
    def mover(self) -> Seat:
        """Whose turn it is."""
        return self.state.current_player() ^ self.first

    @property
    def shown(self) -> bool:
        """Whether it ended with both cards on the table: nobody folded."""
        return self.over and not ("bet" in self.actions and self.actions[-1] == "pass")

    @property
    def won(self) -> tuple[int, int]:
        """Chips won by each seat, below 0 where they were lost."""
        first = int(self.state.returns()[0])
        return (first, -first) if self.first == 0 else (-first, first)

    def seen(self, seat: Seat | None, *, open_: bool) -> dict[str, Json]:
        """What a seat may know of it: its own card, and the other's where both were shown or all is open."""
        known = open_ or self.shown
        cards = [card if known or owner == seat else None for owner, card in enumerate(self.cards)]
        return {"first": self.first, "actions": list(self.actions), "cards": cards, "won": list(self.won)}


@dataclass(frozen=True)
class KuhnGame:
    """Kuhn poker for two. It is a `Game`."""

    name: str = "kuhn-poker"
    title: str = "Kuhn poker"
    pool: str = "kuhn-poker"
    kind: PoolKind = "arena"
    rules: str = "arena-v0"
    seats: tuple[int, ...] = (2,)
    ruleset: Ruleset = RULESET

    def start(self, seed: bytes, seats: int) -> "KuhnPosition":
        """The first hand, dealt from the seed, as all later ones are."""
        checked_seats(self.name, self.seats, seats)
        return KuhnPosition(self.name, seed)

    def counted(self, reason: Ending) -> Ending:
        """The same: `arena-v0` knows every way to lose."""
        return reason


class KuhnPosition:
    """A match of Kuhn poker in play: see `Position`."""

    def __init__(self, name: str, seed: bytes) -> None:
        self._name = name
        self._seed = seed
        self._hands: list[Hand] = []
        self._deal()

    def _deal(self) -> None:
        n = len(self._hands)
        high = chosen(self._seed, f"hand:{n}:seat:0", CARDS)
        low = chosen(self._seed, f"hand:{n}:seat:1", CARDS.replace(high, ""))
        state = engine("kuhn_poker").new_initial_state()
        for card in (high, low) if n % 2 == 0 else (low, high):
            state.apply_action(CARDS.index(card))
        self._hands.append(Hand(n % 2, (high, low), state))

    @property
    def turn(self) -> int:
        """How many actions were applied."""
        return sum(len(hand.actions) for hand in self._hands)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Who is to speak; none after the last hand."""
        hand = self._hands[-1]
        return () if hand.over else (hand.mover,)

    def _chips(self) -> tuple[int, int]:
        first = sum(hand.won[0] for hand in self._hands if hand.over)
        return first, -first

    @property
    def outcome(self) -> Outcome | None:
        """Who has more chips after the last hand, or None."""
        if self.awaited:
            return None
        lead = self._chips()[0]
        winner = None if lead == 0 else 0 if lead > 0 else 1
        told = "both have as much" if winner is None else f"seat {winner} wins {abs(lead)} chip{'s' * (abs(lead) > 1)}"
        return decided(winner, Ending.NORMAL, told)

    def seen(self, seat: Seat | None) -> Mapping[str, Json]:
        """The hands as `seat` may know them, the last one being played; the cards of all when it is over."""
        outcome = self.outcome
        return {
            "game": self._name,
            "seat": seat,
            "to_move": self.awaited[0] if self.awaited else None,
            "of": HANDS,
            "hands": [hand.seen(seat, open_=outcome is not None) for hand in self._hands],
            "chips": list(self._chips()),
            "told": outcome.told if outcome else None,
        }

    def form(self, seat: Seat) -> Choice:
        """`pass` or `bet`."""
        checked_turn(self, seat)
        return Choice(ACTIONS)

    def apply(self, seat: Seat, action: Action) -> None:
        """Plays it, and deals the next hand where this one is over; or `IllegalAction`."""
        checked_turn(self, seat)
        hand = self._hands[-1]
        hand.state.apply_action(ACTIONS.index(checked_legal(action, ACTIONS)))
        hand.actions.append(action)
        if hand.over and len(self._hands) < HANDS:
            self._deal()

    def default(self, seat: Seat) -> Action:
        """A pass."""
        checked_turn(self, seat)
        return ACTIONS[0]

    def digest(self) -> str:
        """Of the seed and all hands, every card included."""
        hands = [hand.seen(None, open_=True) for hand in self._hands]
        return digest({"game": self._name, "seed": self._seed.hex(), "hands": hands})

    def board(self) -> str:
        """A line a hand, hidden cards as question marks."""
        outcome = self.outcome
        lines = [f"hand  seat 0  seat 1  (first to speak *), of {HANDS}"]
        for n, hand in enumerate(self._hands, 1):
            open_ = hand.shown or outcome is not None
            cards = [(card if open_ else "?") + "*" * (seat == hand.first) for seat, card in enumerate(hand.cards)]
            told = f"  {hand.won[0]:+d} {hand.won[1]:+d}" if hand.over else ""
            lines.append(f"{n:>4}  {cards[0]:<6}  {cards[1]:<6}  {' '.join(hand.actions)}{told}".rstrip())
        lines.append("chips {:+d} {:+d}".format(*self._chips()))
        return "\n".join(lines)

    def revealed(self) -> Mapping[str, Json]:
        """`cards`: both cards of every hand, the one that was being played too."""
        return {"cards": [list(hand.cards) for hand in self._hands]}

    def fields(self) -> Mapping[str, Json]:
        """`steps`: how many actions."""
        return {"steps": self.turn}


KUHN: Final = KuhnGame()
