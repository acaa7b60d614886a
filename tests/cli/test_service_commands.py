"""`tallymark keys`, `config` and `serve`: what they print, and a server that stops when it is told to."""

import json
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def site(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with a pool; commands find it by the environment."""
    path = tmp_path / "site.db"
    monkeypatch.setenv("TALLYMARK_LEDGER", str(path))
    assert cli("ledger", "init", "--pool", "chess", "-m", "arena").returncode == 0
    return path


def test_keys_from_made_to_revoked(cli: Run, site: Path) -> None:
    assert "no key yet" in cli("keys", "list").stdout
    made = cli("keys", "create", "results desk", "--scope", "append", "--expires", "2999-01-01")
    text = re.search(r"tallymark_([0-9a-f]{12})_[0-9a-f]{64}", made.stdout.replace("\n", ""))
    assert text is not None
    listed = cli("keys", "list").stdout
    assert f"{text[1]}  append  results desk  until 2999-01-01T00:00:00Z" in listed
    assert text[0] not in listed
    assert "is revoked" in cli("keys", "revoke", text[1]).stdout
    assert json.loads(cli("keys", "list", "--json").stdout)[0]["revoked"] is not None
    wrong = cli("keys", "create", "x", "--scope", "everything")
    assert (wrong.returncode, "scope is 'everything'" in wrong.stderr) == (2, True)


def test_config_says_where_a_value_is_from(cli: Run, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLYMARK_PORT", "8081")
    told = {one["name"]: one for one in json.loads(cli("config", "show", "--json").stdout)}
    assert (told["port"]["value"], told["port"]["source"]) == ("8081", "environment")
    assert told["host"]["source"] == "default"
    monkeypatch.setenv("TALLYMARK_PORT", "many")
    wrong = cli("config", "show")
    assert (wrong.returncode, "port is 'many'" in wrong.stderr) == (2, True)


def test_a_server_says_where_it_is_and_stops_when_told(site: Path) -> None:
    words = [sys.executable, "-W", "error", "-m", "tallymark", "serve", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        line = server.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:[0-9]+", line)
        assert address is not None, line + server.stderr.read()
        with urllib.request.urlopen(f"{address[0]}/v1/pools", timeout=30) as answer:
            assert json.load(answer)["pools"][0]["pool"] == "chess"
        server.send_signal(signal.SIGTERM)
        logged = [json.loads(one) for one in server.stderr.read().splitlines()]
        assert server.wait(30) in (0, -signal.SIGTERM, 143)
    (request,) = (one for one in logged if one["event"] == "request")
    assert (request["operation"], request["status"]) == ("listPools", 200)


def test_a_ledger_that_is_not_there_is_said_before_a_port_is_taken(cli: Run, tmp_path: Path) -> None:
    none = cli("serve", "--ledger", tmp_path / "none.db", "--port", "0")
    assert (none.returncode, "there is no file" in none.stderr) == (3, True)


def test_an_arena_on_a_ledger_with_a_pool_of_others_is_refused_before_it_serves(cli: Run, tmp_path: Path) -> None:
    import tallymark as tm

    with tm.Ledger.open(tmp_path / "club.db", create=True) as ledger:
        ledger.open_pool("werewolf", "elo")
    refused = cli("serve", "--arena", "--ledger", tmp_path / "club.db", "--port", "0")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "pool 'werewolf' was opened with elo-1; expected arena-v0" in refused.stderr
    with tm.Ledger.open(tmp_path / "club.db") as ledger:
        assert [one.pool for one in ledger.pools()] == ["werewolf"]


def test_nothing_is_said_to_be_served_by_what_cannot_start(cli: Run, program: Run, site: Path) -> None:
    assert cli("keys", "create", "desk", "--scope", "append").returncode == 0
    with sqlite3.connect(site) as database:
        database.execute("UPDATE service_version SET version_num = '9999'")  # of a later version
    database.close()
    refused = program("serve", "--port", "0")  # of its own: a service sets up what its process logs
    assert (refused.returncode, refused.stdout) == (3, "")
    assert "the service cannot start" in refused.stderr


def test_an_arena_without_its_libraries_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tallymark.cli import main
    from tallymark.cli import serve as command

    monkeypatch.setattr(command, "find_spec", lambda library: None)
    monkeypatch.setattr(sys, "argv", ["tallymark", "serve", "--arena", "--ledger", str(tmp_path / "a.db")])
    with pytest.raises(SystemExit):
        main()
    told = capsys.readouterr().err
    assert "websockets is not installed" in told
    assert "tallymark[service,arena]" in told
    assert not (tmp_path / "a.db").exists()
