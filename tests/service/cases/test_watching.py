"""Arena R7: a volatility that runs away opens one case, whoever follows, and whenever."""

import random
import threading
from pathlib import Path

import pytest
from courts import POOL, opened

from tallymark.games.ids import Id
from tallymark.ledger.entries import Entry
from tallymark.service.cases import watching
from tallymark.service.cases.cases import Cases
from tallymark.service.cases.watching import Watch
from tallymark.systems import Rating


def runs_away(sigma: float) -> dict[Id, Rating]:
    return {"ann": Rating(1500, 100, sigma)}


@pytest.mark.parametrize("rules", ["arena-v0", "votes"])
def test_one_case_a_player_and_pool(ledger_url: str, rules: str) -> None:
    with opened(ledger_url, rules=rules) as court:
        watch = Watch(court.ledger, court.cases)
        assert watch.look() == 0
        court.ledger.adjust(runs_away(0.1), pool=POOL, id="a1", reason="test")
        court.ledger.settle()
        assert watch.look() == 0  # .1 is not above .1
        court.ledger.adjust(runs_away(0.11), pool=POOL, id="a2", reason="test")
        court.ledger.append({"id": "m9", "player_a": "ann", "player_b": "eve", "score_a": 1}, pool=POOL)
        court.ledger.settle()
        assert watch.look() == 1
        assert watch.look() == 0
        (case,) = court.cases.all()
        assert (case.kind, case.player, case.state) == ("volatility", "ann", "open")
        found = court.cases.find(case.id)
        assert found.record["position"] == 7
        assert found.record["volatility"] == pytest.approx(0.11)
        court.cases.act(case.id, "dismiss", "rosa", "it is known")
        court.ledger.append({"id": "m10", "player_a": "ann", "player_b": "eve", "score_a": 1}, pool=POOL)
        court.ledger.settle()
        again = Watch(court.ledger, Cases(court.ledger, court.clock, random.Random(5), approvers=2))
        assert again.look() == 0  # restarted: once for ever
        assert len(court.cases.all()) == 1


def test_pools_whose_rules_bound_it_have_none(ledger_url: str) -> None:
    with opened(ledger_url, rules="arena-v1-draft") as court:
        assert Watch(court.ledger, court.cases).look() == 0
        assert court.cases.all() == []


def test_it_goes_on_where_it_was(ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_KEPT", 1)
    with opened(ledger_url) as court:
        Watch(court.ledger, court.cases).look()
        read = []
        entries = court.ledger.entries

        def counted(pool: str, after: int, limit: int) -> list[Entry]:
            found = entries(pool, after, limit)
            read.append(len(found))
            return found

        monkeypatch.setattr(court.ledger, "entries", counted)
        assert Watch(court.ledger, court.cases).look() == 0
        assert sum(read) == 0


def test_several_follow_at_once(ledger_url: str) -> None:
    with opened(ledger_url) as court:
        court.ledger.adjust(runs_away(0.2), pool=POOL, id="a1", reason="test")
        court.ledger.settle()
        opened_by: list[int] = []
        ready = threading.Barrier(4)

        def look(seed: int) -> None:
            watch = Watch(court.ledger, Cases(court.ledger, court.clock, random.Random(seed), approvers=2))
            ready.wait(30)
            opened_by.append(watch.look())

        threads = [threading.Thread(target=look, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sorted(opened_by) == [0, 0, 0, 1]


def test_a_thread_follows_what_comes(ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(ledger_url) as court:
        watch, seen = Watch(court.ledger, court.cases), threading.Event()
        follow = watch.follow

        def followed(pool: str) -> int:
            found = follow(pool)
            if found:
                seen.set()
            return found

        monkeypatch.setattr(watch, "follow", followed)
        with watch.watching():
            court.ledger.adjust(runs_away(0.2), pool=POOL, id="a1", reason="test")
            court.ledger.settle()
            assert seen.wait(30)
        assert len(court.cases.all()) == 1


def test_a_clock_that_was_ahead_is_warned_of_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(str(tmp_path / "l.db")) as court:
        watch = Watch(court.ledger, court.cases)

        def play(id: str, moved: int) -> int:
            court.clock.at += moved
            court.ledger.append({"id": id, "player_a": "ann", "player_b": "bob", "score_a": 1}, pool=POOL)
            court.ledger.settle()
            watch.look()
            return sum("the clock is" in one.message for one in caplog.records)

        year = 365 * 86_400_000_000
        assert [play("n1", year), play("n2", -year), play("n3", 0)] == [0, 1, 1]
        assert f"{year // 1_000_000} seconds behind the last entry of the pool 'go'" in caplog.text
        assert [play("n4", year), play("n5", -year)] == [1, 2]
