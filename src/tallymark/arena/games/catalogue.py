"""The games of the arena by name."""

import difflib
from typing import Final

from tallymark.arena.games.boards import CONNECT_FOUR, HEX, OTHELLO, TIC_TAC_TOE
from tallymark.arena.games.face import Game
from tallymark.checked import shortened
from tallymark.errors import InputError

_GAMES: Final[dict[str, Game]] = {game.name: game for game in (TIC_TAC_TOE, CONNECT_FOUR, OTHELLO, HEX)}


def games() -> tuple[Game, ...]:
    """Every game, in the order in which they are listed. OpenSpiel is not imported until one is started.

    >>> [game.name for game in games()][:2]
    ['tic-tac-toe', 'connect-four']
    """
    return tuple(_GAMES.values())


def game(name: str) -> Game:
    """The game of that name; `InputError` says which there are.

    >>> game("connect-four").title
    'Connect four'
    """
    if name not in _GAMES:
        close = difflib.get_close_matches(name[:40].lower(), _GAMES, n=1)
        raise InputError(
            f"there is no game {shortened(name)}; there are {', '.join(_GAMES)}",
            hint=f"did you mean {close[0]}?" if close else None,
            field="game",
        )
    return _GAMES[name]
