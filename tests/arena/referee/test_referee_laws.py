"""Whatever comes to a match, in whatever order: one ending, from the list, and records that recount to the same."""

from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from refereed import BEGAN, LIMIT, Table
from small_games import NoughtsGame, ParlourGame

from tallymark.arena.games.face import Choice
from tallymark.arena.referee.endings import INTERRUPTIONS, Reason
from tallymark.arena.referee.events import Expired
from tallymark.arena.referee.saying import Ack, ActionRequest, MatchEnd, Missed, Refused
from tallymark.arena.referee.step import Step
from tallymark.ledger.matches import Json

GARBAGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=True),
    st.text(st.characters(codec=None), max_size=50),  # lone surrogates and NUL too
    st.builds(lambda text, n: text * n, st.text(min_size=1, max_size=3), st.sampled_from([1000, 10**6])),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
    st.integers(10**400, 10**401),
)


class Refereeing(RuleBasedStateMachine):
    """Anybody does anything at any time; time itself jumps."""

    @initialize(
        seats=st.sampled_from([2, 3, 5]), grace=st.sampled_from([0, 300]), seed=st.binary(min_size=32, max_size=32)
    )
    def begin(self, seats: int, grace: int, seed: bytes) -> None:
        game: NoughtsGame | ParlourGame = NoughtsGame() if seats == 2 else ParlourGame()
        game.ruleset = replace(game.ruleset, grace_ms=grace)
        self.table = Table(seats, game=game, seed=seed)
        self.seats, self.ms = seats, 0

    def seat(self, n: int) -> int:
        return n % self.seats

    def came(self, step: Step) -> None:
        assert step.failure is None
        kinds = self.table.kinds
        assert kinds[0] == "announced"
        assert "over" not in kinds[:-1], "nothing is recorded behind the end"
        assert (kinds[-1] == "over") == (self.table.verdict is not None)
        told = bool(self.table.said(MatchEnd))
        assert told == (self.table.verdict is not None and self.table.verdict.aborted), "not before it is certain"

    @rule(ms=st.sampled_from([0, 0, 1, 7, 299, 300, 301, LIMIT - 1, LIMIT, LIMIT + 1, 10**9, -5, -(10**9)]))
    def time_goes(self, ms: int) -> None:
        self.ms += ms

    @rule()
    def the_time_comes(self) -> None:
        self.came(self.table.passes(self.ms))

    @precondition(lambda self: self.table.match.due is not None)
    @rule(early=st.sampled_from([0, 1]))
    def the_deadline_comes(self, early: int) -> None:
        due = self.table.match.due
        assert due is not None
        self.ms = due - BEGAN - early
        before = len(self.table.lines)
        self.came(self.table.passes(self.ms))
        same = len(self.table.lines) == before and self.table.match.due == due
        assert same == bool(early), "due says exactly when something is"

    @rule(n=st.integers(0, 4), request=st.integers(0, 3))
    def delivered(self, n: int, request: int) -> None:
        self.came(self.table.delivered(self.ms, self.seat(n), request))

    @rule(n=st.integers(0, 4), choice=st.integers(0, 8))
    def acts_as_it_should(self, n: int, choice: int) -> None:
        asked = self.table.match.asked(self.seat(n))
        form = None if asked is None else asked.form
        action = form.actions[choice % len(form.actions)] if isinstance(form, Choice) else "well"
        self.came(self.table.acts(self.ms, self.seat(n), action))

    @rule(n=st.integers(0, 4), action=GARBAGE, request=st.none() | st.integers(-1, 5) | st.just(10**30))
    def sends_garbage(self, n: int, action: Json, request: int | None) -> None:
        self.came(self.table.acts(self.ms, self.seat(n), action, request))

    @rule(n=st.integers(0, 4))
    def leaves(self, n: int) -> None:
        self.came(self.table.leaves(self.ms, self.seat(n)))

    @rule(n=st.integers(0, 4))
    def returns(self, n: int) -> None:
        self.came(self.table.returns(self.ms, self.seat(n)))

    @precondition(lambda self: len(self.table.steps) > 12)
    @rule(reason=st.sampled_from(INTERRUPTIONS))
    def the_server_fails(self, reason: Reason) -> None:
        self.came(self.table.aborts(self.ms, reason))

    def teardown(self) -> None:
        if not hasattr(self, "table"):
            return
        table = self.table
        for _ in range(100):
            if table.match.due is None:
                break
            table.take(Expired(table.match.due))
        verdict = table.verdict
        assert verdict is not None, "time alone ends every match"
        assert verdict.reason in Reason
        assert verdict.aborted == (verdict.unrated is not None)
        assert {seat for side in verdict.sides for seat in side.seats} == (
            set() if verdict.aborted else set(range(self.seats))
        )
        answered = [(to, what.request) for to, what in table.said(Ack) if isinstance(what, Ack)]
        missed = [(to, what.request) for to, what in table.said(Missed) if isinstance(what, Missed)]
        requests = [what for _, what in table.said(ActionRequest) if isinstance(what, ActionRequest)]
        asked = {(what.seat, what.request): what.deadline_ms for what in requests}
        assert list(asked.values()) == sorted(asked.values()), "deadlines never go back"
        assert all(asked[what.seat, what.request] == what.deadline_ms for what in requests), "nor does one move"
        assert [record.ms for record in table.records] == sorted(record.ms for record in table.records)
        assert len(set(answered + missed)) == len(answered + missed), "a request is answered once, or missed once"
        assert set(answered + missed) <= asked.keys()
        for kind in (ActionRequest, Ack, Missed, Refused):
            assert all(to == getattr(what, "seat", None) for to, what in table.said(kind)), "each to its own seat"
        table.check()


Refereeing.TestCase.settings = settings(max_examples=50, stateful_step_count=25, deadline=None)
TestRefereeing = Refereeing.TestCase


def test_the_same_events_give_the_same_records() -> None:
    def one() -> list[bytes]:
        table = Table(3)
        for ms, seat, action in ((1, 0, "a"), (2, 1, "b"), (3, 2, None), (4, 1, "0"), (5, 0, "1")):
            table.acts(ms, seat, action)
        table.passes(10**6)
        return table.lines

    assert one() == one()
