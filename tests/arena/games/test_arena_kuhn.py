"""Kuhn poker: who sees which card when, and who wins what."""

from itertools import count

from tallymark.arena.games.kuhn import ACTIONS, CARDS, HANDS, KUHN, KuhnPosition
from tallymark.ledger.matches import Json


def dealt(first: str, second: str) -> KuhnPosition:
    """A match whose first hand gives these cards."""
    for n in count():
        position = KUHN.start(n.to_bytes(32, "big"), 2)
        if cards(position, 0, 0)[0] == first and cards(position, 0, 1)[1] == second:
            return position
    raise AssertionError


def hand(position: KuhnPosition, n: int, seat: int | None) -> dict[str, Json]:
    hands = position.seen(seat)["hands"]
    assert isinstance(hands, list)
    one = hands[n]
    assert isinstance(one, dict)
    return one


def cards(position: KuhnPosition, n: int, seat: int | None) -> list[Json]:
    found = hand(position, n, seat)["cards"]
    assert isinstance(found, list)
    return found


def test_a_seat_sees_its_own_card_and_spectators_none() -> None:
    position = dealt("K", "J")
    assert cards(position, 0, 0) == ["K", None]
    assert cards(position, 0, 1) == [None, "J"]
    assert cards(position, 0, None) == [None, None]
    assert "K" not in position.board().splitlines()[1]
    assert position.revealed() == {"cards": [["K", "J"]]}  # for when the match is over, however it is


def test_what_a_seat_sees_does_not_depend_on_the_other_card() -> None:
    for own in CARDS:
        one, other = (dealt(own, card) for card in CARDS if card != own)
        assert one.digest() != other.digest()
        for actions in ((), ("bet",), ("pass", "bet")):
            one, other = (dealt(own, card) for card in CARDS if card != own)
            for action in actions:
                for position in (one, other):
                    position.apply(position.awaited[0], action)
            assert one.seen(0) == other.seen(0)
            assert one.seen(None) == other.seen(None)
            assert one.board() == other.board()
    first, second = dealt("K", "J"), dealt("Q", "J")
    assert first.seen(1) == second.seen(1)


def test_a_fold_shows_no_card_and_a_call_shows_both() -> None:
    folded = dealt("J", "K")
    folded.apply(0, "bet")
    folded.apply(1, "pass")
    assert hand(folded, 0, None) == {"first": 0, "actions": ["bet", "pass"], "cards": [None, None], "won": [1, -1]}
    assert cards(folded, 0, 1) == [None, "K"]
    called = dealt("J", "K")
    called.apply(0, "bet")
    called.apply(1, "bet")
    assert hand(called, 0, None) == {"first": 0, "actions": ["bet", "bet"], "cards": ["J", "K"], "won": [-2, 2]}
    checked = dealt("Q", "J")
    checked.apply(0, "pass")
    checked.apply(1, "pass")
    assert hand(checked, 0, None)["won"] == [1, -1]
    late = dealt("Q", "J")
    for seat, action in ((0, "pass"), (1, "bet"), (0, "pass")):
        late.apply(seat, action)
    assert hand(late, 0, None)["cards"] == [None, None]
    assert hand(late, 0, None)["won"] == [-1, 1]


def test_who_speaks_first_alternates_and_after_the_last_hand_all_is_open() -> None:
    position = KUHN.start(bytes(32), 2)
    for n in range(HANDS):
        assert position.outcome is None
        assert position.awaited == (n % 2,)
        position.apply(n % 2, "bet")
        position.apply(1 - n % 2, "pass")
    assert position.outcome is not None
    assert position.outcome.told == "both have as much"  # each took six chips unseen
    assert [side.rank for side in position.outcome.sides] == [1, 1]
    assert None not in [card for n in range(HANDS) for card in cards(position, n, None)]
    assert position.revealed() == {"cards": [cards(position, n, None) for n in range(HANDS)]}
    assert position.fields() == {"steps": 2 * HANDS}


def test_more_chips_win() -> None:
    position = KUHN.start(bytes(32), 2)
    while position.awaited:
        position.apply(position.awaited[0], "bet" if position.awaited[0] == 1 else "pass")
    assert position.outcome is not None
    assert position.seen(None)["chips"] == [-HANDS, HANDS]
    assert position.outcome.told == f"seat 1 wins {HANDS} chips"
    assert [side.rank for side in position.outcome.sides] == [2, 1]


def test_every_deal_is_as_likely_as_the_others() -> None:
    deals: dict[tuple[Json, Json], int] = {}
    for n in range(1200):
        position = KUHN.start(n.to_bytes(32, "big"), 2)
        deal = cards(position, 0, 0)[0], cards(position, 0, 1)[1]
        deals[deal] = deals.get(deal, 0) + 1
    assert len(deals) == 6
    assert sum((seen - 200) ** 2 / 200 for seen in deals.values()) < 20.5  # chi-square, 5 degrees, one in a thousand
    assert ACTIONS == ("pass", "bet")
