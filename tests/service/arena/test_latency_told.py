"""What a match's page says of how long everybody was waited for: deadlines that passed too."""

from itertools import pairwise

import pytest
from refereed import LIMIT, Table

from tallymark.arena.games.face import Choice
from tallymark.arena.store.matches import Match
from tallymark.service.arena.documents import Latency
from tallymark.service.arena.story import Story
from tallymark.service.pages.arena.latency import EDGE, Failure, Late, Move, chart_of
from tallymark.service.pages.arena.match import EACH, SHAPES, SIGNS, moves_of


def story(table: Table) -> Story:
    finished = table.match.finished
    assert finished is not None
    match = Match("noughts-1", "noughts", 1, "noughts", True, "noughts-1", "over", "", b"", 0, 1, "timeout", None)
    return Story(match, table.lines, table.records, finished)


def timed_out() -> Story:
    """Seat 0 acts after 30 ms; seat 1 never does."""
    table = Table()
    table.delivered(1, 0)
    asked = table.match.asked(0)
    assert asked is not None
    assert isinstance(asked.form, Choice)
    table.acts(30, 0, asked.form.actions[0])
    table.passes(31 + LIMIT)
    return story(table)


def test_a_match_lost_by_time_ends_with_what_was_asked_for_and_never_done() -> None:
    done, missed = moves_of(timed_out())
    assert (done.n, done.seat, done.latency, done.failed) == (1, 0, 30, None)
    assert missed == Move(2, 1, None, False, None, Failure("timeout", LIMIT + 1))


def test_the_chart_marks_the_deadline_that_passed() -> None:
    chart = chart_of(moves_of(timed_out()), LIMIT)
    assert chart is not None
    assert [(one.n, one.x, one.failed) for one in chart.dots] == [(1, 0.0, None)]
    assert chart.late == [Late(2, 100.0, 1, LIMIT + 1)]


def test_the_slowest_counts_a_deadline_that_passed_and_the_actions_do_not() -> None:
    late = LIMIT + 1
    assert timed_out().latency() == [
        Latency(actions=1, median_ms=30, max_ms=30, total_ms=30),
        Latency(actions=0, median_ms=late, max_ms=late, total_ms=late),
    ]


def test_an_illegal_answer_stands_where_it_came() -> None:
    table = Table()
    table.delivered(1, 0)
    table.acts(40, 0, "nonsense")
    (missed,) = moves_of(story(table))
    assert (missed.action, missed.failed) == (None, Failure("illegal", 40))
    chart = chart_of([missed], LIMIT)
    assert chart is not None
    assert [one.failed for one in chart.dots] == ["illegal"]
    assert chart.late == []


def test_with_more_players_a_default_says_what_it_is_in_the_place_of() -> None:
    table = Table(3)
    table.delivered(1, 0)
    for n in range(1, 30):
        table.passes(n * 10 * LIMIT)
    moves = moves_of(story(table))
    assert moves[0].default
    assert moves[0].failed is not None
    assert (moves[0].action, moves[0].failed.reason) == ("", "timeout")
    assert all(one.action is not None for one in moves)


@pytest.mark.parametrize("limit", [5_000, 10_000, 10_001, 15_000, 30_000, 45_000, 60_000, 100_000])
def test_words_of_lines_never_stand_on_each_other(limit: int) -> None:
    chart = chart_of([Move(1, 0, "a1", False, 5, None)], limit)
    assert chart is not None
    ys = [*(one.y for one in chart.lines), EDGE]
    assert all(a - b >= 18 for a, b in pairwise(ys))


@pytest.mark.parametrize("reason", ["illegal", "disconnect"])
def test_a_failure_has_a_mark_that_no_seat_has(reason: str) -> None:
    chart = chart_of([Move(1, 0, None, False, None, Failure(reason, 40))], LIMIT)
    assert chart is not None
    (dot,) = chart.dots
    assert dot.failed in SIGNS
    assert dot.failed not in {*EACH, *(shape for shapes in SHAPES.values() for shape in shapes)}
