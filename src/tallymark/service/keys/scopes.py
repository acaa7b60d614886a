"""What a key may do."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, get_args

from tallymark.checked import shortened
from tallymark.errors import InputError

Scope: TypeAlias = Literal["read", "append", "vote", "play", "correct", "review", "admin"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
MEANINGS: Final[dict[Scope, str]] = {
    "read": "read what is not public: contacts and owners of players",
    "append": "send results, and say who players are",
    "vote": "open ballots and send votes",
    "play": "connect agents to the arena, as their owner: its name is public as that",
    "correct": "correct results and adjust ratings",
    "review": "look at cases and decide them",
    "admin": "all of that; open pools, make and revoke keys",
}


def checked(scopes: Iterable[str]) -> frozenset[Scope]:
    """The scopes; `InputError` names one that there is not.

    >>> sorted(checked(["vote", "append"]))
    ['append', 'vote']
    """
    given = list(scopes)
    for one in given:
        if one not in SCOPES:
            raise InputError(f"scope is {shortened(one)}; expected {', '.join(SCOPES)}", field="scopes")
    if not given:
        raise InputError(f"scopes is empty; expected some of {', '.join(SCOPES)}", field="scopes")
    return frozenset(one for one in SCOPES if one in given)
