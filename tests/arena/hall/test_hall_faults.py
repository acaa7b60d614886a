"""A database that fails in the middle of a turn: nothing is said before it is written, and nothing is written twice."""

import pytest
from faults import Broken, failing, fails
from halls import START, Player, Time, first, kept, opened, replayed, stands, turns
from small_games import Noughts, NoughtsGame

from tallymark.arena.games.face import Action, Seat
from tallymark.arena.hall.saying import Cancelled, Denial, Denied, Queued
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.saying import Ack, ActionRequest, MatchEnd, MatchStart
from tallymark.errors import LedgerError


@pytest.mark.parametrize("behind", [False, True])
def test_a_queue_an_action_and_an_end(ledger_url: str, behind: bool) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.join()
        with failing(ledger, behind):
            fails(hall)
            fails(hall)
        assert ann.told == []
        bob.join()
        hall.turn()
        assert len(ann.all(Queued)) == len(bob.all(Queued)) == 1
        assert ann.last(MatchStart).match == "noughts-1"
        mover, other = (ann, bob) if ann.all(ActionRequest) else (bob, ann)
        hall.turn()
        mover.answer("4")
        with failing(ledger, behind):
            fails(hall)
            mover.answer("0")  # what comes meanwhile has its place behind
            fails(hall)
        assert mover.all(Ack) == []
        assert other.all(ActionRequest) == []
        hall.turn()
        assert len(mover.all(Ack)) == len(other.all(ActionRequest)) == 1
        other.answer("nonsense")
        with failing(ledger, behind):
            fails(hall)
        assert stands(ledger, "noughts-1").state == ("over" if behind else "playing")
        turns(hall, ledger, 3)
        assert [one["n"] for one in kept(ledger, "noughts-1")] == list(range(6))
        assert len(mover.all(MatchEnd)) == len(other.all(MatchEnd)) == 1
        assert mover.last(MatchEnd).verdict.reason is Reason.ILLEGAL
        assert replayed(ledger, "noughts-1")
        assert len(ledger.history("ann", "noughts")) == 1


@pytest.mark.parametrize("behind", [False, True])
def test_a_pair(ledger_url: str, behind: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        bob.join()
        hall.turn()
        ann.join()
        with monkeypatch.context() as patched:
            patched.setattr(hall._turns, "_pair", lambda now_ms: None)
            hall.turn()
        with failing(ledger, behind):
            fails(hall)
        assert ann.all(MatchStart) == bob.all(MatchStart) == []
        hall.turn()
        if behind:  # it began, and nobody was told: it is aborted, and they know that they wait no longer
            assert stands(ledger, "noughts-1").reason == "defect"
            hall.turn()
            assert len(ann.all(Cancelled)) == len(bob.all(Cancelled)) == 1
            ann.join()
            bob.join()
            hall.turn()
            assert ann.last(MatchStart).match == bob.last(MatchStart).match == "noughts-2"
        else:
            assert ann.last(MatchStart).match == "noughts-1"
        ann.manner = bob.manner = first
        (ann if ann.all(ActionRequest) else bob).answer("0")
        turns(hall, ledger)
        assert len(ann.all(MatchEnd)) == 1


@pytest.mark.parametrize("behind", [False, True])
def test_a_settlement(ledger_url: str, behind: bool) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.join()
        bob.join()
        hall.turn()
        (ann if ann.all(ActionRequest) else bob).answer("nonsense")
        hall.turn()
        ledger.settle()
        with failing(ledger, behind):
            fails(hall)
        assert ann.all(MatchEnd) == []
        turns(hall, ledger, 2)
        assert len(ann.all(MatchEnd)) == len(bob.all(MatchEnd)) == 1
        assert [one["kind"] for one in kept(ledger, "noughts-1")] == [
            "announced",
            "playing",
            "missed",
            "over",
            "settled",
        ]


def test_a_hello_that_cannot_be_written_can_be_said_again(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        with failing(ledger, behind=False), pytest.raises(LedgerError):
            Player(hall, "ann")
        with failing(ledger, behind=True), pytest.raises(LedgerError):
            Player(hall, "ann")
        ann = Player(hall, "ann")
        ann.join()
        hall.turn()
        assert ann.all(Queued)


class Fails(NoughtsGame):
    """It fails at the third action."""

    def __init__(self) -> None:
        super().__init__(name="fails")

    def start(self, seed: bytes, seats: int) -> Noughts:
        return _Third()


class _Third(Noughts):
    def apply(self, seat: Seat, action: Action) -> None:
        if self.turn == 2:
            raise ZeroDivisionError
        super().apply(seat, action)


def test_a_game_that_fails_costs_its_own_matches(ledger_url: str, caplog: pytest.LogCaptureFixture) -> None:
    with opened(ledger_url, Time(), games=[Broken(), Fails(), NoughtsGame()]) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.manner = bob.manner = first
        for game in ("broken", "fails", "noughts"):
            ann.join(game)
            bob.join(game)
        turns(hall, ledger)
        reasons = {one.match: one.verdict.reason for one in ann.all(MatchEnd)}
        assert reasons == {"fails-1": Reason.DEFECT, "noughts-1": Reason.FINISHED}
        assert stands(ledger, "fails-1").state == "aborted"
        assert "broken cannot be begun" in caplog.text
        assert hall.next_at() > 1_000_000  # nobody turns in circles for it
        cat = Player(hall, "cat")
        cat.join("broken")
        hall.turn()
        for one in (ann, bob, cat):
            (said,) = one.all(Denied)
            assert (said.why, said.about) == (Denial.NO_GAME, "broken")
            assert said.told.startswith("broken fails when it is begun")
        assert "the game failed" in caplog.text


@pytest.mark.parametrize("behind", [False, True])
def test_nothing_is_played_after_it_was_received_whatever_clocks_say(ledger_url: str, behind: bool) -> None:
    """The wall clock goes back in a match, whose own does not; and what is tried again is told with the same time."""
    time = Time()
    with opened(ledger_url, time) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.join()
        bob.join()
        hall.turn()
        time.ms, time.back_ms = 500, 30_000
        (ann if ann.all(ActionRequest) else bob).answer("nonsense")
        with failing(ledger, behind):
            fails(hall)
        time.ms = 600
        turns(hall, ledger, 2)
        assert ann.last(MatchEnd).position == bob.last(MatchEnd).position == 2
        match = ledger.match("noughts", "noughts-1")
        assert match.played_at is not None
        assert match.played_at == min(match.played_at, match.received_at)
        assert match.played_at.timestamp() == START / 10**6 + 0.5 - 30
