"""`tallymark ledger rate`: what waits is rated, and the ratings are shown."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from typer import Option

from tallymark.cli.documents import Json, print_json, rules_document, table_document
from tallymark.cli.endings import Ending, hinting, usage
from tallymark.cli.inputs import RESULTS, ForSpreadsheets
from tallymark.cli.ledger.opening import Pool, Where, chosen, opened, other_file
from tallymark.cli.options import Outputs
from tallymark.cli.progress import Meter
from tallymark.cli.words import console, counted, say

if TYPE_CHECKING:
    from tallymark import Ledger, Table

_TOP: Final = 20


def rate(
    ledger: Where = None,
    pool: Pool = None,
    close: Annotated[
        bool, Option("--close", help="Close the calendar periods that are over, without waiting for a later match.")
    ] = False,
    as_of: Annotated[
        str | None,
        Option(
            "--as-of",
            metavar="TIME",
            rich_help_panel=RESULTS,
            help="Show the ratings that the matches up to this time made.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            readable=False,
            rich_help_panel=RESULTS,
            help="Write the ratings of a pool: .csv, .parquet or .json.",
        ),
    ] = None,
    for_spreadsheets: ForSpreadsheets = False,
    top: Annotated[
        int | None,
        Option(
            min=0,
            metavar="N",
            rich_help_panel=RESULTS,
            help=f"How many players of each pool to show (default {_TOP}).",
        ),
    ] = None,
    as_json: Annotated[
        bool,
        Option(
            "--json",
            rich_help_panel=RESULTS,
            help="Print one JSON document instead, with all players unless --top is given.",
        ),
    ] = False,
) -> int:
    """Rate what waits in a ledger, each match once and in the order of the ledger, and show the ratings.

    Several may run at once, beside whoever appends: a batch gets through once.

    For example:

    $ tallymark ledger rate --ledger club.db

    $ tallymark ledger rate --ledger club.db --pool ladder --as-of 2026-06-30 -o june.csv
    """
    outputs = Outputs({"--output": output}, for_spreadsheets=for_spreadsheets)
    outputs.check([])
    if output is not None:
        other_file("--output", output, ledger)
    meter = Meter(quiet=as_json)
    with opened(ledger) as found:
        pools = chosen(found, pool)
        if output is not None and len(pools) != 1:
            raise usage(f"--output and {len(pools)} pools", "one of them: --pool NAME")
        if close:
            for name in pools:
                if found.rules(name).period.kind == "calendar":
                    found.close_periods(name)
        with meter.stage("rating"):
            items = sum(found.settle(name) for name in pools)
        with hinting("for example --as-of 2026-11-29"):
            shown = [(found.rules(name), _table(found, name, as_of)) for name in pools]
    meter.finish()
    written = outputs.write({"--output": lambda: outputs.table(shown[0][1])})
    if as_json:
        each: list[Json] = [
            {"pool": name, "methodology": rules_document(rules), "ratings": table_document(table, top)}
            for name, (rules, table) in zip(pools, shown, strict=True)
        ]
        print_json({"items": items, "pools": each, "written": list(written)})
        return Ending.DONE
    from tallymark.cli.board import print_board

    out = console()
    say(out, f"{counted(items, 'item')} rated")
    for rules, table in shown:
        print_board(out, table, rules, _TOP if top is None else top, _names(table))
    for path in written:
        say(out, f"written: {path}")
    return Ending.DONE


def _table(ledger: "Ledger", pool: str, as_of: str | None) -> "Table":
    """The ratings as they are published, with the names that the ledger has."""
    from tallymark.cli.board import published

    table = ledger.ratings(pool, as_of)
    return published(table, ledger.rules(pool), ledger.names(table["player"].tolist()) or None)


def _names(table: "Table") -> dict[str | int, str] | None:
    if "name" not in table.columns:
        return None
    pairs = zip(table["player"].tolist(), table["name"].tolist(), strict=True)
    return {player: name for player, name in pairs if name is not None}
