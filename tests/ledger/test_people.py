"""Players as people know them: names that change, and people who are forgotten, and nothing in the chain moves."""

from pathlib import Path
from typing import Any

import pytest
from told import Clock, bodies, game, new

import tallymark as tm
from tallymark.errors import InputError
from tallymark.ledger.people import Player


@pytest.fixture
def ledger(ledger_url: str) -> Any:
    with tm.Ledger.open(ledger_url, create=True, clock=Clock()) as made:
        made.open_pool("p", "arena")
        yield made


def test_names_stand_beside_the_chain(ledger: tm.Ledger) -> None:
    assert ledger.player(7) == Player(7)
    assert ledger.name(7, "Ann Other", kind="agent", owner="club") == Player(7, "Ann Other", None, "agent", "club")
    assert ledger.name("7", "Bob") == Player("7", "Bob")
    ledger.append(game(1, 7, "7", 1), pool="p")
    ledger.settle()
    before = bodies(ledger), list(ledger.ratings("p").rows())
    assert ledger.name(7, "Ann Nother", contact="ann@example.org").kind == "agent"
    assert ledger.player(7) == Player(7, "Ann Nother", "ann@example.org", "agent", "club")
    assert ledger.names([7, "7", 8]) == {7: "Ann Nother", "7": "Bob"}
    assert (bodies(ledger), list(ledger.ratings("p").rows())) == before
    assert not any(b"Ann" in body for body in bodies(ledger))


def test_a_person_is_forgotten(ledger: tm.Ledger) -> None:
    ledger.name(7, "Ann Other", contact="ann@example.org", kind="person")
    ledger.append(game(1, 7, 8, 1), pool="p")
    ledger.settle()
    before = bodies(ledger), list(ledger.ratings("p").rows())
    assert ledger.forget(7)
    assert ledger.player(7) == Player(7)
    assert not ledger.forget(7)
    assert not ledger.forget("stranger")
    assert (bodies(ledger), list(ledger.ratings("p").rows())) == before
    assert ledger.learn({7: "Ann Other", 8: "Bob", "stranger": "X"}) == 1
    assert ledger.names([7, 8, "stranger"]) == {8: "Bob"}
    assert ledger.learn({8: "Robert"}) == 0
    assert ledger.name(7, "Ann again").name == "Ann again"


def test_a_file_does_not_have_the_name_any_more(tmp_path: Path) -> None:
    ledger = new(tmp_path, "arena")
    for n in range(300):
        ledger.name(n, f"Somebody {n}")
    ledger.name(7, "Ann Extraordinary", contact="+43 1 234567")
    ledger.name(7, "Ann Superordinary")
    assert ledger.forget(7)
    found = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Somebody 299" in found
    for word in (b"ordinary", b"234567"):
        assert word not in found


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"name": " "}, "name is ' '"),
        ({"name": "a\nb"}, "name is"),
        ({"name": "x" * 201}, "up to 200 characters"),
        ({"contact": ""}, "contact is ''"),
        ({"kind": "robot"}, "expected person, agent, house, item"),
        ({"owner": "ann"}, "cannot own itself"),
        ({"owner": 1.5}, "owner is 1.5"),
    ],
)
def test_what_is_no_player(told: dict[str, Any], says: str, tmp_path: Path) -> None:
    ledger = new(tmp_path, "arena")
    with pytest.raises(InputError, match=says):
        ledger.name("ann", **told)
    assert ledger.player("ann") == Player("ann")
