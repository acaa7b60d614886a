"""What an agent sent as its action: one that may be what was asked for, or what is wrong with it."""

import re
from collections.abc import Mapping
from typing import Final

from tallymark.arena.games.checking import QUOTED, checked_legal, quoted
from tallymark.arena.games.face import Action, Choice, Form, IllegalAction
from tallymark.ledger.matches import Json

_SENT: Final = 10_000_000
"""Characters of the longest text that a record is believed to tell of."""
_HALF: Final = "\ud800"
_OTHERS: Final[tuple[Json, ...]] = (None, True, False, 0, {}, [], _HALF)
"""Of each kind of thing that is no text, one."""
_LONG: Final = re.compile("action is a text of ([0-9,]{1,20}) characters;")


def action_of(given: Json, form: Form) -> Action:
    """The action; `IllegalAction` where it is no text, none of those to choose from, too long, or no Unicode.

    It may still be one that the game refuses.
    """
    if not isinstance(given, str) or not _unicode(given):
        raise IllegalAction(_no_text(given))
    if isinstance(form, Choice):
        return checked_legal(given, form.actions)
    if len(given) > form.longest:
        raise IllegalAction(f"action is {_called(given)}; expected {form.longest:,} characters at most")
    return given


def kept(given: Json) -> str:
    """An illegal action as far as it is kept, so that anybody can see that it is one: the text, or its beginning; of
    what is no text, what it is."""
    return given[:QUOTED] if isinstance(given, str) and _unicode(given) else _called(given)


def sent(kept: str, told: str) -> Json:
    """Something that was refused in these words, and of which this was kept: the other way around."""
    for other in _OTHERS:
        if told == _no_text(other):
            return other
    long = _LONG.match(told)
    length = int(long[1].replace(",", "") or 0) if long else 0
    return kept.ljust(length) if len(kept) == QUOTED and length <= _SENT else kept


def _no_text(given: Json) -> str:
    return f"action is {_called(given)}; expected a text"


def _unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _called(given: Json) -> str:
    """What was sent, in a few words: of what is no text only its kind, for it may be large or nested deeply."""
    if isinstance(given, str):
        if not _unicode(given):
            return "a text with half a surrogate pair"
        return quoted(given)
    if given is None or isinstance(given, bool):
        return {None: "null", True: "true", False: "false"}[given]
    if isinstance(given, int | float):
        return "a number"
    return "an object" if isinstance(given, Mapping) else "a list"
