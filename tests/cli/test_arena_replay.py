"""`tallymark arena replay`."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from halls import Player, Time, first, opened, turns
from refereed import LIMIT, Table, played
from sqlalchemy import inspect

import tallymark as tm
from tallymark.arena.games.catalogue import game
from tallymark.arena.store import records, schema

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A match of connect four."""
    found = tmp_path / "connect-four-3.jsonl"
    found.write_bytes(b"\n".join(played(game("connect-four"), 3)) + b"\n")
    return found


def test_a_match_is_played_back_from_a_file_that_anybody_has(cli: Run, file: Path) -> None:
    done = cli("arena", "replay", file)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    first = json.loads(file.read_bytes().splitlines()[0])
    assert lines[0] == "match connect-four-3: Connect four, ruleset " + first["ruleset"]["name"]
    assert lines[1] == f"seat 0: {first['seats'][0]['agent']} (agent)"
    assert "is the one committed to, and gives these seats" in done.stdout
    count = len(file.read_bytes().splitlines())
    assert lines[-1] == f"{count} records follow, {count - 2} states with the same hash"
    assert "finished: The game was played to its end." in lines


def test_boards_are_shown_after_every_action_or_one_by_one(cli: Run, program: Run, file: Path) -> None:
    last, every = (cli("arena", "replay", file, *words).stdout.splitlines() for words in ((), ("--boards",)))
    actions = sum(b'"kind":"action"' in line for line in file.read_bytes().splitlines())
    height = len(game("connect-four").start(bytes(32), 2).board().split("\n"))
    assert len(every) == len(last) + actions * height
    assert cli("arena", "replay", file, "--step").stdout.splitlines() == every  # nobody presses Enter


def test_a_record_that_does_not_follow_is_named(cli: Run, file: Path) -> None:
    lines = file.read_bytes().splitlines()
    lines[4] = re.sub(rb'"hash":"....', b'"hash":"0000', lines[4])
    file.write_bytes(b"\n".join(lines))
    done = cli("arena", "replay", file)
    assert done.returncode == 4
    assert done.stderr.startswith("error: record 4: hash is '0000")
    assert done.stderr.endswith(" arena replay --help shows what is expected\n")


def test_as_json(cli: Run, file: Path) -> None:
    document = json.loads(cli("arena", "replay", file, "--json").stdout)
    assert (document["match"], document["reason"]) == ("connect-four-3", "finished")
    assert document["records"] == document["states"] + 2
    assert len(document["seed"]) == 64
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
    table = page.partition("\n## tallymark arena replay\n")[2].partition("\n## ")[0]
    assert set(document) <= set(re.findall("`([a-z_]+)`", table))
    assert set(re.findall("`([a-z_]+)`", table)) <= {*document, *document["seats"][0], *document["sides"][0]}


def test_a_match_of_a_ledger_and_one_that_is_not_there(cli: Run, tmp_path: Path) -> None:
    where = tmp_path / "club.db"
    lines = played(game("werewolf"), 7, misses=True)
    with tm.Ledger.open(where, create=True) as ledger:
        schema.upgraded(ledger.store)
        with ledger.store.writing() as connection:
            records.keep(ledger.store, connection, [("werewolf-7", n, line) for n, line in enumerate(lines)])
    done = cli("arena", "replay", "werewolf-7", "--ledger", where)
    assert done.returncode == 0, done.stderr
    assert "is played for: " in done.stdout
    assert "failed: timeout, no action came until the deadline" in done.stdout
    assert "roles: " in done.stdout
    assert done.stdout.splitlines()[-2] == "the pool werewolf of this ledger has no entry of it"
    missing = cli("arena", "replay", "werewolf-8", "--ledger", where)
    assert missing.returncode == 2
    assert missing.stderr.startswith("error: there is no match 'werewolf-8'")
    assert cli("arena", "replay", "\x00", "--ledger", where).returncode == 2
    nowhere = cli("arena", "replay", "werewolf-7", "--ledger", tmp_path / "none.db")
    assert nowhere.stderr.splitlines()[1] == "hint: make a ledger there: tallymark ledger init"


