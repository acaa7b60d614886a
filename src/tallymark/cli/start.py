"""What ratings go on from or start from, and every option that says so, in one place for all commands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from tallymark.cli.bundles import bundled
from tallymark.cli.endings import usage
from tallymark.cli.initial import (
    START,
    Initial,
    InitialAt,
    InitialColumns,
    InitialDeviation,
    InitialEncoding,
    InitialFile,
    ZeroMeansUnrated,
    initial_from,
)
from tallymark.cli.inputs import Inputs
from tallymark.cli.options import snapshot_from

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark import GameLog, Methodology, Snapshot


@dataclass(frozen=True)
class Started:
    """A start as it was read: a snapshot that is gone on from, a list of ratings, or neither."""

    going_on: "Snapshot | None" = None
    listed: Initial | None = None

    @property
    def snapshot(self) -> "Snapshot | None":
        """What a replay starts from."""
        return self.going_on if self.listed is None else self.listed.found.start

    @property
    def rows_left_out(self) -> bool:
        """Whether rows of the list were rejected."""
        return self.listed is not None and self.listed.found.report.rejected > 0

    def meeting(self, log: "GameLog", inputs: Inputs) -> "tuple[Started, GameLog]":
        """The same, compared with the games that start from it; and those without games of the open period again."""
        if self.listed is not None:
            return replace(self, listed=self.listed.meeting(log)), log
        if self.going_on is None or self.going_on.open_games is None:
            return self, log
        from tallymark.games.again import apart_from

        return self, apart_from(self.going_on.open_games, log, inputs.dedupe)

    @property
    def open_games(self) -> int:
        """How many games of the open period count again."""
        games = None if self.going_on is None else self.going_on.open_games
        return 0 if games is None else len(games)

    @property
    def players(self) -> int:
        """How many players the snapshot knows, those of its open period too."""
        if self.going_on is None:
            return 0
        games = self.going_on.open_games
        return len({*self.going_on.player, *(() if games is None else games.players)})

    def print(self, out: "Console", every: "Sequence[Methodology]") -> None:
        """Where these rules start from."""
        from tallymark.cli.words import counted, say

        if self.listed is not None:
            self.listed.print(out, every)
        elif self.going_on is not None:
            again = f", {counted(self.open_games, 'game')} of its open period again" if self.open_games else ""
            say(out, f"gone on from a snapshot of {counted(self.players, 'player')}{again}")


@dataclass(frozen=True)
class Start:
    """What somebody said about the start on the command line."""

    from_: Path | None
    initial: Path | None
    columns: Sequence[str]
    at: str | None
    encoding: str
    deviation: float | None
    zero_means_unrated: bool | None

    def lists(self) -> list[Path]:
        """The list of ratings, which may not be written over."""
        return [] if self.initial is None else [self.initial]

    def read(self) -> Started:
        """The start, read. It is refused where there are two."""
        if self.from_ is not None and self.initial is not None:
            raise usage("--from and --initial are two starts", "go on from a snapshot, or start from a list of ratings")
        listed = initial_from(
            self.initial, self.columns, self.zero_means_unrated, self.at, self.encoding, self.deviation
        )
        return Started(None if self.from_ is None else snapshot_from(self.from_), listed)


def _start(
    from_: Annotated[
        Path | None,
        Option(
            "--from",
            metavar="SNAPSHOT",
            readable=False,
            rich_help_panel=START,
            help="Go on from what tallymark rate --save wrote of the games before.",
        ),
    ] = None,
    initial: InitialFile = None,
    initial_columns: InitialColumns = None,
    initial_at: InitialAt = None,
    initial_encoding: InitialEncoding = "utf-8",
    initial_deviation: InitialDeviation = None,
    zero_means_unrated: ZeroMeansUnrated = None,
) -> Start:
    return Start(
        from_, initial, initial_columns or [], initial_at, initial_encoding, initial_deviation, zero_means_unrated
    )


starting = bundled("start", _start)
"""A command with the parameter `start` as one that takes the options of starting in its place."""
