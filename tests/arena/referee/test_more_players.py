"""E2: more than two players. A miss is recorded, a default is played, the match goes on."""

from refereed import BEGAN, LATER, LIMIT, Table

from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.saying import ActionRequest, MatchEnd, MatchStart, Missed, Refusal, Refused, Watched


def talked(seats: int = 3) -> Table:
    """All have spoken; all are asked for a vote at once, since 10."""
    table = Table(seats)
    for seat in range(seats):
        table.acts(10, seat, f"I am {seat}")
    assert [table.match.asked(seat) is not None for seat in range(seats)] == [True] * seats
    return table


def defaults(table: Table) -> list[tuple[object, object]]:
    return [
        (record.fields["seat"], record.fields["action"])
        for record in table.records
        if record.kind == "action" and record.fields["default"]
    ]


def played_out(table: Table) -> Table:
    """Nobody does anything any more."""
    for n in range(2, 30):
        table.passes(n * 10 * LIMIT)
    table.check()
    return table


def test_a_speech_that_does_not_come_until_the_deadline_is_skipped() -> None:
    table = Table(3)
    table.delivered(1, 0)
    table.passes(LIMIT)
    assert defaults(table) == []
    table.passes(LIMIT + 1)
    assert defaults(table) == [(0, "")]
    ((to, missed),) = table.said(Missed)
    assert (to, isinstance(missed, Missed) and missed.reason) == (0, Reason.TIMEOUT)
    assert table.match.asked(1) is not None
    assert table.kinds == ["announced", "playing", "missed", "action"]


def test_an_answer_one_millisecond_late_has_no_effect_for_the_default_was_played() -> None:
    table = Table(3)
    table.delivered(1, 0)
    step = table.acts(LIMIT + 1, 0, "I am late", request=1)
    assert defaults(table) == [(0, "")]
    assert [say.what.why for say in step.says if isinstance(say.what, Refused)] == [Refusal.STALE]


def test_of_several_awaited_at_once_those_who_are_late_get_defaults_and_the_others_keep_theirs() -> None:
    table = talked()
    table.acts(10 + LIMIT, 1, "0")
    table.passes(10 + LIMIT)
    assert defaults(table) == []
    table.passes(10 + LIMIT + 1)
    assert [seat for seat, _ in defaults(table)] == [0, 2]
    assert [record.fields["seat"] for record in table.records if record.kind == "missed"] == [0, 2]
    votes = [record for record in table.records if record.kind == "action" and record.fields["seat"] == 1]
    assert votes[-1].fields["action"] == "0"
    assert table.match.asked(0) is not None, "the next round has begun"


def test_defaults_follow_from_the_seed_alone() -> None:
    first, again = (played_out(talked()) for _ in range(2))
    assert defaults(first) == defaults(again)
    assert first.lines == again.lines
    others = []
    for n in range(5):
        other = Table(3, seed=bytes([n]) * 32)
        other.delivered(1, 0)
        others.append(defaults(played_out(other)))
    assert any(other != defaults(first) for other in others)


def test_an_illegal_vote_is_a_miss_and_a_default() -> None:
    table = talked()
    table.acts(20, 1, "1")  # for itself
    assert [seat for seat, _ in defaults(table)] == [1]
    assert table.match.asked(0) is not None
    played_out(table)


def test_a_text_that_is_too_long_is_a_miss_and_one_that_is_just_not_is_none() -> None:
    table = Table(3)
    table.acts(5, 0, "x" * 40)
    table.acts(6, 1, "x" * 41)
    assert defaults(table) == [(1, "")]
    assert table.records[-2].fields["told"] == f"action is {'x' * 41!r}; expected 40 characters at most"
    played_out(table)


def test_a_text_that_moves_the_cursor_is_a_miss() -> None:
    table = Table(3)
    table.acts(5, 0, "\x1b[2Jwiped")
    assert defaults(table) == [(0, "")]
    played_out(table)


