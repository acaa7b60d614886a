"""What holds for every game of the arena, whatever it is."""

import hashlib
import json
from random import Random

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.arena.games.catalogue import game, games
from tallymark.arena.games.digests import digest
from tallymark.arena.games.face import Choice, Game, IllegalAction, Position, Text
from tallymark.arena.games.openspiel import BoardGame
from tallymark.arena.referee.answers import action_of
from tallymark.errors import InputError

ALL = [one.name for one in games()]
SEED = bytes(range(32))
seeds = st.binary(min_size=32, max_size=32)


def any_action(position: Position, seat: int, number: int) -> str:
    """A legal one: the one that a number leads to; where text is asked for, that number."""
    form = position.form(seat)
    return form.actions[number % len(form.actions)] if isinstance(form, Choice) else str(number)


def played(one: Game, seed: bytes, numbers: list[int], seats: int) -> list[tuple[int, str, str]]:
    """A game by numbers, over and over: seat, action, and the hash after it."""
    position = one.start(seed, seats)
    told: list[tuple[int, str, str]] = []
    while position.awaited and len(told) < len(numbers):
        number = numbers[len(told)]
        seat = position.awaited[number % len(position.awaited)]
        action = any_action(position, seat, number)
        position.apply(seat, action)
        told.append((seat, action, position.digest()))
    return told


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=8, deadline=None)
@given(seed=seeds, numbers=st.lists(st.integers(0, 10**6), min_size=40, max_size=60))
def test_actions_and_seed_replayed_reproduce_every_hash(name: str, seed: bytes, numbers: list[int]) -> None:
    one = game(name)
    for seats in one.seats:
        told = played(one, seed, numbers, seats)
        again = one.start(seed, seats)
        assert again.turn == 0
        for n, (seat, action, after) in enumerate(told, 1):
            again.apply(seat, action)
            assert (again.turn, again.digest()) == (n, after)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=5, deadline=None)
