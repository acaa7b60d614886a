"""What the comparison found: totals, a table over the replay, scores."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from tallymark.evidence.exactness.differing import Difference
from tallymark.tables import Table


@dataclass(frozen=True, eq=False)
class Exactness:
    """A log replayed by go-onchain-v2 in integers, half-even and cut off, beside go-float-v2 in floats."""

    games: int
    """Games that all of them rate."""
    not_rated: Mapping[str, int]
    """The other games of the log, by reason."""
    players: int
    """Players with a rated game."""
    half_even: Difference
    """Of all games, and of all players at the end: integers as the contract rounds, from floats."""
    truncating: Difference
    """The same of integers whose quotients and roots are cut off."""
    checkpoints: Table
    """Two rows a checkpoint: `game` (so many games are rated), `players` (so many are rated by then), `division`
    (`half-even` or `truncating`), and the fields of `Difference`: P over the games since the checkpoint before, mu and
    phi over the players so far."""
    scores: Table
    """How well predictions came true, as `tallymark.score` says it: `numbers` (`integers`, `truncating` or `floats`),
    `knee` (the rank from which half-lives grow), `small_boards` (the weight of games on 9x9 and 13x13), `games`,
    `decisive`, `log_loss`, `brier`, `accuracy`. go-onchain-v2 and go-float-v2 have knee 16 and weight 1."""
    notes: tuple[str, ...]
    """What was left out, and why."""

    @property
    def drift_ratio(self) -> float:
        """How many times as far as rounded integers those that are cut off draw the mean mu away from floats.

        >>> from tallymark import exactness, synthetic
        >>> exactness(synthetic(2000, 50), checkpoints=1).drift_ratio > 10
        True
        """
        return abs(self.truncating.mu_drift / self.half_even.mu_drift) if self.half_even.mu_drift else float("nan")

    def __repr__(self) -> str:
        return f"<Exactness of {self.games:,} games, {self.players:,} players>"

    def write_chart(self, path: str | os.PathLike[str]) -> None:
        """Draws `checkpoints` into a file: .svg, .png or .html. `MissingLibraryError` without altair and vl-convert,
        `WriteError` where there is nothing to draw or nothing can be written.

        >>> from tallymark import exactness, synthetic
        >>> exactness(synthetic(10, 5)).write_chart("chart.txt")
        Traceback (most recent call last):
        tallymark.errors.WriteError: chart.txt: cannot tell the format
        hint: end the name in .svg, .png, .html
        """
        from tallymark.evidence.exactness.charting import write_chart

        write_chart(self.checkpoints, path)
