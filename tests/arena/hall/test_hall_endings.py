"""How matches end in the hall: E1 by the clock of receipts, E3 by restarts and leases, and what is said of it when."""

from typing import Any

import pytest
from halls import Player, Time, first, kept, made, opened, replayed, stands, turns
from small_games import NoughtsGame

from tallymark.arena.games.face import Ruleset
from tallymark.arena.hall.hall import Hall
from tallymark.arena.hall.saying import Closed, Denial, Denied, Queued
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.saying import ActionRequest, MatchEnd, MatchStart
from tallymark.arena.store.agents import Agent
from tallymark.arena.wire.telling import told
from tallymark.errors import LedgerError
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Json


def paired(hall: Hall, *names: str) -> list[Player]:
    """Agents in one match, in the order of their seats."""
    found = [Player(hall, name) for name in names or ("ann", "bob")]
    for one in found:
        one.join()
    hall.turn()
    seats = [one.agent for one in found[0].last(MatchStart).entrants]
    hall.turn()
    return sorted(found, key=lambda one: seats.index(one.name))


@pytest.mark.parametrize(("ms", "ended"), [(1000, False), (1001, True)])
def test_e1_an_action_at_the_deadline_counts_and_one_a_millisecond_later_does_not(
    ledger_url: str, ms: int, ended: bool
) -> None:
    time = Time()
    with opened(ledger_url, time) as (ledger, hall):
        mover, other = paired(hall)
        time.ms = ms
        mover.answer("0")
        time.ms = 5000  # the turn comes late: what counts is when the action was received
        hall.turn()
        if ended:
            turns(hall, ledger, 2)
            end = mover.last(MatchEnd)
            assert (end.verdict.reason, end.verdict.seat) == (Reason.TIMEOUT, 0)
            assert other.all(ActionRequest) == []
        else:
            assert other.last(ActionRequest).deadline_ms == 1_000_000 + ms + 1000