@given(seed=seeds, numbers=st.lists(st.integers(0, 10**6), max_size=30), given_text=st.text(max_size=20))
def test_an_illegal_action_is_refused_and_changes_nothing(
    name: str, seed: bytes, numbers: list[int], given_text: str
) -> None:
    one = game(name)
    seats = one.seats[-1]
    position = one.start(seed, seats)
    for seat, action, _ in played(one, seed, numbers, seats):
        position.apply(seat, action)
    before = (position.digest(), position.turn, position.awaited, [position.seen(seat) for seat in (None, 0, 1)])
    for seat in range(-1, seats + 1):
        if seat not in position.awaited:
            for action in ("a1", "pass", "resign", "e2e4", given_text):
                with pytest.raises(IllegalAction, match=f"seat {seat} acts"):
                    position.apply(seat, action)
            with pytest.raises(IllegalAction, match=f"seat {seat} acts"):
                position.form(seat)
        elif isinstance(form := position.form(seat), Choice):
            for action in ("", "a0", "PASS ", "\0", form.actions[0] + " ", "\ud800", "9" * 10**5):
                with pytest.raises(IllegalAction, match="action is"):
                    position.apply(seat, action)
        else:
            with pytest.raises(IllegalAction):
                position.apply(seat, "x" * (form.longest + 1))
    after = (position.digest(), position.turn, position.awaited, [position.seen(seat) for seat in (None, 0, 1)])
    assert after == before


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=2, deadline=None)
@given(seed=seeds, start=st.integers(0, 10**6))
def test_a_game_of_any_legal_actions_ends_and_everybody_has_a_place(name: str, seed: bytes, start: int) -> None:
    one, random = game(name), Random(start)
    for seats in one.seats:
        position = one.start(seed, seats)
        while position.awaited:
            assert position.outcome is None
            seat = random.choice(position.awaited)
            form = position.form(seat)
            actions = [action for action in form.actions if action != "resign"] if isinstance(form, Choice) else ["x"]
            position.apply(seat, random.choice(actions))
        assert position.outcome is not None
        assert sorted(seat for side in position.outcome.sides for seat in side.seats) == list(range(seats))
        assert min(side.rank for side in position.outcome.sides) == 1
        assert position.outcome.told
        assert position.outcome.ending == "normal"


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=5, deadline=None)
@given(seed=seeds, numbers=st.lists(st.integers(0, 10**6), max_size=60))
def test_every_legal_action_applies(name: str, seed: bytes, numbers: list[int]) -> None:
    one = game(name)
    told = played(one, seed, numbers, one.seats[0])
    whole = one.start(seed, one.seats[0])
    for seat, action, _ in told:
        whole.apply(seat, action)
    for seat in whole.awaited:
        form = whole.form(seat)
        actions = form.actions if isinstance(form, Choice) else ("", "x" * form.longest)
        assert actions
        assert len(set(actions)) == len(actions)
        for action in actions[:: max(1, len(actions) // 8)]:
            branch = one.start(seed, one.seats[0])
            for earlier, before, _ in told:
                branch.apply(earlier, before)
            branch.apply(seat, action)
            assert branch.turn == len(told) + 1


@pytest.mark.parametrize("name", ALL)
def test_what_is_shown_is_json_and_boards_are_printable(name: str) -> None:
    one = game(name)
    for seats in one.seats:
        position = one.start(SEED, seats)
        for n in range(40):
            for seat in (None, *range(seats)):
                assert json.loads(json.dumps(position.seen(seat))) == position.seen(seat)
            assert all(character == "\n" or character.isprintable() for character in position.board())
            if not position.awaited:
                break
            seat = position.awaited[0]
            position.apply(seat, any_action(position, seat, n * 7))


@pytest.mark.parametrize("one", [one for one in games() if isinstance(one, BoardGame)], ids=lambda one: str(one.name))
def test_actions_are_read_as_they_are_spelt(one: BoardGame) -> None:
    position, random = one.start(SEED, 2), Random(3)
    actions: list[str] = []
    while position.awaited:
        state = one.replayed(actions)
        for number in state.legal_actions():
            assert one.reading.number(state, one.reading.spelt(state, number)) == number
        assert one.reading.shown(state).items() <= position.seen(0).items()
        for _ in range(20 if len(actions) > 30 else 1):  # of long games a few positions
            if position.awaited:
                seat = position.awaited[0]
                actions.append(random.choice([one for one in position.form(seat).actions if one != "resign"]))
                position.apply(seat, actions[-1])


@pytest.mark.parametrize("name", ALL)
def test_a_default_is_legal_and_always_the_same(name: str) -> None:
    one = game(name)
    position, twin = one.start(SEED, one.seats[0]), one.start(SEED, one.seats[0])
    for _ in range(12):
        for seat in position.awaited:
            action = position.default(seat)
            assert action == twin.default(seat)
            form = position.form(seat)
            assert action in form.actions if isinstance(form, Choice) else action == ""
        if not position.awaited:
            break
        seat = position.awaited[0]
        action = position.default(seat)
        position.apply(seat, action)
        twin.apply(seat, action)


@pytest.mark.parametrize("name", ALL)
def test_a_ruleset_says_its_rules_and_its_time(name: str) -> None:
    one = game(name)
    assert one.ruleset.told.endswith(".")
    assert one.ruleset.name.startswith(one.name)
    assert one.ruleset.action_ms >= 1000
    assert one.ruleset.grace_ms == 0
    with pytest.raises(ValueError, match=f"seats is 99; {name} is played by"):
        one.start(SEED, 99)


def test_the_hash_is_of_the_content_in_the_canonical_form() -> None:
    content = {"seed": "00ff", "rows": ["x.", "é\u2028"], "to_move": None, "komi": 7.5, "n": 3}
    assert digest(content) == hashlib.sha256(rfc8785.dumps(content)).hexdigest()


def test_another_seed_is_another_hash_so_that_nothing_hidden_can_be_tried_out() -> None:
    for name in ALL:
        one = game(name)
        assert one.start(SEED, one.seats[0]).digest() != one.start(bytes(32), one.seats[0]).digest()


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="there is no game 'connect4'; there are tic-tac-toe, connect-four") as error:
        game("connect4")
    assert error.value.hint == "did you mean connect-four?"
    assert Text(3).longest == 3


def test_what_is_not_legal_is_refused_in_the_same_words_by_its_form_and_by_the_game() -> None:
    position = game("hex").start(SEED, 2)
    for given_text in ("a12", "x" * 100_000):
        with pytest.raises(IllegalAction, match=r"; expected one of (\w+, ){7}\w+ and 113 more") as by_form:
            action_of(given_text, position.form(0))
        with pytest.raises(IllegalAction) as by_game:
            position.apply(0, given_text)
        assert (by_form.value.message, by_form.value.hint) == (by_game.value.message, by_game.value.hint)
        assert len(by_form.value.message) < 200
    with pytest.raises(IllegalAction) as close:
        position.apply(0, "a12")
    assert close.value.hint == "did you mean a2?"