def test_a_file_alone_is_no_proof_and_a_ledger_is(cli: Run, tmp_path: Path) -> None:
    where, file = tmp_path / "arena.db", tmp_path / "match.jsonl"
    with opened(str(where), Time(), games=(game("tic-tac-toe"),)) as (ledger, hall):
        for player in (Player(hall, "ann"), Player(hall, "bob")):
            player.manner = first
            player.join("tic-tac-toe")
        turns(hall, ledger, 30)
        with ledger.store.reading() as connection:
            lines = records.of(connection, "tic-tac-toe-1")
    for ends in (b"\n", b"\r\n"):
        file.write_bytes(ends.join(lines) + ends)
        alone = cli("arena", "replay", file)
        assert alone.returncode == 0, alone.stderr
        found = hashlib.sha256(b"".join(line + b"\n" for line in lines[:-1])).hexdigest()
        assert alone.stdout.splitlines()[-3:-1] == [
            f"hash of the records: {found}",
            "compare it with data.arena.record of the match's entry in the public history",
        ]
        assert json.loads(cli("arena", "replay", file, "--json").stdout)["entry"] is None
        for match in (file, "tic-tac-toe-1"):
            with_ledger = cli("arena", "replay", match, "--ledger", where)
            assert with_ledger.stdout.splitlines()[-2] == "as entry 2 of the pool tic-tac-toe has it"
    file.write_bytes(b"\n".join([lines[0].replace(b'"version":"1"', b'"version":"2"', 1), *lines[1:]]))
    assert cli("arena", "replay", file).returncode == 0
    forged = cli("arena", "replay", file, "--ledger", where)
    assert forged.returncode == 4
    assert f"data.arena.record is '{found}' in the pool tic-tac-toe; expected '" in forged.stderr


def test_nothing_is_written_to_a_ledger_whose_matches_are_read(cli: Run, tmp_path: Path) -> None:
    where = tmp_path / "club.db"
    with tm.Ledger.open(where, create=True):
        pass
    before = where.read_bytes()
    missing = cli("arena", "replay", "werewolf-7", "--ledger", where)
    assert missing.returncode == 2
    assert missing.stderr.startswith("error: there is no match 'werewolf-7'")
    assert where.read_bytes() == before
    with tm.Ledger.open(where) as ledger, ledger.store.reading() as connection:
        assert not [name for name in inspect(connection).get_table_names() if name.startswith("arena")]


def test_what_agents_wrote_moves_no_cursor(cli: Run, tmp_path: Path) -> None:
    """A record with anything in it: what an illegal action was, and a version that an agent says it has."""
    table = Table(game=game("tic-tac-toe"))
    table.delivered(1, 0)
    table.acts(2, 0, "\x1b[2J\u202egone")
    file = tmp_path / "match"
    first = table.lines[0].replace(b'"version":""', rb'"version":"\u001b]0;mine\u0007"')
    file.write_bytes(b"\n".join([first, *table.lines[1:]]))
    done = cli("arena", "replay", file)
    assert done.returncode == 0, done.stderr
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", done.stdout)
    assert r"version \x1b]0;mine\x07" in done.stdout
    assert "illegal (seat 0" in done.stdout


def test_a_match_that_is_still_played_and_a_file_that_is_something_else(cli: Run, tmp_path: Path) -> None:
    table = Table(game=game("tic-tac-toe"))
    table.passes(LIMIT)
    file = tmp_path / "match"
    file.write_bytes(b"\n".join(table.lines))
    done = cli("arena", "replay", file)
    assert (done.returncode, done.stderr.splitlines()[0]) == (4, "error: no record says how the match ended")
    for text in (b"", b"player_a,player_b\n", b"\x00\xff"):
        file.write_bytes(text)
        assert cli("arena", "replay", file).returncode == 4


def test_a_file_that_is_too_large_is_not_read(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tallymark.cli.arena import replay

    file = tmp_path / "match"
    file.write_bytes(b"{}\n" * 100)
    monkeypatch.setattr(replay, "LARGEST", 299)
    assert cli("arena", "replay", file).returncode == 3
