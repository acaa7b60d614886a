"""Scores in words, and several methodologies side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tallymark.cli.words import number, percent, say

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark import Replay, Score

COIN = 0.6931471805599453
"""The log-loss of a coin: ln 2."""


def score_words(score: "Score") -> str:
    """A score in one line.

    >>> from tallymark import Score
    >>> score_words(Score(games=2, decisive=1, log_loss=0.61, brier=0.2, accuracy=1.0))
    'right in 100.00 % of 1 decisive game; log-loss 0.6100 (a coin: 0.6931), Brier 0.2000 over 2 games'
    """
    if not score.games:
        return "no game to score"
    return (
        f"right in {percent(score.accuracy)} of {_games(score.decisive, 'decisive ')}; "
        f"log-loss {number(score.log_loss)} (a coin: {number(COIN)}), Brier {number(score.brier)} "
        f"over {_games(score.games)}"
    )


def print_comparison(out: "Console", results: "Sequence[tuple[Replay, Score]]") -> None:
    """A line of score for each methodology."""
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column("methodology", overflow="fold")
    for name in ("games", "log-loss", "Brier", "accuracy"):
        grid.add_column(name, justify="right", no_wrap=True)
    for result, score in results:
        numbers = (f"{score.games:,}", number(score.log_loss), number(score.brier), percent(score.accuracy))
        grid.add_row(Text(result.methodology.id), *numbers)
    out.print(grid)
    if len({score.games for _, score in results}) > 1:
        say(out, "not over the same games: rules differ in what they rate")


def _games(count: int, kind: str = "") -> str:
    return f"{count:,} {kind}game{'' if count == 1 else 's'}"
