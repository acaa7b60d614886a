"""P2, P3 and the cases MM-01, MM-05, MM-11: an entry of a queue ends once, in one match or one cancellation."""

import pytest
from halls import Player, Time, made, opened, stands, turns
from small_games import NoughtsGame
from sqlalchemy import text

from tallymark.arena.games.face import Game
from tallymark.arena.hall.saying import Alone, Cancelled, Denial, Denied, Matched, Queued
from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.referee.saying import MatchStart
from tallymark.arena.store import tickets
from tallymark.arena.store.tickets import Ticket
from tallymark.errors import InputError
from tallymark.ledger.ledger import Ledger


class Chequers(NoughtsGame):
    """A second game for two."""

    def __init__(self) -> None:
        super().__init__(name="chequers", pool="chequers")


def rows(ledger: Ledger) -> list[tuple[str, str, str, str | None]]:
    """Every ticket: game, agent, state, match."""
    with ledger.store.reading() as connection:
        found = connection.execute(text('SELECT game, agent, state, "match" FROM arena_ticket ORDER BY id'))
        return [(row[0], row[1], row[2], row[3]) for row in found]


def agents(player: Player) -> set[str]:
    return {one.agent for one in player.last(MatchStart).entrants}


def test_mm_01_joining_twice_is_one_ticket(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        ann = Player(hall, "ann")
        ann.join()
        ann.join()
        hall.turn()
        ann.join()
        hall.turn()
        assert rows(ledger) == [("noughts", "ann", "waiting", None)]
        with ledger.store.reading() as connection:
            assert tickets.lengths(connection) == {"noughts": (1, Time().utc())}
        assert [one.again for one in ann.all(Queued)] == [False, True, True]
        assert len({one.ticket for one in ann.all(Queued)}) == 1
        bob = Player(hall, "bob")
        bob.join()
        hall.turn()
        assert agents(ann) == agents(bob) == {"ann", "bob"}
        assert len(ann.all(MatchStart)) == 1


def test_mm_05_one_ticket_in_two_processes_becomes_one_match(ledger_url: str) -> None:
    """Ann is proposed by two halls at once: one of them gets her, and in the other the opponent goes on waiting."""
    time = Time()
    with opened(ledger_url, time, several=True) as (ledger, low), made(ledger, time, several=True) as high:
        ann, bob = Player(low, "ann"), Player(low, "bob")
        ann.join()
        low.turn()
        time.ms = 4000
        again, cyd = Player(high, "ann", "owner-ann"), Player(high, "cyd")
        cyd.join()
        bob.join()
        with low._turn:  # the first hall believes that ann still waits there
            assert low._turns._lobby.queues["noughts"].get("ann") is not None
        high.turn()
        low.turn()
        found = [row for row in rows(ledger) if row[1] == "ann"]
        assert [row[2:] for row in found] == [("matched", "noughts-1")]
        assert agents(again) == agents(cyd) == {"ann", "cyd"}
        assert bob.all(MatchStart) == []
        assert ann.last(Cancelled).game == "noughts"
        time.ms = 9000
        bob.join()
        low.turn()
        assert bob.last(Queued).waited_ms == 5000  # with its waiting time kept
        dan = Player(low, "dan")
        dan.join()
        low.turn()
        assert agents(bob) == {"bob", "dan"}


@pytest.mark.parametrize("cancelled", [True, False])
def test_mm_11_cancel_in_the_instant_of_matching(ledger_url: str, cancelled: bool) -> None:
    time = Time()
    with opened(ledger_url, time, games=[NoughtsGame(), Chequers()]) as (ledger, hall):
        ann, bob, cyd = (Player(hall, name) for name in ("ann", "bob", "cyd"))
        ann.join("noughts")
        bob.join("chequers")
        hall.turn()
        time.ms = 3000
        cyd.join("noughts")
        if not cancelled:
            hall.turn()  # the tick pairs ann and cyd
        ann.leave("noughts")
        hall.turn()
        assert ann.all(Denied) == []
        if cancelled:
            assert ann.last(Cancelled).game == "noughts"
            assert ann.all(MatchStart) == cyd.all(MatchStart) == []
            time.ms = 5000
            cyd.join("noughts")
            hall.turn()
            assert cyd.last(Queued).waited_ms == 2000
        else:
            assert ann.last(Matched).match == "noughts-1"
            assert agents(ann) == agents(cyd) == {"ann", "cyd"}
            assert ann.all(Cancelled) == []
        assert bob.all(MatchStart) == []
        assert {row[1]: row[2] for row in rows(ledger)}["bob"] == "waiting"


def test_cancelling_what_another_process_has_matched_says_the_match(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time, several=True) as (ledger, low), made(ledger, time, several=True) as high:
        ann = Player(low, "ann")
        ann.join()
        low.turn()
        Player(high, "ann", "owner-ann")
        bob = Player(high, "bob")
        bob.join()
        high.turn()
        ann.leave()
        low.turn()
        assert ann.last(Matched).match == bob.last(MatchStart).match


def test_a_race_of_cancellation_and_pairing_has_one_winner(ledger_url: str) -> None:
    """The database decides: whoever comes second finds the ticket moved."""
    with opened(ledger_url, Time()) as (ledger, hall):
        Player(hall, "ann")
        with ledger.beside() as own:
            ticket, again = tickets.join(own.connection, "noughts", "ann", "here", 5)
            assert (ticket.state, again) == ("waiting", False)
            assert tickets.join(own.connection, "noughts", "ann", "there", 9) == (ticket._replace(holder="there"), True)
            assert tickets.claimable(own.connection, [ticket.id], "here") == set()
            assert tickets.claimable(own.connection, [ticket.id], "there") == {ticket.id}
            assert not tickets.cancel(own.connection, ticket.id, 9, "here")
            assert tickets.cancel(own.connection, ticket.id, 9)
            assert not tickets.cancel(own.connection, ticket.id, 9)
            assert tickets.claimable(own.connection, [ticket.id], "there") == set()
            tickets.matched(own.connection, [tickets.Claim((ticket.id,), "noughts-1")], 9)
            assert tickets.find(own.connection, ticket.id).state == "cancelled"
            other, again = tickets.join(own.connection, "noughts", "ann", "here", 11)
            assert other.id != ticket.id
            assert not again
            tickets.matched(own.connection, [tickets.Claim((other.id,), "noughts-1")], 12)
            assert not tickets.cancel(own.connection, other.id, 13)
            assert tickets.last(own.connection, "noughts", "ann") == Ticket(
                other.id, "noughts", "ann", "matched", 11, "here", "noughts-1"
            )


def test_p3_tickets_wait_across_a_restart_with_their_time(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time) as (ledger, hall):
        Player(hall, "ann").join()
        hall.turn()
        hall.close()
        time.ms = 7000
        with made(ledger, time) as after:
            after.turn()
            assert rows(ledger) == [("noughts", "ann", "waiting", None)]
            ann = Player(after, "ann")
            after.turn()
            (queued,) = ann.all(Queued)
            assert (queued.again, queued.waited_ms) == (True, 7000)
            time.ms = 9999
            house = Player(after, "house-noughts", "house", plays=["noughts"])
            after.turn()
            assert house.all(MatchStart) == []
            time.ms = 10000
            after.turn()
            assert agents(ann) == {"ann", "house-noughts"}
            assert house.last(MatchStart).match == ann.last(MatchStart).match


def test_who_does_not_come_back_after_a_restart_waits_no_longer(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time) as (ledger, hall):
        Player(hall, "ann").join()
        hall.turn()
        hall.close()
        with made(ledger, time, return_ms=20_000) as after:
            time.ms = 19_999
            after.turn()
            assert rows(ledger)[0][2] == "waiting"
            assert after.next_at() <= 1_020_000
            time.ms = 20_000
            after.turn()
            assert rows(ledger)[0][2] == "cancelled"
            ann = Player(after, "ann")
            after.turn()
            assert ann.all(Queued) == []


def test_a_dropped_connection_keeps_no_ticket(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ann.join()
        ann.go()
        ann.go()
        hall.turn()
        bob.join()
        hall.turn()
        assert bob.all(MatchStart) == []
        assert [row[2] for row in rows(ledger)] == ["cancelled", "waiting"]
        again = Player(hall, "ann")
        again.join()
        hall.turn()
        assert agents(again) == {"ann", "bob"}


def test_p1_the_window_is_exact_to_the_millisecond(ledger_url: str) -> None:
    """Two who stand 324.62 points apart meet after 74.772 seconds, and not a millisecond before."""
    time = Time()
    with opened(ledger_url, time) as (ledger, hall):
        ann, bob = Player(hall, "ann"), Player(hall, "bob")
        ledger.append({"id": "before", "player_a": "ann", "player_b": "bob", "score_a": 1}, pool="noughts")
        ledger.settle()
        hall.turn()
        ann.join()
        bob.join()
        for ms, met in ((0, 0), (74_771, 0), (74_772, 1)):
            time.ms = ms
            hall.turn()
            assert met or ms < 74_771 or hall.next_at() <= 1_074_772  # nobody has to look before
            assert len(ann.all(MatchStart)) == met
        assert [one.rating and round(one.rating, 2) for one in ann.last(MatchStart).entrants] in (
            [1662.31, 1337.69],
            [1337.69, 1662.31],
        )


def _capped(game: Game) -> PairingRules:
    return PairingRules(seats=tuple(game.seats), cap_centi=30_000)


def test_mm_07_who_has_nobody_in_range_is_told_so_once_and_nothing_spins(ledger_url: str) -> None:
    """Two who stand 324.62 points apart, with a cap of 300."""
    time = Time()
    with opened(ledger_url, time, rules=_capped) as (ledger, hall):
        ann, bob, cyd = (Player(hall, name) for name in ("ann", "bob", "cyd"))
        ledger.append({"id": "before", "player_a": "ann", "player_b": "bob", "score_a": 1}, pool="noughts")
        ledger.settle()
        ann.join()
        bob.join()
        time.ms = 2_000
        hall.turn()
        bob.leave()
        hall.turn()
        bob.join()
        for ms, told in ((29_999, (0, 0)), (30_000, (1, 0)), (31_999, (1, 0)), (32_000, (1, 1)), (90_000, (1, 1))):
            time.ms = ms
            hall.turn()
            assert (len(ann.all(Alone)), len(bob.all(Alone))) == told
            assert ms < hall.next_at() - 1_000_000 <= {29_999: 30_000, 30_000: 32_000}.get(ms, 10**9)
        assert [one.last(Alone) for one in (ann, bob)] == [Alone("noughts", 30_000)] * 2
        cyd.join()
        hall.turn()
        assert agents(cyd) == {"ann", "cyd"}  # waiting went on
        time.ms = 130_000
        hall.turn()
        assert cyd.all(Alone) == []  # who is paired has nothing to be told


def test_p2_no_two_of_one_owner_and_the_nearest_house_agent_for_who_is_left(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time) as (_, hall):
        ann, amy = Player(hall, "ann", "al"), Player(hall, "amy", "al")
        houses = [Player(hall, f"house-{name}", "house", plays=["noughts"]) for name in "ba"]
        ann.join()
        amy.join()
        time.ms = 9_999
        hall.turn()
        assert ann.all(MatchStart) == amy.all(MatchStart) == []
        time.ms = 10_000
        hall.turn()
        assert agents(ann) == {"ann", "house-a"}  # of two that stand alike the lowest id, in any number of matches
        assert agents(amy) == {"amy", "house-a"}
        assert houses[0].all(MatchStart) == []
        houses[0].join()
        hall.turn()
        assert houses[0].last(Denied).why is Denial.NO_GAME


def test_p2_more_players_get_house_agents_after_fifteen_seconds(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time) as (_, hall):
        ann = Player(hall, "ann")
        for n in range(3):
            Player(hall, f"house-{n}", "house", plays=["parlour"])
        ann.join("parlour")
        time.ms = 14_999
        hall.turn()
        assert ann.all(MatchStart) == []
        time.ms = 15_000
        hall.turn()
        assert agents(ann) == {"ann", "house-0", "house-1"}


def test_one_agent_plays_overlapping_matches(ledger_url: str) -> None:
    """R1: which one counts first is the order of the ledger; each is rated from the values at its place."""
    with opened(ledger_url, Time()) as (ledger, hall):
        ann, bob, cyd = (Player(hall, name) for name in ("ann", "bob", "cyd"))
        ann.join()
        bob.join()
        hall.turn()
        ann.join()
        cyd.join()
        hall.turn()
        assert [one.match for one in ann.all(MatchStart)] == ["noughts-1", "noughts-2"]
        cyd.go()
        hall.turn()
        ledger.settle()
        bob.go()
        turns(hall, ledger, 2)
        assert [stands(ledger, f"noughts-{n}").position for n in (1, 2)] == [3, 2]
        second, before = ledger.history("ann", "noughts")
        assert second.before == before.after
        assert round(before.after.rating, 2) == 1662.31


@pytest.mark.parametrize("game", ["poker", "", "n" * 500, "\x00"])
def test_games_that_there_are_not(ledger_url: str, game: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        ann = Player(hall, "ann")
        ann.join(game)
        ann.leave(game)
        ann.leave("noughts")
        hall.turn()
        assert [one.why for one in ann.all(Denied)] == [Denial.NO_GAME, Denial.NO_GAME, Denial.NO_TICKET]
        assert rows(ledger) == []


@pytest.mark.parametrize("name", ["", "-a", "Ann", "a" * 41, "ann bob", "é", "a\x00"])
def test_names_that_no_agent_has(ledger_url: str, name: str) -> None:
    with opened(ledger_url, Time()) as (_, hall), pytest.raises(InputError, match="expected 1 to 40"):
        Player(hall, name)


def test_an_agent_is_its_owners_and_is_connected_once(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (_, hall):
        ann = Player(hall, "ann")
        with pytest.raises(InputError, match="connected already"):
            Player(hall, "ann")
        ann.go()
        with pytest.raises(InputError, match="another's"):
            Player(hall, "ann", "bob")
        assert Player(hall, "ann").connection.open
