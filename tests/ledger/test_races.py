"""Eight writers and several raters at once: every distinct match is rated once, and no update is lost."""

import threading
from pathlib import Path

import pytest
from crowd import POOL, PROCESSES, Crowd, checked, sends, settle_all
from told import rows

from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger

BATCHES = [1, 10, 100, 1000]


def test_writers_that_send_twice_and_raters_that_race(ledger_url: str, tmp_path: Path) -> None:
    shares = sends(8000, 8, seed=1)
    crowd = Crowd(ledger_url, tmp_path, shares, BATCHES)
    for n in range(2):
        crowd.start_rater(n)
    for n in range(8):
        crowd.start_writer(n)
    crowd.finish()
    counted = checked(ledger_url, tmp_path, crowd, shares)
    assert counted.distinct == 8000 - 8000 // 3
    assert counted.conflicts > 100  # or the test has tested nothing


def test_duplicates_alone(ledger_url: str) -> None:
    """The same matches from eight threads, each in its own order: one receipt each, whoever came first."""
    matches: list[dict[str, str | int]] = [
        {"id": f"m{n}", "player_a": "ann", "player_b": "bob", "score_a": n % 2} for n in range(60)
    ]
    found: list[dict[str, Receipt]] = [{} for _ in range(8)]
    with Ledger.open(ledger_url, create=True) as ledger:
        ledger.open_pool(POOL, "arena")
        ready = threading.Barrier(8)

        def send(n: int) -> None:
            ready.wait(10)
            for low in range(0, 60, 1 + n):
                turned = matches[low : low + 1 + n][:: 1 - 2 * (n % 2)]
                for answer in ledger.append_many(turned, pool=POOL):
                    assert isinstance(answer, Receipt)
                    found[n][str(answer.id)] = answer

        threads = [threading.Thread(target=send, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert ledger.settle() == 60
        row = rows(ledger, POOL)["ann"]
    for match in matches:
        answers = [one[str(match["id"])] for one in found]
        assert len({answer.number for answer in answers}) == 1
        assert sorted(answer.again for answer in answers) == [False] + [True] * 7
    assert (row.games, row.wins) == (60, 30)


@pytest.mark.parametrize("raters", [1, 3])
def test_lost_updates_alone(ledger_url: str, raters: int) -> None:
    """Nothing is sent twice, and all are about the same two players: what is lost is seen in their counts."""
    count = 300
    with Ledger.open(ledger_url, create=True) as ledger:
        ledger.open_pool(POOL, "arena")
        ledger.append_many(
            [{"id": n, "player_a": "ann", "player_b": "bob", "score_a": n % 3 / 2} for n in range(count)], pool=POOL
        )
    ready = PROCESSES.Barrier(raters)
    processes = [PROCESSES.Process(target=settle_all, args=(ledger_url, count, ready)) for _ in range(raters)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * raters
    with Ledger.open(ledger_url) as ledger:
        found = rows(ledger, POOL)
        assert ledger.settle() == 0
    for name in ("ann", "bob"):
        row = found[name]
        assert (row.games, row.wins + row.draws + row.losses) == (count, count)
    assert (found["ann"].wins, found["ann"].draws, found["ann"].losses) == (100, 100, 100)
