"""Ids in a ledger: text or a whole number, exactly as given, and each with one spelling as text."""

import json
import re
from typing import Final

from orjson import dumps

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id

LONGEST: Final = 200
"""Characters of an id."""
MADE: Final = "~"
"""How ids begin that say nothing of an order: those made of a match's content, where a file has none."""
_WHOLE: Final = re.compile(r"0|-?[1-9][0-9]*")


def key_of(name: Id) -> str:
    """The spelling of an id in the database: text as it stands, a number in digits; text that looks like either
    spelling of something else stands in quotes. No two ids have one key.

    >>> key_of("ann"), key_of(17), key_of("17")
    ('ann', '17', '"17"')
    """
    if isinstance(name, int):
        return str(name)
    return json.dumps(name, ensure_ascii=False) if name[:1] == '"' or _WHOLE.fullmatch(name) else name


def id_of(key: str) -> Id:
    """The id of a key.

    >>> id_of("ann"), id_of("17"), id_of('"17"')
    ('ann', 17, '17')
    """
    if key[:1] == '"':
        return str(json.loads(key))
    return int(key) if _WHOLE.fullmatch(key) else key


def printable(text: str) -> bool:
    """Whether it has no control characters, lone surrogates and the like. Joiners belong to how words are spelt."""
    return text.isprintable() or text.replace("\u200c", "").replace("\u200d", "").isprintable()


def in_json(name: Id) -> bytes:
    """An id in JSON, as entries have it.

    >>> in_json("ann"), in_json(17)
    (b'"ann"', b'17')
    """
    return b"%b" % dumps(name)  # a copy: what orjson gives holds on to four thousand bytes


def checked_id(name: str, value: object) -> Id:
    """The value as an id; `InputError` says what `name` is otherwise.

    >>> checked_id("player_a", "ann")
    'ann'
    """
    if isinstance(value, int) and not isinstance(value, bool):
        if not -(2**63) <= value < 2**63:
            raise InputError(
                f"{name} is {shortened(value)}, beyond 64-bit integers", hint="write such ids as text", field=name
            )
        return value
    if not isinstance(value, str):
        raise InputError(f"{name} is {shortened(value)}; expected text or a whole number", field=name)
    if not value:
        raise InputError(f"{name} is empty; expected text or a whole number", field=name)
    if len(value) > LONGEST:
        raise InputError(f"{name} has {len(value):,} characters; expected at most {LONGEST}", field=name)
    if not printable(value):
        raise InputError(
            f"{name} is {shortened(value)}; control characters and lone surrogates are no part of an id", field=name
        )
    return value
