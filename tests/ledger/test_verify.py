"""Verify: whatever was done to an export, the first entry that does not follow is named; what is none is refused."""

import gzip
import json
import os
import random
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest
from exports import chained_again, filled, some_matches, ticking
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from told import game, kinds, new

from tallymark import methodology
from tallymark.errors import BrokenChainError, InputError, LedgerError, ReadError
from tallymark.ledger import recount
from tallymark.ledger.entries import GENESIS, chained, not_rated
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.rules import rules_in
from tallymark.ledger.store import open_store
from tallymark.ledger.verify import verify
from tallymark.replay.engines import Engine

Edit = Callable[[list[bytes]], list[bytes]]


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A pool of everything that a match can be, its methodology changed on the way, and a command that is refused."""
    folder = tmp_path_factory.mktemp("export")
    with filled(folder / "a.db", [("p", "arena")], 8) as ledger:
        ledger.change_rules("p", "arena-v1-draft", id="bounds")
        ledger.change_rules("p", "elo", id="no")
        ledger.append_many(some_matches(4, first=8), pool="p")
        ledger.settle()
        ledger.export(folder / "a.txt")
    return (folder / "a.txt").read_bytes()


@pytest.fixture(scope="module")
def lines(export: bytes) -> list[bytes]:
    """Its entries' lines."""
    return export.splitlines()[:-1]


def broken(folder: Path, content: bytes, head: str | Sequence[str] = (), engine: Engine = "auto") -> BrokenChainError:
    (folder / "broken.txt").write_bytes(content)
    with pytest.raises(BrokenChainError) as caught:
        verify(folder / "broken.txt", head, engine)
    return caught.value


