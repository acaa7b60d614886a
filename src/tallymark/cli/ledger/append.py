"""`tallymark ledger append`: the games of files into a ledger, each once."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final

from typer import Option

from tallymark.cli.documents import Json, log_document, print_json
from tallymark.cli.endings import Ending
from tallymark.cli.inputs import RESULTS, ForSpreadsheets, Inputs, Rejects, read_from, reading
from tallymark.cli.ledger.opening import PANEL, Where, opened
from tallymark.cli.options import Outputs
from tallymark.cli.outcome import print_report
from tallymark.cli.progress import Meter
from tallymark.cli.words import console, counted, say, shown_id

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark.ledger.appending import Appended
    from tallymark.methodology import Methodology

_NAMED: Final = 5
"""So many conflicts, and matches that were refused, are told."""


@reading
def append(
    inputs: Inputs,
    ledger: Where = None,
    to: Annotated[
        str | None,
        Option(
            "--to",
            metavar="POOL",
            rich_help_panel=PANEL,
            help="The ledger's pool that the games go into (default: the only one, or those that the cells of --pool "
            "COLUMN name).",
        ),
    ] = None,
    rejects: Rejects = None,
    for_spreadsheets: ForSpreadsheets = False,
    as_json: Annotated[
        bool, Option("--json", rich_help_panel=RESULTS, help="Print one JSON document instead.")
    ] = False,
) -> int:
    """Append the games of files to a ledger, in the order in which rate would take them. Each is taken once.

    A game is known again by its id; one without an id by its content, and the second of two equal ones in a file as the
    second. So a file can be handed in again, whole, when it has grown. A game whose id has another content in the
    ledger is a conflict: the first stays. Nothing is rated yet: tallymark ledger rate.

    For example:

    $ tallymark ledger append games.csv --ledger club.db

    $ tallymark ledger append 'seasons/*.csv' --ledger club.db --to ladder --columns played_at=Date
    """
    outputs = Outputs({"--rejects": rejects}, for_spreadsheets=for_spreadsheets)
    outputs.check(inputs.paths())
    meter = Meter(quiet=as_json)
    with opened(ledger) as found:
        log = inputs.log(meter)
        with meter.stage("appending") as progress:
            done = found.append_log(log, to, progress)
        rules = {one.pool: found.rules(one.pool) for one in done.pools if one.untimed}
        meter.finish()
    written = outputs.write({"--rejects": lambda: outputs.table(log.report.problems)})
    if as_json:
        print_json({**_document(done), "report": log_document(log.report), "written": list(written)})
    else:
        out = console()
        print_report(out, read_from(log), log.report)
        _print(out, done, rules)
        for path in written:
            say(out, f"written: {path}")
    whole = not (log.report.held or log.report.rejected or done.conflicts or done.refused)
    return Ending.DONE if whole else Ending.ROWS_LEFT_OUT


def _print(out: "Console", done: "Appended", rules: Mapping[str, "Methodology"]) -> None:
    for pool in done.pools:
        there = f", {pool.there:,} were there" if pool.there else ""
        say(out, f"pool {shown_id(pool.pool)}: {_matches(pool.appended)} appended{there}")
        if pool.pool in rules:
            _note_untimed(out, pool.untimed, rules[pool.pool])
    if done.conflicts:
        say(out, f"{counted(len(done.conflicts), 'conflict')}: an id with another content; the first stays")
    for conflict in done.conflicts[:_NAMED]:
        say(out, f"  {shown_id(conflict.id)}: {conflict.first}, and now {conflict.second}")
    for one in done.refused[:_NAMED]:
        say(out, f"  row {one.row} refused: {one.message}")
    if len(done.refused) > _NAMED:
        say(out, f"  {len(done.refused):,} were refused in all")


def _note_untimed(out: "Console", untimed: int, rules: "Methodology") -> None:
    from tallymark.ledger.fold.rating import timed

    if timed(rules):
        say(
            out,
            f"  note: {_matches(untimed)} without a time (played_at), by which {rules.id} rates: on "
            "record, and never rated (no-time)",
        )


def _matches(count: int) -> str:
    return f"{count:,} match{'' if count == 1 else 'es'}"


def _document(done: "Appended") -> dict[str, Json]:
    pools: list[Json] = [
        {"pool": one.pool, "appended": one.appended, "there": one.there, "untimed": one.untimed} for one in done.pools
    ]
    conflicts: list[Json] = [
        {"pool": one.pool, "id": one.id, "first": one.first, "second": one.second} for one in done.conflicts
    ]
    refused: list[Json] = [{"row": one.row, "message": one.message} for one in done.refused]
    return {"pools": pools, "conflicts": conflicts, "refused": refused}
