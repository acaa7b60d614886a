"""R6: benchmarks are apart: one program an agent, standard opponents, entries of their own."""

import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
from halls import Player, Time, first, kept, made, opened, replayed, stands, turns
from small_games import NoughtsGame
from sqlalchemy.engine import Connection

from tallymark.arena.games.benchmark import Benchmark
from tallymark.arena.games.face import Game
from tallymark.arena.hall.hall import Hall
from tallymark.arena.hall.saying import Cancelled, Denial, Denied, Queued
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.replaying import Replay
from tallymark.arena.referee.saying import MatchEnd, MatchStart
from tallymark.arena.store import locks, matches, met, records, tickets
from tallymark.arena.store.agents import Program
from tallymark.errors import BrokenChainError, InputError
from tallymark.ledger.ledger import Ledger

NOUGHTS = NoughtsGame()
NAME = "noughts-benchmark"
GAMES: Sequence[Game] = (NOUGHTS, Benchmark(NOUGHTS))
ONE, OTHER = Program("1", "The first cell.", "0a" * 32), Program("2", "The first cell.", "0a" * 32)
HOUSE = [f"house-noughts-{n}" for n in range(3)]


def house(hall: Hall) -> list[Player]:
    """Standard opponents, who play the game and its benchmark."""
    found = [Player(hall, name, "house", Program("h", name, "cc" * 32), plays=["noughts", NAME]) for name in HOUSE]
    for one in found:
        one.manner = first
    return found


def opponents(player: Player) -> list[str]:
    return [one.agent for start in player.all(MatchStart) for one in start.entrants if one.agent != player.name]


def test_two_peoples_agents_never_meet_and_each_standard_opponent_is_met_as_often(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time, games=GAMES) as (ledger, hall):
        house(hall)
        ann, bob = (Player(hall, name, program=ONE) for name in ("ann", "bob"))
        for one in (ann, bob):
            one.manner = first
        for n in range(1, 8):
            for one in (ann, bob):
                one.join(NAME)
            turns(hall, ledger, 12)
            for one in (ann, bob):
                assert len(one.all(MatchEnd)) == n
                counts = Counter(opponents(one))
                assert set(counts) <= set(HOUSE)
                assert max(counts.values()) - min(counts[name] for name in HOUSE) <= 1
        assert opponents(ann) == (HOUSE * 3)[:7]  # at once, in turn


def test_who_was_met_is_remembered_across_restarts_and_does_not_count_where_it_was_aborted(ledger_url: str) -> None:
    time = Time()
    with Ledger.open(ledger_url, create=True, clock=time.utc) as ledger:
        for expected in (HOUSE[0], HOUSE[1], HOUSE[2], HOUSE[0]):
            with made(ledger, time, GAMES) as hall:
                house(hall)
                ann = Player(hall, "ann", program=ONE)
                ann.manner = first
                ann.join(NAME)
                turns(hall, ledger, 12)
                assert opponents(ann) == [expected]
        for _ in range(2):  # the server stops in the middle of it
            with made(ledger, time, GAMES, seed=9) as hall:
                house(hall)
                ann = Player(hall, "ann", program=ONE)
                ann.join(NAME)
                turns(hall, ledger, 2)
                assert opponents(ann) == [HOUSE[1]]
        assert stands(ledger, f"{NAME}-5").reason == Reason.RESTART
        with ledger.store.reading() as connection:
            assert met.of(connection, NAME, ["ann", "bob"]) == {"ann": recounted(connection, "ann"), "bob": {}}
            assert recounted(connection, "ann") == {HOUSE[0]: 2, HOUSE[1]: 1, HOUSE[2]: 1}


def recounted(connection: Connection, agent: str) -> dict[str, int]:
    """Whom an agent has met in the benchmark, from the matches that were not aborted."""
    found = matches.listed(connection, game=NAME, agent=agent)
    others = [seat.agent for one in found if one.state != "aborted" for seat in one.seats if seat.agent != agent]
    return {other: others.count(other) for other in (*others, *HOUSE)}


