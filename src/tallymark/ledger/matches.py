"""A match as it is handed in: checked once at the door, with one content however it is spelt.

A match is a JSON object. Two players: `player_a`, `player_b`, `score_a` (1, 0.5, 0; null where there is no result).
Several, or teams: `sides`, each with `player` or `players` and a `rank`, 1 the best, ties share one, none below 0: what
programs write as -1 is a result that there is not, and null says so. Both: `id`, and perhaps `played_at`, `ending`,
`source`, `steps`, `board`, `komi`, `handicap`, `band_a` and `band_b` (what newcomers declare), and `data`, which is the
client's own.
"""

import difflib
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import orjson

from tallymark.checked import as_float, shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.games.times import parse_instant
from tallymark.games.vocabulary import BANDS, Ending, Source
from tallymark.ledger.ids import checked_id

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""What JSON can say."""
Given: TypeAlias = "Mapping[str, Json] | bytes | str"
"""A match as a client has it: the object, or its JSON text."""

KEYS: Final = (
    *("id", "player_a", "player_b", "score_a", "sides", "played_at", "ending", "source", "steps", "board", "komi"),
    *("handicap", "band_a", "band_b", "data"),
)
LARGEST: Final = 64 * 1024
"""Bytes of a match."""
PAIRS: Final = 50_000
"""Pairs of opponents in a match: more than 300 players who each play for themselves. Each pair is rated as a game."""
_WHOLES: Final = {"steps": 10**9, "board": 1000, "handicap": 1000, "band_a": BANDS, "band_b": BANDS}


class Item(NamedTuple):
    """Something to append: the client's id of it, its bytes, and SHA-256 of its content."""

    id: Id
    body: bytes
    digest: bytes


def match_item(given: Given, id: Id | None = None) -> Item:
    """The match as an item; `InputError` names the field that is wrong.

    `id`: what it is called where it does not say so; where it says another, that is refused.

    JSON text of one line is kept as it was received, byte for byte; two spellings of one content have one digest.

    >>> item = match_item({"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 1})
    >>> item.body
    b'{"id":"m1","player_a":"ann","player_b":"bob","score_a":1}'
    >>> match_item(b'{"score_a":1.0,"player_a":"ann","player_b":"bob","id":"m1"}').digest == item.digest
    True
    """
    if isinstance(given, Mapping):
        match = checked_match(given if id is None else _called(given, id))
        body = content = _dumped(match)
    elif not isinstance(given, str | bytes):
        raise InputError(f"match is {shortened(given)}; expected an object, or its JSON text")
    else:
        text = in_utf8(given) if isinstance(given, str) else given
        told = read_object(text, "match")
        match = checked_match(told if id is None else _called(told, id))
        content = _dumped(match)
        line = text.strip()
        if id is not None and "id" not in told:
            line = b'{"id":' + orjson.dumps(id) + b"," + line[1:]
        body = content if b"\n" in line or b"\r" in line else line
    if len(body) > LARGEST:
        raise InputError(f"match {shortened(match['id'])} has {len(body):,} bytes; expected at most {LARGEST:,}")
    name = match["id"]
    assert isinstance(name, str | int)
    return Item(name, body, hashlib.sha256(content).digest())


def _called(given: Mapping[str, Json], id: Id) -> Mapping[str, Json]:
    """The match with its id, which is the same one where it has one."""
    if "id" not in given:
        return {"id": id, **given}
    own = given["id"]
    if type(own) is not type(id) or own != id:
        raise InputError(
            f"id is {shortened(own)}; expected {shortened(id)}, as it is called elsewhere, or none", field="id"
        )
    return given


