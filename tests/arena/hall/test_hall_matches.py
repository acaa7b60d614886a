"""A match in the hall: written down before it is said, in the ledger before it is announced, rated once."""

from halls import Player, Time, first, kept, opened, stands, turns

from tallymark.arena.chance import commitment, seated
from tallymark.arena.hall.saying import Queued
from tallymark.arena.referee.saying import Ack, ActionRequest, MatchEnd, MatchStart


def test_two_agents_meet_and_are_rated(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        for one in (ann, bob):
            one.manner = first
            one.join()
        turns(hall, ledger)
        assert ann.all(Queued)[0].again is False
        start, end = ann.last(MatchStart), ann.last(MatchEnd)
        assert start.match == "noughts-1"
        seed = bytes.fromhex(end.seed)
        assert start.commitment == commitment(seed, "noughts-1")
        assert [one.agent for one in start.entrants] == list(seated(seed, ["ann", "bob"]))
        assert end.verdict.told == "three in a row"
        assert end.position == 2
        winner, loser = end.changes
        assert winner is not None
        assert loser is not None
        assert (winner.rating_before, winner.deviation_before) == (1500.0, 350.0)
        assert round(winner.rating, 2) == 1662.31
        assert round(loser.rating, 2) == 1337.69
        assert ann.all(Ack)
        assert len(ann.all(ActionRequest)) + len(bob.all(ActionRequest)) == 7
        match = stands(ledger, "noughts-1")
        assert (match.state, match.reason, match.position, match.number) == ("settled", "finished", 2, 1)
        assert [one.rank for one in match.seats] == [1, 2]
        assert [one.rating for one in match.seats] == [1500.0, 1500.0]
        kinds = [record["kind"] for record in kept(ledger, "noughts-1")]
        assert kinds == ["announced", "playing", *["action"] * 7, "over", "settled"]
        assert ledger.receipt("noughts", "noughts-1").state == "rated"
        assert ledger.player("ann").kind == "agent"