def test_the_first_join_locks_the_program_and_another_one_is_refused(ledger_url: str) -> None:
    time = Time()
    with Ledger.open(ledger_url, create=True, clock=time.utc) as ledger:
        with made(ledger, time, GAMES) as hall:
            ann = Player(hall, "ann", program=OTHER)
            ann.join("noughts")
            hall.turn()  # what is played elsewhere locks nothing
            with ledger.store.reading() as connection:
                assert locks.of_agent(connection, "ann") == []
            ann.go()
            hall.turn()
            time.ms = 1000
            again = Player(hall, "ann", program=ONE)
            again.join(NAME)
            hall.turn()
            assert again.last(Queued).game == NAME
            with ledger.store.reading() as connection:
                (lock,) = locks.of_agent(connection, "ann")
            assert lock == ("ann", NAME, ONE, ONE.configuration, time.utc())
        time.ms = 2000
        with made(ledger, time, GAMES) as hall:  # after a restart
            house(hall)
            ann = Player(hall, "ann", program=OTHER)
            hall.turn()
            assert ann.all(Queued) == []  # what waited was another program
            ann.join(NAME)
            ann.join("noughts")
            hall.turn()
            denied = ann.last(Denied)
            assert (denied.why, denied.about) == (Denial.LOCKED, NAME)
            assert ONE.configuration in denied.told
            assert OTHER.configuration in denied.told
            assert [one.game for one in ann.all(Queued)] == ["noughts"]
            assert ann.all(MatchStart) == []
            ann.go()
            same = Player(hall, "ann", program=ONE)
            same.manner = first
            same.join(NAME)
            turns(hall, ledger, 12)
            assert same.all(Denied) == []
            assert same.last(MatchEnd).unrated is None
            with ledger.store.reading() as connection:
                assert locks.of_agent(connection, "ann") == [lock]


@pytest.mark.parametrize("field", ["version", "algorithm", "digest"])
def test_any_part_of_the_program_counts(field: str, tmp_path: Path) -> None:
    time = Time()
    with opened(str(tmp_path / "arena.db"), time, games=GAMES) as (ledger, hall):
        Player(hall, "ann", program=ONE).join(NAME)
        hall.turn()
        with ledger.store.reading() as connection:
            (ticket,) = tickets.of_agent(connection, "ann")
        changed = ONE._replace(**{field: "0b" * 32})
        assert changed.configuration != ONE.configuration
        other = Player(hall, "bob", program=changed)  # another agent may
        other.join(NAME)
        hall.turn()
        assert other.all(Denied) == []
        assert ticket.game == NAME


def test_an_agent_that_comes_elsewhere_with_another_program_waits_no_longer(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time, games=GAMES, several=True) as (ledger, low):
        with made(ledger, time, GAMES, several=True) as high:
            ann = Player(low, "ann", program=ONE)
            ann.join(NAME)
            low.turn()
            Player(high, "ann", program=OTHER)
            high.turn()
            house(low)  # there is somebody to play now
            low.turn()
            high.turn()
            assert ann.last(Cancelled).game == NAME
            assert ann.all(MatchStart) == []
        with ledger.store.reading() as connection:
            assert tickets.lengths(connection) == {}


