"""Games that fail, and games that do what is rarely done: the match ends as it must, and no error leaves."""

from collections.abc import Callable

import pytest
from refereed import LIMIT, Table
from small_games import Noughts, NoughtsGame, Parlour, ParlourGame

from tallymark.arena.games.face import Seat
from tallymark.arena.referee.endings import Reason


class Odd(NoughtsGame):
    """Noughts and crosses, but one method of its positions fails from the second turn on."""

    def __init__(self, fails: str) -> None:
        super().__init__()
        self.fails = fails

    def start(self, seed: bytes, seats: int) -> Noughts:
        position = Noughts()

        def odd(name: str) -> Callable[..., object]:
            own: Callable[..., object] = getattr(position, name)

            def run(*given: object) -> object:
                if position.turn >= 1:
                    raise ZeroDivisionError(name)
                return own(*given)

            return run

        setattr(position, self.fails, odd(self.fails))
        return position


@pytest.mark.parametrize("fails", ["apply", "digest", "seen", "form"])
def test_a_game_that_fails_aborts_its_match_and_the_failure_is_told_to_who_runs_it(fails: str) -> None:
    table = Table(game=Odd(fails))
    table.acts(1, 0, "4")
    if fails == "apply":
        assert table.verdict is None
        table.acts(2, 1, "0")
    (failure,) = [step.failure for step in table.steps if step.failure is not None]
    assert isinstance(failure, ZeroDivisionError)
    assert table.verdict is not None
    assert (table.verdict.reason, table.verdict.unrated) == (Reason.DEFECT, Reason.DEFECT)
    assert table.kinds[-1] == "over"
    assert table.acts(3, 1, "0").records == ()


@pytest.mark.parametrize("fails", ["revealed", "fields"])
def test_a_game_that_fails_at_its_end_aborts_its_match_too(fails: str) -> None:
    table = Table(game=Odd(fails))
    table.acts(1, 0, "4")
    table.leaves(2, 1)
    assert table.verdict is not None
    assert table.verdict.reason is Reason.DEFECT


class Nobody(NoughtsGame):
    """It waits for nobody after the first action, and is not over."""

    def start(self, seed: bytes, seats: int) -> Noughts:
        class Waiting(Noughts):
            @property
            def awaited(self) -> tuple[Seat, ...]:
                return () if self.turn else (0,)

        return Waiting()


def test_a_game_that_waits_for_nobody_does_not_stand_still_for_ever() -> None:
    table = Table(game=Nobody())
    step = table.acts(1, 0, "4")
    assert str(step.failure) == "noughts waits for nobody and is not over"
    assert table.was_aborted(Reason.DEFECT)


class Hasty(ParlourGame):
    """A vote is over as soon as one seat has voted; then it is over."""

    def start(self, seed: bytes, seats: int) -> Parlour:
        class First(Parlour):
            @property
            def awaited(self) -> tuple[Seat, ...]:
                return () if self.votes else super().awaited

            def apply(self, seat: Seat, action: str) -> None:
                super().apply(seat, action)
                if self.votes:
                    self.round = 2

        return First(seed, seats)


def test_where_one_default_ends_a_phase_the_others_who_were_late_are_not_played_for() -> None:
    table = Table(3, game=Hasty())
    for seat in range(3):
        table.acts(1, seat, "hello")
    table.passes(LIMIT + 2)
    table.check()
    assert table.kinds == ["announced", "playing", *["action"] * 3, *["missed"] * 3, "action", "over"]
    assert table.verdict is not None
    assert table.verdict.reason is Reason.FINISHED


def test_a_match_that_ends_before_any_agent_was_heard_of_is_nobodys() -> None:
    """All but the last are gone at once, and the game ends before it is asked."""
    table = Table(3, game=Short())
    table.leaves(1, 0)
    assert table.verdict is None
    table.leaves(1, 1)
    assert table.was_aborted()


class Short(ParlourGame):
    """Over when two have spoken."""

    def start(self, seed: bytes, seats: int) -> Parlour:
        class Brief(Parlour):
            def apply(self, seat: Seat, action: str) -> None:
                super().apply(seat, action)
                if self.turn == 2:
                    self.round = 2

        return Brief(seed, seats)