def in_utf8(text: str) -> bytes:
    """JSON text as bytes."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InputError("this has half a surrogate pair, which no text has") from None


def read_object(text: bytes, what: str) -> Mapping[str, Json]:
    """A JSON object whose keys are there once, whose numbers are finite and whose text, that of its keys too, can be
    written again, or `InputError`.

    >>> read_object(b'{"a":1,"a":2}', "match")
    Traceback (most recent call last):
    tallymark.errors.InputError: match has the key 'a' twice
    """
    if len(text) > 4 * LARGEST:
        raise InputError(f"{what} has {len(text):,} bytes; expected at most {LARGEST:,}")

    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(key for n, (key, _) in enumerate(pairs) if key in dict(pairs[:n]))
            raise InputError(f"{what} has the key {twice!r} twice")
        return found

    def refused(word: str) -> Json:
        raise InputError(f"{what} has the number {word}; expected finite ones")

    try:
        document = json.loads(text.decode(), object_pairs_hook=once, parse_constant=refused)
        if b"\\u" in text:  # UTF-8 has no half pairs; escapes may say one
            json.dumps(document, ensure_ascii=False).encode()
    except RecursionError:
        raise InputError(f"{what} is nested too deeply") from None
    except InputError:
        raise
    except UnicodeEncodeError as error:
        near = error.object[max(0, error.start - 20) : error.end]
        raise InputError(f"{what} has half a surrogate pair, which no text has, in {near!r}") from None
    except ValueError as error:
        raise InputError(f"{what} is no JSON: {error}") from None
    if not isinstance(document, dict):
        raise InputError(f"{what} is {shortened(document)}; expected a JSON object")
    return document


def checked_match(given: Mapping[str, Json]) -> dict[str, Json]:
    """The content of a match, every field checked and in its one spelling, in the order of `KEYS`."""
    for key in given:
        if key not in KEYS:
            close = difflib.get_close_matches(str(key), KEYS, n=1)
            raise InputError(
                f"a match has no {shortened(key)}",
                field=str(key),
                hint=f"did you mean {close[0]}?" if close else "what is yours belongs into data",
            )
    match: dict[str, Json] = {"id": checked_id("id", given.get("id"))}
    if given.get("sides") is not None:
        for key in ("player_a", "player_b", "score_a", "band_a", "band_b"):
            if given.get(key) is not None:
                raise InputError(f"match {match['id']!r} has sides and {key}; expected one of both", field=key)
        match["sides"] = _sides(given["sides"])
    else:
        match["player_a"] = checked_id("player_a", given.get("player_a"))
        match["player_b"] = checked_id("player_b", given.get("player_b"))
        if match["player_a"] == match["player_b"]:
            raise InputError(f"player_a and player_b are both {match['player_a']!r}", field="player_b")
        if "score_a" not in given:
            raise InputError(
                f"match {match['id']!r} has no score_a; expected a's score, or null where there is no result",
                field="score_a",
            )
        match["score_a"] = None if given["score_a"] is None else _score(given["score_a"])
    if given.get("played_at") is not None:
        at = given["played_at"]
        if not isinstance(at, str):
            raise InputError(
                f"played_at is {shortened(at)}; expected a time like 2026-01-31T18:30:00Z", field="played_at"
            )
        parse_instant(at)
        match["played_at"] = at
    for key, words in (("ending", Ending), ("source", Source)):
        if given.get(key) is not None:
            word = given[key]
            if not isinstance(word, str):
                raise InputError(f"{key} is {shortened(word)}; expected a word", field=key)
            match[key] = words.parse(word).value
    for key in _WHOLES:
        if given.get(key) is not None:
            match[key] = _whole(key, given[key], _WHOLES[key])
    if given.get("komi") is not None:
        match["komi"] = _plain(_number("komi", given["komi"], -1000.0, 1000.0))
    if given.get("data") is not None:
        match["data"] = _data(given["data"])
    return {key: match[key] for key in KEYS if key in match}


def _sides(given: Json) -> list[Json]:
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) < 2:
        raise InputError(f"sides is {shortened(given)}; expected a list of two or more", field="sides")
    sides: list[Json] = []
    pairs = 0
    seen: set[Id] = set()
    for n, side in enumerate(given):
        name = f"sides[{n}]"
        if not isinstance(side, Mapping):
            raise InputError(f"{name} is {shortened(side)}; expected an object with player or players, and rank")
        if extra := set(side) - {"player", "players", "rank"}:
            raise InputError(f"{name} has no {shortened(sorted(extra)[0])}; it has player or players, and rank")
        if ("player" in side) == ("players" in side):
            raise InputError(f"{name} has {'both' if 'player' in side else 'neither'} of player and players")
        players = [side["player"]] if "player" in side else side["players"]
        if not isinstance(players, Sequence) or isinstance(players, str) or not players:
            raise InputError(f"{name}.players is {shortened(players)}; expected a list of one or more")
        pairs += len(seen) * len(players)
        if pairs > PAIRS:
            raise InputError(
                f"sides have more than {PAIRS:,} pairs of opponents, each of which is rated", field="sides"
            )
        members = [checked_id(f"{name}.players", player) for player in players]
        for member in members:
            if member in seen:
                raise InputError(f"{member!r} is in sides twice")
            seen.add(member)
        rank = side.get("rank")
        sides.append(
            {
                "players": list(members),
                "rank": None if rank is None else _plain(_number(f"{name}.rank", rank, 0.0, 1e15)),
            }
        )
    return sides


def _score(value: Json) -> Json:
    return _plain(_number("score_a", value, 0.0, 1.0))


def _number(name: str, value: Json, low: float, high: float) -> float:
    number = as_float(value)
    if not (math.isfinite(number) and low <= number <= high):
        raise InputError(f"{name} is {shortened(value)}; expected a number from {low:g} to {high:g}", field=name)
    return number


def _plain(number: float) -> int | float:
    """A whole number as one: 1 and 1.0 are one content, and -0.0 is 0. What no whole number of 64 bits is stays."""
    return int(number) if number.is_integer() and abs(number) < 2.0**63 else number


def _whole(name: str, value: Json, top: int) -> int:
    number = as_float(value)
    if not (number.is_integer() and 0 <= number <= top):
        raise InputError(f"{name} is {shortened(value)}; expected a whole number from 0 to {top:,}", field=name)
    return int(number)


def _data(value: Json) -> Json:
    """The client's own, as it is: what orjson cannot write is refused where it is written."""
    return value


def _dumped(match: Mapping[str, Json]) -> bytes:
    try:
        told = orjson.dumps({key: _sorted(value) if key == "data" else value for key, value in match.items()})
        return b"%b" % told  # a copy: many wait together, and each of orjson's holds on to four thousand bytes
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"match {shortened(match['id'])} cannot be written as JSON: {error}") from None


def _sorted(value: Json) -> Json:
    """Objects with their keys in order: an object's content does not depend on it. NaN and the like are refused."""
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_sorted(one) for one in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"data has the number {value}; expected finite ones")
        return _plain(value)
    return value
