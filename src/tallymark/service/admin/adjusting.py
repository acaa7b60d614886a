"""Adjustments as forms have them: a few fields, out of which comes what a case is proposed."""

import math
from collections.abc import Mapping
from typing import Any, Final

import orjson

from tallymark.checked import shortened
from tallymark.errors import InputError, UnknownError
from tallymark.games.ids import Id
from tallymark.games.vocabulary import Ending
from tallymark.ledger.entries import item_in, prefix
from tallymark.ledger.matches import Json, read_object
from tallymark.service.admin.entered import Sent, spelled
from tallymark.service.api.parameters import decimal, id_in
from tallymark.service.state import Service

FIELDS: Final = (
    "do", "matches", "match", "shown", "player_a", "player_b", "result", "ending", "content", "player", "into", "gone",
    "voter", "rated", "rating", "deviation", "volatility",
)  # fmt: skip
KEPT: Final = "as it is"
RESULTS: Final = {"1": "the first one won", "0.5": "drawn", "0": "the second one won", "none": "no result"}
"""Results that can be chosen; one that is none of them may be kept."""
ENDINGS: Final = tuple(one.value for one in Ending)
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


class NotShown(InputError):
    """A match is to be corrected, and nobody has been shown what it says: a form is to show that first."""

    def __init__(self, match: Id) -> None:
        super().__init__(f"this is match {match!r} as it is now; change what is wrong about it", field="match")
        self.match = match


def empty(**given: str) -> dict[str, str]:
    """The fields of a form that nobody has filled in."""
    return dict.fromkeys(FIELDS, "") | {"do": "change"} | given


def filled(sent: Sent) -> dict[str, str]:
    """The fields as they were sent, to be shown again."""
    return {name: sent.text(name) for name in FIELDS}


def asked_for(sent: Sent) -> None:
    """Nothing, or `NotShown` where a match is to be shown that is not. Return in a field of one that is presses the
    same button, and is to lose nothing."""
    id = sent.text("match")
    if sent.text("action") == "show" and sent.text("shown") != id:
        raise NotShown(_id(id, "match"))


def for_match(service: Service, pool: str, match: Id) -> dict[str, str]:
    """The fields with what a match says now; of a match that is no game between two, its whole content. `shown` is the
    match that they are of."""
    content = content_of(service, pool, match)
    data = content.get("data")
    given = empty(match=spelled(match), shown=spelled(match), matches=spelled(match))
    given["voter"] = _spelled(data.get("voter")) if isinstance(data, dict) else ""
    if "player_a" in content:
        score = content.get("score_a")
        words = {None: "none", 1.0: "1", 0.5: "0.5", 0.0: "0"}
        return given | {
            "player_a": _spelled(content["player_a"]),
            "player_b": _spelled(content["player_b"]),
            "result": words.get(score, KEPT),
            "ending": str(content.get("ending") or ""),
        }
    return given | {"content": orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()}


def content_of(service: Service, pool: str, match: Id, before: int | None = None) -> dict[str, Any]:
    """What was last said of a match: as it was sent, or as its last correction has it; `before`: of those before an
    entry. `UnknownError` for a match that the pool does not have."""
    said = service.ledger.said(pool, [match]).get(match)
    if said is None:
        raise UnknownError(f"{pool!r} has no match {match!r}", kind="match")
    changed = [
        one.position for one in said.corrections if one.what == "change" and (before is None or one.position < before)
    ]
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
    if sent.text("shown") != spelled(id) and (sent.text("shown") or not (text or sent.text("player_a"))):
        raise NotShown(id)
    if text:
        return {**read_object(text.encode(), "content"), "id": id}
    before: Mapping[str, Json] = content_of(service, pool, id)
    if "player_a" not in before:
        raise InputError("this match is no game between two; expected its whole content", field="content")
    kept = {name: value for name, value in before.items() if name not in ("points_a", "points_b", "result", "winner")}
    result = sent.text("result")
    if result not in RESULTS and result != KEPT:
        expected = ", ".join(RESULTS)
        raise InputError(f"no result is chosen: it is {shortened(result)}; expected {expected}", field="result")
    kept |= {
        "id": id,
        "player_a": _id(sent.text("player_a"), "player_a"),
        "player_b": _id(sent.text("player_b"), "player_b"),
    }
    if result != KEPT:
        kept["score_a"] = None if result == "none" else float(result)
    kept.pop("ending", None)
    return kept | ({"ending": sent.text("ending")} if sent.text("ending") else {})


def _id(text: str, field: str) -> Id:
    text = text.strip()
    if not text:
        raise InputError(f"{field} is empty; expected an id", field=field)
    return id_in(text, field)


def _spelled(id: object) -> str:
    return spelled(id) if isinstance(id, str | int) else ""


def _number(sent: Sent, name: str) -> float:
    found = decimal(sent.text(name))
    if math.isnan(found):
        raise InputError(f"{name} is {shortened(sent.text(name))}; expected a number", field=name)
    return found
