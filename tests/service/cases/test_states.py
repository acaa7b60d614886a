"""The course of a case: every state under every action."""

from itertools import product

import pytest

from tallymark.service.cases.states import ACTIONS, OF_PEOPLE, STATES, TRANSITIONS, Action, Course, Event, State

BEGIN: dict[State, list[Action]] = {
    "open": ["open"],
    "under-review": ["open", "review"],
    "dismissed": ["open", "dismiss"],
    "upheld": ["open", "review", "uphold"],
}
EXPECTED: dict[State, dict[Action, State]] = {
    "open": {"note": "open", "flag": "open", "review": "under-review", "dismiss": "dismissed"},
    "under-review": {
        "note": "under-review",
        "flag": "under-review",
        "dismiss": "dismissed",
        "uphold": "upheld",
        "propose": "under-review",
        "shown": "under-review",
        "approve": "under-review",
        "withdraw": "under-review",
        "told": "upheld",
        "failed": "under-review",
    },
    "dismissed": {"note": "dismissed", "review": "under-review"},
    "upheld": {"note": "upheld", "review": "under-review"},
}


def course(actions: list[Action]) -> Course:
    return Course.of(Event(n, action, 0, "rosa", "why") for n, action in enumerate(actions, 1))


@pytest.mark.parametrize(("state", "action"), list(product(STATES, ACTIONS)))
def test_every_state_takes_what_the_table_says(state: State, action: Action) -> None:
    there = course(BEGIN[state])
    assert there.state == state
    assert TRANSITIONS.get((state, action)) == EXPECTED[state].get(action)
    # With nothing proposed there is nothing to approve, to withdraw or to tell.
    nothing = action in ("shown", "approve", "withdraw", "told", "failed")
    assert there.after(action) == (None if nothing else EXPECTED[state].get(action))


def test_a_case_begins_by_being_opened_and_once() -> None:
    assert [action for action in ACTIONS if Course().after(action)] == ["open"]
    with pytest.raises(ValueError, match="does not follow"):
        course(["open", "open"])
    with pytest.raises(ValueError, match="does not follow"):
        Course.of([Event(2, "open", 0, "rosa", "why")])


def test_a_proposal_is_approved_by_others_and_told() -> None:
    there = course(["open", "review"])
    there.add(Event(3, "propose", 0, "rosa", "why", 3))
    assert {"shown", "withdraw"} == set(there.taken()) & {"shown", "approve", "withdraw"}
    assert [one.n for one in there.hidden] == [3]
    with pytest.raises(ValueError, match="does not follow"):  # nobody stands for what is not shown
        Course.of([*begun(), Event(4, "approve", 0, "ben", "why", 3)])
    there.add(Event(4, "shown", 0, "service", "why", 3))
    assert {"approve", "withdraw"} == set(there.taken()) & {"shown", "approve", "withdraw"}
    assert there.hidden == []
    with pytest.raises(ValueError, match="stands for"):
        Course.of([*begun(), Event(4, "shown", 0, "service", "why", 3), Event(5, "approve", 0, "rosa", "why", 3)])
    there.add(Event(5, "approve", 0, "ben", "why", 3, due=True))
    assert [one.approvers for one in there.proposals.values() if one is there.due] == [["rosa", "ben"]]
    assert set(there.taken()) == {"note", "flag", "told", "failed"}
    there.add(Event(6, "told", 0, "service", "x", 3))
    assert there.due is None
    assert [there.state, there.proposals[3].state] == ["upheld", "told"]


def test_what_failed_or_was_withdrawn_may_be_proposed_again() -> None:
    there = Course.of([*begun(), Event(4, "withdraw", 0, "ben", "why", 3)])
    assert "approve" not in there.taken()
    there.add(Event(5, "propose", 0, "ben", "why", 5, due=True))
    there.add(Event(6, "failed", 0, "service", "no", 5))
    assert (there.state, there.due) == ("under-review", None)
    assert [one.state for one in there.proposals.values()] == ["withdrawn", "failed"]
    assert set(OF_PEOPLE) - set(there.taken()) == {"approve", "withdraw", "review"}


def begun() -> list[Event]:
    return [
        Event(1, "open", 0, "x", "why"),
        Event(2, "review", 0, "rosa", "why"),
        Event(3, "propose", 0, "rosa", "why", 3),
    ]
