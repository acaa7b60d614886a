"""Two halls on one ledger that really run at once, and agents that are at both: each ticket ends once."""

import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from halls import Player, Time, made, opened
from small_games import NoughtsGame
from sqlalchemy import event, text

from tallymark.arena.hall.hall import Hall
from tallymark.arena.hall.saying import Cancelled, Matched
from tallymark.arena.referee.saying import MatchStart
from tallymark.arena.store import agents, tickets
from tallymark.arena.store.agents import Agent, Program
from tallymark.ledger.ledger import Ledger

AGENTS = [f"agent-{n}" for n in range(12)]


def busy(hall: Hall, seed: int, told: list[Player], rounds: int) -> None:
    """Agents come, wait, leave and go, one thing after the other, with a turn behind each."""
    rng = random.Random(seed)
    here: dict[str, Player] = {}
    for _ in range(rounds):
        name = rng.choice(AGENTS)
        if name not in here:
            here[name] = Player(hall, name)
            told.append(here[name])
            here[name].join()
        elif rng.random() < 0.4:
            here.pop(name).go()
        elif rng.random() < 0.5:
            here[name].leave()
        else:
            here[name].join()
        hall.turn()


def test_each_ticket_ends_once_whoever_moves_it(ledger_url: str) -> None:
    time = Time()
    players: list[list[Player]] = [[], []]
    failed: list[BaseException] = []
    with (
        Ledger.open(ledger_url, create=True, clock=time.utc) as first,
        Ledger.open(ledger_url, clock=time.utc) as second,
    ):
        halls = [made(ledger, time, [NoughtsGame()], seed=n, several=True) for n, ledger in enumerate((first, second))]

        def run(n: int) -> None:
            try:
                busy(halls[n], n, players[n], 150)
            except BaseException as error:
                failed.append(error)
                raise

        threads = [threading.Thread(target=run, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        with first.store.reading() as connection:
            tickets = connection.execute(text('SELECT id, agent, state, "match" FROM arena_ticket')).all()
            seats = connection.execute(text('SELECT agent, "match" FROM arena_seat')).all()
        for hall in halls:
            hall.close()
    matched = {(row[1], row[3]) for row in tickets if row[2] == "matched"}
    assert matched == {(row[0], row[1]) for row in seats}
    assert len(matched) == len(seats) > 10
    waiting = Counter(row[1] for row in tickets if row[2] == "waiting")
    assert all(count == 1 for count in waiting.values())
    # What agents were told is what the database has: a cancelled ticket was never matched, whoever was first.
    state = {row[0]: row[2] for row in tickets}
    for one in players[0] + players[1]:
        for said in one.all(Matched):
            assert state[said.ticket] == "matched"
        names = [start.match for start in one.all(MatchStart)]
        assert len(set(names)) == len(names)
    moved = [one for some in players for one in some if one.all(Cancelled)]
    assert moved


@pytest.mark.parametrize("ledger_url", ["postgresql"], indirect=True)  # a file has one writer at a time
@pytest.mark.parametrize("end", ["matched", "cancelled"])
def test_a_ticket_that_ends_elsewhere_while_its_agent_joins_is_followed_by_another(ledger_url: str, end: str) -> None:
    with opened(ledger_url, Time()) as (first, _), Ledger.open(ledger_url) as second:
        with first.beside() as own:
            before, _ = tickets.join(own.connection, "noughts", "ann", "here", 5)
        with second.beside() as joining:

            @event.listens_for(joining.connection, "after_cursor_execute", once=True)
            def between(*_: object) -> None:
                """It waits, so that none is added, and then does not wait any more."""
                with first.beside() as own:
                    if end == "matched":
                        tickets.matched(own.connection, [tickets.Claim((before.id,), "noughts-1")], 6)
                    else:
                        assert tickets.cancel(own.connection, before.id, 6)

            after, again = tickets.join(joining.connection, "noughts", "ann", "there", 7)
        assert (after.id > before.id, after.state, after.holder, again) == (True, "waiting", "there", False)
        with first.store.reading() as connection:
            assert tickets.find(connection, before.id).state == end
            assert tickets.of_agent(connection, "ann") == [after]


def test_programs_that_an_agent_says_in_two_processes_at_once_are_all_kept(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (first, _), Ledger.open(ledger_url) as second:

        def says(ledger: Ledger, name: str) -> None:
            for n in range(25):
                with ledger.beside() as own:
                    agents.register(own.connection, Agent("ann", "ann", program=Program(f"{name}{n}")), n)

        with ThreadPoolExecutor() as both:
            for done in [both.submit(says, first, "a"), both.submit(says, second, "b")]:
                done.result()
        with first.store.reading() as connection:
            kept = [one.program.version for one in agents.releases(connection, "ann")]
        assert sorted(kept) == sorted(f"{name}{n}" for name in "ab" for n in range(25))
