"""`tallymark prepare`: files of games to one log that reads back at once."""

from pathlib import Path
from typing import Annotated

from typer import Option

from tallymark.cli.check import tell
from tallymark.cli.inputs import RESULTS, ForSpreadsheets, Inputs, Rejects, reading
from tallymark.cli.options import Outputs
from tallymark.cli.progress import Meter


@reading
def prepare(
    inputs: Inputs,
    output: Annotated[
        Path,
        Option(
            "--output",
            "-o",
            metavar="FILE.parquet",
            readable=False,
            rich_help_panel=RESULTS,
            help="Where the log is saved: canonical columns, and the file and line of every game.",
        ),
    ],
    rejects: Rejects = None,
    for_spreadsheets: ForSpreadsheets = False,
    as_json: Annotated[
        bool, Option("--json", rich_help_panel=RESULTS, help="Print one JSON document instead.")
    ] = False,
) -> int:
    """Save the games of files as one log that every command reads at once, as it would have read the files.

    For example:

    $ tallymark prepare 'seasons/*.csv' --columns played_at=Date -o log.parquet

    $ tallymark rate log.parquet
    """
    from tallymark.games.preparing import prepare as prepared

    outputs = Outputs({"--output": output, "--rejects": rejects}, {"--output": (".parquet",)}, for_spreadsheets)
    outputs.check(inputs.paths())
    meter = Meter(quiet=as_json)
    with inputs.explaining(), meter.stage("reading", inputs.named()) as progress:
        prepared_log = prepared(inputs.files, inputs.options(), progress)
    log = prepared_log.log
    with meter.stage("writing"):
        written = outputs.write(
            {"--output": lambda: prepared_log.save, "--rejects": lambda: outputs.table(log.report.problems)}
        )
    meter.finish()
    return tell(log, written, as_json)
