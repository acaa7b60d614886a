"""The pages for authors of agents: every message on them is one, and every field, type and code stands there."""

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pages import REPOSITORY, fences

from tallymark.arena.client.agent import Agent
from tallymark.arena.client.reading import Message
from tallymark.arena.client.told import End, Request, Start
from tallymark.arena.games.catalogue import game
from tallymark.arena.games.face import Side
from tallymark.arena.hall.connection import Said
from tallymark.arena.hall.saying import Alone, Cancelled, Closed, Denial, Denied, Matched, Queued
from tallymark.arena.referee.endings import Reason, Verdict
from tallymark.arena.referee.saying import Ack, ActionRequest, Change, Entrant, MatchEnd, MatchStart, Missed, Refusal
from tallymark.arena.wire.heard import heard
from tallymark.arena.wire.telling import error, ready, told
from tallymark.games.vocabulary import Ending
from tallymark.ledger.matches import Json

PROTOCOL = REPOSITORY / "docs" / "reference" / "arena-protocol.md"
GUIDE = REPOSITORY / "docs" / "guide" / "arena.md"


def lines(page: Path) -> list[dict[str, Json]]:
    """The messages in the JSON blocks of a page."""
    blocks = [fence.body for fence in fences(page.read_text(encoding="utf-8")) if fence.kind == "json"]
    return [json.loads(line) for block in blocks for line in block.splitlines()]


def said() -> Sequence[Mapping[str, Json]]:
    """A message of every type with all the fields that it can have."""
    hex_ = game("hex")
    entrants = (Entrant("bob-2", "agent", "1"), Entrant("ann-chance", "agent", "2"))
    position = hex_.start(bytes(32), 2)
    change = Change(1500.0, 350.0, 1662.3, 290.3)
    verdict = Verdict(Reason.TIMEOUT, (Side((1,), 1), Side((0,), 2)), Ending.TIMEOUT, "late", 0, Reason.RULES)
    all_of: list[Said] = [
        MatchStart("hex-1", "hex", 1, entrants, hex_.ruleset, "5c2e", False),
        ActionRequest("hex-1", 1, 1, position.seen(0), position.form(0), 15_000, 99),
        Ack("hex-1", 1, 1, 12),
        Missed("hex-1", 1, 1, Reason.TIMEOUT, "a1", "late"),
        Queued("hex", 4, 0, False),
        Alone("hex", 30_000),
        Cancelled("hex", 4),
        Matched("hex", 4, "hex-1"),
        Denied(Denial.NO_GAME, "there is no game", "ludo"),
        Denied(Denial.NO_MATCH, "you play no match", "hex-9"),
        MatchEnd("hex-1", 1, verdict, "00ff", {}, Reason.RULES, (change, change), 12),
    ]
    messages = [told(one) for one in all_of]
    assert all(messages)
    return [ready("ann-chance", "ann", [hex_]), error("stale", "late", match="hex-1")] + [
        message for message in messages if message is not None
    ]


def test_what_agents_say_on_the_page_is_understood() -> None:
    ours = [message for message in lines(PROTOCOL) if message["type"] in ("hello", "join", "leave", "action")]
    assert {type(heard(json.dumps(message))).__name__.lower() for message in ours} == {
        "hello",
        "join",
        "leave",
        "action",
    }


def test_what_the_arena_says_has_the_fields_of_the_page_and_no_others() -> None:
    table = PROTOCOL.read_text(encoding="utf-8").partition("## What the arena says")[2].partition("```json")[0]
    rows = {found[1]: set(re.findall(r"`(\w+)`", found[2])) for found in re.finditer(r"^\| `(\w+)`(.*)$", table, re.M)}
    for message in said():
        kind = str(message["type"])
        assert set(message) - {"type"} <= rows[kind], kind
    assert set(rows) == {message["type"] for message in said()}
    samples = {str(message["type"]): message for message in said()}
    for message in lines(PROTOCOL):
        if message["type"] in samples:
            assert set(message) <= set(samples[str(message["type"])]), message["type"]


def test_the_client_reads_what_the_arena_says() -> None:
    messages = {str(message["type"]): Message(json.dumps(message)) for message in said()}
    assert Start.of(messages["match_start"]).seat == 1
    assert Request.of(messages["action_request"]).legal[0] == "a1"
    assert End.of(messages["match_end"]).rank == 1


def test_every_code_is_on_the_page() -> None:
    page = PROTOCOL.read_text(encoding="utf-8").partition("## Errors")[2]
    listed = set(re.findall(r"`([\w-]+)`", page))
    codes = {*map(str, Denial), *map(str, Refusal)}
    source = (REPOSITORY / "src/tallymark/service/arena/play.py").read_text(encoding="utf-8")
    codes |= set(re.findall(r'(?:_RefusedError|error)\(\s*"([\w-]+)"', source))
    assert codes <= listed
    last = told(Closed("bye"))
    assert last is not None
    assert last["code"] in listed


def test_the_guide_names_what_the_client_has() -> None:
    page = GUIDE.read_text(encoding="utf-8")
    for kind, called in ((Request, "act"), (Start, "started"), (End, "ended")):
        assert callable(getattr(Agent, called))
        row = next(line for line in page.splitlines() if line.startswith(f"| `{called}`"))
        assert set(re.findall(r"`(\w+)`", row)) - {called, kind.__name__} == {
            one.name for one in dataclasses.fields(kind)
        }
    examples = {path.name for path in (REPOSITORY / "examples" / "arena").glob("*.py")}
    assert set(re.findall(r"^\| `(\w+\.py)`", page, re.M)) == examples
