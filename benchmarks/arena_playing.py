"""House agents against each other, with nothing around them: no clock, no store, no referee."""

from collections.abc import Callable, Sequence
from typing import Final

from tallymark.arena.chance import drawn
from tallymark.arena.games.face import Action, Game, Outcome, Position, Seat
from tallymark.arena.house.mind import Mind
from tallymark.arena.referee.saying import ActionRequest

_MS: Final = 10_000


def played(
    game: Game,
    minds: Sequence[Mind],
    seed: bytes,
    told: Callable[[Position, Seat, Action], None] = lambda position, seat, action: None,
) -> Outcome:
    """How a match of these minds ends, in the order of their seats. Their chance follows from the seed, too.

    `told` is called before each action is applied.
    """
    position = game.start(seed, len(minds))
    while position.awaited:
        seat = position.awaited[0]
        asked = ActionRequest("", seat, position.turn + 1, position.seen(seat), position.form(seat), _MS, _MS)
        action = minds[seat].act(asked, drawn(seed, f"house:{seat}:{position.turn}"))
        told(position, seat, action)
        position.apply(seat, action)
    assert position.outcome is not None
    return position.outcome
