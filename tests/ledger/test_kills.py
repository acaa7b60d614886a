"""kill -9 at every step and at random moments: nothing acknowledged is lost, nothing is rated twice or half."""

from pathlib import Path

import pytest
from cluster import Cluster
from crowd import POOL, PROCESSES, Act, Crowd, Match, checked, doomed, killed, recounted, sends
from sqlalchemy import text
from told import bodies, rows

from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.store import open_store

STEPS = {
    "append": ["INSERT INTO receipt", "INSERT INTO inbox", "COMMIT"],
    "settle": ["UPDATE head SET", "INSERT INTO entry", "INSERT INTO rating", "DELETE FROM inbox", "COMMIT"],
}


def counts(url: str) -> tuple[int, int, int]:
    store = open_store(url)
    with store.reading() as connection:
        found = [connection.scalar(text(f"SELECT count(*) FROM {one}")) for one in ("receipt", "inbox", "entry")]
    store.close()
    receipt, inbox, entry = (int(one or 0) for one in found)
    return receipt, inbox, entry


def matches(n: int) -> list[Match]:
    return [{"id": f"{n}-{k}", "player_a": f"p{k}", "player_b": f"p{k + 1}", "score_a": k % 2} for k in range(3)]


@pytest.mark.parametrize("what", ["append", "settle"])
def test_killed_at_every_step(ledger_url: str, tmp_path: Path, what: str) -> None:
    with Ledger.open(ledger_url, create=True) as ledger:
        ledger.open_pool(POOL, "arena")
    steps: list[str] = []
    told = tmp_path / "steps"
    for step in range(1, 100):
        some = matches(step)
        if what == "settle":
            with Ledger.open(ledger_url) as ledger:
                ledger.append_many(some, pool=POOL)
        before = counts(ledger_url)
        act = Act(some if what == "append" else None)
        process = PROCESSES.Process(target=doomed, args=(ledger_url, act, step, str(told)))
        process.start()
        process.join(60)
        after = counts(ledger_url)
        reached = told.read_text().splitlines()
        committed = "after COMMIT" in reached
        done = {"append": (3, 3, 0), "settle": (0, -3, 3)}[what] if committed else (0, 0, 0)
        assert tuple(b - a for a, b in zip(before, after, strict=True)) == done, reached[-1]
        with Ledger.open(ledger_url) as ledger:  # whoever was not told sends again
            answers = ledger.append_many(some, pool=POOL)
            again = what == "settle" or committed
            assert [isinstance(one, Receipt) and one.again for one in answers] == [again] * 3
            ledger.settle()
        if process.exitcode == 0:
            break
        assert process.exitcode == -9
        steps.append(reached[-1])
    assert {f"{when} {one}" for one in STEPS[what] for when in ("before", "after")} <= set(steps)
    with Ledger.open(ledger_url) as ledger:
        stream, standing = bodies(ledger, POOL), rows(ledger, POOL)
    assert len(stream) == 1 + 3 * step
    assert recounted(stream, tmp_path) == (stream, standing)


def test_killed_at_random_while_others_go_on(ledger_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    shares = sends(3000, 4, seed=2)
    crowd = Crowd(ledger_url, tmp_path, shares, [1, 7, 30])
    restarts = []
    if "postgresql" in ledger_url:
        server = request.getfixturevalue("postgres")
        assert isinstance(server, Cluster)
        restarts = [lambda: server.restart("fast"), lambda: server.restart("immediate")]
    for n in range(2):
        crowd.start_rater(n)
    for n in range(4):
        crowd.start_writer(n)
    died = killed(crowd, 10, 3, restarts)
    assert sum(died.values()) >= 9  # a writer may end in the very moment
    assert min(died.values()) > 0
    crowd.finish()
    assert checked(ledger_url, tmp_path, crowd, shares).distinct == 2000