def test_e1_who_never_got_a_request_plays_no_rated_match(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.delivers = bob.delivers = False
        ann.join()
        bob.join()
        hall.turn()
        time.ms = 1001
        turns(hall, ledger, 3)
        (end,) = ann.all(MatchEnd)
        assert end.verdict.reason is end.unrated is Reason.UNDELIVERED
        match = stands(ledger, "noughts-1")
        assert (match.state, match.reason, match.position) == ("aborted", "undelivered", 2)
        assert ledger.receipt("noughts", "noughts-1").state == "not-rated"
        assert [one["kind"] for one in kept(ledger, "noughts-1")] == ["announced", "over"]
        ann.join()
        bob.join()
        hall.turn()
        assert ann.last(MatchStart).match == "noughts-2"  # its number is never used again


def test_e1_a_disconnect_loses_all_the_matches_of_an_agent(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        mover, other = paired(hall)
        other.go()
        turns(hall, ledger, 2)
        end = mover.last(MatchEnd)
        assert (end.verdict.reason, end.verdict.seat) == (Reason.DISCONNECT, 1)
        assert end.changes[0] is not None
        assert end.changes[0].rating > 1600
        assert other.all(MatchEnd) == []
        assert stands(ledger, "noughts-1").seats[1].misses == 1


def test_a_grace_lets_an_agent_come_back(ledger_url: str) -> None:
    time = Time()
    game = NoughtsGame(ruleset=Ruleset("noughts-grace", action_ms=5000, grace_ms=1000))
    with opened(ledger_url, time, games=[game]) as (ledger, hall):
        mover, other = paired(hall)
        mover.go()
        hall.turn()
        time.ms = 900
        again = Player(hall, mover.name)
        hall.turn()
        assert again.told == [mover.last(ActionRequest)]
        again.answer("4")
        hall.turn()
        assert other.last(ActionRequest).seen == {"cells": "    x    "}
        other.go()
        time.ms = 1900
        hall.turn()
        assert again.all(MatchEnd) == []
        time.ms = 1901
        turns(hall, ledger, 2)
        assert again.last(MatchEnd).verdict.reason is Reason.DISCONNECT
        end, mine = told(again.last(MatchEnd)), mover.last(ActionRequest).seat  # though it never heard how it began
        assert end is not None
        assert (end["seat"], end["rank"]) == (mine, 1)


def test_a_grace_lets_a_house_agent_come_back_and_play_on(ledger_url: str) -> None:
    time = Time()
    game = NoughtsGame(ruleset=Ruleset("noughts-grace", action_ms=5000, grace_ms=1000))
    with opened(ledger_url, time, games=[game]) as (ledger, hall):
        asked: list[ActionRequest] = []

        def silent_once(said: ActionRequest) -> str:
            asked.append(said)
            if len(asked) == 1:
                raise ZeroDivisionError
            return first(said)

        house, ann = Agent("house-a", "house", "house"), Player(hall, "ann")
        ann.manner = first
        connection = hall.house(house, silent_once, ["noughts"], lambda think: think())
        ann.join()
        hall.turn()
        time.ms = 10_000
        turns(hall, ledger, 4)
        assert len(asked) == 1
        hall.disconnect(connection)
        hall.turn()
        hall.house(house, silent_once, ["noughts"], lambda think: think())
        turns(hall, ledger, 20)
        assert asked[1] == asked[0]
        assert ann.last(MatchEnd).verdict.reason is Reason.FINISHED


def test_answers_that_are_for_nothing(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        mover, _ = paired(hall)
        eve = Player(hall, "eve")
        for match in ("noughts-1", "noughts-2", "\x00", "x" * 300):
            hall.act(eve.connection, match, 1, "0")
        hall.turn()
        assert [one.why for one in eve.all(Denied)] == [Denial.NO_MATCH] * 4
        mover.answer("illegal")
        turns(hall, ledger, 2)
        assert mover.last(MatchEnd).verdict.reason is Reason.ILLEGAL
        mover.answer("0")
        hall.turn()
        assert mover.last(Denied).why is Denial.NO_MATCH


def test_r3_nothing_is_announced_before_it_is_in_the_public_history(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        mover, other = paired(hall)
        mover.answer("nonsense")
        hall.turn()
        assert ledger.receipt("noughts", "noughts-1").state == "waiting"
        for _ in range(3):
            hall.turn()
        assert mover.all(MatchEnd) == other.all(MatchEnd) == []
        assert stands(ledger, "noughts-1").state == "over"
        ledger.settle()
        hall.turn()
        assert mover.last(MatchEnd).position == other.last(MatchEnd).position == 2
        assert stands(ledger, "noughts-1").state == "settled"


def test_e3_a_stop_aborts_what_is_in_flight_and_numbers_are_not_used_again(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time) as (ledger, hall):
        mover, other = paired(hall)
        mover.answer("0")
        hall.turn()
        hall.close()
        for one in (mover, other):
            assert one.last(MatchEnd).unrated is Reason.RESTART
            assert isinstance(one.told[-1], Closed)
        with made(ledger, time) as after:
            match = stands(ledger, "noughts-1")
            assert (match.state, match.reason) == ("aborted", "restart")
            turns(after, ledger, 2)
            assert stands(ledger, "noughts-1").position == 2
            assert kept(ledger, "noughts-1")[-1]["reason"] == "restart"
            paired(after, "cyd", "dan")
            assert stands(ledger, "noughts-2").state == "playing"
        assert ledger.receipt("noughts", "noughts-1").state == "not-rated"
        with pytest.raises(Exception, match="no rating"):
            ledger.history("ann", "noughts")


def test_e3_a_process_that_is_gone_without_a_word(ledger_url: str) -> None:
    """The hall is never closed: what it played is aborted by the next one, what was appended is rated once."""
    time = Time()
    with Ledger.open(ledger_url, create=True, clock=time.utc) as ledger:
        gone = made(ledger, time)
        over, _ = paired(gone, "ann", "bob")
        playing, _ = paired(gone, "cyd", "dan")
        Player(gone, "eve").join()
        over.answer("illegal")
        playing.answer("4")
        gone.turn()
        assert over.all(MatchEnd) == []
        time.ms = 500
        with made(ledger, time) as after:
            assert stands(ledger, "noughts-2").state == "aborted"
            eve = Player(after, "eve")
            after.turn()
            assert eve.last(Queued).waited_ms == 500
            turns(after, ledger, 3)
            assert stands(ledger, "noughts-1")[6:7] == ("settled",)
            assert ledger.receipt("noughts", "noughts-1").state == "rated"
            assert ledger.receipt("noughts", "noughts-2").state == "not-rated"
            for match, last in (("noughts-1", "settled"), ("noughts-2", "over")):
                assert kept(ledger, match)[-1]["kind"] == last
                assert replayed(ledger, match)
            playing.answer("0")
            gone.turn()  # it is still there, and has lost everything
            assert isinstance(playing.told[-1], Closed)
            gone.turn()
            with pytest.raises(LedgerError, match="is closed"):
                Player(gone, "fay")
            assert ledger.settle() == 0
            eve.manner = first
            Player(after, "fay").join()
            after.turn()  # the other one is the arena, and goes on
            assert eve.all(MatchStart)
        assert len(ledger.history("ann", "noughts")) == 1


def test_e3_with_several_processes_a_lease_keeps_matches_and_its_end_aborts_them(ledger_url: str) -> None:
    time = Time()
    with (
        Ledger.open(ledger_url, create=True, clock=time.utc) as ledger,
        made(ledger, time, several=True, lease_ms=15_000) as low,
        made(ledger, time, several=True, lease_ms=15_000) as high,
    ):
        mover, other = paired(low)
        high.turn()
        assert stands(ledger, "noughts-1").state == "playing"
        mover.answer("0")
        low.turn()  # its lease is renewed by what it writes
        for ms in (5000, 10_000, 15_000):
            time.ms = ms
            high.turn()
        assert stands(ledger, "noughts-1").state == "playing"
        time.ms = 20_001
        high.turn()
        match = stands(ledger, "noughts-1")
        assert (match.state, match.reason) == ("aborted", "lease")
        other.answer("1")
        low.turn()
        assert stands(ledger, "noughts-1").state == "aborted"
        for one in (mover, other):
            assert isinstance(one.told[-1], Closed)
            assert not one.connection.open
        cyd, dan = paired(low, "cyd", "dan")  # and it goes on
        cyd.manner = dan.manner = first
        cyd.answer("0")
        turns(low, ledger)
        assert dan.last(MatchEnd).match == "noughts-2"


def test_a_hall_that_is_idle_goes_on(ledger_url: str) -> None:
    time = Time()
    lease: dict[str, Any] = {"several": True, "lease_ms": 15_000}
    with opened(ledger_url, time, **lease) as (ledger, hall), made(ledger, time, **lease) as other:
        ann = Player(hall, "ann")
        ann.join()
        for _ in range(10):
            hall.turn()
            other.turn()
            time.ms = hall.next_at() - 1_000_000
        assert time.ms == 50_000
        assert alive(ledger) == 2
        assert ann.connection.open


def test_e3_a_hall_that_wrote_nothing_for_too_long_aborts_what_it_played(ledger_url: str) -> None:
    """The machine slept, or the database was away: nobody loses by it."""
    time = Time()
    with opened(ledger_url, time, lease_ms=15_000) as (ledger, hall):
        mover, other = paired(hall)
        Player(hall, "eve").join()
        hall.turn()
        time.ms = 15_001
        hall.turn()
        match = stands(ledger, "noughts-1")
        assert (match.state, match.reason) == ("aborted", "lease")
        assert all(isinstance(one.told[-1], Closed) for one in (mover, other))
        eve, fay = Player(hall, "eve"), Player(hall, "fay")
        fay.join()
        turns(hall, ledger, 3)
        assert eve.all(Queued)[0].waited_ms == 15_001
        assert eve.all(MatchStart)[0].match == "noughts-2"
        assert ledger.receipt("noughts", "noughts-1").state == "not-rated"
        assert alive(ledger) == 1


def alive(ledger: Ledger) -> int:
    """Halls that there are."""
    with ledger.store.reading() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM arena_hall").scalar_one())


@pytest.mark.parametrize("rules", ["paper-1", "club-1"])
def test_a_match_that_its_pool_rates_later_is_rated_and_its_change_is_not_known(ledger_url: str, rules: str) -> None:
    """By calendar period every match waits; by recomputation those that are older than what was rated."""
    with opened(ledger_url, Time(), games=[NoughtsGame(rules=rules)]) as (ledger, hall):
        mover, _ = paired(hall)
        ledger.append(
            {"id": "later", "player_a": "x", "player_b": "y", "score_a": 1, "played_at": "2026-05-28T20:26:40.000001Z"},
            pool="noughts",
        )
        ledger.settle()
        mover.answer("illegal")
        turns(hall, ledger, 2)
        end = mover.last(MatchEnd)
        assert (end.unrated, end.changes, end.position) == (None, (), 3)
        said = told(end)
        assert said is not None
        assert (said["rated"], said["entry"]) == (True, 3)
        assert "change" not in said
        last = kept(ledger, "noughts-1")[-1]
        assert (last["kind"], last["position"], last["unrated"], last["changes"]) == ("settled", 3, None, None)
        assert replayed(ledger, "noughts-1")
        assert ledger.receipt("noughts", "noughts-1").state == ("rated" if rules == "club-1" else "accepted")  # by now


def test_a_match_that_its_pool_does_not_rate_says_so(ledger_url: str) -> None:
    with opened(ledger_url, Time(), games=[NoughtsGame(rules="go-float-v2")]) as (ledger, hall):
        mover, _ = paired(hall)
        mover.answer("illegal")  # too short a game, and not lost in one of the ways that count all the same
        turns(hall, ledger, 2)
        assert (mover.last(MatchEnd).unrated, mover.last(MatchEnd).position) == (Reason.RULES, 2)
        assert kept(ledger, "noughts-1")[-1]["unrated"] == "rules"


def test_an_id_that_somebody_else_used_in_the_pool_is_passed_over(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        stranger: dict[str, Json] = {"id": "noughts-1", "player_a": "x", "player_b": "y", "score_a": 1}
        ledger.append(stranger, pool="noughts")
        mover, _ = paired(hall)
        assert mover.last(MatchStart).match == "noughts-2"
        ledger.append(stranger | {"id": "noughts-2"}, pool="noughts")
        mover.answer("illegal")
        turns(hall, ledger, 2)
        end = mover.last(MatchEnd)  # the arena's own record says how it ended; the history has the stranger's
        assert (end.position, end.changes, end.unrated) == (None, (), Reason.ID_TAKEN)
        assert stands(ledger, "noughts-2").state == "settled"
        assert ledger.receipt("noughts", "noughts-2").state == "rated"
        last = kept(ledger, "noughts-2")[-1]
        assert (last["kind"], last["unrated"], last["position"], last["changes"]) == ("settled", "id-taken", None, [])
        assert replayed(ledger, "noughts-2")
        said = told(end)
        assert said is not None
        assert (said["rated"], said["unrated"]) == (False, "id-taken")
        assert "entry" not in said


def test_a_match_that_is_aborted_gets_no_entry_of_another_that_has_its_id(ledger_url: str) -> None:
    time = Time()
    with Ledger.open(ledger_url, create=True, clock=time.utc) as ledger:
        gone = made(ledger, time)
        paired(gone)
        ledger.append({"id": "noughts-1", "player_a": "x", "player_b": "y", "score_a": 1}, pool="noughts")
        ledger.settle()
        for _ in range(2):  # whoever has what another left looks for its entry
            with made(ledger, time) as after:
                turns(after, ledger, 2)
        match = stands(ledger, "noughts-1")
        assert (match.state, match.reason, match.position) == ("aborted", "restart", None)
        assert kept(ledger, "noughts-1")[-1]["unrated"] == "restart"
