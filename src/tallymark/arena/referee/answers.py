"""What an agent sent as its action: one that may be what was asked for, or what is wrong with it."""

from collections.abc import Mapping
from typing import Final

from tallymark.arena.games.checking import checked_legal
from tallymark.arena.games.face import Action, Choice, Form, IllegalAction
from tallymark.checked import shortened
from tallymark.ledger.matches import Json

SHOWN: Final = 200
"""A text of so many characters is shown, though not all of them."""


def action_of(given: Json, form: Form) -> Action:
    """The action; `IllegalAction` where it is no text, none of those to choose from, too long, or no Unicode.

    It may still be one that the game refuses.
    """
    if not isinstance(given, str):
        raise IllegalAction(f"action is {_called(given)}; expected a text")
    if isinstance(form, Choice):
        return checked_legal(given, form.actions)
    if len(given) > form.longest:
        raise IllegalAction(f"action is {_called(given)}; expected {form.longest:,} characters at most")
    try:
        given.encode()
    except UnicodeEncodeError:
        raise IllegalAction(f"action is {_called(given)}, with half a surrogate pair, which no text has") from None
    return given


def kept(given: Json, most: int) -> str | None:
    """An illegal action as it was sent, so that anybody can see that it is one; None where it is no text, or long."""
    if not isinstance(given, str) or len(given) > most:
        return None
    try:
        given.encode()
    except UnicodeEncodeError:
        return None
    return given


def _called(given: Json) -> str:
    """What was sent, in a few words: of what is no text only its kind, for it may be large or nested deeply."""
    if isinstance(given, str):
        return shortened(given) if len(given) <= SHOWN else f"a text of {len(given):,} characters"
    if given is None or isinstance(given, bool):
        return {None: "null", True: "true", False: "false"}[given]
    if isinstance(given, int | float):
        return "a number"
    return "an object" if isinstance(given, Mapping) else "a list"
