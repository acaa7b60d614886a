"""What the ledger has of a match, compared with its records."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from halls import Player, Time, first, opened, turns

from tallymark.arena.games.catalogue import game
from tallymark.arena.hall.proving import Proof, proved
from tallymark.arena.referee.replaying import Replay
from tallymark.arena.store import records
from tallymark.errors import BrokenChainError
from tallymark.ledger.ledger import Ledger

MATCH = "tic-tac-toe-1"
Fields = dict[str, Any]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[tuple[Ledger, list[bytes]]]:
    """A ledger with two rated matches, and the records of the first."""
    with opened(str(tmp_path / "arena.db"), Time(), games=(game("tic-tac-toe"),)) as (ledger, hall):
        players = [Player(hall, name) for name in ("ann", "bob")]
        for _ in range(2):
            for one in players:
                one.manner = first
                one.join("tic-tac-toe")
            turns(hall, ledger, 30)
        with ledger.store.reading() as connection:
            yield ledger, records.of(connection, MATCH)


def proof(ledger: Ledger, lines: list[bytes]) -> Proof:
    replay = Replay(lines, game)
    for _ in replay.steps():
        pass
    return proved(ledger, replay)


def changed(lines: list[bytes], n: int, change: Callable[[Fields], object]) -> list[bytes]:
    record = orjson.loads(lines[n])
    change(record)
    done = list(lines)
    done[n] = orjson.dumps(record)
    return done


def differs(ledger: Ledger, lines: list[bytes], position: int, says: str) -> None:
    with pytest.raises(BrokenChainError, match=says) as raised:
        proof(ledger, lines)
    assert raised.value.position == position


def test_the_entry_of_a_match_has_the_hash_of_its_records_and_its_ratings(arena: tuple[Ledger, list[bytes]]) -> None:
    ledger, lines = arena
    position = orjson.loads(lines[-1])["position"]
    assert proof(ledger, lines) == Proof(position, f"as entry {position} of the pool tic-tac-toe has it")


def test_what_no_replay_can_know_is_in_the_hash(arena: tuple[Ledger, list[bytes]]) -> None:
    ledger, lines = arena
    end = len(lines) - 2
    says = "data.arena.record is '[0-9a-f]{64}' in the pool tic-tac-toe; expected '[0-9a-f]{64}', the hash of"
    differs(ledger, changed(lines, 0, lambda record: record.update(at=record["at"] + 1)), end, says)
    differs(ledger, changed(lines, 0, lambda record: record["versions"].update(tallymark="9")), end, says)


def test_what_is_settled_is_what_the_entry_did(arena: tuple[Ledger, list[bytes]]) -> None:
    ledger, lines = arena
    n = len(lines) - 1
    other = changed(lines, n, lambda record: record["changes"][0].update(rating=record["changes"][0]["rating"] + 500))
    differs(
        ledger, other, n, rf"record {n}: changes.*rating.* is .*; expected .*, as entry \d of the pool tic-tac-toe has"
    )
    other = changed(lines, n, lambda record: record["changes"][1].update(deviation_before=1.0))
    differs(ledger, other, n, f"record {n}: changes")
    other = changed(lines, n, lambda record: record.update(position=77))
    differs(ledger, other, n, r"position is 77; expected \d, as entry \d of the pool")
    other = changed(lines, n, lambda record: record.update(changes=None))
    differs(ledger, other, n, f"record {n}: changes is None; expected ")
    other = changed(lines, n, lambda record: record.update(unrated="rules", changes=[]))
    differs(ledger, other, n, f"record {n}: unrated is 'rules'; expected None")
    other = changed(lines, n, lambda record: record.update(unrated="id-taken", position=None, changes=[]))
    differs(ledger, other, n, f"record {n}: position is None; expected ")
    assert proof(ledger, lines[:-1]).position is not None, "not settled yet, as far as its records go"


def test_a_match_that_a_ledger_does_not_have(arena: tuple[Ledger, list[bytes]], tmp_path: Path) -> None:
    _, lines = arena
    with Ledger.open(tmp_path / "other.db", create=True) as other:
        told = "the pool tic-tac-toe of this ledger has no entry of it"
        assert proof(other, lines[:-1]) == Proof(None, told)
        differs(other, lines, len(lines) - 1, "the pool tic-tac-toe of this ledger never received it")
        other.open_pool("tic-tac-toe", "arena-v0")
        assert proof(other, lines[:-1]) == Proof(None, told)
        taken = changed(
            lines, len(lines) - 1, lambda record: record.update(unrated="id-taken", position=None, changes=[])
        )
        other.append({"id": MATCH, "player_a": "x", "player_b": "y", "score_a": 1}, pool="tic-tac-toe")
        assert proof(other, taken) == Proof(None, "the entry of that id in the pool tic-tac-toe is another match")
        differs(other, lines, len(lines) - 2, "data.arena.record is None in the pool")


def test_a_match_that_waits_and_one_with_another_result(arena: tuple[Ledger, list[bytes]], tmp_path: Path) -> None:
    ledger, lines = arena
    item = ledger.received("tic-tac-toe", MATCH)
    assert item is not None
    with Ledger.open(tmp_path / "other.db", create=True) as other:
        other.open_pool("tic-tac-toe", "arena-v0")
        other.append(item, pool="tic-tac-toe")
        told = "the pool tic-tac-toe has received it, and has no entry of it yet"
        assert proof(other, lines[:-1]) == Proof(None, told)
        differs(other, lines, len(lines) - 1, "the match is settled; the pool tic-tac-toe has received it")
    with Ledger.open(tmp_path / "third.db", create=True) as other:
        other.open_pool("tic-tac-toe", "arena-v0")
        other.append(orjson.loads(item) | {"score_a": 0.5}, pool="tic-tac-toe")
        differs(
            other, lines, len(lines) - 2, "score_a is 0.5 in tic-tac-toe, receipt 1; expected [01].0, as the records"
        )
