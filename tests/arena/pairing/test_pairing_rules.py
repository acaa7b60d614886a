"""The arena's rules of pairing, each at its boundary, by their numbers in the spec."""

import json
from pathlib import Path
from typing import Any

import pytest

from tallymark.arena.pairing.due import due
from tallymark.arena.pairing.queue import Queue
from tallymark.arena.pairing.rules import PairingRules, rules_for
from tallymark.arena.pairing.tick import tick
from tallymark.arena.pairing.waiting import House, Waiting
from tallymark.errors import InputError

TWO = rules_for((2,))
MANY = rules_for((5, 6, 7, 8))
HOUSE = [House(f"house-{n}", 1000.0 + 200.0 * n, 60.0) for n in range(6)]


def agent(name: str, rating: float = 1500.0, joined: int = 0, owner: str | None = None, rd: float = 80.0) -> Waiting:
    return Waiting(sum(map(ord, name)), name, owner or f"{name}'s", rating, rd, joined)


def crowd(n: int, rating: float = 1500.0, joined: int = 0) -> list[Waiting]:
    return [agent(f"w{k}", rating, joined) for k in range(n)]


def tables(queue: list[Waiting], now: int, house: list[House] | None = None, rules: PairingRules = TWO) -> list[str]:
    return [" ".join(table.agents) for table in tick(queue, house or [], now, rules)]


