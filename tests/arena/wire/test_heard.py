"""What agents send: understood as it was meant, or refused with what is wrong with it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.arena.wire.heard import LARGEST, Action, Hello, Join, Leave, heard
from tallymark.errors import InputError

HELLO = {"type": "hello", "protocol": 1, "key": "k", "agent": "ann"}


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        (HELLO, Hello("k", "ann")),
        ({**HELLO, "version": "2", "later": [1]}, Hello("k", "ann", "2")),
        ({"type": "join", "game": "hex"}, Join("hex")),
        ({"type": "leave", "game": "hex"}, Leave("hex")),
        ({"type": "action", "match": "hex-1", "request": 3, "action": "a1"}, Action("hex-1", 3, "a1")),
        ({"type": "action", "match": "hex-1", "request": 3, "action": {"x": 1}}, Action("hex-1", 3, {"x": 1})),
        ({"type": "action", "match": "hex-1", "request": 3, "action": None}, Action("hex-1", 3, None)),
    ],
)
def test_messages(sent: object, meant: object) -> None:
    assert heard(json.dumps(sent)) == meant


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        ("", "no JSON"),
        ("[]", "expected a JSON object"),
        ("{}", "type is None; expected one of hello, join, leave, action"),
        ('{"type": "shout"}', "type is 'shout'"),
        ('{"type": ["join"]}', "type is"),
        ('{"type": "join", "type": "leave"}', "'type' twice"),
        ('{"type": "join"}', "game is missing; expected text"),
        ('{"type": "join", "game": 3}', "game is 3; expected text"),
        (json.dumps({**HELLO, "protocol": 2}), "protocol is 2; expected 1"),
        (json.dumps({**HELLO, "protocol": True}), "protocol is True; expected 1"),
        (json.dumps({**HELLO, "protocol": None}), "protocol is None; expected 1"),
        ('{"type": "action", "match": "m", "request": "3", "action": "a"}', "request is '3'"),
        ('{"type": "action", "match": "m", "request": true, "action": "a"}', "request is True"),
        ('{"type": "action", "match": "m", "request": 3}', "no action"),
        ('{"type": "action", "match": "m", "request": NaN, "action": "a"}', "NaN"),
        (json.dumps({"type": "join", "game": "x" * LARGEST}), "bytes; expected 16,384 at most"),
        (b'{"type": "join", "game": "hex"}', "came as bytes"),
        ("\ud800", "half a surrogate pair"),
        ("[" * 15_000, "nested too deeply"),
    ],
)
def test_what_is_not_understood(sent: str | bytes, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        heard(sent)


@given(st.text() | st.binary() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_whatever_is_sent_is_understood_or_refused(sent: str | bytes) -> None:
    with pytest.raises(InputError):
        heard(sent)
