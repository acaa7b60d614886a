"""What the description says about bodies that the ledger checks itself: a match, and lines of them."""

from typing import Any, Final

from tallymark.games.vocabulary import BANDS, Ending, Source
from tallymark.service.api.parameters import SPELLING

_ID: Final[dict[str, Any]] = {
    "oneOf": [{"type": "string", "minLength": 1, "maxLength": 200}, {"type": "integer", "format": "int64"}]
}
_SIDE: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "players": {"type": "array", "items": _ID, "minItems": 1},
        "player": _ID,
        "rank": {"type": ["number", "null"], "description": "1 is the best; ties share one; null: no result."},
    },
}
MATCH_SCHEMA: Final[dict[str, Any]] = {
    "title": "Match",
    "type": "object",
    "additionalProperties": False,
    "description": "Two players: `player_a`, `player_b` and `score_a`. Several, or teams: `sides`.",
    "properties": {
        "id": {**_ID, "description": "As in the path; may be left out there."},
        "player_a": _ID,
        "player_b": _ID,
        "score_a": {
            "type": ["number", "null"],
            "minimum": 0,
            "maximum": 1,
            "description": "1 player_a won, 0 lost, 0.5 drawn; null: there is no result, and it is not rated.",
        },
        "sides": {"type": "array", "items": _SIDE, "minItems": 2},
        "played_at": {"type": "string", "examples": ["2026-01-31T18:30:00Z"]},
        "ending": {"type": "string", "examples": [word.value for word in Ending][:3]},
        "source": {"type": "string", "examples": [word.value for word in Source][:3]},
        "steps": {"type": "integer", "minimum": 0},
        "board": {"type": "integer", "minimum": 0, "maximum": 1000},
        "komi": {"type": "number"},
        "handicap": {"type": "integer", "minimum": 0, "maximum": 1000},
        "band_a": {"type": "integer", "minimum": 0, "maximum": BANDS},
        "band_b": {"type": "integer", "minimum": 0, "maximum": BANDS},
        "data": {"description": "The client's own; no names of people: no entry ever changes."},
    },
}
MATCH: Final[dict[str, Any]] = {
    "schema": MATCH_SCHEMA,
    "examples": {
        "two": {
            "summary": "Two players",
            "value": {"player_a": "ann", "player_b": "bob", "score_a": 1, "played_at": "2026-01-31T18:30:00Z"},
        },
        "teams": {
            "summary": "Teams",
            "value": {"sides": [{"players": ["ann", "bob"], "rank": 1}, {"players": ["cid", "dan"], "rank": 2}]},
        },
    },
}
PUT_MATCH: Final[dict[str, Any]] = {
    "security": [{"key": []}],
    "parameters": [
        {
            "name": "pool",
            "in": "path",
            "required": True,
            "description": "The name of a pool.",
            "schema": {"type": "string", "examples": ["chess"]},
        },
        {
            "name": "match",
            "in": "path",
            "required": True,
            "description": f"The id of the match, chosen by whoever sends it. {SPELLING}",
            "schema": {"type": "string", "examples": ["m1"]},
        },
        {
            "name": "wait",
            "in": "query",
            "required": False,
            "description": "Answer when the match is rated, or after so many seconds.",
            "schema": {"type": "number", "minimum": 0, "examples": [2.0]},
        },
    ],
    "requestBody": {"required": True, "content": {"application/json": MATCH}},
}
"""Said by hand: `matches.put_match` takes all of it in one step."""
