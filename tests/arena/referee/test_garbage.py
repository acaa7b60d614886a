"""Anything at all in the place of an action, in every game: the same ending as for any other illegal action."""

import time

import pytest
from refereed import Table

from tallymark.arena.games.catalogue import game, games
from tallymark.arena.referee.endings import Reason
from tallymark.ledger.matches import Json


def nested(depth: int) -> Json:
    found: Json = 1
    for n in range(depth):
        found = [found] if n % 2 else {"a": found}
    return found


GARBAGE: dict[str, Json] = {
    "null": None,
    "true": True,
    "a number": 4,
    "the number of a cell": 0,
    "a fraction": 1e308,
    "no number": float("nan"),
    "a number of a million digits": 10**1_000_000,
    "an object": {"action": "a1"},
    "an empty list": [],
    "a deep one": nested(900),
    "a wide one": list(range(100_000)),
    "nothing": "",
    "a blank": " ",
    "NUL": "\x00",
    "an action and NUL": "a1\x00",
    "an action and a line feed": "a1\n",
    "half a surrogate pair": "\ud800",
    "the other half": "a1\udfff",
    "escapes": "\x1b[2J\x1b]0;mine\x07",
    "right to left": "\u202ea1",
    "a tag": "<script>alert(1)</script>",
    "a giant": "a1" * 5_000_000,
    "JSON": '{"action":"a1"}',
    "a path": "../../etc/passwd",
    "digits of another script": "\u0661",
    "a look-alike": "\u04301",
}


@pytest.mark.parametrize("name", [one.name for one in games() if max(one.seats) == 2])
def test_garbage_loses_as_any_illegal_action(name: str) -> None:
    for garbage in GARBAGE.values():
        table = Table(game=game(name))
        before = time.process_time()
        table.acts(5, 0, garbage) if table.match.asked(0) else table.acts(5, 1, garbage)
        assert time.process_time() - before < 0.5
        assert table.verdict is not None
        assert table.verdict.reason is Reason.ILLEGAL
        assert all(len(line) < 3000 for line in table.lines)
        table.check()


def test_garbage_is_a_miss_in_games_for_more() -> None:
    werewolf = game("werewolf")
    for name, garbage in GARBAGE.items():
        table = Table(5, game=werewolf)
        for seat in range(5):
            table.acts(5, seat, garbage)
        assert table.kinds.count("missed") == 5, name
        assert table.verdict is None
        assert all(step.failure is None for step in table.steps)
        for n in range(1, 60):
            table.passes(n * 10**6)
        table.check()


@pytest.mark.parametrize("name", [name for name, garbage in GARBAGE.items() if isinstance(garbage, str)])
def test_garbage_as_a_speech_is_a_speech_or_a_miss_and_never_a_failure(name: str) -> None:
    table = Table(5, game=game("werewolf"))
    for round_ in range(60):
        for seat in range(5):
            if table.match.asked(seat):
                table.acts(5 + round_, seat, GARBAGE[name])
    assert all(step.failure is None for step in table.steps)
    table.check()
    for record in table.records:
        if record.kind == "action":
            assert record.text("action").isprintable()
