"""E1: two players, each rule at its boundary. Times in milliseconds since the match began; the limit is 1000."""

import pytest
from refereed import BEGAN, LATER, LIMIT, SEED, Table
from small_games import NoughtsGame

from tallymark.arena.chance import commitment
from tallymark.arena.games.kuhn import KUHN
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.match import Match
from tallymark.arena.referee.record import Opening
from tallymark.arena.referee.saying import Ack, ActionRequest, Entrant, MatchEnd, MatchStart, Refusal, Refused


def begun() -> Table:
    """Seat 0 has its first request."""
    table = Table()
    table.delivered(1, 0)
    return table


def replied(table: Table) -> Refused:
    """What the last answer was refused with."""
    (told,) = [say.what for say in table.steps[-1].says if isinstance(say.what, Refused)]
    return told


def test_an_action_at_the_deadline_counts() -> None:
    table = begun()
    step = table.acts(LIMIT, 0, "4")
    assert [type(say.what) for say in step.says if say.to == 0] == [Ack]
    assert table.verdict is None
    assert table.kinds == ["announced", "playing", "action"]


def test_an_action_one_millisecond_late_is_a_forfeit_on_a_first_move_too() -> None:
    table = begun()
    table.acts(LIMIT + 1, 0, "4")
    assert table.lost_by(0, Reason.TIMEOUT)
    assert replied(table).why is Refusal.OVER
    assert table.kinds == ["announced", "playing", "missed", "over"]


def test_time_alone_expires_one_millisecond_after_the_deadline() -> None:
    table = begun()
    assert table.match.due == BEGAN + LIMIT + 1
    table.passes(LIMIT)
    assert table.verdict is None
    table.passes(LIMIT + 1)
    assert table.lost_by(0, Reason.TIMEOUT)
    assert table.match.due is None


def test_the_deadline_of_a_later_move_counts_from_its_own_request() -> None:
    table = begun()
    table.acts(600, 0, "4")
    table.acts(1600, 1, "0")
    table.passes(2600)
    assert table.verdict is None
    table.passes(2601)
    assert table.lost_by(0, Reason.TIMEOUT)


def test_a_match_whose_request_was_never_delivered_is_aborted_at_the_deadline() -> None:
    table = Table()
    table.passes(LIMIT)
    assert table.verdict is None
    table.passes(LIMIT + 1)
    assert table.was_aborted()
    assert table.kinds == ["announced", "over"]


def test_a_delivery_in_the_last_millisecond_makes_it_a_forfeit() -> None:
    table = Table()
    table.delivered(LIMIT, 0)
    table.passes(LIMIT + 1)
    assert table.lost_by(0, Reason.TIMEOUT)


def test_a_delivery_after_the_deadline_comes_too_late_to_be_one() -> None:
    table = Table()
    table.delivered(LIMIT + 1, 0)
    assert table.was_aborted()


def test_a_delivery_of_what_was_never_asked_is_none() -> None:
    table = Table()
    table.delivered(1, 0, request=2)
    table.delivered(1, 0, request=0)
    table.delivered(1, 1, request=1)
    table.passes(LIMIT + 1)
    assert table.was_aborted()


def test_delivered_to_one_seat_only_the_other_loses_by_its_deadline() -> None:
    table = begun()
    table.acts(10, 0, "4")
    table.passes(10 + LIMIT + 1)  # seat 1 never got its request, but the match had begun
    assert table.lost_by(1, Reason.TIMEOUT)


def test_an_answer_is_a_delivery() -> None:
    table = Table()
    table.acts(5, 0, "4")
    assert table.kinds == ["announced", "playing", "action"]
    table.passes(LIMIT + 6)
    assert table.lost_by(1, Reason.TIMEOUT)


def test_an_illegal_action_loses() -> None:
    table = begun()
    table.acts(10, 0, "4")
    table.acts(20, 1, "4")
    assert table.lost_by(1, Reason.ILLEGAL)
    assert table.records[-2].fields["given"] == "4"


def test_an_illegal_first_action_that_nobody_heard_was_delivered_loses_too() -> None:
    table = Table()
    table.acts(10, 0, "nine")
    assert table.lost_by(0, Reason.ILLEGAL)


def test_an_action_of_the_seat_that_is_not_to_move_has_no_effect() -> None:
    table = begun()
    table.acts(10, 1, "4", request=1)
    assert replied(table).why is Refusal.UNASKED
    assert table.verdict is None
    table.acts(20, 0, "4")
    assert table.kinds == ["announced", "playing", "action"]


