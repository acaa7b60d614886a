"""`tallymark methodology try`: other rules on the real matches of a ledger, before they are announced."""

from typing import TYPE_CHECKING, Annotated, Final

from typer import Argument, Option

from tallymark.cli.completion import methodology_names
from tallymark.cli.documents import Json, print_json, rules_document, score_document, table_document
from tallymark.cli.endings import Ending, usage
from tallymark.cli.grid import print_grid, widths_of
from tallymark.cli.inputs import RESULTS, Settings
from tallymark.cli.ledger.opening import PANEL, AsJson, Where, chosen, opened
from tallymark.cli.options import rules_of
from tallymark.cli.progress import Meter
from tallymark.cli.scores import score_words
from tallymark.cli.words import console, labels, number, say

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark.games.ids import Id
    from tallymark.ledger.trying import Trial

_TOP: Final = 10


def try_(
    name: Annotated[
        str,
        Argument(metavar="NAME|FILE.toml", autocompletion=methodology_names, help="The rules to try."),
    ],
    ledger: Where = None,
    pool: Annotated[
        str | None,
        Option("--pool", metavar="NAME", rich_help_panel=PANEL, help="The pool (default: the only one)."),
    ] = None,
    settings: Settings = None,
    top: Annotated[
        int, Option(min=0, metavar="N", rich_help_panel=RESULTS, help="How many of those who move most to show.")
    ] = _TOP,
    as_json: AsJson = False,
) -> int:
    """Replay a pool's own matches under other rules: who would move, and would predictions be better? Nothing changes.

    For example:

    $ tallymark methodology try arena-v1-draft --ledger arena.db
    """
    rules = rules_of(name, settings or [])
    meter = Meter(quiet=as_json)
    with opened(ledger) as found:
        pools = chosen(found, pool)
        if len(pools) != 1:
            raise usage(f"the ledger has {len(pools)} pools", "try the rules on one of them: --pool NAME")
        with meter.stage("replaying"):
            trial = found.try_rules(pools[0], rules)
        names = found.names(trial.moves["player"].tolist())
    meter.finish()
    if as_json:
        print_json(_document(trial, pools[0], top))
    else:
        _print(console(), trial, names, top)
    return Ending.DONE


def _print(out: "Console", trial: "Trial", names: "dict[Id, str]", top: int) -> None:
    for rules, rated, score in zip((trial.now, trial.new), trial.rated, trial.scores, strict=True):
        say(out, f"{rules.id}: {rated:,} of {trial.games:,} games rated; {score_words(score)}")
    say(out, f"{trial.new.id} predicts {'better' if trial.improves else 'no better'}")
    moves = trial.moves.head(top)
    if not len(moves):
        return
    label = labels(names or None)
    columns = {
        "player": [label(player) for player in moves["player"].tolist()],
        "rating": [_shown(value) for value in moves["rating"].tolist()],
        "then": [_shown(value) for value in moves["new_rating"].tolist()],
        "change": [_shown(value) for value in moves["change"].tolist()],
        "rank": ["-" if rank is None else str(rank) for rank in moves["rank"].tolist()],
        "then ": ["-" if rank is None else str(rank) for rank in moves["new_rank"].tolist()],
    }
    say(out)
    print_grid(out, columns, widths_of(columns), ("rating", "then", "change", "rank", "then "))


def _shown(value: float | None) -> str:
    return "-" if value is None else number(value, 0)


def _document(trial: "Trial", pool: str, top: int) -> Json:
    sides: list[Json] = [
        {"methodology": rules_document(rules), "rated": rated, "score": score_document(score)}
        for rules, rated, score in zip((trial.now, trial.new), trial.rated, trial.scores, strict=True)
    ]
    return {
        "pool": pool,
        "games": trial.games,
        "now": sides[0],
        "new": sides[1],
        "improves": trial.improves,
        "moves": table_document(trial.moves, top),
    }
