"""What an agent sent as its action: one that may be what was asked for, or what is wrong with it."""

from typing import Final

from tallymark.arena.games.face import Action, Choice, Form, IllegalAction
from tallymark.checked import shortened
from tallymark.ledger.matches import Json

NAMED: Final = 8
"""So many of the actions that were expected are named."""


def action_of(given: Json, form: Form) -> Action:
    """The action; `IllegalAction` where it is no text, none of those to choose from, too long, or no Unicode.

    It may still be one that the game refuses.
    """
    if not isinstance(given, str):
        raise IllegalAction(f"action is {shortened(given)}; expected a text")
    if isinstance(form, Choice):
        if given not in form.actions:
            more = f" and {len(form.actions) - NAMED} more" if len(form.actions) > NAMED else ""
            named = ", ".join(form.actions[:NAMED])
            raise IllegalAction(f"action is {shortened(given)}; expected one of {named}{more}")
        return given
    if len(given) > form.longest:
        raise IllegalAction(f"action has {len(given):,} characters; expected {form.longest:,} at most")
    try:
        given.encode()
    except UnicodeEncodeError:
        raise IllegalAction(f"action is {shortened(given)}, with half a surrogate pair, which no text has") from None
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
