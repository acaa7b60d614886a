"""A queue in simulated time, and who comes to it."""

import json
import random
from pathlib import Path

import pytest

from tallymark.arena.pairing.arrivals import Arrival, Crowd, read_arrivals
from tallymark.arena.pairing.rules import PairingRules, rules_for
from tallymark.arena.pairing.simulated import Fall, Simulated, Spread
from tallymark.arena.pairing.simulating import Pace, simulate
from tallymark.arena.pairing.waiting import House
from tallymark.errors import InputError, ReadError

TWO = rules_for((2,))
HOUSE = [House("house-1", 1500.0, 60.0)]


def comes(at: int, name: str, rating: float = 1500.0, deviation: float = 350.0) -> Arrival:
    return Arrival(at, name, name, rating, deviation, rating)


def played(*arrivals: Arrival, house: list[House] | None = None, rules: PairingRules = TWO) -> Simulated:
    return simulate(arrivals, house or [], rules, Pace(every_ms=100, match_ms=60_000))


def test_waits_are_until_the_tick_and_gaps_to_the_longest_waiter() -> None:
    found = played(comes(0, "ann"), comes(1_010, "bob", 1600.0), comes(2_000, "end", 9000.0))
    assert (found.matches, found.house_matches, found.joins, found.agents) == (1, 0, 3, 3)
    assert found.waits == Spread(2, 0.595, 1.1, 1.1)
    assert found.gaps == Spread(1, 100.0, 100.0, 100.0)
    assert found.left == Spread(1, 0.0, 0.0, 0.0)


def test_a_lone_agent_waits_ten_seconds_for_a_house_agent() -> None:
    lone = (comes(0, "ann", 1600.0), comes(10_000, "end", 9000.0))
    assert played(*lone, house=HOUSE).matches == 0  # up to that time, and not at it
    found = played(lone[0], comes(10_001, "end", 9000.0), house=HOUSE)
    assert (found.matches, found.house_matches) == (1, 1)
    assert found.house_waits == found.waits == Spread(1, 10.0, 10.0, 10.0)
    assert found.house_gaps == Spread(1, 100.0, 100.0, 100.0)


def test_who_joins_while_it_waits_changes_nothing() -> None:
    found = played(comes(0, "ann"), comes(50, "ann"), comes(90, "ann"), comes(1_000, "bob"), comes(2_000, "end", 9e3))
    assert (found.repeated, found.matches) == (2, 1)
    assert found.waits.largest == 1.0


def test_starvation_counts_those_who_still_wait() -> None:
    far = [comes(0, "ann", 1000.0), comes(0, "bob", 1310.0), comes(0, "cyd", 5000.0), comes(120_000, "end", -5000.0)]
    found = played(*far)
    assert found.waits == Spread(2, 66.0, 66.0, 66.0)
    assert (found.starved, found.left.count) == (3, 2)


def test_ratings_move_when_a_match_ends_and_deviations_fall() -> None:
    before = played(comes(0, "ann"), comes(0, "bob"), comes(60_000, "end", 9000.0))
    assert before.falls == (Fall(0, 3, 350.0),)
    after = played(comes(0, "ann"), comes(0, "bob"), comes(60_001, "end", 9000.0))
    one = after.falls[1]
    assert (one.matches, one.agents) == (1, 2)
    assert one.deviation == pytest.approx(290.32, abs=0.005)  # R2 of the spec: newcomers after one game


def test_a_rating_that_moved_counts_in_the_queue() -> None:
    # A minute later ann is at 1662 or 1338: one of the two who come is 158 points away, and was 320.
    again = [comes(59_950, "ann"), comes(60_050, "cyd", 1820.0), comes(60_050, "dan", 1180.0)]
    found = played(comes(0, "ann"), comes(0, "bob"), *again, comes(60_200, "end", 9000.0))
    assert found.matches == 2
    assert found.gaps.largest == pytest.approx(157.69, abs=0.005)


def test_the_order_of_arrivals_does_not_matter_and_a_seed_decides() -> None:
    arrivals = list(Crowd(agents=30, joins=300, minutes=20).arrivals())
    expected = simulate(arrivals, HOUSE, TWO)
    shuffled = list(arrivals)
    random.Random(5).shuffle(shuffled)
    assert simulate(shuffled, HOUSE, TWO) == expected
    assert simulate(arrivals, HOUSE, TWO, Pace(seed=2)) != expected
    assert list(Crowd(agents=30, joins=300, minutes=20, seed=2).arrivals()) != arrivals


