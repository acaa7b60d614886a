"""Adjustments as forms have them: a few fields, out of which comes what a case is proposed."""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.entries import item_in, prefix
from tallymark.ledger.ids import key_of
from tallymark.ledger.matches import Json, read_object
from tallymark.service.admin.entered import Sent
from tallymark.service.api.parameters import id_in
from tallymark.service.state import Service

FIELDS: Final = (
    "do", "matches", "match", "player_a", "player_b", "result", "content", "player", "into", "gone", "voter",
    "rated", "rating", "deviation", "volatility",
)  # fmt: skip
RESULTS: Final = {"1": "the first one won", "0.5": "drawn", "0": "the second one won", "": "no result"}
WORDS: Final = {
    "change": "Correct a match",
    "annul": "Matches do not count",
    "restore": "Matches count again",
    "merge": "Two names are one player",
    "part": "They are two players after all",
    "void": "Votes of a voter do not count",
    "adjust": "Set a rating by hand",
}
"""What can be done, in the order in which it is mostly needed."""
_PLAIN: Final = ("player_a", "player_b", "score_a")


def empty(**given: str) -> dict[str, str]:
    """The fields of a form that nobody has filled in."""
    return dict.fromkeys(FIELDS, "") | {"do": "change"} | given


def filled(sent: Sent) -> dict[str, str]:
    """The fields as they were sent, to be shown again."""
    return {name: sent.text(name) for name in FIELDS}


def for_match(service: Service, pool: str, match: Id) -> dict[str, str]:
    """The fields with what a match says now; of a match that is no game between two, its whole content."""
    content = content_of(service, pool, match)
    given = empty(match=key_of(match), matches=key_of(match))
    if "player_a" in content:
        score = content.get("score_a")
        word = next((one for one in RESULTS if one and score is not None and float(one) == score), "")
        return given | {"player_a": _key(content["player_a"]), "player_b": _key(content["player_b"]), "result": word}
    return given | {"content": orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()}


def content_of(service: Service, pool: str, match: Id) -> dict[str, Any]:
    """What was last said of a match: as it was sent, or as its last correction has it."""
    found = service.ledger.match(pool, match)
    changed = [one.position for one in found.corrections if one.what == "change"]
    if changed:
        body = service.ledger.entry(pool, changed[-1]).body
        told = item_in(body, prefix(body).kind)
        again = None if told is None else orjson.loads(told).get("match")
        if isinstance(again, dict):
            return again
    content: dict[str, Any] = orjson.loads(service.ledger.received(pool, match) or b"{}")
    return content


def adjustment_of(service: Service, pool: str, sent: Sent) -> dict[str, Json]:
    """The adjustment that a form asks for; `InputError` names the field that is wrong."""
    do = sent.text("do")
    match do:
        case "annul" | "restore":
            return {
                "do": do,
                "matches": [_id(one, "matches") for one in sent.text("matches").split("\n") if one.strip()],
            }
        case "change":
            return {"do": do, "match": _changed(service, pool, sent)}
        case "merge":
            return {"do": do, "player": _id(sent.text("player"), "player"), "into": _id(sent.text("into"), "into")}
        case "part":
            return {"do": do, "player": _id(sent.text("gone"), "player")}
        case "void":
            return {"do": do, "voter": _id(sent.text("voter"), "voter")}
        case "adjust":
            numbers: dict[str, Json] = {name: _number(sent, name) for name in ("rating", "deviation", "volatility")}
            return {"do": do, "ratings": [{"player": _id(sent.text("rated"), "player"), **numbers}]}
    raise InputError(f"do is {shortened(do)}; expected {', '.join(WORDS)}", field="do")


def _changed(service: Service, pool: str, sent: Sent) -> dict[str, Json]:
    """The match as it is to be: what the form does not have stays as it was."""
    id = _id(sent.text("match"), "match")
    text = sent.text("content")
    if text:
        return {**read_object(text.encode(), "content"), "id": id}
    before: Mapping[str, Json] = content_of(service, pool, id)
    if "player_a" not in before:
        raise InputError("this match is no game between two; expected its whole content", field="content")
    kept = {name: value for name, value in before.items() if name not in ("points_a", "points_b", "result", "winner")}
    result = sent.text("result")
    if result not in RESULTS:
        raise InputError(f"result is {shortened(result)}; expected {', '.join(filter(None, RESULTS))}", field="result")
    return kept | {
        "id": id,
        "player_a": _id(sent.text("player_a"), "player_a"),
        "player_b": _id(sent.text("player_b"), "player_b"),
        "score_a": float(result) if result else None,
    }


def _id(text: str, field: str) -> Id:
    text = text.strip()
    if not text:
        raise InputError(f"{field} is empty; expected an id", field=field)
    return id_in(text, field)


def _key(id: object) -> str:
    return key_of(id) if isinstance(id, str | int) else ""


def _number(sent: Sent, name: str) -> float:
    try:
        return float(sent.text(name))
    except ValueError:
        raise InputError(f"{name} is {shortened(sent.text(name))}; expected a number", field=name) from None
