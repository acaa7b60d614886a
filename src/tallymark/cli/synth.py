"""`tallymark synth`: games that nobody played."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from typer import Option

from tallymark.cli.endings import Ending
from tallymark.cli.options import Outputs
from tallymark.cli.progress import Meter

_PLAYERS: Final = "Players"
_GAMES: Final = "Games"


class IdForm(StrEnum):
    """What players are called."""

    INTEGERS = "integers"
    STRINGS = "strings"
    LONG = "long"


def synth(
    output: Annotated[
        Path,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            readable=False,
            help="Where the games are written: .parquet or .csv.",
        ),
    ],
    games: Annotated[int, Option("--games", metavar="N", rich_help_panel=_GAMES, help="How many games.")] = 100_000,
    players: Annotated[
        int, Option("--players", metavar="N", rich_help_panel=_PLAYERS, help="How many players.")
    ] = 1_000,
    seed: Annotated[
        int, Option("--seed", metavar="N", help="The same seed and options give the same games on every machine.")
    ] = 1,
    days: Annotated[
        int, Option("--days", metavar="N", rich_help_panel=_GAMES, help="Over how many days, evenly.")
    ] = 365,
    first: Annotated[
        str, Option("--first", metavar="DAY", rich_help_panel=_GAMES, help="The day of the first game.")
    ] = "2025-01-01",
    draws: Annotated[
        float, Option("--draws", metavar="SHARE", rich_help_panel=_GAMES, help="The share of games drawn, 0 to 1.")
    ] = 0.0,
    go: Annotated[
        bool, Option("--go", rich_help_panel=_GAMES, help="With boards, komi, steps, endings and sources, as in Go.")
    ] = False,
    zipf: Annotated[
        float,
        Option(
            "--zipf",
            metavar="EXPONENT",
            rich_help_panel=_PLAYERS,
            help="How unlike their activity is: the player of rank r plays 1/r^EXPONENT as often as the first. "
            "0: all alike.",
        ),
    ] = 0.0,
    ids: Annotated[
        IdForm,
        Option("--ids", rich_help_panel=_PLAYERS, help="Numbers, names such as player-0001, or 24 hexadecimal digits."),
    ] = IdForm.INTEGERS,
    knots: Annotated[
        int,
        Option(
            "--knots",
            metavar="N",
            rich_help_panel=_PLAYERS,
            help="How often in that time a skill is drawn; it is linear between. 1: skills stay as they are.",
        ),
    ] = 4,
) -> int:
    """Make a log of games that nobody played, as large as you like, to try things out and to measure.

    Players have skills that drift, and the better one wins more often.

    For example:

    $ tallymark synth -o ladder.csv --games 2000 --players 50 --draws 0.1

    $ tallymark synth -o go.parquet --games 20_000 --zipf 1 --go --ids long --seed 7
    """
    from tallymark.games.synthetic import Synthesis
    from tallymark.games.synthetic_file import SUFFIXES, write_synthetic

    outputs = Outputs({"--output": output}, {"--output": SUFFIXES})
    outputs.check([])
    of = Synthesis(games, players, seed, days, first, zipf, draws, ids.value, go, knots)
    meter = Meter()
    with meter.stage("writing") as progress:
        outputs.write({"--output": lambda: lambda path: write_synthetic(path, of, progress)})
    meter.finish()
    span = f"{of.first_day} to {of.last_day}"
    typer.echo(f"written: {output}: {games:,} games of {players:,} players, {span}; seed {seed}")
    return Ending.DONE
