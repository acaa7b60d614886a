"""Settings: where they come from, and what is told of them."""

from pathlib import Path

import pytest

from tallymark.arena.hall.connection import Limits
from tallymark.errors import InputError, ReadError
from tallymark.service.settings import Settings, load, told


def test_an_option_before_the_environment_before_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "tallymark.toml"
    file.write_text('host = "0.0.0.0"\nport = 1\nthreads = 3\n')
    monkeypatch.setenv("TALLYMARK_CONFIG", str(file))
    monkeypatch.setenv("TALLYMARK_PORT", "2")
    found = load(port=None)
    assert (found.host, found.port, found.threads) == ("0.0.0.0", 2, 3)
    assert load(port=4).port == 4
    assert {one.name: one.source for one in told(found)} | {"ledger": "default"} == {
        one.name: {"host": "file", "port": "environment", "threads": "file"}.get(one.name, "default")
        for one in told(found)
    }


def test_what_is_wrong_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="port is 70000"):
        load(port=70000)
    monkeypatch.setenv("TALLYMARK_CONFIG", str(tmp_path / "none.toml"))
    with pytest.raises(ReadError, match="there is no file"):
        load()


def test_a_password_is_hidden() -> None:
    (ledger,) = (one for one in told(Settings(ledger="postgresql://me:secret@host/db")) if one.name == "ledger")  # type: ignore[arg-type]
    assert ledger.value == "postgresql://me:***@host/db"


def test_what_a_service_sets_is_what_a_hall_has_without() -> None:
    settings = Settings()
    assert (settings.connected_agents, settings.registered_agents) == (Limits().connections, Limits().agents)