def test_it_follows(export: bytes, lines: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(export)
    told: list[tuple[int, float | None]] = []
    (pool,) = verify(tmp_path / "a.txt", progress=lambda rows, share: told.append((rows, share))).pools
    assert (pool.pool, pool.position, pool.hash) == ("p", len(lines), lines[-1][:64].decode())
    assert told[-1] == (len(lines), 1.0)
    assert chained_again(lines) == export


def test_every_bit_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One bit of every byte, all eight of some: the entry whose line it is in is named, or the one behind the last."""
    monkeypatch.setattr(recount, "rules_in", cache(rules_in))
    with filled(tmp_path / "a.db", count=0) as ledger:
        ledger.append_many([match for n, match in enumerate(some_matches()) if n in (1, 2, 3)], pool="p")
        ledger.settle()
        ledger.export(tmp_path / "a.txt")
    export = (tmp_path / "a.txt").read_bytes()
    line_of = [n for n, line in enumerate(export.splitlines(keepends=True), 1) for _ in line]
    rng = random.Random(1)
    for place, expected in enumerate(line_of):
        if place > 100 and expected == 1 and place % 7:  # the methodology's text is long
            continue
        for bit in range(8) if place % 67 == 0 else [rng.randrange(8)]:
            flipped = bytearray(export)
            flipped[place] ^= 1 << bit
            error = broken(tmp_path, bytes(flipped))
            assert error.position == expected, (place, bit, str(error))


def rechained(edit: Edit) -> Callable[[list[bytes]], bytes]:
    return lambda lines: chained_again(edit(list(lines)))


def swapped(at: int) -> Edit:
    return lambda lines: [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]


def dropped(at: int) -> Edit:
    return lambda lines: [*lines[: at - 1], *lines[at:]]


def forged(at: int, old: bytes, new: bytes) -> Edit:
    def edit(lines: list[bytes]) -> list[bytes]:
        assert old in lines[at - 1]
        return [line.replace(old, new, 1) if n == at else line for n, line in enumerate(lines, 1)]

    return edit


@pytest.mark.parametrize("again", [False, True], ids=["as it is", "with a new chain"])
@pytest.mark.parametrize("at", range(2, 15))
@pytest.mark.parametrize("how", [swapped, dropped])
def test_order_and_absence(
    lines: list[bytes], tmp_path: Path, how: Callable[[int], Edit], at: int, again: bool
) -> None:
    """Every two neighbours swapped, every one dropped, those that are not rated and those of commands too."""
    if again and how is dropped and at == len(lines):
        pytest.skip("a tail that is cut and ended anew is found against a head only")
    if how is swapped and at == len(lines):
        return
    edited = how(at)(list(lines))
    end = b"end %d %b\n" % (len(lines), lines[-1][:64])
    content = chained_again(edited) if again else b"".join(line + b"\n" for line in edited) + end
    assert broken(tmp_path, content).position == at


@pytest.mark.parametrize(
    ("at", "old", "new"),
    [
        (2, b'"score_a":1', b'"score_a":0'),
        (2, b'"ann"', b'"anm"'),
        (3, b'"rules":1', b'"rules":2'),
        (4, b'"kind":"rated"', b'"kind":"not-rated"'),
        (5, b'"reason":"no-result"', b'"reason":"draw"'),
        (5, b'"score_a":null', b'"score_a":1'),
        (6, b'"rank":1', b'"rank":2'),
        (7, b'"at":17', b'"at":16'),
        (10, b'"kind":"rules"', b'"kind":"ruled"'),
        (11, b'"reason":"other-system"', b'"reason":"other"'),
        (11, b'"command":"rules"', b'"command":"close"'),
    ],
)
def test_a_forged_value_with_a_new_chain(lines: list[bytes], tmp_path: Path, at: int, old: bytes, new: bytes) -> None:
    error = broken(tmp_path, rechained(forged(at, old, new))(lines))
    assert error.position == at
    assert "recount" in str(error)


def test_a_state_forged_by_one_bit_is_told_with_both(lines: list[bytes], tmp_path: Path) -> None:
    state = json.loads(lines[1][65:])["after"][0][1]
    other = state[:-1] + ("0" if state[-1] != "0" else "1")
    error = broken(tmp_path, rechained(forged(2, state.encode(), other.encode()))(lines))
    assert other[-10:] in str(error)
    assert state[-10:] in str(error)


def test_a_match_taken_in_twice(tmp_path: Path) -> None:
    """Every entry follows; but one id is there twice, which appending refuses."""
    with filled(tmp_path / "a.db", count=6) as ledger:
        ledger.export(tmp_path / "a.txt")
    entries = (tmp_path / "a.txt").read_bytes().splitlines()[:-1]
    no_result = b'{"id":"m3","player_a":"ann","player_b":"bob","score_a":null}'
    at = json.loads(entries[-1][65:])["at"]
    again = b"0" * 65 + not_rated(len(entries) + 1, at, 1, no_result, "no-result")
    error = broken(tmp_path, chained_again([*entries, again]))
    assert error.position == len(entries) + 1
    assert "'m3' again: entry 5 was" in str(error)
    # What breaks behind it does not come first.
    error = broken(tmp_path, chained_again([*entries, again, b"0" * 65 + b"{}"]))
    assert error.position == len(entries) + 1


def test_a_tail_that_was_cut_is_found_against_a_head(lines: list[bytes], tmp_path: Path) -> None:
    whole = tmp_path / "whole.txt"
    whole.write_bytes(chained_again(lines))
    heads = [f"{n}:{line[:64].decode()}" for n, line in enumerate(lines, 1)]
    assert verify(whole, heads) == verify(whole)
    for head in heads:
        verify(whole, head)
    (tmp_path / "cut.txt").write_bytes(chained_again(lines[:-1]))
    verify(tmp_path / "cut.txt")
    error = broken(tmp_path, chained_again(lines[:-1]), heads[-1])
    assert error.position == len(lines)
    assert f"the longest ends with entry {len(lines) - 1}" in str(error)
    other = f"3:{lines[3][:64].decode()}"
    assert broken(tmp_path, chained_again(lines), [heads[0], other]).position == 3


@pytest.mark.parametrize("head", ["", "3", "0:" + "0" * 64, "3:" + "A" * 64, "3:" + "0" * 63, " 3:" + "0" * 64])
def test_what_is_no_head(export: bytes, tmp_path: Path, head: str) -> None:
    (tmp_path / "a.txt").write_bytes(export)
    with pytest.raises(InputError, match="expected POSITION:HASH"):
        verify(tmp_path / "a.txt", head)


def test_cut_short_anywhere(export: bytes, tmp_path: Path) -> None:
    at = len(export) - len(export.splitlines(keepends=True)[-1])
    for length in [1, 64, 65, 66, *range(100, at, 151), *range(at - 2, len(export))]:
        (tmp_path / "cut.txt").write_bytes(export[:length])
        with pytest.raises(LedgerError) as caught:
            verify(tmp_path / "cut.txt")
        if length == at:
            assert "is cut short behind entry 15 of 'p'" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty; expected an export"),
        (b"\n", "begins with"),
        (b"\n\n\n", "begins with"),
        (b"player_a,player_b,score_a\nann,bob,1\n", "begins with player_a"),
        (b'{"id":"m1"}\n', "begins with"),
        (b"end 0 " + bytes(64) + b"\n", "begins with end 0"),
        (bytes(range(256)) * 100, "begins with"),
        (b"\xff\xfe" * 5000, "begins with"),
    ],
)
def test_foreign_files(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(LedgerError, match=message) as caught:
        verify(tmp_path / "a.txt")
    assert not isinstance(caught.value, BrokenChainError)
    assert caught.value.hint


def test_an_entry_of_something_else(tmp_path: Path) -> None:
    body = b'{"block":1}'
    (tmp_path / "a.txt").write_bytes(b"%b %b\n" % (chained(GENESIS, body).hex().encode(), body))
    with pytest.raises(LedgerError, match=r'begins with \{"block":1\}'):
        verify(tmp_path / "a.txt")


def test_another_version_of_the_format(lines: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(chained_again([lines[0].replace(b"tallymark-ledger-1", b"tallymark-ledger-9")]))
    with pytest.raises(LedgerError, match="'tallymark-ledger-9'; expected 'tallymark-ledger-1'"):
        verify(tmp_path / "a.txt")


def test_a_methodology_that_is_not_what_its_hash_says(lines: list[bytes], tmp_path: Path) -> None:
    error = broken(tmp_path, chained_again([lines[0].replace(b"tau = 0.5", b"tau = 0.6"), *lines[1:]]))
    assert error.position == 1
    assert "its text has the hash" in str(error)
    error = broken(tmp_path, chained_again([lines[0].replace(b"tau = 0.5", b"tau = x.6"), *lines[1:]]))
    assert (error.position, "not TOML" in str(error)) == (1, True)
    error = broken(tmp_path, chained_again([lines[0].replace(b'"pool":"p"', b'"pool": "p"'), *lines[1:]]))
    assert error.position == 1


def test_a_command_of_a_newer_version_is_no_forgery(lines: list[bytes], tmp_path: Path) -> None:
    entry = b'{"n":3,"kind":"dreamt","at":1790000000000000,"rules":1,"item":{"command":"dream","id":"d"}}'
    (tmp_path / "a.txt").write_bytes(chained_again([*lines[:2], b"0" * 65 + entry]))
    with pytest.raises(LedgerError, match="entry 3 of 'p': 'dream' is no command") as caught:
        verify(tmp_path / "a.txt")
    assert not isinstance(caught.value, BrokenChainError)


GARBAGE = [
    b"",
    b"{}",
    b"[" * 9000,
    b"\xff\x00",
    b'{"n":3,"kind":"rated","at":1790000000000000,"rules":1,"match":{},"after":[]}',
    b'{"n":3,"kind":"rated","at":1790000000000000,"rules":1,"match":{"id":"x","player_a":"a","player_b":"b","score_a":9},"after":[]}',
    b'{"n":3,"kind":"rated","at":99999999999999999999,"rules":1,"match":{},"after":[]}',
    b'{"n":3,"kind":"adjusted","at":1790000000000000,"rules":1,"item":{"command":"adjust","id":1,"players":[["a","00"]]}}',
    b'{"n":3,"kind":"imported","at":1790000000000000,"rules":1,"item":{"command":"import","id":1,"at":[],"players":{}}}',
    b'{"n":3,"kind":"x","at":1790000000000000,"rules":1,"item":{"command":"close","id":1,"until":1e999}}',
    b'{"n":3,"kind":"x","at":1790000000000000,"rules":1,"item":{"command":"rules"}}',
    b'{"n":3,"kind":"x","at":1790000000000000,"rules":1,"item":{"command":"correct","what":"merge","id":1}}',
    b'{"n":3,"kind":"x","at":1790000000000000,"rules":1,"item":{"command":"cor',
]


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
@pytest.mark.parametrize("body", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_in_a_chain_of_its_own(lines: list[bytes], tmp_path: Path, body: bytes, engine: Engine) -> None:
    """Whatever stands there, it is named: in the middle, and at the end."""
    for end in (lines[3:], []):
        content = chained_again([*lines[:2], b"0" * 65 + body, *end])
        assert broken(tmp_path, content, engine=engine).position == 3
    # Far behind, where players of the same batch have been rated.
    content = chained_again([*lines[:4], b"0" * 65 + body.replace(b'"n":3', b'"n":5'), *lines[5:]])
    assert broken(tmp_path, content, engine=engine).position == 5


@settings(max_examples=60)
@given(data=st.data())
def test_random_damage(data: st.DataObject, export: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Bytes written over, taken out, put in: never silence, never an error that is not ours."""
    at = data.draw(st.integers(0, len(export) - 1))
    length = data.draw(st.integers(0, 40))
    piece = data.draw(st.binary(max_size=40))
    damaged = export[:at] + piece + export[at + length :]
    path = tmp_path_factory.mktemp("damaged") / "a.txt"
    path.write_bytes(damaged)
    if damaged == export:
        verify(path)
        return
    with pytest.raises(LedgerError):
        verify(path)


def test_several_pools_and_what_stands_between_them(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db", [("p", "arena"), ("q", "elo")], 3) as ledger:
        ledger.export(tmp_path / "a.txt")
    whole = (tmp_path / "a.txt").read_bytes().splitlines()
    assert [pool.pool for pool in verify(tmp_path / "a.txt").pools] == ["p", "q"]
    for at in (6, 7, 8):
        error = broken(tmp_path, b"\n".join([*whole[:at], whole[at].swapcase(), *whole[at + 1 :]]) + b"\n")
        assert error.position == at - 4
    (tmp_path / "a.txt").write_bytes(b"\n".join(whole[:5]) + b"\n" + b"junk\n")
    with pytest.raises(LedgerError, match="begins with junk"):
        verify(tmp_path / "a.txt")


def test_packed_and_damaged(export: bytes, tmp_path: Path) -> None:
    packed = gzip.compress(export)
    (tmp_path / "a.gz").write_bytes(packed)
    verify(tmp_path / "a.gz")
    for content in (packed[:-20], packed[:200] + bytes([packed[200] ^ 1]) + packed[201:]):
        (tmp_path / "a.gz").write_bytes(content)
        with pytest.raises((ReadError, LedgerError)):
            verify(tmp_path / "a.gz")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"none\.txt cannot be read"):
        verify(tmp_path / "none.txt")
    with pytest.raises(ReadError, match="is a directory"):
        verify(tmp_path)
    with pytest.raises(ReadError, match="no name of a file"):
        verify("a\0b")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe(export: bytes, tmp_path: Path) -> None:
    """What can be read only once is kept aside: the pool's history is looked up again."""
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(export,))
    writer.start()
    assert verify(tmp_path / "pipe").entries == 15
    writer.join()


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_the_history_of_a_calendar_pool_is_looked_up(tmp_path: Path, ending: str) -> None:
    weekly = methodology("paper").with_(period="7d", late="recompute")
    with new(tmp_path, weekly) as ledger:
        for n in range(12):
            day = (3 * n) % 28 + 1
            ledger.append(game(n, "ann", f"b{n % 3}", n % 2, f"2026-01-{day:02}T12:00:00Z"), pool="p")
        ledger.close_periods("p", "2026-03-01")
        ledger.settle()
        assert "restated" in kinds(ledger)
        ledger.export(tmp_path / f"a.txt{ending}")
    verify(tmp_path / f"a.txt{ending}")