def test_an_action_for_a_request_that_is_over_has_no_effect_even_an_illegal_one() -> None:
    table = begun()
    table.acts(10, 0, "4")
    table.acts(20, 1, "0")
    for action in ("5", "4", "garbage", None):
        table.acts(30, 0, action, request=1)
        assert replied(table).why is Refusal.STALE
    assert table.verdict is None
    table.acts(40, 0, "5", request=2)
    assert table.kinds.count("action") == 3


def test_an_action_for_a_request_that_is_still_to_come_has_no_effect() -> None:
    table = begun()
    table.acts(10, 0, "4", request=2)
    assert replied(table).why is Refusal.UNASKED
    table.acts(10, 0, "4", request=-1)
    assert replied(table).why is Refusal.UNASKED
    assert table.kinds == ["announced", "playing"]


def test_an_action_after_the_end_has_no_effect() -> None:
    table = begun()
    table.passes(LIMIT + 1)
    records = table.lines
    for seat in (0, 1):
        table.acts(LIMIT + 2, seat, "4", request=1)
        assert replied(table).why is Refusal.OVER
    assert table.lines == records


def test_a_disconnect_before_the_first_delivery_aborts() -> None:
    for seat in (0, 1):
        table = Table()
        table.leaves(5, seat)
        assert table.was_aborted()


def test_a_disconnect_after_the_first_delivery_loses() -> None:
    table = begun()
    table.leaves(5, 0)
    assert table.lost_by(0, Reason.DISCONNECT)


def test_a_disconnect_while_the_other_is_to_move_loses_too() -> None:
    table = begun()
    table.leaves(5, 1)
    assert table.lost_by(1, Reason.DISCONNECT)
    assert table.records[-2].fields["request"] is None


def test_of_two_disconnects_the_first_one_received_loses() -> None:
    for first in (0, 1):
        table = begun()
        table.leaves(5, first)
        table.leaves(5, 1 - first)
        assert table.lost_by(first, Reason.DISCONNECT)


def test_a_deadline_that_passed_before_a_disconnect_decides() -> None:
    table = begun()
    table.leaves(LIMIT + 1, 1)
    assert table.lost_by(0, Reason.TIMEOUT)
    table = begun()
    table.leaves(LIMIT, 1)
    assert table.lost_by(1, Reason.DISCONNECT)


def test_with_a_grace_who_returns_in_its_last_millisecond_goes_on() -> None:
    table = Table(grace=300)
    table.delivered(1, 0)
    table.leaves(10, 0)
    assert table.match.due == BEGAN + 311
    step = table.returns(310, 0)
    assert [type(say.what) for say in step.says] == [ActionRequest], "it is asked again"
    table.acts(LIMIT, 0, "4")
    assert table.kinds == ["announced", "playing", "action"], "and its deadline is the old one"


def test_with_a_grace_who_returns_one_millisecond_later_has_lost() -> None:
    table = Table(grace=300)
    table.delivered(1, 0)
    table.leaves(10, 0)
    table.leaves(200, 0)  # a broken connection does not break again
    table.returns(311, 0)
    assert table.lost_by(0, Reason.DISCONNECT)


def test_a_grace_does_not_stop_the_clock_of_an_action() -> None:
    table = Table(grace=5000)
    table.delivered(1, 0)
    table.leaves(10, 0)
    table.passes(LIMIT + 1)
    assert table.lost_by(0, Reason.TIMEOUT)


def test_two_graces_that_end_in_one_millisecond_are_nobodys_win() -> None:
    table = Table(grace=300)
    table.delivered(1, 0)
    table.leaves(10, 1)
    table.leaves(10, 0)
    table.passes(311)
    table.check()
    assert table.verdict is not None
    assert [side.rank for side in table.verdict.sides] == [1, 1]
    assert table.match.finished is not None
    assert table.match.finished.for_ledger(LATER)["score_a"] == 0.5


def test_a_grace_that_ends_before_anything_was_delivered_aborts() -> None:
    table = Table(grace=300)
    table.leaves(10, 1)
    table.passes(311)
    assert table.was_aborted()


def test_a_house_agent_is_treated_as_everybody() -> None:
    late, wrong, left, unheard = (Table(kind="house") for _ in range(4))
    for table in (late, wrong, left):
        table.delivered(1, 0)
    late.passes(LIMIT + 1)
    assert late.lost_by(0, Reason.TIMEOUT)
    wrong.acts(2, 0, "9")
    assert wrong.lost_by(0, Reason.ILLEGAL)
    left.leaves(2, 1)
    assert left.lost_by(1, Reason.DISCONNECT)
    unheard.passes(LIMIT + 1)
    assert unheard.was_aborted()


