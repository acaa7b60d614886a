"""The requests of docs/guide/votes-site.md are sent, in their order, and answered as the page says."""

import json
import re
from pathlib import Path

from clubs import Clock
from starlette.testclient import TestClient

import tallymark as tm
from tallymark.service import schema
from tallymark.service.app import create_app
from tallymark.service.cases.states import OF_PEOPLE, STATES
from tallymark.service.keys.keyring import Keyring
from tallymark.service.settings import Settings
from tallymark.service.votes.choosing import ANCHORS, FEW, NEAREST, UNCERTAIN

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "guide" / "votes-site.md"
REQUEST = re.compile(
    r"```http\n(?P<method>[A-Z]+) (?P<path>\S+)\n(?P<headers>(?:[^\n]+\n)*)\n(?P<body>.*?)\n```\n", re.S
)
ANSWER = re.compile(r"\n```json\n(.*?)\n```", re.S)


def test_requests_of_the_page(tmp_path: Path) -> None:
    text, clock = PAGE.read_text(encoding="utf-8"), Clock()
    where = str(tmp_path / "site.db")
    with tm.Ledger.open(where, create=True, clock=clock) as ledger:
        ledger.open_pool("cakes", "votes")
        schema.upgraded(ledger.store)
        key = Keyring(ledger.store, clock, 0.0).make("rosa", ["append", "vote", "review"])[1]
    known = {"KEY": key}
    sent = 0
    app = create_app(Settings(ledger=where, approvers=1, log_requests=False), clock=clock)  # type: ignore[arg-type]
    with TestClient(app) as client:
        for found in REQUEST.finditer(text):
            headers, body, path = found["headers"], found["body"], found["path"]
            for name, value in known.items():
                headers, body, path = (one.replace(name, value) for one in (headers, body, path))
            told = dict(line.split(": ", 1) for line in headers.splitlines())
            answer = client.request(found["method"], path, content=body, headers=told)
            assert answer.status_code in (200, 201), (found[0], answer.text)
            got, shown = answer.json(), ANSWER.match(text, found.end())
            if shown is not None:
                assert form(got) == form(json.loads(shown[1])), found[0]
            for name, field in (("BALLOT", "id"), ("VOTER", "voter"), ("CASE", "case")):
                if field in got:
                    known.setdefault(name, got[field])
            sent += 1
    assert sent == 7
    with tm.Ledger.open(where) as ledger:
        ledger.settle()
        assert b'"corrected"' in ledger.entries("cakes", 0, 100)[-1].body


def form(value: object) -> object:
    """The keys of an answer, and the kinds of its values."""
    return {key: type(one).__name__ for key, one in value.items()} if isinstance(value, dict) else type(value).__name__


def test_the_page_has_the_numbers_of_the_rule() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert (UNCERTAIN, ANCHORS, NEAREST, FEW) == (64, 3, 6, 10)
    for words in ("the 64 items", "the first three", "the 6 nearest in rating", "Up to 10 items"):
        assert words in text
    for word in (*STATES, *OF_PEOPLE):
        assert f"`{word}`" in text
