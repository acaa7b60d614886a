"""The agents for poker and Werewolf, and what boards are worth to the greedy ones."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations, product

import pytest
from benchmarks.arena_playing import played

from tallymark.arena.games.catalogue import game
from tallymark.arena.games.face import Choice, Seat, Text
from tallymark.arena.games.kuhn import CARDS, KUHN
from tallymark.arena.games.werewolf.game import WEREWOLF
from tallymark.arena.games.werewolf.position import WerewolfPosition
from tallymark.arena.games.werewolf.roles import Role
from tallymark.arena.house.boards import discs, lines, material, path
from tallymark.arena.house.chess import standing
from tallymark.arena.house.go import GreedyGo, chains
from tallymark.arena.house.kuhn import THIRDS, ByTheCard, Equilibrium
from tallymark.arena.house.roster import house_agents
from tallymark.arena.house.werewolf import Scripted, read, suspicion
from tallymark.arena.referee.saying import ActionRequest
from tallymark.ledger.matches import Json

W, S, D, V = Role.WOLF, Role.SEER, Role.DOCTOR, Role.VILLAGER


def chip(first: Mapping[tuple[str, str], Fraction], second: Mapping[tuple[str, str], Fraction]) -> Fraction:
    """What the first player wins a hand, given how often each bets by what was done and the card: told apart from the
    engine, from the rules alone."""
    won = Fraction(0)
    for mine, other in permutations(CARDS, 2):
        high = 1 if CARDS.index(mine) > CARDS.index(other) else -1
        bet, call, late = first["", mine], second["bet", other], first["pass bet", mine]
        stab = second["pass", other]
        after_bet = call * 2 * high + (1 - call)
        after_pass = stab * (late * 2 * high - (1 - late)) + (1 - stab) * high
        won += (bet * after_bet + (1 - bet) * after_pass) / 6
    return won


def pure(first: str, second: str) -> Iterator[Mapping[tuple[str, str], Fraction]]:
    """Every strategy that leaves nothing to chance."""
    keys = [(done, card) for done in (first, second) for card in CARDS]
    for bets in product((0, 1), repeat=len(keys)):
        yield dict(zip(keys, map(Fraction, bets), strict=True))


def test_nobody_wins_chips_of_the_equilibrium() -> None:
    own = {(done, card): Fraction(n, 3) for done, cards in THIRDS.items() for card, n in cards.items()}
    assert chip(own, own) == Fraction(-1, 18)  # Kuhn's value of the game
    assert min(chip(own, other) for other in pure("pass", "bet")) == Fraction(-1, 18)
    assert max(chip(other, own) for other in pure("", "pass bet")) == Fraction(-1, 18)


def test_the_equilibrium_bets_as_often_as_its_table_says() -> None:
    hands: Mapping[str, Json] = {"hands": [{"cards": ["J", None], "actions": ["pass"]}]}
    asked = ActionRequest("m", 0, 1, hands, Choice(("pass", "bet")), 1000, 1000)
    bets = sum(Equilibrium().act(asked, n.to_bytes(32, "big")) == "bet" for n in range(3000))
    assert abs(bets - 1000) < 4 * 26


@pytest.mark.parametrize(
    ("card", "done", "action"),
    [("K", [], "bet"), ("Q", [], "pass"), ("Q", ["bet"], "bet"), ("J", ["bet"], "pass"), ("Q", ["pass"], "pass")],
)
def test_by_the_card(card: str, done: list[str], action: str) -> None:
    hands: Mapping[str, Json] = {"hands": [{"cards": [None, card], "actions": done}]}
    asked = ActionRequest("m", 1, 1, hands, Choice(("pass", "bet")), 1000, 1000)
    assert ByTheCard().act(asked, bytes(32)) == action
    assert played(KUHN, [ByTheCard(), Equilibrium()], bytes(32)).told


def test_lines_are_worth_more_the_fuller_they_are_and_the_others_most() -> None:
    assert lines(["x..", "...", "..."], 0, 3) == 9
    assert lines(["x..", "...", "..."], 1, 3) == -12
    assert lines(["xx.", "...", "..."], 0, 3) > lines(["x..", "..x", "..."], 0, 3)
    assert lines([".x.", ".o.", "..."], 0, 3) < 0
    assert discs(["xxo"], 0) == 1
    assert discs(["xxo"], 1) == -1


def test_a_path_is_what_joins_a_sides_own_edges() -> None:
    empty = ["." * 4] * 4
    assert path(empty, 0) == path(empty, 1) == 0
    assert path(["x...", "x...", "x...", "...."], 0) == 3  # one lacks, the other four
    assert path(["....", "ooo.", "....", "...."], 1) == 3
    assert path([".x..", "x...", "....", "...."], 0) == 2  # slanting to the left hangs together
    assert path(["x...", ".x..", "....", "...."], 0) == 1  # to the right it does not
    assert path(["oooo", "x...", "x...", "x..."], 1) == 16
    assert path(["oooo", "x...", "x...", "x..."], 0) == -16


def test_what_pieces_are_worth_and_where_they_stand() -> None:
    board = ["k" + "." * 7, *["." * 8] * 6, "K..Q...."]
    assert material(board, 0) == 900
    assert material(board, 1) == -900
    cornered, free = ["k" + "." * 7], ["...k...."]
    rest = [*["." * 8] * 6, "K..Q...."]
    assert standing([*cornered, *rest], 0) > standing([*free, *rest], 0)
    assert standing([*cornered, *rest], 1) == -standing([*cornered, *rest], 0)


def test_chains_have_their_stones_and_free_points() -> None:
    found = chains(["xx.", "o..", "..."])
    assert found[0, 0] is found[0, 1]
    assert found[0, 0].stones == {(0, 0), (0, 1)}
    assert found[0, 0].free == {(0, 2), (1, 1)}
    assert found[1, 0].free == {(1, 1), (2, 0)}


@pytest.mark.parametrize(
    ("moves", "action"),
    [
        ("D5 E5 F5 A9 E6 J9", "E4"),  # takes a stone
        ("E5 pass", None),  # leads and the other passed: below
    ],
)
def test_greedy_go_takes_stones_and_passes_when_that_wins(moves: str, action: str | None) -> None:
    position = game("go-9x9").start(bytes(32), 2)
    for move in moves.split():
        position.apply(position.awaited[0], move)
    seat = position.awaited[0]
    asked = ActionRequest("m", seat, 1, position.seen(seat), position.form(seat), 1000, 1000)
    assert GreedyGo().act(asked, bytes(32)) == (action or "pass")


def heard(cast: tuple[Role, ...], said: Mapping[Seat, str]) -> WerewolfPosition:
    """A table after the first night, in which seat 4 is eaten or guarded, with what was said by day."""
    position = WerewolfPosition("werewolf", bytes(32), cast)
    for seat in position.awaited:
        form = position.form(seat)
        assert isinstance(form, Choice)
        wish = {W: "eat 4", S: "look 0", D: f"guard {cast.index(D) if D in cast else 0}", V: "sleep"}[cast[seat]]
        position.apply(seat, wish if wish in form.actions else form.actions[0])
    while isinstance(position.form(position.awaited[0]), Text):
        seat = position.awaited[0]
        position.apply(seat, said.get(seat, ""))
    return position


SEVEN = (W, W, S, D, V, V, V)


def act(position: WerewolfPosition, seat: Seat, mind: Scripted) -> str:
    asked = ActionRequest("m", seat, 1, position.seen(seat), position.form(seat), 1000, 1000)
    return mind.act(asked, bytes(32))


def test_a_seer_is_believed_until_it_is_found_out() -> None:
    position = heard(SEVEN, {2: "I am the seer: 0 is a wolf."})
    weights = suspicion(read(position.seen(5), 5), 6)
    assert weights[0] == max(weights.values()) == 6
    assert weights[2] == -6
    assert act(position, 5, Scripted()) == "vote 0"
    assert act(position, 5, Scripted(votes=50)) == "abstain"
    liar = heard(SEVEN, {0: "I am the seer: 5 is a wolf."})
    assert suspicion(read(liar.seen(5), 5), 6)[0] == 24  # who knows better is not told otherwise
    assert suspicion(read(liar.seen(6), 6), 6)[5] == 6
    both = heard(SEVEN, {0: "I am the seer: 2 is a wolf.", 2: "I am the seer: 0 is a wolf."})
    assert suspicion(read(both.seen(6), 6), 6)[0] > 0
    assert suspicion(read(both.seen(2), 2), 6)[0] >= 1000  # the seer has looked


def test_wolves_spare_wolves_and_eat_seers_whom_the_doctor_guards() -> None:
    position = heard(SEVEN, {2: "I am the seer: 0 is a wolf."})
    for seat in position.awaited:
        position.apply(seat, "abstain")
    assert act(position, 0, Scripted()) == "eat 2"
    assert act(position, 3, Scripted()) == "guard 2"
    assert act(position, 5, Scripted()) == "sleep"
    votes = heard(SEVEN, {5: "I suspect 1.", 6: "I suspect 1."})
    assert act(votes, 0, Scripted()) != "vote 1"
    assert act(votes, 3, Scripted()) == "vote 1"


def test_a_seer_speaks_from_its_day_on_or_when_it_has_found_a_wolf_and_wolves_may_bluff() -> None:
    position = WerewolfPosition("werewolf", bytes(32), SEVEN)
    for seat, action in enumerate(("eat 4", "eat 4", "look 5", "guard 3", "sleep", "sleep", "sleep")):
        position.apply(seat, action)
    while position.awaited != (2,):
        position.apply(position.awaited[0], "")
    assert act(position, 2, Scripted(open_after=1)) == "I am the seer: 5 is no wolf."
    assert act(position, 2, Scripted(open_after=2)) == "I know nothing."
    found = WerewolfPosition("werewolf", (5).to_bytes(32, "big"), SEVEN)  # seat 2 speaks first
    for seat, action in enumerate(("eat 4", "eat 4", "look 1", "guard 3", "sleep", "sleep", "sleep")):
        found.apply(seat, action)
    assert found.awaited == (2,)
    assert act(found, 2, Scripted(open_after=9)) == "I am the seer: 1 is a wolf."
    found.apply(2, "I am the seer: 1 is a wolf.")
    while found.awaited[0] not in (0, 1):
        found.apply(found.awaited[0], "")
    assert isinstance(found.form(found.awaited[0]), Text)
    assert act(found, found.awaited[0], Scripted(bluffs=True)) == "I am the seer: 2 is a wolf."
    assert act(found, found.awaited[0], Scripted(bluffs=False)).startswith("I suspect ")


@pytest.mark.parametrize("seats", WEREWOLF.seats)
def test_tables_of_scripts_end_and_both_teams_win_now_and_then(seats: int) -> None:
    minds = [agent.mind for agent in house_agents("werewolf")]
    told = Counter(
        played(WEREWOLF, [minds[(n + seat) % len(minds)] for seat in range(seats)], n.to_bytes(32, "big")).told
        for n in range(24)
    )
    villages = sum(count for words, count in told.items() if words.startswith("the village wins"))
    assert 2 <= villages <= 22
