"""`tallymark exactness`: a log in integers and in floats, and how far apart they come."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from typer import Option

from tallymark.cli.documents import Json, log_document, print_json, rules_document, table_document
from tallymark.cli.endings import Ending
from tallymark.cli.inputs import RESULTS, Inputs, read_from, reading
from tallymark.cli.options import Outputs
from tallymark.cli.outcome import print_report
from tallymark.cli.progress import Meter
from tallymark.cli.words import console, counted, number, percent, say

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark import Exactness, GameLog
    from tallymark.evidence.exactness import Difference

_COMPARED: Final = "Comparison"
_SHOWN: Final = 10
"""So many checkpoints are shown; all of them are in the chart and in the document."""
_RULES: Final = {"integers": "go-onchain-v2", "floats": "go-float-v2"}
_WORDS: Final = {
    "p_largest": "P of a game, largest",
    "p_mean": "P of a game, mean",
    "mu_largest": "mu, largest",
    "mu_mean": "mu, mean",
    "mu_drift": "mu, mean with signs",
    "phi_largest": "phi, largest",
    "phi_mean": "phi, mean",
    "phi_drift": "phi, mean with signs",
}


@reading
def exactness(
    inputs: Inputs,
    checkpoints: Annotated[
        int,
        Option(
            "--checkpoints",
            metavar="N",
            rich_help_panel=_COMPARED,
            help="At so many points of the replay differences are told, evenly in the games.",
        ),
    ] = 100,
    small_boards: Annotated[
        list[float] | None,
        Option(
            "--small-boards",
            metavar="WEIGHT",
            rich_help_panel=_COMPARED,
            help="Score games on 9x9 and 13x13 at this weight too, 0 to 1. Repeatable (default 0.75 and 0.5).",
        ),
    ] = None,
    chart: Annotated[
        Path | None,
        Option(
            "--chart",
            metavar="FILE",
            readable=False,
            rich_help_panel=RESULTS,
            help="Draw the differences over the replay: .svg, .png or .html. Needs the extra charts.",
        ),
    ] = None,
    as_json: Annotated[
        bool, Option("--json", rich_help_panel=RESULTS, help="Print one JSON document instead, with all checkpoints.")
    ] = False,
) -> int:
    """Replay games in the integers of go-onchain-v2 and in the floats of go-float-v2, and say how far apart they come.

    Beside them, integers whose quotients are cut off instead of rounded; and how well other rules would have predicted:
    the half-life growing from rank 15 instead of 16, games on small boards at a lower weight.

    For example:

    $ tallymark exactness games.csv

    $ tallymark exactness log.parquet --checkpoints 200 --chart exactness.html
    """
    from tallymark import exactness as compared
    from tallymark.evidence.exactness.charting import SUFFIXES, check_libraries

    outputs = Outputs({"--chart": chart}, {"--chart": SUFFIXES})
    outputs.check(inputs.paths())
    if chart is not None:
        check_libraries()
    meter = Meter(quiet=as_json)
    log = inputs.log(meter)
    with meter.stage("replaying") as progress:
        found = compared(log, checkpoints=checkpoints, weights=small_boards or (0.75, 0.5), progress=progress)
    with meter.stage("drawing"):
        written = outputs.write({"--chart": lambda: found.write_chart})
    meter.finish()
    if as_json:
        print_json(_document(log, found, written))
    else:
        out = console()
        print_report(out, read_from(log), log.report)
        _print(out, found)
        for path in written:
            say(out, f"written: {path}")
    return Ending.ROWS_LEFT_OUT if log.report.held or log.report.rejected else Ending.DONE


def _document(log: "GameLog", found: "Exactness", written: list[str]) -> dict[str, Json]:
    from tallymark import methodology

    rules: dict[str, Json] = {word: rules_document(methodology(name)) for word, name in _RULES.items()}
    return {
        **rules,
        "report": log_document(log.report),
        "games": found.games,
        "not_rated": dict(found.not_rated),
        "players": found.players,
        "half_even": _plain(found.half_even),
        "truncating": _plain(found.truncating),
        "drift_ratio": None if found.drift_ratio != found.drift_ratio else found.drift_ratio,
        "checkpoints": table_document(found.checkpoints),
        "scores": table_document(found.scores),
        "notes": list(found.notes),
        "written": list(written),
    }


def _plain(difference: "Difference") -> dict[str, Json]:
    return {name: None if value != value else value for name, value in asdict(difference).items()}


def _print(out: "Console", found: "Exactness") -> None:
    reasons = "".join(f"; {counted(count, 'game')} not rated: {why}" for why, count in found.not_rated.items())
    if not found.games:
        say(out, f"no game to compare{reasons}")
        return
    say(out, f"{counted(found.games, 'game')} of {counted(found.players, 'player')} compared{reasons}")
    say(out, "go-onchain-v2 in integers, from go-float-v2 in floats; both read times in whole seconds", style="dim")
    say(out)
    sizes = [asdict(one) for one in (found.half_even, found.truncating)]
    _grid(
        out,
        {
            "integers from floats": list(_WORDS.values()),
            "half-even": [f"{sizes[0][name]:.2e}" for name in _WORDS],
            "truncating": [f"{sizes[1][name]:.2e}" for name in _WORDS],
            "times": [_times(sizes[1][name], sizes[0][name]) for name in _WORDS],
        },
    )
    say(out)
    rows = list(found.checkpoints.rows())
    count = len(rows) // 2
    shown = sorted({-(-count * one // min(count, _SHOWN)) - 1 for one in range(1, min(count, _SHOWN) + 1)})
    half_even, truncating = ([rows[2 * at + of] for at in shown] for of in (0, 1))
    _grid(
        out,
        {
            "after game": [f"{row['game']:,}" for row in half_even],
            "P, largest": [f"{row['p_largest']:.1e}" for row in half_even],
            "mu, largest": [f"{row['mu_largest']:.1e}" for row in half_even],
            "mu, drift": [f"{row['mu_drift']:.1e}" for row in half_even],
            "cut off: P": [f"{row['p_largest']:.1e}" for row in truncating],
            "cut off: mu": [f"{row['mu_largest']:.1e}" for row in truncating],
            "drift": [f"{row['mu_drift']:.1e}" for row in truncating],
        },
    )
    say(out)
    scores = list(found.scores.rows())
    _grid(
        out,
        {
            "predicted by": [str(row["numbers"]) for row in scores],
            "knee": [f"{row['knee']:g}" for row in scores],
            "small boards": [f"{row['small_boards']:g}" for row in scores],
            "games": [f"{row['games']:,}" for row in scores],
            "log-loss": [number(float(str(row["log_loss"])), 6) for row in scores],
            "Brier": [number(float(str(row["brier"])), 6) for row in scores],
            "accuracy": [percent(float(str(row["accuracy"]))) for row in scores],
        },
    )
    for note in found.notes:
        say(out, f"note: {note}")


def _times(one: float, other: float) -> str:
    return f"{abs(one / other):,.1f}" if other else "-"


def _grid(out: "Console", columns: dict[str, list[str]]) -> None:
    from tallymark.cli.grid import print_grid, widths_of

    words = ("integers from floats", "predicted by")
    print_grid(out, columns, widths_of(columns), [head for head in columns if head not in words])
