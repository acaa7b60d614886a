"""What every game checks in the same words: how many play, whose turn it is, what is legal; and who won of two."""

import difflib
from collections.abc import Collection
from typing import Final

from tallymark.arena.games.face import Action, IllegalAction, Outcome, Position, Seat, Side
from tallymark.checked import shortened
from tallymark.games.vocabulary import Ending

_NAMED: Final = 8
"""So many legal actions stand in the message about an illegal one."""
_COMPARED: Final = 40
"""So many characters of what was sent are compared with them: no action to choose from is longer, and a text may be."""

QUOTED: Final = 500
"""Characters of an illegal action that are kept with its match: no game asks for a longer text."""


def checked_seats(game: str, allowed: Collection[int], given: int) -> int:
    """`given`; `ValueError` where a game cannot be played by so many."""
    if given not in allowed:
        raise ValueError(f"seats is {given}; {game} is played by {' or '.join(map(str, allowed))}")
    return given


def checked_turn(position: Position, seat: Seat) -> None:
    """`IllegalAction` where nothing is asked of a seat."""
    if seat in position.awaited:
        return
    if position.outcome:
        raise IllegalAction(f"seat {seat} acts after the end: {position.outcome.told}")
    waited = ", ".join(map(str, position.awaited))
    raise IllegalAction(f"seat {seat} acts; seat {waited} is awaited")


def checked_legal(action: Action, legal: Collection[Action]) -> Action:
    """`action`; `IllegalAction` where it is not among the legal ones, which it names, or the first of them.

    >>> checked_legal("e2-e4", ["e2e4", "d2d4"])
    Traceback (most recent call last):
    tallymark.arena.games.face.IllegalAction: action is 'e2-e4'; expected one of e2e4, d2d4
    hint: did you mean e2e4?
    """
    if action in legal:
        return action
    named = list(legal)[:_NAMED]
    more = f" and {len(legal) - _NAMED} more" if len(legal) > _NAMED else ""
    close = difflib.get_close_matches(action[:_COMPARED], legal, n=1)
    raise IllegalAction(
        f"action is {quoted(action)}; expected one of {', '.join(named)}{more}",
        hint=f"did you mean {close[0]}?" if close else None,
        field="action",
    )


def quoted(text: str) -> str:
    """A text that somebody sent, in ASCII, cut where it is long: which characters Python shows as they are grows with
    every version of it, and a replay must tell what the match told. Of a longer one than is kept, only the length.

    >>> quoted("e2\u2013e4")
    "'e2\\\\u2013e4'"
    """
    return shortened(text, ascii) if len(text) <= QUOTED else f"a text of {len(text):,} characters"


def decided(winner: Seat | None, ending: Ending, told: str) -> Outcome:
    """How a game of two ended: with a winner, or as a draw where that is None.

    >>> decided(1, Ending.NORMAL, "white wins").sides
    (Side(seats=(0,), rank=2), Side(seats=(1,), rank=1))
    """
    ranks = (1, 1) if winner is None else (1, 2) if winner == 0 else (2, 1)
    return Outcome((Side((0,), ranks[0]), Side((1,), ranks[1])), ending, told)
