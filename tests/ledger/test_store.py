"""What a ledger does on either store: append once, rate once, refuse to change, say what is wrong."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import event, text

from tallymark.errors import ConflictError, InputError, LedgerError
from tallymark.ledger.entries import GENESIS, chained
from tallymark.ledger.fold.folding import fold
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import match_item
from tallymark.ledger.store import open_store


def match(name: str, score: float = 1, a: str = "ann", b: str = "bob") -> dict[str, str | float]:
    return {"id": name, "player_a": a, "player_b": b, "score_a": score}


def ticking() -> int:
    return 1_000_000


@pytest.fixture
def ledger(ledger_url: str) -> Iterator[Ledger]:
    with Ledger.open(ledger_url, create=True, clock=ticking) as made:
        made.open_pool("x", "arena")
        yield made


def entries(url: str) -> list[tuple[int, bytes, bytes, int | None]]:
    store = open_store(url)
    with store.reading() as connection:
        rows = connection.execute(text("SELECT position, hash, body, receipt FROM entry ORDER BY position")).all()
    store.close()
    return [(row[0], bytes(row[1]), bytes(row[2]), row[3]) for row in rows]


def count(url: str, table: str) -> int:
    store = open_store(url)
    with store.reading() as connection:
        found = connection.scalar(text(f"SELECT count(*) FROM {table}"))
    store.close()
    assert found is not None
    return int(found)


def test_a_match_is_rated_once_however_often_it_is_appended(ledger: Ledger, ledger_url: str) -> None:
    first = ledger.append(match("m1"), pool="x")
    assert first == Receipt("x", first.number, "m1", again=False)
    assert ledger.append(match("m1", 1.0), pool="x") == first._replace(again=True)
    assert ledger.settle() == 1
    assert ledger.append(match("m1"), pool="x") == first._replace(again=True)
    assert ledger.settle() == 0
    kinds = [orjson.loads(body)["kind"] for _, _, body, _ in entries(ledger_url)]
    assert kinds == ["opened", "rated"]
    assert count(ledger_url, "receipt") == 1
    assert count(ledger_url, "inbox") == 0


def test_another_content_under_the_same_id_is_a_conflict_that_shows_both(ledger: Ledger) -> None:
    ledger.append(match("m1", 1), pool="x")
    with pytest.raises(ConflictError) as waiting:
        ledger.append(match("m1", 0), pool="x")
    assert '"score_a":1' in waiting.value.first
    assert '"score_a":0' in waiting.value.second
    ledger.settle()
    with pytest.raises(ConflictError) as rated:
        ledger.append(match("m1", 0), pool="x")
    assert '"score_a":1' in rated.value.first
    assert ledger.settle() == 0


def test_a_batch_says_of_each_item_what_became_of_it(ledger: Ledger) -> None:
    ledger.append(match("b"), pool="x")
    found = ledger.append_many([match("c"), match("b"), match("b", 0), match("a"), match("a"), match("a", 0)], pool="x")
    said = [(type(one), one.id, one.again if isinstance(one, Receipt) else None) for one in found]
    assert said == [
        (Receipt, "c", False),
        (Receipt, "b", True),
        (Conflict, "b", None),
        (Receipt, "a", False),
        (Receipt, "a", True),
        (Conflict, "a", None),
    ]
    assert found[3].number == found[4].number == found[5].number
    assert ledger.settle() == 3


def test_what_would_be_said_of_a_batch_is_what_is_said(ledger: Ledger) -> None:
    ledger.append_many([match("a"), match("b")], pool="x")
    ledger.settle()
    ledger.append(match("c"), pool="x")
    told = [("a", 1), ("b", 0), ("c", 0), ("d", 1), ("d", 0), ("d", 1), ("e", 0), ("b", 1)]
    items = [match_item(match(name, score)) for name, score in told]
    asked = []

    def counting(*statement: Any) -> None:
        asked.append(statement)

    event.listen(ledger.store.reads, "before_cursor_execute", counting)
    before = ledger.standing(items, pool="x")
    event.remove(ledger.store.reads, "before_cursor_execute", counting)
    assert len(asked) < 5  # of receipts, of what waits and of entries, however many there are
    said = ledger.append_many(items, pool="x")
    assert before == [one._replace(number=0) if one.id in ("d", "e") else one for one in said]
    assert [isinstance(one, Conflict) for one in said] == [False, True, True, False, True, False, False, False]


def test_the_order_of_games_is_the_clients(ledger: Ledger, ledger_url: str) -> None:
    names = [f"m{n}" for n in (7, 3, 9, 1, 5, 8, 2)]
    ledger.append_many([match(name) for name in names], pool="x")
    ledger.settle(most=3)
    told = [orjson.loads(body) for _, _, body, _ in entries(ledger_url)[1:]]
    assert [one["match"]["id"] for one in told] == names


def test_the_chain_is_without_a_gap(ledger: Ledger, ledger_url: str) -> None:
    for n in range(7):
        ledger.append(match(f"m{n}"), pool="x")
        if n % 3 == 0:
            ledger.settle()
    ledger.settle()
    link = GENESIS
    for n, (position, hash_, body, _) in enumerate(entries(ledger_url)):
        link = chained(link, body)
        assert (position, hash_) == (n + 1, link)
        assert orjson.loads(body)["n"] == position


def test_both_stores_make_the_same_stream(postgres: object, tmp_path: Path) -> None:
    from cluster import Cluster

    assert isinstance(postgres, Cluster)
    streams = []
    for url in (f"sqlite:///{tmp_path / 'x.db'}", postgres.schema()):
        with Ledger.open(url, create=True, clock=ticking) as made:
            made.open_pool("x", "arena")
            made.append_many([match(f"m{n}", n % 3 / 2, f"p{n % 5}", f"q{n % 3}") for n in range(50)], pool="x")
            made.settle(most=7)
        streams.append([(position, hash_, body) for position, hash_, body, _ in entries(url)])
    assert streams[0] == streams[1]


CHANGES = [
    "UPDATE {table} SET {column} = {column}",
    "DELETE FROM {table}",
    "INSERT OR REPLACE INTO {table} SELECT * FROM {table}",
    "REPLACE INTO {table} SELECT * FROM {table}",
    "INSERT INTO {table} SELECT * FROM {table} WHERE true ON CONFLICT DO NOTHING",
    "TRUNCATE {table} CASCADE",
]


@pytest.mark.parametrize("table", ["entry", "receipt"])
@pytest.mark.parametrize("statement", CHANGES)
def test_the_database_refuses_to_change_what_was_said(
    ledger: Ledger, ledger_url: str, table: str, statement: str
) -> None:
    ledger.append(match("m1"), pool="x")
    ledger.settle()
    ledger.close()
    before = entries(ledger_url), count(ledger_url, "receipt")
    store = open_store(ledger_url)
    does_nothing = "CONFLICT" in statement and "postgresql" in ledger_url
    if not does_nothing:
        words = "never changed" if ("REPLACE" in statement) <= ("sqlite" in ledger_url) else "syntax error"
        words = "syntax error" if "TRUNCATE" in statement and "sqlite" in ledger_url else words
        with pytest.raises(LedgerError, match=words), store.writing() as connection:
            connection.execute(text(statement.format(table=table, column="receipt" if table == "entry" else "id")))
    store.close()
    assert (entries(ledger_url), count(ledger_url, "receipt")) == before


def test_a_replaced_receipt_is_refused_by_its_item_too(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with Ledger.open(path, create=True) as ledger:
        ledger.open_pool("x", "arena")
        ledger.append(match("m1"), pool="x")
    store = open_store(path)
    with pytest.raises(LedgerError, match="never changed"), store.writing() as connection:
        connection.execute(text("INSERT OR REPLACE INTO receipt SELECT id + 1, pool, item, digest, 0 FROM receipt"))
    store.close()


def test_a_pool_has_one_name_and_there_is_no_other(ledger: Ledger) -> None:
    with pytest.raises(InputError, match="there is a pool 'x' already"):
        ledger.open_pool("x", "elo")
    with pytest.raises(InputError, match="there is no pool 'y'"):
        ledger.append(match("m1"), pool="y")
    ledger.open_pool("y", "elo")
    ledger.append(match("m1"), pool="y")  # ids are a pool's own
    ledger.append(match("m1", 0), pool="x")
    assert ledger.settle("y") == 1
    assert ledger.settle() == 1


def test_a_rater_that_is_overtaken_throws_its_work_away(
    ledger: Ledger, ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.append_many([match(f"m{n}") for n in range(4)], pool="x")
    other = Ledger.open(ledger_url, clock=ticking)
    where = "tallymark.ledger.rater.fold"

    def overtaken(*arguments: Any) -> Any:
        monkeypatch.setattr(where, fold)
        found = fold(*arguments)
        assert other.settle(most=3) == 4
        return found

    monkeypatch.setattr(where, overtaken)
    assert ledger.settle() == 0
    ledger.append(match("m4"), pool="x")
    assert ledger.settle() == 1
    other.close()
    told = [orjson.loads(body) for _, _, body, _ in entries(ledger_url)[1:]]
    assert [one["match"]["id"] for one in told] == ["m0", "m1", "m2", "m3", "m4"]
    assert told[-1]["after"][0][2] == told[-2]["n"]  # of the state that the other left


def test_a_commit_is_on_the_disk_when_it_is_acknowledged(ledger_url: str) -> None:
    Ledger.open(ledger_url, create=True).close()
    store = open_store(ledger_url)
    asked: dict[str, dict[str, str | int]] = {
        "sqlite": {"PRAGMA synchronous": 2, "PRAGMA journal_mode": "wal"},
        "postgresql": {"SHOW synchronous_commit": "on", "SHOW transaction_isolation": "read committed"},
    }
    with store.writing() as connection:
        for statement, answer in asked[connection.dialect.name].items():
            assert connection.scalar(text(statement)) == answer
    store.close()


def test_a_file_is_the_same_wherever_the_program_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Ledger.open("x y%20#?.db", create=True) as ledger:
        ledger.open_pool("x", "arena")
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        ledger._store.reads.dispose()
        ledger._store.writes.dispose()
        ledger.append(match("m1"), pool="x")
        assert ledger.settle() == 1
    assert not list((tmp_path / "elsewhere").iterdir())
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["x y%20#?.db"]
