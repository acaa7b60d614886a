"""The games of the arena by name."""

import difflib
from collections.abc import Mapping
from typing import Final

from tallymark.arena.games.benchmark import Benchmark
from tallymark.arena.games.boards import CONNECT_FOUR, HEX, OTHELLO, TIC_TAC_TOE
from tallymark.arena.games.chess import CHESS
from tallymark.arena.games.face import Game
from tallymark.arena.games.go import KOMI, go
from tallymark.arena.games.kuhn import KUHN
from tallymark.arena.games.werewolf.game import WEREWOLF
from tallymark.checked import shortened
from tallymark.errors import InputError

_ALL: Final[tuple[Game, ...]] = (TIC_TAC_TOE, CONNECT_FOUR, CHESS, OTHELLO, HEX, *map(go, KOMI), KUHN, WEREWOLF)
_BENCHMARKS: Final = tuple(Benchmark(one) for one in _ALL if one is not WEREWOLF)
"""Of each game for two."""
_GAMES: Final[Mapping[str, Game]] = {one.name: one for one in (*_ALL, *_BENCHMARKS)}


def games() -> tuple[Game, ...]:
    """Every game that agents meet each other in, in the order in which they are listed. OpenSpiel is not imported until
    one is started.

    >>> [game.name for game in games()][:2]
    ['tic-tac-toe', 'connect-four']
    """
    return _ALL


def benchmarks() -> tuple[Benchmark, ...]:
    """The benchmark of every game for two, in the same order.

    >>> [one.name for one in benchmarks()][:2]
    ['tic-tac-toe-benchmark', 'connect-four-benchmark']
    """
    return _BENCHMARKS


def game(name: str) -> Game:
    """The game or the benchmark of that name; `InputError` says which games there are.

    >>> game("connect-four").title
    'Connect four'
    """
    if name not in _GAMES:
        close = difflib.get_close_matches(name[:40].lower(), _GAMES, n=1)
        raise InputError(
            f"there is no game {shortened(name)}; there are {', '.join(one.name for one in _ALL)}, and the "
            "benchmarks of those for two, like connect-four-benchmark",
            hint=f"did you mean {close[0]}?" if close else None,
            field="game",
        )
    return _GAMES[name]
