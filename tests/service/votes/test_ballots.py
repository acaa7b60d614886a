"""Ballots as they are kept: a pair once, the open one again, sides by lot."""

import random
import threading
from itertools import combinations
from pathlib import Path

import pytest
from polls import POOL, opened

from tallymark.service.problems import Problem
from tallymark.service.votes.ballots import Ballots
from tallymark.service.votes.voters import Voters, secret_of


def test_nobody_gets_a_pair_twice(ledger_url: str) -> None:
    with opened(ledger_url, items=7) as poll:
        seen = []
        for _ in range(21):
            ballot, new = poll.ballots.open(POOL, "v-1")
            assert new
            seen.append(frozenset((ballot.left, ballot.right)))
            poll.voting.vote(POOL, ballot.id, "left")
            poll.ledger.settle()
        assert set(seen) == {frozenset(pair) for pair in combinations([f"c{n}" for n in range(7)], 2)}
        with pytest.raises(Problem, match="every pair") as none:
            poll.ballots.open(POOL, "v-1")
        assert none.value.type.name == "no-ballot"
        assert poll.ballots.open(POOL, "v-2")[1]  # somebody else may


def test_a_ballot_that_was_not_voted_on_is_gone_with_its_time(ledger_url: str) -> None:
    """Its pair was shown: it does not come again, so nobody can wait for another side or mood."""
    with opened(ledger_url, items=3, seconds=60) as poll:
        first, _ = poll.ballots.open(POOL, "v-1")
        poll.clock.at = first.expires - 1
        assert poll.ballots.open(POOL, "v-1") == (first, False)
        poll.clock.at = first.expires
        second, new = poll.ballots.open(POOL, "v-1")
        assert new
        assert {first.left, first.right} != {second.left, second.right}
        with pytest.raises(Problem) as over:
            poll.voting.vote(POOL, first.id, "left")
        assert over.value.type.name == "ballot-over"
        assert poll.ledger.settle() == 0


def test_a_page_that_holds_a_vote_back_gets_the_next_ballot(ledger_url: str) -> None:
    with opened(ledger_url, items=5) as poll:
        first, _ = poll.ballots.open(POOL, "v-1")
        poll.clock.at += 1
        second, new = poll.ballots.open(POOL, "v-1", [first.id])
        assert new
        assert poll.ballots.open(POOL, "v-1", [first.id]) == (second, False)
        assert poll.ballots.open(POOL, "v-1") == (second, False)
        # Two are open at most: whoever names more cannot look through the pairs for one to vote on.
        assert poll.ballots.open(POOL, "v-1", [first.id, second.id])[0] in (first, second)
        poll.voting.vote(POOL, first.id, "right")
        third, new = poll.ballots.open(POOL, "v-1", [second.id])
        assert new
        assert third.id not in (first.id, second.id)


def test_many_askers_for_one_voter_get_one_ballot(ledger_url: str) -> None:
    with opened(ledger_url, items=30) as poll:
        found: list[str] = []
        ready = threading.Barrier(12)

        def ask() -> None:
            ready.wait(30)
            found.append(poll.ballots.open(POOL, "v-1")[0].id)

        threads = [threading.Thread(target=ask) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(found) == 12
        assert len(set(found)) == 1


def test_sides_are_by_lot_and_stay(tmp_path: Path) -> None:
    """Chi-square with one degree of freedom; 10.83 is p = 0.001."""
    with opened(str(tmp_path / "l.db"), items=2) as poll:
        left = 0
        for n in range(200):
            ballot, _ = poll.ballots.open(POOL, f"v-{n}")
            left += ballot.left == "c0"
            assert poll.ballots.find(POOL, ballot.id) == ballot
        assert (left - 100) ** 2 / 100 + (200 - left - 100) ** 2 / 100 < 10.83


def test_what_was_listed_by_another_process_counts(ledger_url: str) -> None:
    with opened(ledger_url, items=0) as poll:
        other = Ballots(poll.ledger, poll.clock, random.Random(2), seconds=60, cap=10)
        with pytest.raises(Problem, match="0 items"):
            other.open(POOL, "v-1")
        assert poll.ballots.items(POOL).list(["a", "b", 17, "b"]) == 3
        assert other.items(POOL).list(["a", "17"]) == 1
        assert set(poll.ballots.items(POOL).view().ids) == {"a", "b", 17, "17"}
        assert other.items(POOL).unlist(["17", "zzz"]) == 1
        assert poll.ballots.items(POOL).unlist(["b"]) == 1
        ballot, _ = other.open(POOL, "v-1")
        assert {ballot.left, ballot.right} == {"a", 17}


def test_the_view_stands_where_the_ledger_does(ledger_url: str) -> None:
    """Kept up entry by entry, it is the one that is read anew."""
    with opened(ledger_url, items=6) as poll:
        for n in range(12):
            poll.vote(f"v-{n % 3}", ("left", "right", "skip")[n % 3])
            poll.ledger.settle()
            kept = poll.ballots.items(POOL).view()
            anew = Ballots(poll.ledger, poll.clock, random.Random(3), seconds=60, cap=10).items(POOL).view()
            assert kept.position == anew.position
            assert kept.ids == anew.ids
            for name in ("mu", "phi2", "sigma2", "games"):
                assert getattr(kept.field, name).tolist() == getattr(anew.field, name).tolist()
            assert sorted(kept.field.by_rating) == list(range(6))
            assert kept.field.mu[kept.field.by_rating].tolist() == sorted(kept.field.mu)
        assert sum(kept.field.games.tolist()) == 2 * 8


def test_voters_have_names_that_say_nothing(ledger_url: str) -> None:
    with opened(ledger_url) as poll:
        secret = secret_of(poll.ledger.store, "voters", random.Random(5))
        assert secret_of(poll.ledger.store, "voters", random.Random(6)) == secret
        voters = Voters(secret)
        assert "ann" not in voters.of_site("ann@example.org")
        cookie = voters.new_cookie(random.Random(7))
        assert voters.of_cookie(cookie) == voters.of_cookie(cookie)
        assert voters.of_cookie(cookie) != voters.of_site(cookie.partition(".")[0])  # a site cannot vote as a page does
        assert voters.of_cookie(cookie[:-1] + ("a" if cookie[-1] != "a" else "b")) is None
        assert Voters(bytes(32)).of_cookie(cookie) is None
        for none in ("", ".", "x", "é.é"):
            assert voters.of_cookie(none) is None
