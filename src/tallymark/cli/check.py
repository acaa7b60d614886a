"""`tallymark check`: what would be said of the rows of files, without rating them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Option

from tallymark.cli.documents import Json, log_document, print_json
from tallymark.cli.endings import Ending
from tallymark.cli.inputs import RESULTS, ForSpreadsheets, Inputs, Rejects, read_from, reading
from tallymark.cli.options import Outputs
from tallymark.cli.outcome import print_report
from tallymark.cli.progress import Meter
from tallymark.cli.words import console, counted, say, shown_id

if TYPE_CHECKING:
    from tallymark import GameLog

_POOLS = 5
"""So many pools are named, with the number of their games."""


@reading
def check(
    inputs: Inputs,
    rejects: Rejects = None,
    for_spreadsheets: ForSpreadsheets = False,
    as_json: Annotated[
        bool, Option("--json", rich_help_panel=RESULTS, help="Print one JSON document instead.")
    ] = False,
) -> int:
    """Read the games of files and say what became of every row, without rating anything.

    For example:

    $ tallymark check games.csv

    $ tallymark check 'seasons/*.csv' --columns played_at=Date --rejects rejects.csv
    """
    outputs = Outputs({"--rejects": rejects}, for_spreadsheets=for_spreadsheets)
    outputs.check(inputs.paths())
    log = inputs.log(Meter(quiet=as_json))
    written = outputs.write({"--rejects": lambda: outputs.table(log.report.problems)})
    return tell(log, written, as_json)


def tell(log: "GameLog", written: Sequence[str], as_json: bool) -> Ending:
    """Prints what became of the rows, who played and what was written; the ending that goes with it."""
    if as_json:
        print_json({**log_facts(log), "report": log_document(log.report), "written": list(written)})
    else:
        out = console()
        print_report(out, read_from(log), log.report)
        for line in in_words(log):
            say(out, line)
        for path in written:
            say(out, f"written: {path}")
    return Ending.ROWS_LEFT_OUT if log.report.held or log.report.rejected else Ending.DONE


def in_words(log: "GameLog") -> list[str]:
    """Who played, where and when, in a few lines.

    >>> from tallymark import GameLog
    >>> in_words(GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1], played_at=["2026-01-02"]))
    ['2 players in 1 pool; 2026-01-02 to 2026-01-02']
    """
    from tallymark.games.byes import count_people

    facts = log_facts(log)
    first, last = facts["first"], facts["last"]
    span = "" if first is None else f"; {str(first)[:10]} to {str(last)[:10]}"
    pools = sorted(_games_of_pools(log).items(), key=lambda pool: (-pool[1], pool[0]))
    lines = [f"{counted(count_people(log.players), 'player')} in {counted(len(pools), 'pool')}{span}"]
    if len(pools) > 1:
        named = [f"{shown_id(name)} ({counted(games, 'game')})" for name, games in pools[:_POOLS]]
        rest = f" and {len(pools) - _POOLS:,} more" if len(pools) > _POOLS else ""
        lines.append(f"pools: {', '.join(named)}{rest}")
    return lines


def log_facts(log: "GameLog") -> dict[str, Json]:
    """The same for machines: files, players, games of each pool, first and last instant (null where none has one)."""
    from tallymark.games.byes import count_people

    span: list[Json] = [None, None]
    if log.time is not None and len(log):
        ends = log.time[[0, -1]].view("datetime64[us]").astype(str).tolist()
        span = [f"{instant.removesuffix('.000000')}Z" for instant in ends]  # as in every table
    pools: dict[str, Json] = dict(_games_of_pools(log))
    return {
        "files": list(log.origin.files),
        "players": count_people(log.players),
        "pools": pools,
        "first": span[0],
        "last": span[1],
    }


def _games_of_pools(log: "GameLog") -> dict[str, int]:
    import numpy as np

    counts = np.bincount(log.pool, minlength=len(log.pools)).tolist()
    return {name: count for name, count in zip(log.pools, counts, strict=True) if count or len(log.pools) > 1}