def test_every_join_ends_in_a_match_or_waits() -> None:
    for seats in ((2,), (5, 6, 7, 8)):
        arrivals = list(Crowd(agents=40, joins=400, minutes=30, seed=3).arrivals())
        found = simulate(arrivals, [House(f"h{n}", 1500.0, 60.0) for n in range(4)], rules_for(seats))
        assert found.waits.count + found.left.count + found.repeated == found.joins == 400
        assert found.falls[-1].agents <= found.falls[0].agents == found.agents


def test_known_ratings_are_near_their_strengths() -> None:
    known = list(Crowd(agents=500, joins=5000, deviation=50.0).arrivals())
    errors = [one.strength - one.rating for one in {one.agent: one for one in known}.values()]
    assert 40.0 < (sum(error * error for error in errors) / len(errors)) ** 0.5 < 60.0
    new = list(Crowd(agents=500, joins=5000).arrivals())
    assert {one.rating for one in new} == {1500.0}
    strengths = [one.strength for one in {one.agent: one for one in new}.values()]
    assert 250.0 < (sum((one - 1500.0) ** 2 for one in strengths) / len(strengths)) ** 0.5 < 350.0


def test_recorded_arrivals_are_read(tmp_path: Path) -> None:
    table = tmp_path / "joins.csv"
    table.write_text(
        "agent,joined_at,rating,deviation,owner\nbob,2026-03-01T10:00:01.5Z,1600,80.5,\nann,2026-03-01T10:00:00Z,1500,70,x\n"
    )
    expected = (Arrival(0, "ann", "x", 1500.0, 70.0, 1500.0), Arrival(1500, "bob", "bob", 1600.0, 80.5, 1600.0))
    assert read_arrivals(table) == expected
    lines = tmp_path / "joins.jsonl"
    rows = [
        {
            "joined_at": one.at_ms + 7000,
            "agent": one.agent,
            "owner": one.owner,
            "rating": one.rating,
            "deviation": one.deviation,
        }
        for one in expected
    ]
    lines.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    assert read_arrivals(lines) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["a\u2028b", "a\x85b", "a\x0cb"])
def test_lines_end_where_lines_of_files_do(tmp_path: Path, name: str, end: str) -> None:
    table, lines = tmp_path / "joins.csv", tmp_path / "joins.ndjson"
    table.write_bytes(end.join(["joined_at,agent,rating,deviation", f"0,{name},1500,80", ""]).encode())
    row = json.dumps({"joined_at": 0, "agent": name, "rating": 1500, "deviation": 80}, ensure_ascii=False)
    lines.write_bytes((row + end).encode())
    assert [one.agent for one in read_arrivals(table)] == [one.agent for one in read_arrivals(lines)] == [name]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"joined_at": 0, "agent": "ann", "rating": 1500, "deviation": 80}\n', "has no column joined_at"),
        ("a.csv", "agent,rating\nann,1500\n", "has no column joined_at; expected joined_at, agent, rating, deviation"),
        ("a.csv", "joined_at,agent,rating,deviation\n0,ann,x,80\n", "row 2: rating is 'x'; expected a number"),
        ("a.csv", "joined_at,agent,rating,deviation\n0,ann,nan,80\n", "row 2: rating is nan; expected a number from"),
        ("a.csv", "joined_at,agent,rating,deviation\n0,ann,1500,-1\n", r"row 2: deviation is -1\.0; expected a number"),
        ("a.csv", "joined_at,agent,rating,deviation\n0,,1500,80\n", "row 2: agent is ''; expected a text"),
        ("a.csv", "joined_at,agent,rating,deviation\nnoon,ann,1500,80\n", "row 2: 'noon' is not an ISO 8601 time"),
        ("a.csv", "joined_at,agent,rating,deviation\n0,ann\n", "row 2: rating is None; expected a number"),
        ("a.csv", "joined_at,agent,rating,deviation\n", "has no row"),
        ("a.jsonl", "[1]\n", "row 1: .* is no object"),
        ("a.jsonl", "{\n", "row 1: '{' is not JSON"),
        ("a.jsonl", '{"joined_at": true, "agent": "ann", "rating": 1, "deviation": 1}\n', "joined_at is True"),
        ("a.jsonl", '{"joined_at": 1, "agent": 5, "rating": 1, "deviation": 1}\n', "agent is 5; expected a text"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_by_row(tmp_path: Path, name: str, text: str, said: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(InputError, match=said):
        read_arrivals(file)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"none\.csv cannot be read: No such file"):
        read_arrivals(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(b"joined_at\xff\n")
    with pytest.raises(ReadError, match="it is not UTF-8"):
        read_arrivals(tmp_path / "latin.csv")
