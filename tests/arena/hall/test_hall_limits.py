"""What a connection may send, and how many an owner may have."""

import pytest
from halls import Player, Time, opened, stands, turns

from tallymark.arena.games.face import Choice
from tallymark.arena.hall.connection import Connection, Limits, Said
from tallymark.arena.hall.saying import Closed, Denial, Denied, Queued
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.saying import Ack, ActionRequest, MatchEnd, MatchStart, Refused
from tallymark.arena.store.agents import Agent, Program
from tallymark.errors import InputError


def test_a_thousand_actions_are_refused_and_then_the_connection_is_ended(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.join()
        bob.join()
        hall.turn()
        seats = {one.agent: seat for seat, one in enumerate(ann.last(MatchStart).entrants)}
        flooder, other = (ann, bob) if seats["ann"] == 0 else (bob, ann)
        for _ in range(1000):
            flooder.answer("4")
        turns(hall, ledger, 2)
        # What the limits allow was read: the first answer counts, the others are for a request that is over.
        assert len(flooder.all(Ack)) == 1
        assert (
            len(flooder.all(Ack)) + len(flooder.all(Refused)) == 100
        )  # it joined before, and one answer to each request is beyond the limits
        assert [one.why for one in flooder.all(Denied)] == [Denial.TOO_MANY] * 100
        assert isinstance(flooder.told[-1], Closed)
        assert other.last(MatchEnd).verdict.reason is Reason.DISCONNECT
        assert stands(ledger, "noughts-1").state == "settled"
        again = Player(hall, flooder.name)  # it may come back
        again.join()
        hall.turn()
        assert again.all(Queued)


def test_who_only_answers_what_is_asked_is_never_too_fast() -> None:
    asks = ActionRequest("hex-1", 0, 1, {}, Choice(("a1",)), 1000, 1000)
    connection = Connection(Agent("ann", "ann"), Told(), Limits(a_second=1, burst=2))
    for _ in range(500):
        connection.send(asks)
        assert connection.taken(0, answers=True) == "taken"
    assert [connection.taken(0, answers=True) for _ in range(3)] == ["taken", "taken", "refused"]
    assert connection.taken(0) == "refused"


class Told:
    """A link that nobody listens to."""

    def send(self, said: Said) -> None:
        pass


def test_messages_come_back_with_time() -> None:
    limits = Limits(a_second=2, burst=3, each_match=1, patience=2)
    one = Connection(Agent("ann", "al"), _Nowhere(), limits)
    assert [one.taken(5) for _ in range(4)] == ["taken"] * 3 + ["refused"]
    assert one.taken(504) == "refused"
    assert one.taken(505) == "taken"  # half a second: one of two a second
    one.matches["noughts-1"] = 0
    assert one.taken(838) == "refused"
    assert one.taken(839) == "taken"  # a match more: three a second
    assert [one.taken(839) for _ in range(4)] == ["refused", "refused", "dropped", "ignored"]
    assert one.taken(10**9) == "ignored"


class _Nowhere:
    def send(self, said: object) -> None:
        raise AssertionError(said)


def test_connections_of_an_owner(ledger_url: str) -> None:
    with opened(ledger_url, Time(), limits=Limits(connections=2)) as (_, hall):
        first = Player(hall, "ann", "al")
        Player(hall, "amy", "al")
        with pytest.raises(InputError, match="has 2 connections already"):
            Player(hall, "abe", "al")
        Player(hall, "bob", "bo")
        first.go()
        Player(hall, "abe", "al")
        for n in range(4):
            Player(hall, f"house-{n}", "house", plays=["noughts"])


def test_a_link_that_fails_is_a_connection_that_is_gone(
    ledger_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.join()
        bob.join()

        def broken(said: object) -> None:
            raise ConnectionError("gone")

        monkeypatch.setattr(ann, "send", broken)
        turns(hall, ledger, 3)
        assert bob.last(MatchEnd).verdict.reason in (Reason.UNDELIVERED, Reason.DISCONNECT)
        assert not ann.connection.open
        assert "cannot be told" in caplog.text
        Player(hall, "ann")


def test_agents_that_an_owner_registers(ledger_url: str) -> None:
    with opened(ledger_url, Time(), limits=Limits(agents=2)) as (ledger, hall):
        first, second = Player(hall, "ann", "al"), Player(hall, "amy", "al")
        with pytest.raises(InputError, match="agent is 'abe', a new name; 'al' has registered 2 agents, which is all"):
            Player(hall, "abe", "al")
        assert ledger.player("abe").kind is None  # nothing is left of it
        Player(hall, "bob", "bo")
        for one in (first, second):
            one.go()
            Player(hall, one.name, "al", Program("2"))
        for n in range(4):
            Player(hall, f"house-{n}", "house", plays=["noughts"])
    with opened(ledger_url, Time(), limits=Limits(agents=1)) as (_, hall):
        Player(hall, "ann", "al")  # set lower, it takes nothing away