def test_one_pool_twice(export: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(export + export)
    with pytest.raises(LedgerError, match="has the pool 'p' twice"):
        verify(tmp_path / "a.txt")


# Live ledgers.


def test_a_ledger_by_its_url(ledger_url: str, tmp_path: Path) -> None:
    """Exported, verified, rebuilt and imported again, on each store."""
    with filled(ledger_url, [("p", "arena"), ("go", "go-onchain")]) as ledger:
        told = ledger.export(tmp_path / "a.txt")
        assert verify(ledger_url) == verify(tmp_path / "a.txt")
        verify(ledger_url, f"{told[0].position}:{told[0].hash}")
        assert ledger.rebuild("go").differed == []
        with pytest.raises(LedgerError, match="there is a pool 'p' already"):
            ledger.import_bundle(tmp_path / "a.txt")


def test_an_export_of_one_store_goes_into_the_other(ledger_url: str, tmp_path: Path) -> None:
    with filled(tmp_path / "a.db", [("p", "arena"), ("go", "go-onchain")]) as ledger:
        told = ledger.export(tmp_path / "a.txt")
    with Ledger.open(ledger_url, create=True, clock=ticking()) as other:
        assert other.import_bundle(tmp_path / "a.txt") == told
        assert all(one.again for one in other.append_many(some_matches(), pool="p") if isinstance(one, Receipt))
        other.append_many(some_matches(4, first=50), pool="p")
        other.settle()
        assert verify(ledger_url).pools[0].position == told[0].position + 4


def test_a_ledger_by_its_file(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db") as ledger:
        ledger.append_many(some_matches(3, first=30), pool="p")  # what waits is not lost
        assert verify(tmp_path / "a.db") == verify(str(tmp_path / "a.db"))


def test_what_was_acknowledged_and_is_gone(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db") as ledger:
        ledger.append_many(some_matches(3, first=30), pool="p")
        with ledger._store.writing() as connection:
            connection.execute(text("DELETE FROM inbox WHERE receipt = (SELECT max(receipt) FROM inbox)"))
    with pytest.raises(LedgerError, match="'m32' was received by 'p', receipt 15, and neither waits nor has an entry"):
        verify(tmp_path / "a.db")


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE rating SET games = games + 1 WHERE player = 'ann'", "1 values that its entries do not give: games of"),
        ("DELETE FROM rating WHERE player = 'ann'", "player ann is nobody; its entries give there"),
        ("UPDATE rating SET player = 'x' WHERE player = 'ann'", "player x is there; its entries give nobody"),
        ("UPDATE rating SET state = zeroblob(24)", "state of player"),
    ],
)
def test_projections_are_compared(tmp_path: Path, statement: str, message: str) -> None:
    with filled(tmp_path / "a.db"):
        pass
    store = open_store(tmp_path / "a.db")
    with store.writing() as connection:
        connection.execute(text(statement))
    store.close()
    with pytest.raises(LedgerError, match=message) as caught:
        verify(tmp_path / "a.db")
    assert caught.value.hint == "tallymark ledger rebuild"


@pytest.mark.parametrize(
    ("statement", "position"),
    [
        ("DELETE FROM entry WHERE position = 4", 4),
        ("DELETE FROM entry WHERE position > 8", 9),
        # SQLite makes text of it.
        ("UPDATE entry SET body = replace(body, 'ann', 'anm') WHERE position = 2", 2),
        ("UPDATE entry SET hash = zeroblob(32) WHERE position = 6", 6),
        ("UPDATE head SET hash = zeroblob(32)", 13),
        ("UPDATE head SET stand = replace(stand, '\"rules_at\"', '\"rules\"')", 13),
    ],
)
def test_somebody_who_got_past_the_guards_is_found(tmp_path: Path, statement: str, position: int) -> None:
    with filled(tmp_path / "a.db"):
        pass
    store = open_store(tmp_path / "a.db")
    with store.writing() as connection:
        for trigger in connection.scalars(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).all():
            connection.execute(text(f"DROP TRIGGER {trigger}"))
        connection.execute(text(statement))
    store.close()
    with pytest.raises(BrokenChainError) as caught:
        verify(tmp_path / "a.db")
    assert caught.value.position == position


def test_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="mysql is no database"):
        verify("mysql://x/y")


def test_no_engine(export: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(export)
    with pytest.raises(InputError, match="engine is 'fast'; expected auto, interpreted or compiled"):
        verify(tmp_path / "a.txt", engine="fast")  # type: ignore[arg-type]
