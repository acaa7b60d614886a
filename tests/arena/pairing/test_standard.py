"""R6: in a benchmark people's agents never meet, and each standard opponent is met as often as the others."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_pairing_laws import HOUSES, NOW, queues, told

from tallymark.arena.pairing.due import due
from tallymark.arena.pairing.queue import Queue
from tallymark.arena.pairing.rules import PairingRules, rules_for
from tallymark.arena.pairing.tick import tick
from tallymark.arena.pairing.waiting import House, Waiting
from tallymark.errors import InputError

TWO = rules_for((2,), "benchmark")
RULES = st.sampled_from([TWO, PairingRules(house_only=True, house_after_ms=10_000), rules_for((3, 5), "benchmark")])
LADDER = [House(f"h{n}", 1500.0 + 100 * n, 60.0) for n in range(4)]


def agent(name: str, *met: tuple[str, int], joined: int = 0) -> Waiting:
    return Waiting(1, name, name, 1500.0, 80.0, joined, met)


@given(queues(), HOUSES, RULES)
def test_everybody_sits_down_alone_with_house_agents(
    queue: list[Waiting], house: list[House], rules: PairingRules
) -> None:
    tables = tick(queue, house, NOW, rules)
    seats = min(rules.seats)
    enough = len(house) >= seats - 1
    ready = {one.agent for one in queue if max(0, NOW - one.joined_ms) >= rules.house_after_ms}
    assert {table.waiting[0].agent for table in tables} == (ready if enough else set())
    assert len(tables) == (len(ready) if enough else 0)
    for table in tables:
        assert len(table.waiting) == 1
        assert len({one.agent for one in table.house}) == len(table.house) == seats - 1


@given(queues(), HOUSES, RULES, st.randoms(use_true_random=False))
def test_neither_the_order_nor_any_rating_matters(
    queue: list[Waiting], house: list[House], rules: PairingRules, random: Random
) -> None:
    expected = told(tick(queue, house, NOW, rules))
    random.shuffle(queue)
    others = [House(one.agent, random.uniform(0, 3000), one.deviation) for one in house]
    random.shuffle(others)
    assert told(tick(queue, others, NOW, rules)) == expected


@given(queues(), HOUSES, RULES)
def test_a_tick_is_due_when_it_first_gives_a_table(
    queue: list[Waiting], house: list[House], rules: PairingRules
) -> None:
    now = NOW + 5
    at = due(queue, house, rules)
    if at is None:
        assert tick(queue, house, now + 10**15, rules) == ()
    elif at <= now:
        assert tick(queue, house, now, rules)
    else:
        assert tick(queue, house, at, rules)
        assert tick(queue, house, at - 1, rules) == ()


@given(HOUSES, st.sampled_from([(2,), (3,)]), st.lists(st.sampled_from("ab"), max_size=60))
def test_the_counts_of_an_agents_opponents_never_differ_by_more_than_one(
    house: list[House], seats: tuple[int, ...], joins: list[str]
) -> None:
    queue = Queue(rules_for(seats, "benchmark"))
    met = {name: Counter({one.agent: 0 for one in house}) for name in "ab"}
    for now, name in enumerate(joins):
        queue.join(agent(name, joined=now))
        for table in queue.tick(house, now):
            met[table.waiting[0].agent].update(one.agent for one in table.house)
        assert all(max(count.values(), default=0) - min(count.values(), default=0) <= 1 for count in met.values())
    if len(house) >= seats[0] - 1:
        assert sum(sum(count.values()) for count in met.values()) == len(joins) * (seats[0] - 1)


def test_the_one_met_least_then_the_lowest_id() -> None:
    assert told(tick([agent("ann")], LADDER, 0, TWO)) == [(("ann",), ("h0",))]
    assert told(tick([agent("ann", ("h0", 1))], LADDER, 0, TWO)) == [(("ann",), ("h1",))]
    assert told(tick([agent("ann", ("h0", 2), ("h1", 1), ("h2", 1), ("h3", 1))], LADDER, 0, TWO)) == [
        (("ann",), ("h1",))
    ]
    assert told(tick([agent("ann", ("gone", 9))], LADDER, 0, TWO)) == [(("ann",), ("h0",))]


def test_two_who_wait_together_both_meet_the_house_at_once() -> None:
    assert told(tick([agent("ann"), agent("bob", ("h0", 1))], LADDER, 0, TWO)) == [
        (("ann",), ("h0",)),
        (("bob",), ("h1",)),
    ]
    assert tick([agent("ann"), agent("bob")], [], 10**9, TWO) == ()


def test_what_says_how_far_apart_people_may_be_says_nothing_here() -> None:
    with pytest.raises(InputError, match="base_centi is 5 and has no effect: house_only"):
        PairingRules(house_only=True, base_centi=5)