def test_of_two_processes_that_are_joined_at_once_one_program_wins(ledger_url: str) -> None:
    time = Time()
    rounds = 8
    with (
        Ledger.open(ledger_url, create=True, clock=time.utc) as here,
        Ledger.open(ledger_url, clock=time.utc) as there,
    ):
        halls = [made(ledger, time, GAMES, seed=n, several=True) for n, ledger in enumerate((here, there))]
        told: list[list[Player]] = [[], []]
        failed: list[BaseException] = []
        barrier = threading.Barrier(2, timeout=30)

        def run(n: int) -> None:
            try:
                for k in range(rounds):
                    player = Player(halls[n], f"agent-{k}", "owner", (ONE, OTHER)[n])
                    told[n].append(player)
                    player.join(NAME)
                    barrier.wait()
                    halls[n].turn()
            except BaseException as error:
                failed.append(error)
                raise

        threads = [threading.Thread(target=run, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        for one, other in zip(*told, strict=True):
            won = [player for player in (one, other) if player.all(Queued)]
            lost = [player for player in (one, other) if player.all(Denied)]
            assert (len(won), len(lost)) == (1, 1)
            with here.store.reading() as connection:
                (lock,) = locks.of_agent(connection, one.name)
            assert lock.program == won[0].connection.agent.program
        for hall in halls:
            hall.close()


def test_R6_matches_say_their_kind_and_configurations_and_no_pool_has_both(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time, games=GAMES) as (ledger, hall):
        house(hall)
        players = [Player(hall, name, program=ONE) for name in ("ann", "bob")]
        for one in players:
            one.manner = first
            one.join("noughts")
            one.join(NAME)
        turns(hall, ledger, 12)
        assert {one.match.rpartition("-")[0] for player in players for one in player.all(MatchEnd)} == {"noughts", NAME}
        for pool, kind, count in (("noughts", "arena", 1), (NAME, "benchmark", 2)):
            found = bodies(ledger, pool)
            assert len(found) == count
            for match in found:
                arena = match["data"]["arena"]
                assert (arena["kind"], arena["game"]) == (kind, pool)
                if kind == "arena":
                    assert "configuration" not in arena
                else:
                    agents = {match["player_a"], match["player_b"]}
                    (person,) = agents & {"ann", "bob"}
                    (standard,) = agents - {person}
                    expected = Program("h", standard, "cc" * 32).configuration
                    assert arena["configuration"] == {person: ONE.configuration, standard: expected}
        ratings = [ledger.ratings(pool).to_polars().to_dicts() for pool in ("noughts", NAME)]
        assert [{row["player"] for row in rows} for rows in ratings] == [{"ann", "bob"}, {"ann", "bob", HOUSE[0]}]
        for name in ("noughts-1", f"{NAME}-1", f"{NAME}-2"):
            assert replayed(ledger, name, GAMES)
        assert kept(ledger, f"{NAME}-1")[0]["pool_kind"] == "benchmark"
        assert "pool_kind" not in kept(ledger, "noughts-1")[0]


def bodies(ledger: Ledger, pool: str) -> list[dict[str, Any]]:
    """The matches of a pool."""
    return [one["match"] for entry in ledger.entries(pool) if "match" in (one := orjson.loads(entry.body))]


def test_a_record_that_hides_its_benchmark_is_refused(tmp_path: Path) -> None:
    with opened(str(tmp_path / "arena.db"), Time(), games=GAMES) as (ledger, hall):
        house(hall)
        ann = Player(hall, "ann", program=ONE)
        ann.manner = first
        ann.join(NAME)
        turns(hall, ledger, 12)
        with ledger.store.reading() as connection:
            lines = records.of(connection, f"{NAME}-1")
    by_name = {game.name: game for game in GAMES}
    Replay(lines, by_name.__getitem__)
    for changed, told in ((b"", "pool_kind"), (b'"pool_kind":"arena",', "pool_kind is 'arena'")):
        line = lines[0].replace(b'"pool_kind":"benchmark",', changed)
        with pytest.raises(BrokenChainError, match=told):
            Replay([line, *lines[1:]], by_name.__getitem__)


def test_E1_is_the_same_in_benchmarks_for_people_and_for_the_house(tmp_path: Path) -> None:
    time = Time()
    with opened(str(tmp_path / "arena.db"), time, games=GAMES) as (ledger, hall):
        for one in house(hall):
            one.manner = None
        ann = Player(hall, "ann", program=ONE)
        late = set()
        for n in range(6):  # who is to move is drawn
            ann.join(NAME)
            turns(hall, ledger, 2)
            time.ms += 1000  # the deadline: nothing has happened yet
            turns(hall, ledger, 2)
            assert len(ann.all(MatchEnd)) == n
            time.ms += 1
            turns(hall, ledger, 2)
            verdict = ann.last(MatchEnd).verdict
            assert (verdict.reason, verdict.seat) == (Reason.TIMEOUT, 0)
            assert ann.last(MatchEnd).changes[0] is not None
            late.add(ann.last(MatchStart).entrants[0].kind)
        assert late == {"agent", "house"}


def test_nothing_is_shown_off_in_a_benchmark(tmp_path: Path) -> None:
    with opened(str(tmp_path / "arena.db"), Time(), games=GAMES) as (ledger, hall):
        house(hall)
        asked = [hall.exhibit(game, HOUSE[:2]) for game in ("noughts", NAME)]
        turns(hall, ledger, 2)
        assert asked[0].result(0) == "noughts-1"
        with pytest.raises(InputError, match=f"cannot play {NAME}: expected a game that is no benchmark"):
            asked[1].result(0)
