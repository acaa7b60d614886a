"""What holds of every tick, whoever waits."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from plain_pairing import admissible, plain_tick

from tallymark.arena.pairing.due import due
from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.pairing.tick import tick
from tallymark.arena.pairing.waiting import House, Table, Waiting

NOW = 100_000
# Few values, so that ratings, times and owners tie; and windows, so that they are met to the hundredth.
RATINGS = st.one_of(
    st.sampled_from([1500.0, 1500.004, 1700.0, 1700.01, 1800.0, 1800.01, 1300.0, 1299.995]),
    st.integers(0, 60).map(lambda n: 1200.0 + 12.5 * n),
    st.floats(-1e4, 1e4),
    st.sampled_from([1e300, -1e300]),
)
JOINED = st.one_of(st.sampled_from([NOW, NOW - 9_999, NOW - 10_000, NOW - 15_000, NOW - 60_000, -50_000]),
                   st.integers(0, NOW + 5))  # fmt: skip
DEVIATIONS = st.sampled_from([0.0, 30.0, 80.005, 350.0])


@st.composite
def queues(draw: st.DrawFn) -> list[Waiting]:
    agents = draw(st.lists(st.integers(0, 99), unique=True, max_size=24))
    return [
        Waiting(n, f"a{agent:02}", draw(st.sampled_from("pqrstuvw")), draw(RATINGS), draw(DEVIATIONS), draw(JOINED))
        for n, agent in enumerate(agents)
    ]


HOUSES = st.lists(st.integers(0, 9), unique=True, max_size=6).flatmap(
    lambda ids: st.tuples(*(st.builds(House, st.just(f"h{n}"), RATINGS, DEVIATIONS) for n in ids)).map(list)
)
RULES = st.builds(
    PairingRules,
    seats=st.sampled_from([(2,), (2,), (3,), (2, 4), (5, 6, 7, 8), (3, 7)]),
    base_centi=st.sampled_from([20_000, 0, 5_001]),
    growth_centi=st.sampled_from([10_000, 0, 333]),
    whose=st.sampled_from(["longer", "shorter"]),
    deviation_milli=st.sampled_from([0, 0, 500, 1]),
    cap_centi=st.sampled_from([None, None, 30_000]),
    house_after_ms=st.sampled_from([10_000, 15_000, 0]),
)


def told(tables: Sequence[Table]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(tuple(w.agent for w in table.waiting), tuple(h.agent for h in table.house)) for table in tables]


@given(queues(), HOUSES, RULES)
def test_the_tick_is_the_plain_one(queue: list[Waiting], house: list[House], rules: PairingRules) -> None:
    assert told(tick(queue, house, NOW, rules)) == plain_tick(queue, house, NOW, rules)


@given(queues(), HOUSES, RULES, st.randoms(use_true_random=False))
def test_the_order_of_what_is_given_does_not_matter(
    queue: list[Waiting], house: list[House], rules: PairingRules, random: Random
) -> None:
    expected = tick(queue, house, NOW, rules)
    random.shuffle(queue)
    random.shuffle(house)
    assert tick(queue, house, NOW, rules) == expected


@given(queues(), HOUSES, RULES)
def test_nobody_twice_no_self_no_two_of_one_owner(
    queue: list[Waiting], house: list[House], rules: PairingRules
) -> None:
    tables = tick(queue, house, NOW, rules)
    people = [one for table in tables for one in table.waiting]
    assert len({one.agent for one in people}) == len({one.ticket for one in people}) == len(people)
    assert set(people) <= set(queue)
    for table in tables:
        assert len(set(table.agents)) == len(table.agents)
        assert len({one.owner for one in table.waiting}) == len(table.waiting)
        assert len(table.agents) in rules.seats


@given(queues(), HOUSES, RULES)
def test_every_opponent_is_in_the_window_of_the_longest_waiter(
    queue: list[Waiting], house: list[House], rules: PairingRules
) -> None:
    for table in tick(queue, house, NOW, rules):
        first, *others = table.waiting
        assert all((first.joined_ms, first.agent) < (other.joined_ms, other.agent) for other in others)
        assert all(admissible(first, other, NOW, rules) for other in others)


@given(queues(), HOUSES, RULES)
def test_house_agents_come_when_it_is_time_and_never_alone(
    queue: list[Waiting], house: list[House], rules: PairingRules
) -> None:
    for table in tick(queue, house, NOW, rules):
        assert table.waiting
        assert set(table.house) <= set(house)
        if table.house or len(table.agents) < max(rules.seats):
            assert table.waiting[0].waited(NOW) >= rules.house_after_ms


@given(queues(), HOUSES, RULES)
def test_a_second_tick_at_once_pairs_nobody(queue: list[Waiting], house: list[House], rules: PairingRules) -> None:
    paired = {one for table in tick(queue, house, NOW, rules) for one in table.waiting}
    assert tick([one for one in queue if one not in paired], house, NOW, rules) == ()


@given(queues())
def test_whoever_is_left_has_nobody_admissible(queue: list[Waiting]) -> None:
    paired = {one for table in tick(queue, [], NOW) for one in table.waiting}
    left = [one for one in queue if one not in paired]
    for one in left:
        assert not any(admissible(one, other, NOW, PairingRules()) and one.owner != other.owner for other in left)


@given(queues(), HOUSES, RULES)
def test_a_tick_is_due_when_it_first_gives_a_table(
    queue: list[Waiting], house: list[House], rules: PairingRules
) -> None:
    now = NOW + 5  # by then all have come
    at = due(queue, house, rules)
    if at is None:
        assert tick(queue, house, now + 10**15, rules) == ()
    elif at <= now:
        assert tick(queue, house, now, rules)
    else:
        assert tick(queue, house, at, rules)
        assert tick(queue, house, at - 1, rules) == ()