def test_who_disconnects_is_played_for_at_once_and_to_the_end() -> None:
    table = Table(3)
    table.delivered(1, 0)
    table.leaves(5, 1)
    assert defaults(table) == []
    table.acts(10, 0, "hello")
    assert defaults(table) == [(1, "")], "without waiting for a deadline"
    assert table.match.asked(2) is not None
    table.acts(11, 1, "I am back", request=1)
    table.returns(12, 1)
    refused = [what for to, what in table.said(Refused) if to == 1]
    assert [what.why for what in refused if isinstance(what, Refused)] == [Refusal.GONE, Refusal.GONE]
    played_out(table)
    assert all(request.seat != 1 for _, request in table.said(ActionRequest) if isinstance(request, ActionRequest))


def test_who_disconnects_while_it_is_asked_is_played_for_at_once() -> None:
    table = talked()
    table.leaves(20, 2)
    assert [seat for seat, _ in defaults(table)] == [2]
    assert table.records[-2].fields["request"] == 2
    played_out(table)


def test_when_all_have_gone_the_match_is_played_to_its_end_at_once() -> None:
    table = Table(3)
    table.delivered(1, 0)
    for seat in range(3):
        assert table.verdict is None
        table.leaves(5, seat)
    table.check()
    assert table.verdict is not None
    assert table.verdict.reason is Reason.FINISHED
    assert len(defaults(table)) == 12


def test_when_all_go_before_anything_was_delivered_it_is_aborted() -> None:
    table = Table(3)
    for seat in (2, 0, 1):
        assert table.verdict is None
        table.leaves(5, seat)
    assert table.was_aborted()


def test_where_no_request_was_delivered_until_the_first_deadline_it_is_aborted() -> None:
    table = Table(3)
    table.passes(LIMIT + 1)
    assert table.was_aborted()


def test_delivered_to_one_seat_only_the_others_miss() -> None:
    table = Table(3)
    table.acts(1, 0, "hello")
    played_out(table)
    assert table.match.finished is not None
    assert table.match.finished.misses == {(0, "timeout"): 3, (1, "timeout"): 4, (2, "timeout"): 4}


def test_who_was_played_for_learns_it_and_nobody_else_does() -> None:
    table = talked()
    table.passes(10 + LIMIT + 1)
    assert sorted(str(to) for to, _ in table.said(Missed)) == ["0", "1", "2"]


def test_numbers_of_requests_do_not_tell_how_often_others_were_asked() -> None:
    table = talked()
    assert {request.request for seat in range(3) if (request := table.match.asked(seat))} == {2}


def test_spectators_see_no_secret_and_nothing_happens_where_nothing_is_to_be_seen() -> None:
    table = talked()
    watched = len(table.said(Watched))
    table.acts(20, 0, "1")  # a vote, which is told when all have voted
    assert len(table.said(Watched)) == watched
    assert table.steps[-1].says[0].to == 0
    assert all("secret" not in what.seen for _, what in table.said(Watched) if isinstance(what, Watched))
    played_out(table)
    assert table.match.finished is not None
    assert table.match.finished.revealed == {"secrets": [91, 92, 50]}


def test_who_begins_to_watch_later_is_told_the_same_beginning_and_the_position_now() -> None:
    table = talked()
    start, position = table.match.shown(BEGAN + 700)
    assert start == next(what for to, what in table.said(MatchStart) if to is None)
    assert isinstance(position, Watched)
    assert position.ms == 700
    assert position.seen == [what for _, what in table.said(Watched) if isinstance(what, Watched)][-1].seen


def test_a_team_match_in_the_ledger_has_sides_and_an_aborted_one_no_ranks() -> None:
    table = played_out(talked())
    assert table.match.finished is not None
    sides = table.match.finished.for_ledger(LATER)["sides"]
    assert isinstance(sides, list)
    assert [len(side["players"]) for side in sides] == [2, 1]
    assert [side["rank"] for side in sides] == [1, 2]
    table = talked()
    table.aborts(20, Reason.RESTART)
    assert table.match.finished is not None
    sides = table.match.finished.for_ledger(LATER)["sides"]
    assert isinstance(sides, list)
    assert {side["rank"] for side in sides} == {None}
    assert [to for to, _ in table.said(MatchEnd)] == [0, 1, 2, None]