def test_a_resignation_is_no_failure() -> None:
    table = begun()
    table.acts(10, 0, "resign")
    table.check()
    assert table.verdict is not None
    assert (table.verdict.reason, table.verdict.seat) == (Reason.RESIGNED, None)


def test_time_that_jumps_ahead_costs_who_was_to_move_and_time_that_jumps_back_counts_as_the_last() -> None:
    table = begun()
    table.acts(500, 0, "4")
    table.acts(-(10**9), 1, "0")  # as if received at 500
    assert table.records[-1].ms == 500
    assert table.records[-1].fields["latency"] == 0
    assert table.match.due == BEGAN + 500 + LIMIT + 1
    table.passes(10**12)
    assert table.lost_by(0, Reason.TIMEOUT)
    assert table.records[-1].ms == 10**12


def test_a_restart_aborts_also_where_a_deadline_had_passed() -> None:
    for reason in (Reason.RESTART, Reason.LEASE):
        table = begun()
        table.acts(10, 0, "4")
        table.aborts(5000, reason)
        assert table.was_aborted(reason)


def test_a_match_that_is_over_is_not_aborted_any_more() -> None:
    table = begun()
    table.leaves(5, 1)
    assert table.aborts(6, Reason.RESTART).records == ()
    assert table.lost_by(1, Reason.DISCONNECT)


def test_who_lost_by_what_is_told_only_when_it_was_rated_and_at_once_where_it_never_is() -> None:
    rated, aborted, shown = begun(), Table(), Table(exhibition=True)
    shown.delivered(1, 0)
    for table in (rated, aborted, shown):
        table.passes(LIMIT + 1)
    assert rated.said(MatchEnd) == []
    assert [to for to, _ in aborted.said(MatchEnd)] == [0, 1, None]
    assert [to for to, _ in shown.said(MatchEnd)] == [0, 1, None]
    assert shown.verdict is not None
    assert shown.verdict.unrated is Reason.EXHIBITION
    shown.check()


def test_what_the_ledger_gets_of_a_forfeit_and_of_an_aborted_match() -> None:
    table = begun()
    table.leaves(5, 1)
    assert table.match.finished is not None
    first, second = (entrant.agent for entrant in table.match.entrants)
    told = table.match.finished.for_ledger(LATER)
    assert (told["player_a"], told["player_b"], told["score_a"], told["ending"]) == (first, second, 1.0, "disconnect")
    assert told["played_at"] == "2027-01-15T08:00:00.005000Z"
    table = Table()
    table.leaves(5, 1)
    assert table.match.finished is not None
    told = table.match.finished.for_ledger(LATER)
    assert (told["score_a"], told["ending"]) == (None, "aborted")


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.ILLEGAL, Reason.DISCONNECT])
def test_what_was_hidden_is_shown_however_a_match_ends_but_for_an_abort(reason: Reason) -> None:
    """Of the hand that was being played too."""

    def played() -> Table:
        table = Table(game=KUHN)
        table.delivered(1, 0)
        for ms, (seat, action) in enumerate(((0, "bet"), (1, "pass"), (1, "pass")), 2):
            table.acts(ms, seat, action)
        return table

    table = played()
    if reason is Reason.TIMEOUT:
        table.passes(KUHN.ruleset.action_ms + 5)
    elif reason is Reason.ILLEGAL:
        table.acts(5, 0, "raise")
    else:
        table.leaves(5, 0)
    assert table.lost_by(0, reason)
    assert table.match.finished is not None
    cards = table.match.finished.revealed["cards"]
    assert isinstance(cards, list)
    assert len(cards) == 2
    table = played()
    table.aborts(5, Reason.RESTART)
    assert table.match.finished is not None
    assert table.match.finished.revealed == {}


def test_the_commitment_is_told_first_and_the_seed_last() -> None:
    table = Table()
    (start, *_) = [what for to, what in table.said(MatchStart) if to is None]
    assert isinstance(start, MatchStart)
    assert start.commitment == commitment(SEED, "noughts-1")
    assert not any(b"seed" in line for line in table.lines)
    table.leaves(5, 0)
    assert table.records[-1].seed() == bytes(range(32))


@pytest.mark.parametrize("agents", [("ann", "ann"), ("ann",), ("ann", "bob", "cyd")])
def test_a_match_needs_as_many_agents_as_the_game_has_seats(agents: tuple[str, ...]) -> None:
    opening = Opening("noughts-1", bytes(32), tuple(map(Entrant, agents)), 0)
    with pytest.raises(ValueError, match="expected different agents, as many as noughts has seats: 2"):
        Match.announced(NoughtsGame(), opening, 0)
