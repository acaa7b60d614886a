"""Two halls on one ledger that really run at once, and agents that are at both: each ticket ends once."""

import random
import threading
from collections import Counter

from halls import Player, Time, made
from small_games import NoughtsGame
from sqlalchemy import text

from tallymark.arena.hall.hall import Hall
from tallymark.arena.hall.saying import Cancelled, Matched
from tallymark.arena.referee.saying import MatchStart
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
