"""What can happen in a case: the actions, the states, and what leads where. Pure; the tables keep what happened."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

State: TypeAlias = Literal["open", "under-review", "dismissed", "upheld"]
STATES: Final[tuple[State, ...]] = get_args(State)
Action: TypeAlias = Literal[
    "open", "flag", "note", "review", "dismiss", "uphold", "propose", "shown", "approve", "withdraw", "told", "failed"
]
ACTIONS: Final[tuple[Action, ...]] = get_args(Action)
OF_PEOPLE: Final[tuple[Action, ...]] = ("note", "review", "dismiss", "uphold", "propose", "approve", "withdraw")
"""Actions that a reviewer takes; the others happen."""

TRANSITIONS: Final[dict[tuple[State | None, Action], State]] = {
    (None, "open"): "open",
    **{(state, "note"): state for state in STATES},
    # Somebody flags it again: where the case was closed, they open another one.
    ("open", "flag"): "open",
    ("under-review", "flag"): "under-review",
    ("open", "review"): "under-review",
    ("open", "dismiss"): "dismissed",
    ("under-review", "dismiss"): "dismissed",
    ("under-review", "uphold"): "upheld",
    ("under-review", "propose"): "under-review",
    ("under-review", "shown"): "under-review",
    ("under-review", "approve"): "under-review",
    ("under-review", "withdraw"): "under-review",
    ("under-review", "told"): "upheld",
    ("under-review", "failed"): "under-review",
    ("dismissed", "review"): "under-review",
    ("upheld", "review"): "under-review",
}
"""Every action that a state takes, and the state after it; None is a case that is not there yet. While an adjustment is
due (approved, and not told to the ledger yet), a case takes `note`, `flag`, `told` and `failed` alone."""
_WHILE_DUE: Final = ("note", "flag", "told", "failed")


class Event(NamedTuple):
    """Something that happened in a case, as `n`-th. `at` in microseconds since 1970 UTC. `proposal`: the number of the
    proposal that it is about; its own, where it is one. `due`: with it the adjustment is to be told."""

    n: int
    action: Action
    at: int
    by: str
    why: str
    proposal: int | None = None
    due: bool = False


@dataclass
class Proposal:
    """An adjustment that was proposed: who stands for it, the proposer first, whether it is worked out and `shown` what
    it would change, and what became of it: `due` is approved, and the ledger has not said yet what it makes of it."""

    n: int
    approvers: list[str]
    shown: bool = False
    state: Literal["waiting", "due", "told", "failed", "withdrawn"] = "waiting"


@dataclass
class Course:
    """Where a case stands after its events."""

    state: State | None = None
    n: int = 0
    proposals: dict[int, Proposal] = field(default_factory=dict)

    @classmethod
    def of(cls, events: Iterable[Event]) -> "Course":
        """The course that these events are."""
        course = cls()
        for event in events:
            course.add(event)
        return course

    @property
    def due(self) -> Proposal | None:
        """The adjustment that is to be told to the ledger."""
        return next((one for one in self.proposals.values() if one.state == "due"), None)

    @property
    def hidden(self) -> list[Proposal]:
        """The proposals that are not shown yet, and are to be."""
        waiting = [one for one in self.proposals.values() if one.state == "waiting" and not one.shown]
        return waiting if (self.state, "shown") in TRANSITIONS and self.due is None else []

    def taken(self) -> list[Action]:
        """The actions that the case takes now. Nobody stands for what is not shown."""
        due = self.due is not None
        waiting = [one.shown for one in self.proposals.values() if one.state == "waiting"]
        found: list[Action] = []
        for action in ACTIONS:
            if (self.state, action) not in TRANSITIONS or (due and action not in _WHILE_DUE):
                continue
            if action in ("told", "failed") and not due:
                continue
            if (action == "withdraw" and not waiting) or (action == "approve" and True not in waiting):
                continue
            if action == "shown" and False not in waiting:
                continue
            found.append(action)
        return found

    def after(self, action: Action) -> State | None:
        """The state after an action; None where the case does not take it."""
        return TRANSITIONS[self.state, action] if action in self.taken() else None

    def add(self, event: Event) -> None:
        """Takes an event that happened."""
        state = self.after(event.action)
        if state is None or event.n != self.n + 1:
            raise ValueError(f"event {event.n}, {event.action}, does not follow {self.n} in state {self.state}")
        self.state, self.n = state, event.n
        if event.proposal is None:
            return
        if event.action == "propose":
            self.proposals[event.n] = Proposal(event.n, [event.by])
        one = self.proposals[event.proposal]
        if event.action == "approve":
            if event.by in one.approvers or one.state != "waiting" or not one.shown:
                raise ValueError(f"event {event.n}: {event.by} stands for {one} already, or it is decided or not shown")
            one.approvers.append(event.by)
        elif event.action == "shown":
            one.shown = True
        elif event.action == "withdraw":
            one.state = "withdrawn"
        elif event.action == "told":
            one.state = "told"
        elif event.action == "failed":
            one.state = "failed"
        if event.due:
            one.state = "due"
