"""Keys: shown once, found by a hash, with scopes and an end."""

from pathlib import Path

import pytest
from clubs import Clock
from sqlalchemy import select

import tallymark as tm
from tallymark.errors import InputError
from tallymark.service import schema
from tallymark.service.keys.keyring import Keyring
from tallymark.service.keys.scopes import SCOPES
from tallymark.service.tables import KEY


@pytest.fixture
def ledger(tmp_path: Path) -> "tm.Ledger":
    found = tm.Ledger.open(tmp_path / "club.db", create=True)
    schema.upgraded(found.store)
    return found


def test_a_key_is_found_by_its_text_alone(ledger: tm.Ledger) -> None:
    with ledger:
        clock = Clock()
        ring = Keyring(ledger.store, clock, 10.0)
        key, text = ring.make("ann", ["append"])
        other = ring.make("bob", ["vote"])[1]
        assert ring.find(text) == key
        for wrong in ("", text[:-1], text + "0", text.upper(), text[: text.rindex("_")] + other[other.rindex("_") :]):
            assert ring.find(wrong) is None
        with ledger.store.reading() as connection:
            kept = connection.execute(select(KEY)).all()
        secret = text.rpartition("_")[2]
        assert all(secret not in str(row) and secret.encode() not in bytes(row.digest) for row in kept)


def test_what_a_key_may(ledger: tm.Ledger) -> None:
    with ledger:
        ring = Keyring(ledger.store, Clock(), 10.0)
        key, admin = ring.make("ann", ["append"])[0], ring.make("root", ["admin"])[0]
        assert [scope for scope in SCOPES if key.may(scope)] == ["append"]
        assert all(admin.may(scope) for scope in SCOPES)
        for wrong in (["nothing"], []):
            with pytest.raises(InputError, match="scope"):
                ring.make("x", wrong)
        with pytest.raises(InputError, match="name"):
            ring.make(" ", ["append"])


def test_a_key_runs_out_and_is_revoked_at_once_where_it_is_remembered(ledger: tm.Ledger) -> None:
    with ledger:
        clock = Clock()
        ring = Keyring(ledger.store, clock, 10.0)
        _, short = ring.make("ann", ["append"], clock.at + 5_000_000)
        key, long = ring.make("bob", ["append"])
        assert ring.find(short) is not None
        assert ring.find(long) is not None
        assert ring.remembered(short) is not None
        clock.at += 5_000_000
        assert ring.remembered(short) is None
        assert ring.find(short) is None
        assert ring.remembered(long) is not None
        elsewhere = Keyring(ledger.store, clock, 10.0)
        elsewhere.revoke(key.id)
        assert ring.remembered(long) is not None, "another process is heard of after ten seconds"
        clock.at += 5_000_000
        assert ring.remembered(long) is None
        assert ring.find(long) is None
        with pytest.raises(InputError, match="there is no key"):
            ring.revoke("0" * 12)
        with pytest.raises(InputError, match="expires"):
            ring.make("late", ["append"], clock.at)