@pytest.fixture
def case(cases: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    every = json.loads((cases / "cases.json").read_text(encoding="utf-8"))
    wanted = "-".join(request.node.originalname.split("_")[1:3])
    return next(one for one in every if one["id"] == wanted)


def test_P1_300_00_points_at_60_000_s_and_not_at_59_999_s() -> None:
    pair = [agent("ann", 1500.0), agent("bob", 1800.0, joined=30_000)]
    assert tables(pair, 60_000) == ["ann bob"]
    assert tables(pair, 59_999) == []
    assert due(pair, []) == 60_000


def test_P1_300_01_points_six_milliseconds_later() -> None:
    pair = [agent("ann", 1500.0), agent("bob", 1800.01)]
    assert tables(pair, 60_005) == []
    assert tables(pair, 60_006) == ["ann bob"]
    assert due(pair, []) == 60_006


def test_P1_200_00_points_at_once_and_200_01_not() -> None:
    assert tables([agent("ann"), agent("bob", 1700.0)], 0) == ["ann bob"]
    assert tables([agent("ann"), agent("bob", 1700.01)], 0) == []


def test_P1_ratings_are_rounded_before_they_are_subtracted() -> None:
    # 200.006 apart and 200.00 by the hundredths of each; 199.996 apart and 200.01 by them.
    assert tables([agent("ann", 1500.004), agent("bob", 1700.0049)], 0) == ["ann bob"]
    assert tables([agent("ann", 1500.0049), agent("bob", 1700.0051)], 0) == []


def test_P1_the_longer_wait_counts_and_the_shorter_as_data() -> None:
    pair = [agent("ann", 1500.0, 0), agent("bob", 1800.0, 59_999)]
    assert tables(pair, 60_000) == ["ann bob"]
    shorter = PairingRules(whose="shorter")
    assert tables(pair, 119_998, rules=shorter) == []
    assert tables(pair, 119_999, rules=shorter) == ["ann bob"]
    assert due(pair, [], shorter) == 119_999


def test_P1_base_and_growth_are_data() -> None:
    rules = PairingRules(base_centi=5_000, growth_centi=100)
    assert tables([agent("ann"), agent("bob", 1550.0)], 0, rules=rules) == ["ann bob"]
    assert tables([agent("ann"), agent("bob", 1551.0)], 59_999, rules=rules) == []
    assert tables([agent("ann"), agent("bob", 1551.0)], 60_000, rules=rules) == ["ann bob"]
    still = PairingRules(growth_centi=0)
    assert due([agent("ann"), agent("bob", 1700.01)], [], still) is None


def test_P1_k_widens_by_both_deviations() -> None:
    pair = [agent("ann", 1500.0, rd=100.0), agent("bob", 1775.0, rd=50.0)]
    assert tables(pair, 0, rules=PairingRules(deviation_milli=499)) == []
    assert tables(pair, 0, rules=PairingRules(deviation_milli=500)) == ["ann bob"]


def test_P1_with_k_the_nearest_admissible_one_need_not_be_the_nearest() -> None:
    sure, unsure = agent("sure", 1710.0, rd=30.0), agent("unsure", 1750.0, rd=350.0)
    ann = agent("ann", 1500.0, -1, rd=30.0)
    rules = PairingRules(deviation_milli=150)
    assert tables([ann, sure, unsure], 0, rules=rules) == ["ann unsure"]


def test_P2_a_house_agent_at_10_000_s_and_not_at_9_999_s() -> None:
    assert tables([agent("ann")], 9_999, HOUSE) == []
    assert tables([agent("ann")], 10_000, HOUSE) == ["ann house-2"]
    assert due([agent("ann")], HOUSE) == 10_000


def test_P2_an_admissible_opponent_comes_before_any_house_agent() -> None:
    pair = [agent("ann"), agent("bob", 1700.0, joined=9_999)]
    assert tables(pair, 10_000, [House("house-x", 1500.0, 60.0)]) == ["ann bob"]


def test_P2_the_nearest_house_agent_whatever_the_gap_ties_by_the_lowest_id() -> None:
    assert tables([agent("ann", 2900.0)], 10_000, HOUSE) == ["ann house-5"]
    assert tables([agent("ann", 1500.0)], 10_000, HOUSE) == ["ann house-2"]  # 1400 and 1600 are as near
    equal = [House("house-b", 1600.0, 60.0), House("house-a", 1600.0, 60.0), House("house-c", 1400.0, 60.0)]
    assert tables([agent("ann", 1500.0)], 10_000, equal) == ["ann house-a"]


def test_P2_a_house_agent_plays_any_number_of_matches_at_once() -> None:
    alone = [agent(f"w{n}", 1500.0 + 1000.0 * n) for n in range(5)]
    assert tables(alone, 10_000, HOUSE[:1]) == [f"w{n} house-0" for n in range(5)]


def test_P2_house_agents_do_not_queue_and_never_meet_each_other() -> None:
    with pytest.raises(InputError, match="house agent 'house-0' waits by ticket"):
        tick([agent("house-0"), agent("ann")], HOUSE, 0)
    assert tables([], 60_000, HOUSE) == []
    with pytest.raises(InputError, match="house agent 'house-1' is there twice"):
        tick([], [HOUSE[1], HOUSE[0], HOUSE[1]], 0)


def test_P2_no_two_agents_of_one_owner() -> None:
    pair = [agent("ann", owner="o"), agent("bob", owner="o"), agent("cyd", 1690.0, joined=1)]
    assert tables(pair, 1) == ["ann cyd"]
    assert tables(pair[:2], 10_000, HOUSE) == ["ann house-2", "bob house-2"]


def test_P2_all_empty_seats_of_a_larger_game_at_15_000_s_and_not_at_14_999_s() -> None:
    three = crowd(3)
    assert tables(three, 14_999, HOUSE, MANY) == []
    assert tables(three, 15_000, HOUSE, MANY) == ["w0 w1 w2 house-2 house-3"]
    assert due(three, HOUSE, MANY) == 15_000


def test_P4_a_full_table_starts_at_once_and_one_less_waits() -> None:
    assert tables(crowd(8), 0, HOUSE, MANY) == ["w0 w1 w2 w3 w4 w5 w6 w7"]
    assert tables(crowd(7), 14_999, HOUSE, MANY) == []
    assert tables(crowd(7), 15_000, HOUSE, MANY) == ["w0 w1 w2 w3 w4 w5 w6"]


def test_P4_a_table_takes_the_nearest_and_is_within_the_window_of_its_longest_waiter() -> None:
    near = [agent(f"n{k}", 1500.0 + 10 * k, joined=1) for k in range(9)]
    far = agent("far", 1701.0, joined=1)
    first = agent("first", 1500.0)
    assert tables([first, far, *near], 1, rules=MANY) == ["first n0 n1 n2 n3 n4 n5 n6"]
    # Two who are 400 apart may sit at one table: each is within 200 of its longest waiter.
    wide = [first, *(agent(f"l{k}", 1300.0, 1) for k in range(4)), *(agent(f"h{k}", 1700.0, 1) for k in range(3))]
    assert tables(wide, 1, rules=MANY) == ["first h0 h1 h2 l0 l1 l2 l3"]


def test_P4_where_house_agents_do_not_suffice_fewer_people_sit_down() -> None:
    rules = PairingRules(seats=(5, 8), house_after_ms=15_000)
    assert tables(crowd(6), 15_000, HOUSE[:2], rules) == ["w0 w1 w2 w3 w4 w5 house-1 house-0"]
    assert tables(crowd(6), 15_000, HOUSE[:1], rules) == ["w0 w1 w2 w3 w4"]
    assert tables(crowd(3), 15_000, HOUSE[:1], rules) == []


def test_P4_longest_waiter_first_nearest_opponent_and_every_tie() -> None:
    line = [agent("old", 1600.0, 0), agent("mid", 1550.0, 10), agent("new", 1590.0, 20)]
    assert tables(line, 20) == ["old new"]
    # Equal gaps: who waited longer, on whichever side; then the lowest id.
    assert tables([agent("x", 1500.0, 0), agent("hi", 1510.0, 1), agent("lo", 1490.0, 2)], 2) == ["x hi"]
    assert tables([agent("x", 1500.0, 0), agent("hi", 1510.0, 2), agent("lo", 1490.0, 1)], 2) == ["x lo"]
    assert tables([agent("x", 1500.0, 0), agent("b", 1510.0, 1), agent("a", 1490.0, 1)], 2) == ["x a"]
    # Equal times: the lowest id is served first.
    assert tables([agent("b", 1500.0), agent("a", 1600.0), agent("c", 1690.0)], 0) == ["a c"]


def test_P3_an_agent_that_waits_twice_is_refused() -> None:
    with pytest.raises(InputError, match="agent 'ann' waits twice, by the tickets 1 and 2; expected once"):
        tick([Waiting(1, "ann", "a", 1500.0, 80.0, 0), Waiting(2, "ann", "a", 1500.0, 80.0, 5)], [], 10)


def test_MM_01_matched_with_himself(case: dict[str, Any]) -> None:
    queue = Queue(TWO)
    agents = {name: agent(name) for name in "AB"}
    waiting, matches = [], []
    for call in case["input"]["calls"]:
        if call == "tick":
            matches += [list(table.agents) for table in queue.tick([], 0)]
        else:
            queue.join(agents[call[5]])
            waiting.append(len(queue))
    assert waiting[:2] == [1, case["expected"]["tickets_after_two_joins"]]
    assert matches == case["expected"]["matches"]


def test_MM_11_cancel_in_the_instant_of_matching(case: dict[str, Any]) -> None:
    def joined() -> dict[str, Queue]:
        queues = {"q1": Queue(TWO), "q2": Queue(TWO)}
        for joined, event in enumerate(case["input"]["events"][:3]):
            name, queue = event.removeprefix("join(").removesuffix(")").split(",")
            assert queues[queue].join(agent(name, joined=joined))
        return queues

    queues = joined()
    assert queues["q1"].leave("A")
    assert queues["q1"].tick([], 5) == ()
    assert [(one.agent, one.joined_ms) for one in queues["q1"].waiting] == [("C", 2)]
    queues = joined()
    assert [table.agents for table in queues["q1"].tick([], 5)] == [("A", "C")]
    assert not queues["q1"].leave("A")
    assert [one.agent for one in queues["q2"].waiting] == ["B"]


def test_MM_07_the_lone_strong_player(case: dict[str, Any]) -> None:
    a, b = (agent(name, case["input"][name]["rating"], 60_000 * case["input"][name]["joined_min"]) for name in "AB")
    earliest = round(60_000 * case["expected"]["earliest_pair_min"])
    assert due([a, b], []) == earliest
    assert tables([a, b], earliest - 1) == []
    assert tables([a, b], earliest) == ["A B"]
    wrong = round(60_000 * case["wrong"]["the shorter waiter's window"])
    assert due([a, b], [], PairingRules(whose="shorter")) == wrong
    # With a cap of 500 there is nothing to wait for: nobody looks again, and the hall tells both.
    capped = PairingRules(cap_centi=50_000)
    assert due([a, b], [], capped) is None
    assert tables([a, b], 10**9, rules=capped) == []


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match="rating is nan"):
        agent("ann", float("nan"))
    with pytest.raises(InputError, match="deviation is -1"):
        House("h", 1500.0, -1.0)
    with pytest.raises(InputError, match="whose is 'both'; expected one of longer, shorter"):
        PairingRules(whose="both")
    with pytest.raises(InputError, match="seats is 1; expected a whole number from 2 up"):
        PairingRules(seats=(1, 2))


def test_ratings_that_ran_away_do_not_stop_a_queue() -> None:
    wild = [agent("ann", 1e300), agent("bob", -1e300), agent("cyd", 1500.0), agent("dan", 1501.0)]
    assert tables(wild, 10_000, HOUSE) == ["ann house-5", "bob house-0", "cyd dan"]


def test_a_crowd_of_one_owner_is_passed_over_in_one_step() -> None:
    many = [agent(f"m{n:05}", 1500.0 + n / 100.0, 10, owner="one") for n in range(20_000)]
    seen = tables([agent("ann", 1500.0, 0, owner="one"), *many, agent("bob", 1699.0, 11)], 20)
    assert seen == ["ann bob"]
