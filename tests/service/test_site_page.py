"""The path of docs/guide/site-in-fifteen-minutes.md is gone: its client sends, is refused, retries; its items are voted
on. Its commands are run with those of all pages."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from clubs import Clock
from listeners import serving

import tallymark as tm
from tallymark.service import schema
from tallymark.service.keys.keyring import Keyring
from tallymark.service.settings import Settings

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "guide" / "site-in-fifteen-minutes.md"


def test_the_client_sends_and_retries(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    client: dict[str, Any] = {}
    source = re.search(r'```python title="send.py"\n(.*?)```', text, re.S)
    assert source is not None
    exec(source[1], client)
    waited: list[float] = []
    client["time"] = type("Time", (), {"sleep": waited.append})
    where = str(tmp_path / "site.db")
    with tm.Ledger.open(where, create=True, clock=Clock()) as ledger:
        ledger.open_pool("club", "club")
        schema.upgraded(ledger.store)
        key = Keyring(ledger.store, Clock(), 0.0).make("results desk", ["append"])[1]
    match = ast.literal_eval(re.search(r'"club", (\{.*?\})\)\)', text)[1])  # type: ignore[index]
    with serving(Settings(ledger=where, log_requests=False)) as (port, _):  # type: ignore[arg-type]
        site = f"http://127.0.0.1:{port}"
        assert client["send"](site, key, "club", match)["replayed"] is False
        assert client["send"](site, key, "club", match)["replayed"] is True
        with pytest.raises(RuntimeError, match=r"409: .*m4"):
            client["send"](site, key, "club", {**match, "score_a": 0})
        with pytest.raises(RuntimeError, match="401"):
            client["send"](site, "nobody", "club", match)
        assert waited == []
    with pytest.raises(RuntimeError, match="no answer after 3 tries; keep m4"):
        client["send"](site, key, "club", match, tries=3)
    assert waited == [0.5, 1.0, 2.0]


def test_the_table_has_the_statuses_of_the_client() -> None:
    text = PAGE.read_text(encoding="utf-8")
    again = ast.literal_eval(re.search(r"AGAIN = (\{.*?\})", text)[1])  # type: ignore[index]
    row = next(line for line in text.splitlines() if line.startswith("| 408"))
    assert set(map(int, re.findall(r"[0-9]{3}", row))) == again
