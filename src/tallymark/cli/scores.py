"""Scores in words, and several methodologies side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tallymark.cli.words import counted, number, percent, say

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
    right = f"right in {percent(score.accuracy)} of {counted(score.decisive, 'decisive game')}"
    return (
        f"{right if score.decisive else 'no decisive game'}; "
        f"log-loss {number(score.log_loss)} (a coin: {number(COIN)}), Brier {number(score.brier)} "
        f"over {counted(score.games, 'game')}"
    )


def predicted_nothing(results: "Sequence[Replay]") -> list[str]:
    """A word about replays from nothing whose games all lie in one period: their predictions are those of newcomers.

    >>> from tallymark import GameLog, replay
    >>> log = GameLog.from_arrays(player_a=["ann", "ann"], player_b=["bob", "bob"], score_a=[1, 1])
    >>> predicted_nothing([replay(log, "elo")])
    []
    """
    names = [
        one.methodology.id
        for one in results
        if one.methodology.period.kind == "calendar" and one.report.rated > 1 and one.report.units <= one.report.pools
    ]
    if not names:
        return []
    first = "all games lie in one rating period, so that every prediction was made before any game counted"
    return [f"{', '.join(names)}: {first}", "hint: --set period=1d, or --set period=match, lets games count sooner"]


def print_comparison(out: "Console", results: "Sequence[tuple[Replay, Score]]") -> None:
    """A line of score for each methodology."""
    from tallymark.cli.grid import GAP, print_grid, widths_of

    columns = {
        "methodology": [result.methodology.id for result, _ in results],
        "games": [f"{score.games:,}" for _, score in results],
        "log-loss": [number(score.log_loss) for _, score in results],
        "Brier": [number(score.brier) for _, score in results],
        "accuracy": [percent(score.accuracy) for _, score in results],
    }
    name, *numbers = columns
    widths = widths_of(columns)
    room = out.width - sum(widths.values()) - GAP * (len(widths) - 1)
    if room < 0 and out.is_terminal:
        widths[name] = max(len(name), widths[name] + room)
    print_grid(out, columns, widths, numbers)
    if len({score.games for _, score in results}) > 1:
        say(out, "not over the same games: rules differ in what they rate")
    if any("draw" in result.report.not_rated for result, _ in results):
        say(out, "hint: --set draws=true takes each draw as half a point")
