"""`tallymark ledger without`: who would stand where without some matches."""

from typing import TYPE_CHECKING, Annotated, Final

from typer import Option

from tallymark.cli.documents import print_json, table_document
from tallymark.cli.endings import Ending
from tallymark.cli.grid import print_grid, widths_of
from tallymark.cli.inputs import RESULTS
from tallymark.cli.ledger.correcting import Matches, OnePool, match_id, one_pool
from tallymark.cli.ledger.opening import AsJson, Where, opened
from tallymark.cli.progress import Meter
from tallymark.cli.words import console, counted, labels, number, say

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark.games.ids import Id
    from tallymark.ledger.imagined import Moves

_TOP: Final = 20


def without(
    matches: Matches,
    ledger: Where = None,
    pool: OnePool = None,
    top: Annotated[
        int, Option(min=0, metavar="N", rich_help_panel=RESULTS, help="How many of those who move most to show.")
    ] = _TOP,
    as_json: AsJson = False,
) -> int:
    """Who would stand where, had some matches never been: all the others are rated again. Nothing is changed.

    For example:

    $ tallymark ledger without 1 --ledger club.db
    """
    meter = Meter(quiet=as_json)
    with opened(ledger) as found:
        of = one_pool(found, pool)
        with meter.stage("rating again"):
            told = found.without(of, [match_id(found, of, one) for one in matches])
        names = found.names(told.moves["player"].tolist())
    meter.finish()
    if as_json:
        moves = table_document(told.moves, top)
        print_json({"pool": of, "position": told.position, "players": told.players, "moves": moves})
    else:
        _print(console(), told, names, top)
    return Ending.DONE


def _print(out: "Console", told: "Moves", names: "dict[Id, str]", top: int) -> None:
    say(out, f"{counted(len(told.moves), 'player')} of {told.players:,} would stand elsewhere")
    moves = told.moves.head(top)
    if not len(moves):
        return
    label = labels(names or None)
    columns = {"player": [label(player) for player in moves["player"].tolist()]}
    for name, column in (("rating", "rating"), ("then", "new_rating"), ("change", "change")):
        columns[name] = ["-" if value is None else number(value, 1) for value in moves[column].tolist()]
    for name, column in (("rank", "rank"), ("then ", "new_rank")):
        columns[name] = ["-" if value is None else str(value) for value in moves[column].tolist()]
    say(out)
    print_grid(out, columns, widths_of(columns), tuple(columns)[1:])
