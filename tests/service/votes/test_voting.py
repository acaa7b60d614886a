"""Votes: one a ballot, whoever sends how many copies; capped; and what of them is rated."""

import json
import threading

import pytest
from polls import DAY, MIDNIGHT, POOL, opened

from tallymark.ledger.matches import Json
from tallymark.service.problems import Problem


def test_fifty_copies_are_one_vote(ledger_url: str) -> None:
    with opened(ledger_url, cap=1) as poll:
        ballot, _ = poll.ballots.open(POOL, "v-1")
        again: list[bool] = []
        ready = threading.Barrier(50)

        def send() -> None:
            ready.wait(60)
            again.append(poll.voting.vote(POOL, ballot.id, "left").again)

        threads = [threading.Thread(target=send) for _ in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sorted(again) == [False] + [True] * 49
        assert poll.ledger.settle() == 1
        assert poll.ledger.receipt(POOL, ballot.id).state == "rated"
        assert len(poll.ledger.ratings(POOL)) == 2


def test_of_two_choices_at_once_one_counts(ledger_url: str) -> None:
    with opened(ledger_url, items=30) as poll:
        for n in range(8):
            ballot, _ = poll.ballots.open(POOL, f"v-{n}")
            found: list[str] = []
            refused: list[tuple[str, set[Json]]] = []
            ready = threading.Barrier(8)

            def send(choice: str, ballot: str = ballot.id, ready: threading.Barrier = ready) -> None:
                ready.wait(60)
                try:
                    poll.voting.vote(POOL, ballot, choice)
                    found.append(choice)  # noqa: B023
                except Problem as problem:
                    refused.append((problem.type.name, {problem.more["first"], problem.more["second"]}))  # noqa: B023

            threads = [threading.Thread(target=send, args=(("left", "right")[k % 2],)) for k in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
            assert len(found) == 4
            assert refused == [("conflict", {"left", "right"})] * 4
            assert len(set(found)) == 1
            vote = poll.ballots.find(POOL, ballot.id).vote
            assert vote is not None
            assert vote.choice == found[0]
        assert poll.ledger.settle() == 8


def test_a_vote_is_a_match_with_its_sides(ledger_url: str) -> None:
    with opened(ledger_url, items=2) as poll:
        for voter, choice in (("v-1", "left"), ("v-2", "right"), ("v-3", "skip"), ("v-4", "both-bad")):
            ballot, _ = poll.ballots.open(POOL, voter)
            poll.voting.vote(POOL, ballot.id, choice)
            poll.ledger.settle()
            fate = poll.ledger.receipt(POOL, ballot.id)
            assert fate.position is not None
            entry = json.loads(poll.ledger.entry(POOL, fate.position).body)
            match = entry["match"]
            assert (match["player_a"], match["player_b"]) == (ballot.left, ballot.right)
            assert match["data"] == {"voter": voter, "choice": choice}
            assert match.get("score_a") == {"left": 1, "right": 0}.get(choice)
            assert entry.get("reason") == (None if choice in ("left", "right") else "no-result")


def test_ties_where_the_pool_has_them(ledger_url: str) -> None:
    with opened(ledger_url) as poll:
        ballot, _ = poll.ballots.open(POOL, "v-1")
        for choice in ("tie", "LEFT", ""):
            with pytest.raises(Problem, match="expected left, right, skip, both-bad") as refused:
                poll.voting.vote(POOL, ballot.id, choice)
            assert refused.value.more["field"] == "choice"
        assert poll.ballots.find(POOL, ballot.id).vote is None


def test_ties_are_rated_under_rules_that_rate_draws(ledger_url: str) -> None:
    with opened(ledger_url, rules="arena-v0") as poll:
        ballot = poll.vote("v-1", "tie")
        poll.ledger.settle()
        assert poll.ledger.receipt(POOL, ballot).state == "rated"


def test_the_cap_is_of_a_day_of_utc(ledger_url: str) -> None:
    with opened(ledger_url, items=9, cap=3, seconds=7200) as poll:
        poll.clock.at = MIDNIGHT - 2_500_000
        for choice in ("left", "skip", "right"):
            assert poll.ballots.left_today("v-1") > 0
            poll.vote("v-1", choice)
        assert poll.ballots.left_today("v-1") == 0
        poll.clock.at = MIDNIGHT - 1
        with pytest.raises(Problem) as capped:
            poll.ballots.open(POOL, "v-1")
        assert (capped.value.type.name, capped.value.headers) == ("daily-cap", {"Retry-After": "1"})
        poll.vote("v-2")
        poll.clock.at = MIDNIGHT
        assert poll.ballots.left_today("v-1") == 3
        poll.vote("v-1")
        assert poll.ballots.left_today("v-1") == 2
        poll.clock.at = MIDNIGHT - 1  # another machine, which is late: the day does not come back
        poll.vote("v-1")
        assert poll.ballots.left_today("v-1") == 1
        poll.clock.at = MIDNIGHT + DAY
        assert poll.ballots.left_today("v-1") == 3


def test_the_cap_holds_when_ballots_were_opened_before_it(ledger_url: str) -> None:
    """Two open ballots and one vote left, sent at once: one of them gets it. A copy of a counted vote is no vote."""
    with opened(ledger_url, items=9, cap=1) as poll:
        first, _ = poll.ballots.open(POOL, "v-1")
        second, _ = poll.ballots.open(POOL, "v-1", [first.id])
        ready = threading.Barrier(2)
        refused: list[str] = []

        def send(ballot: str) -> None:
            ready.wait(30)
            try:
                poll.voting.vote(POOL, ballot, "left")
            except Problem as problem:
                refused.append(problem.type.name)

        threads = [threading.Thread(target=send, args=(one.id,)) for one in (first, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert refused == ["daily-cap"]
        assert poll.ledger.settle() == 1
        (voted,) = (one.id for one in (first, second) if poll.ballots.find(POOL, one.id).vote)
        assert poll.voting.vote(POOL, voted, "left").again


def test_what_is_not_there_or_not_yours(ledger_url: str) -> None:
    with opened(ledger_url) as poll:
        ballot, _ = poll.ballots.open(POOL, "v-1")
        for ask in (("none", None), (ballot.id, "v-2")):
            with pytest.raises(Problem) as unknown:
                poll.voting.vote(POOL, ask[0], "left", ask[1])
            assert unknown.value.type.name == "unknown-ballot"
        assert not poll.voting.vote(POOL, ballot.id, "left", "v-1").again


def test_a_voters_votes_are_voided_as_one_entry(ledger_url: str) -> None:
    with opened(ledger_url) as poll:
        for _ in range(4):
            poll.vote("v-1")
            poll.vote("v-2", "right")
        poll.ledger.settle()
        poll.ledger.void_voter("v-1", pool=POOL, id="void 1", reason="one person, many names")
        assert poll.ledger.settle() == 1
        assert poll.ledger.receipt(POOL, "void 1").state == "corrected"
