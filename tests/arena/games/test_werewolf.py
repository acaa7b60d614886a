"""Werewolf: who is asked what, what it does, who wins, and that nothing hidden can be seen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.arena.games.face import Choice, IllegalAction, Seat, Side, Text
from tallymark.arena.games.werewolf.game import WEREWOLF
from tallymark.arena.games.werewolf.position import DAYS, WerewolfPosition
from tallymark.arena.games.werewolf.roles import COUNTS, Role, roles
from tallymark.arena.games.werewolf.speech import LONGEST, checked_speech
from tallymark.ledger.matches import Json

W, S, D, V = Role.WOLF, Role.SEER, Role.DOCTOR, Role.VILLAGER
FIVE = (W, S, V, V, V)
SEVEN = (W, W, S, D, V, V, V)


def begun(cast: Sequence[Role], seed: bytes = bytes(32)) -> WerewolfPosition:
    return WerewolfPosition("werewolf", seed, cast)


def act(position: WerewolfPosition, acts: Mapping[Seat, str]) -> None:
    """A night or a vote: these actions, and of everybody else the first that is allowed."""
    for seat in position.awaited:
        form = position.form(seat)
        assert isinstance(form, Choice)
        position.apply(seat, acts.get(seat, "abstain" if "abstain" in form.actions else form.actions[0]))


def talk(position: WerewolfPosition) -> list[Seat]:
    """Everybody speaks; in which order."""
    spoke = []
    while position.seen(None)["phase"] == "speech":
        (seat,) = position.awaited
        position.apply(seat, f"I am {seat}")
        spoke.append(seat)
    return spoke


def choices(position: WerewolfPosition, seat: Seat) -> tuple[str, ...]:
    form = position.form(seat)
    assert isinstance(form, Choice)
    return form.actions


def last(position: WerewolfPosition) -> Mapping[str, Json]:
    events = position.seen(None)["events"]
    assert isinstance(events, list)
    event = events[-1]
    assert isinstance(event, dict)
    return event


def test_each_role_is_asked_for_its_night_and_nobody_is_left_out() -> None:
    position = begun(SEVEN)
    assert position.awaited == tuple(range(7))
    assert choices(position, 0) == ("eat 2", "eat 3", "eat 4", "eat 5", "eat 6")
    assert choices(position, 2) == ("look 0", "look 1", "look 3", "look 4", "look 5", "look 6")
    assert choices(position, 3) == tuple(f"guard {seat}" for seat in range(7))
    assert choices(position, 4) == ("sleep",)
    with pytest.raises(IllegalAction, match="action is 'eat 1'; expected one of eat 2"):
        position.apply(0, "eat 1")


def test_who_is_eaten_is_out_with_its_role_unless_guarded() -> None:
    eaten = begun(SEVEN)
    act(eaten, {0: "eat 4", 1: "eat 4", 3: "guard 5"})
    assert last(eaten) == {"day": 1, "what": "night", "out": 4, "role": "villager"}
    assert eaten.seen(None)["alive"] == [0, 1, 2, 3, 5, 6]
    saved = begun(SEVEN)
    act(saved, {0: "eat 4", 1: "eat 4", 3: "guard 4"})
    assert last(saved) == {"day": 1, "what": "night", "out": None, "role": None}
    talk(saved)
    act(saved, {})
    assert "guard 4" not in choices(saved, 3)  # not twice running
    act(saved, {3: "guard 5", 0: "eat 6", 1: "eat 6"})
    talk(saved)
    act(saved, {})
    assert "guard 4" in choices(saved, 3)


def test_where_wolves_differ_the_seed_decides() -> None:
    eaten = set()
    for n in range(40):
        position = begun(SEVEN, n.to_bytes(32, "big"))
        act(position, {0: "eat 4", 1: "eat 5", 3: "guard 3"})
        eaten.add(last(position)["out"])
    assert eaten == {4, 5}


def test_the_seer_learns_who_is_a_wolf_and_looks_at_nobody_twice() -> None:
    position = begun(SEVEN)
    act(position, {0: "eat 4", 1: "eat 4", 2: "look 1"})
    you = position.seen(2)["you"]
    assert you == {"role": "seer", "nights": ["look 1"], "looks": [{"seat": 1, "wolf": True}]}
    talk(position)
    act(position, {})
    assert "look 1" not in choices(position, 2)
    act(position, {0: "eat 5", 1: "eat 5", 2: "look 3", 3: "guard 3"})
    you = position.seen(2)["you"]
    assert isinstance(you, dict)
    assert you["looks"] == [{"seat": 1, "wolf": True}, {"seat": 3, "wolf": False}]


def test_all_who_live_speak_once_in_turn_and_hear_what_was_said() -> None:
    position = begun(FIVE)
    act(position, {0: "eat 2"})
    assert position.form(position.awaited[0]) == Text(LONGEST)
    spoke = talk(position)
    assert sorted(spoke) == [0, 1, 3, 4]
    start = spoke.index(min(spoke))
    assert spoke[start:] + spoke[:start] == sorted(spoke)  # round the table, from a seat that the seed draws
    events = position.seen(3)["events"]
    assert isinstance(events, list)
    assert events[1] == {"day": 1, "what": "speech", "seat": spoke[0], "text": f"I am {spoke[0]}"}


def test_votes_are_seen_together_and_who_has_most_is_out_and_a_tie_spares() -> None:
    position = begun(FIVE)
    act(position, {0: "eat 2"})
    talk(position)
    before = position.seen(4), position.seen(None)
    position.apply(3, "vote 0")
    position.apply(0, "vote 3")
    assert (position.seen(4), position.seen(None)) == before
    assert position.awaited == (1, 4)
    position.apply(1, "vote 3")
    position.apply(4, "vote 0")
    assert last(position)["out"] is None
    assert last(position)["votes"] == [
        {"seat": 0, "for": 3},
        {"seat": 1, "for": 3},
        {"seat": 3, "for": 0},
        {"seat": 4, "for": 0},
    ]
    assert position.seen(None)["phase"] == "night"
    assert position.seen(None)["day"] == 2
    one = begun(FIVE)
    act(one, {0: "eat 2"})
    talk(one)
    assert "vote 2" not in choices(one, 1)
    assert choices(one, 1) == ("vote 0", "vote 3", "vote 4", "abstain")
    act(one, {4: "vote 1"})  # a single vote is the most
    assert (last(one)["out"], last(one)["role"]) == (1, "seer")


def test_the_village_wins_when_no_wolf_is_left_with_those_who_are_out() -> None:
    position = begun(FIVE)
    act(position, {0: "eat 2"})
    talk(position)
    act(position, dict.fromkeys((1, 3, 4), "vote 0"))
    assert position.outcome is not None
    assert position.outcome.sides == (Side((1, 2, 3, 4), 1), Side((0,), 2))
    assert position.outcome.told == "the village wins: no wolf is left"
    assert position.awaited == ()
    assert position.seen(None)["roles"] == [role.value for role in FIVE]
    assert position.revealed()["roles"] == [role.value for role in FIVE]
    assert position.board().splitlines()[-1] == "roles: 0 wolf, 1 seer, 2 villager, 3 villager, 4 villager"


def test_the_wolves_win_when_they_are_no_fewer() -> None:
    position = begun(SEVEN)
    act(position, {0: "eat 4", 1: "eat 4", 3: "guard 3"})
    talk(position)
    act(position, {0: "vote 2"})
    assert position.awaited  # two wolves, three others
    act(position, {0: "eat 5", 1: "eat 5", 3: "guard 6"})
    assert position.outcome is not None
    assert position.outcome.sides == (Side((0, 1), 1), Side((2, 3, 4, 5, 6), 2))
    assert position.outcome.told == "the wolves win: they are no fewer than the others"


def test_after_the_last_day_the_wolves_have_won() -> None:
    position = begun(SEVEN)
    for day in range(DAYS):
        assert position.outcome is None
        guard = 3 if day % 2 else 4
        act(position, {0: f"eat {guard}", 1: f"eat {guard}", 3: f"guard {guard}"})
        talk(position)
        act(position, {})
    assert position.outcome is not None
    assert position.outcome.told == f"the wolves win: {DAYS} days, and not all of them were found"
    assert [(side.seats, side.rank) for side in position.outcome.sides] == [((0, 1), 1), ((2, 3, 4, 5, 6), 2)]


@pytest.mark.parametrize("seats", WEREWOLF.seats)
def test_every_seat_is_as_likely_to_be_a_wolf(seats: int) -> None:
    counts: Counter[Seat] = Counter()
    for n in range(2000):
        cast = roles(n.to_bytes(32, "big"), seats)
        assert Counter(cast) == Counter(COUNTS[seats])
        counts.update(seat for seat, role in enumerate(cast) if role is W)
    expected = 2000 * COUNTS[seats][W] / seats
    assert (
        sum((counts[seat] - expected) ** 2 / expected for seat in range(seats)) < 24.4
    )  # 7 degrees, one in a thousand


@settings(max_examples=25, deadline=None)
@given(st.permutations(SEVEN), st.integers(0, 10**6), st.binary(min_size=32, max_size=32))
def test_what_a_seat_sees_does_not_depend_on_what_is_hidden_from_it(cast: list[Role], start: int, seed: bytes) -> None:
    """Two others exchange their roles, do at night what they then must, and nobody else can tell."""
    random = Random(start)
    prey = random.choice([seat for seat, role in enumerate(cast) if role is V])
    for one, other in combinations([seat for seat in range(7) if seat != prey], 2):
        swapped = list(cast)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        left, right = begun(cast, seed), begun(swapped, seed)
        rest = [seat for seat in range(7) if seat not in (one, other)]
        if W in (cast[one], cast[other]):  # wolves know wolves, and a seer may look at one
            rest = [seat for seat in rest if cast[seat] in (D, V)]
        for position, known in ((left, cast), (right, swapped)):
            acts = {seat: f"eat {prey}" for seat, role in enumerate(known) if role is W}
            acts[known.index(D)] = f"guard {known.index(D)}"
            acts[known.index(S)] = f"look {prey}"
            order = list(position.awaited)
            random.shuffle(order)
            for seat in order:
                position.apply(seat, acts.get(seat, "sleep"))
        for phase in ("speech", "vote", "night"):
            assert left.seen(None)["phase"] == phase
            assert [left.seen(each) for each in (None, *rest)] == [right.seen(each) for each in (None, *rest)]
            assert (left.board(), left.awaited, left.turn) == (right.board(), right.awaited, right.turn)
            if cast[one] is not cast[other]:
                assert left.digest() != right.digest()
            for position in (left, right):
                talk(position) if phase == "speech" else act(position, {})
            if left.outcome or right.outcome:
                break


def test_nobody_learns_in_a_night_who_has_acted() -> None:
    position = begun(SEVEN)
    before = [position.seen(seat) for seat in (None, *range(7))]
    for seat, action in ((2, "look 0"), (0, "eat 4"), (3, "guard 1"), (5, "sleep")):
        position.apply(seat, action)
        assert [position.seen(each) for each in (None, *range(7))] == before


@pytest.mark.parametrize(
    "text",
    [
        "a\nb",
        "\x1b[2J",
        "\0",
        "\x7f",
        "\x9b31m",
        "a\u202eb",
        "\u2066x",
        "\u200e",
        "\ufeff",
        "\U000e0041",
        "\ud800",
        "\uffff",
    ],
)
def test_a_speech_has_nothing_that_moves_a_cursor_or_turns_a_line(text: str) -> None:
    with pytest.raises(IllegalAction, match=r"a speech has U\+[0-9A-F]{4,6} at character \d"):
        checked_speech(text)


@pytest.mark.parametrize(
    "text",
    ["", "x" * LONGEST, "<script>alert(1)</script>", "Я не волк", "狼ではない", "👨\u200d👩\u200d👧", "نه\u200cمن"],
)
def test_a_speech_is_kept_as_it_was_said(text: str) -> None:
    position = begun(FIVE)
    act(position, {0: "eat 2"})
    position.apply(position.awaited[0], text)
    assert last(position)["text"] == text


def test_a_speech_of_a_character_too_many_is_refused() -> None:
    with pytest.raises(IllegalAction, match="a speech has 501 characters; expected 500 at most"):
        checked_speech("x" * (LONGEST + 1))


def test_a_default_is_a_night_action_at_random_nothing_said_an_abstention() -> None:
    drawn = {begun(FIVE, n.to_bytes(32, "big")).default(0) for n in range(60)}
    assert drawn == {"eat 1", "eat 2", "eat 3", "eat 4"}
    position = begun(FIVE)
    act(position, {0: "eat 2"})
    assert position.default(position.awaited[0]) == ""
    talk(position)
    assert position.default(1) == "abstain"
