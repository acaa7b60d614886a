"""Who watches, exhibitions, and house agents that are functions of this process."""

import pytest
from faults import Broken, failing, fails
from halls import GAMES, Player, Time, first, kept, made, opened, stands, turns, until

from tallymark.arena.hall.connection import Said
from tallymark.arena.hall.hall import Hall
from tallymark.arena.hall.saying import Closed
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.saying import ActionRequest, MatchEnd, MatchStart, Watched
from tallymark.arena.store.agents import Agent, Program
from tallymark.errors import InputError, LedgerError, UnknownError
from tallymark.ledger.ledger import Ledger


def house(hall: Hall, *names: str, game: str = "noughts") -> None:
    for name in names:
        agent = Agent(name, "house", "house", Program("1", "The first cell that is free.", "ab" * 32))
        hall.house(agent, first, [game], lambda think: think())


def test_who_watches_sees_all_that_everybody_may_see(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.join()
        bob.join()
        hall.turn()
        told: list[Said] = []
        with pytest.raises(UnknownError, match="is played here now"), hall.watch("noughts-2", told.append):
            pass
        mover = ann if ann.all(ActionRequest) else bob
        with hall.watch("noughts-1", told.append):
            hall.turn()
            assert [type(one) for one in told] == [MatchStart, Watched]
            mover.answer("0")
            hall.turn()
            assert isinstance(told[-1], Watched)
            assert told[-1].seen == {"cells": "x        "}
            mover.answer("stop")
            mover.go()
            turns(hall, ledger, 2)
            assert isinstance(told[-1], MatchEnd)
            assert told[-1].position == 2
        count = len(told)
        hall.turn()
        assert len(told) == count


def test_who_stops_watching_hears_nothing_more(ledger_url: str, caplog: pytest.LogCaptureFixture) -> None:
    with opened(ledger_url, Time()) as (_, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.join()
        bob.join()
        hall.turn()
        mover = ann if ann.all(ActionRequest) else bob
        told: list[Said] = []

        def broken(said: Said) -> None:
            told.append(said)
            raise RuntimeError("no")

        seen: list[Said] = []
        with hall.watch("noughts-1", broken), hall.watch("noughts-1", seen.append):
            hall.turn()
            mover.answer("0")
            hall.turn()
        assert len(told) == 1  # one that raises is not called again
        assert len(seen) == 3
        (ann if mover is bob else bob).answer("1")
        hall.turn()
        assert len(seen) == 3


def test_who_watches_is_told_where_nothing_more_will_come(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (_, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.join()
        bob.join()
        hall.turn()
        early: list[Said] = []
        late: list[Said] = []
        with hall.watch("noughts-1", early.append):
            hall.turn()
            ann.go()
            hall.disconnect(bob.connection)
            playing = hall._turns.stage.playing["noughts-1"]
            hall.turn()
            hall._turns.stage.playing["noughts-1"] = playing  # it ends between the question and the answer
            with hall.watch("noughts-1", late.append):
                del hall._turns.stage.playing["noughts-1"]
                hall.turn()
                assert [type(one) for one in late] == [Closed]
            hall.close()  # before it is rated
        assert isinstance(early[-1], Closed)


def test_exhibitions_are_paced_and_never_rated(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time) as (ledger, hall):
        house(hall, "house-a", "house-b")
        hall.turn()
        told = hall.exhibit("noughts", ["house-a", "house-b"])
        hall.turn()
        match = told.result(0)
        assert match == "noughts-1"
        seen: list[Said] = []
        with hall.watch(match, seen.append):
            for _ in range(6):
                hall.turn()
            assert len([one for one in seen if isinstance(one, Watched)]) == 1
            for n in range(7):
                time.ms = 500 * (n + 1) - 1  # ruleset.pace_ms
                hall.turn()
                assert len([one for one in seen if isinstance(one, Watched)]) == n + 1
                time.ms += 1
                assert hall.next_at() <= 1_000_000 + time.ms
                hall.turn()
                hall.turn()
                assert len([one for one in seen if isinstance(one, Watched)]) == n + 2
        end = seen[-1]
        assert isinstance(end, MatchEnd)
        assert end.unrated is Reason.EXHIBITION
        found = stands(ledger, match)
        assert (found.state, found.rated, found.position) == ("settled", False, None)
        assert [one.kind for one in found.seats] == ["house", "house"]
        assert [one.digest for one in found.seats] == ["ab" * 32, "ab" * 32]
        assert kept(ledger, match)[0]["exhibition"] is True
        with pytest.raises(UnknownError):
            ledger.receipt("noughts", match)
        assert ledger.player("house-a").kind == "house"


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("noughts", ["house-a"]),
        ("noughts", ["house-a", "house-a"]),
        ("noughts", ["house-a", "ann"]),
        ("x", ["house-a"]),
    ],
)
def test_exhibitions_that_cannot_be(ledger_url: str, game: str, agents: list[str]) -> None:
    with opened(ledger_url, Time()) as (_, hall):
        house(hall, "house-a", "house-b")
        Player(hall, "ann")
        told = hall.exhibit(game, agents)
        hall.turn()
        with pytest.raises(InputError, match="cannot play"):
            told.result(0)


def test_who_asks_for_an_exhibition_is_told_where_its_game_cannot_be_begun(ledger_url: str) -> None:
    with opened(ledger_url, Time(), games=[Broken()]) as (_, hall):
        house(hall, "house-a", "house-b", game="broken")
        told = hall.exhibit("broken", ["house-a", "house-b"])
        hall.turn()
        with pytest.raises(LedgerError, match="broken cannot be begun"):
            told.result(0)


@pytest.mark.parametrize("how", ["came", "to do", "to begin"])
@pytest.mark.parametrize("lost", [False, True])
def test_who_asks_for_an_exhibition_is_told_where_the_hall_ends_first(ledger_url: str, how: str, lost: bool) -> None:
    """When it has just come, when nothing could be read, and when nothing could be written."""
    time = Time()
    with opened(ledger_url, time, lease_ms=15_000) as (ledger, hall):
        house(hall, "house-a", "house-b")
        hall.turn()
        told = hall.exhibit("noughts", ["house-a", "house-b"])
        if how == "to do":
            hall._turns._standing._at["nowhere"] = 0
            hall._told({"nowhere": 1})  # a pool that is not there: the turn fails before anything is done
            with pytest.raises(UnknownError):
                hall.turn()
            hall._heads = None
        elif how == "to begin":
            with failing(ledger, behind=False):
                fails(hall)
        assert not told.done()
        if lost:
            time.ms = 15_001
            hall.turn()
        else:
            hall.close()
        with pytest.raises(LedgerError, match="the arena"):
            told.result(0)


def test_a_hall_that_is_closed_exhibits_nothing(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        house(hall, "house-a", "house-b")
        hall.turn()
        told = hall.exhibit("noughts", ["house-a", "house-b"])
        with made(ledger, Time(), seed=2):  # another process: it is the arena now
            hall.turn()
        with pytest.raises(LedgerError, match="the arena"):
            told.result(0)
        with pytest.raises(LedgerError, match="the arena is closed"):
            hall.exhibit("noughts", ["house-a", "house-b"])


def test_a_house_agent_plays_rated_matches_by_the_same_rules(ledger_url: str, caplog: pytest.LogCaptureFixture) -> None:
    time = Time()
    with opened(ledger_url, time) as (ledger, hall):
        house(hall, "house-a")

        def thoughtless(asked: ActionRequest) -> str:
            raise ZeroDivisionError

        ann, bob = Player(hall, "ann"), Player(hall, "bob", "owner-ann")
        ann.manner = first
        ann.join()
        hall.turn()
        time.ms = 10_000
        turns(hall, ledger)
        assert ann.last(MatchEnd).changes[0] is not None
        assert len(ledger.history("house-a", "noughts")) == 1
        hall.house(Agent("house-0", "house", "house"), thoughtless, ["noughts"], lambda think: think())
        bob.manner = first
        bob.join()
        hall.turn()
        time.ms = 20_000
        turns(hall, ledger, 5)
        if "house-0" in [one.agent for one in bob.last(MatchStart).entrants]:
            time.ms = 21_001
            turns(hall, ledger, 3)
            assert bob.last(MatchEnd).verdict.reason is Reason.TIMEOUT
            assert "house-0 cannot answer" in caplog.text


def test_the_thread_of_a_hall(ledger_url: str) -> None:
    """Everything by itself: a hall and a rater that run."""
    with Ledger.open(ledger_url, create=True) as ledger, Hall(ledger, GAMES) as hall:
        with ledger.rating(), hall.running():
            ann, bob = Player(hall, "ann"), Player(hall, "bob")
            for one in (ann, bob):
                one.manner = first
                one.join()
            until(lambda: bool(ann.all(MatchEnd) and bob.all(MatchEnd)))
        assert ann.last(MatchEnd).position == 2
        assert len(ledger.history("ann", "noughts")) == 1
