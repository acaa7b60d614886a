"""`tallymark rate`: a file of games to a board of ratings, and how well they predicted."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from tallymark.cli.documents import Json, log_document, print_json, rules_document, score_document
from tallymark.cli.endings import Ending, hinting, usage
from tallymark.cli.options import FileForm, Outputs, delimiter_of, games_from, parse_pairs, rules_of, snapshot_from
from tallymark.cli.outcome import Outcome, print_report
from tallymark.cli.scores import print_comparison
from tallymark.cli.words import console
from tallymark.errors import SnapshotError

if TYPE_CHECKING:
    from tallymark import GameLog, Methodology, Replay, Score, Snapshot

# Files are not looked at by typer (`readable=False`): one that cannot be read is no wrong usage.
_DEFAULT = "paper"
_TOP = 20


class EngineName(StrEnum):
    """The engines by name."""

    auto = "auto"
    interpreted = "interpreted"
    compiled = "compiled"


def rate(
    file: Annotated[
        Path, Argument(metavar="FILE", readable=False, help="Games: CSV (also .csv.gz) with a header, or Parquet.")
    ],
    methodology: Annotated[
        list[str] | None,
        Option(
            "--methodology",
            "-m",
            metavar="NAME|FILE.toml",
            help=f"The rules (default {_DEFAULT}). Several, to compare how well each predicts.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None, Option("--set", metavar="KEY=VALUE", help="Change a rule: tau=0.3, period=7d. Repeatable.")
    ] = None,
    columns: Annotated[
        list[str] | None,
        Option(metavar="NAME=COLUMN,...", help="What the file calls a column: played_at=date,player_a=Home."),
    ] = None,
    results: Annotated[
        list[str] | None,
        Option(metavar="CELL=WORD,...", help="What a cell of results means: bothbad=draw. Also win and loss."),
    ] = None,
    delimiter: Annotated[
        str | None,
        Option(
            metavar="CHARACTER", help="Between the cells of a text file, tab for a tab (default , and tab in .tsv)."
        ),
    ] = None,
    encoding: Annotated[
        str, Option(metavar="NAME", help="Of a text file that is not UTF-8, such as cp1252.")
    ] = "utf-8",
    output: Annotated[
        Path | None,
        Option("--output", "-o", metavar="FILE", readable=False, help="Write the ratings: .csv, .parquet or .json."),
    ] = None,
    history: Annotated[
        Path | None,
        Option(metavar="FILE", readable=False, help="Write each game's ratings before and after, in such a file."),
    ] = None,
    predictions: Annotated[
        Path | None,
        Option(metavar="FILE", readable=False, help="Write the prediction made before each game, in such a file."),
    ] = None,
    start: Annotated[
        Path | None,
        Option("--from", metavar="SNAPSHOT", readable=False, help="Go on from what --save wrote of the games before."),
    ] = None,
    save: Annotated[
        Path | None, Option(metavar="SNAPSHOT", readable=False, help="Write where this stopped, to go on from.")
    ] = None,
    at: Annotated[
        str | None, Option(metavar="TIME", help="Ratings aged to this time, such as 2026-11-29T12:00:00Z.")
    ] = None,
    top: Annotated[
        int | None, Option(min=0, metavar="N", help=f"How many players of each pool to show (default {_TOP}).")
    ] = None,
    engine: Annotated[
        EngineName, Option(help="The bits are the same; compiled is faster where there are many games.")
    ] = EngineName.auto,
    as_json: Annotated[
        bool, Option("--json", help="Print one JSON document instead, with all players unless --top is given.")
    ] = False,
) -> int:
    """Rate the games of a file, and score the predictions the ratings made before each game."""
    names = methodology or [_DEFAULT]
    outputs = Outputs(ratings=output, history=history, predictions=predictions, snapshot=save)
    if len(names) > 1:
        alone = {"--from": start, "--at": at, "--top": top, **outputs.named()}
        given = [option for option, value in alone.items() if value is not None]
        if given:
            raise usage(f"{' and '.join(given)} with {len(names)} methodologies", "give one -m, or compare them alone")
    outputs.check([file, *(Path(name) for name in names if name.endswith(".toml"))], start)
    form = FileForm(
        parse_pairs("--columns", columns or []),
        parse_pairs("--results", results or []),
        delimiter_of(delimiter),
        encoding,
    )
    rules = [rules_of(name, settings or []) for name in names]
    snapshot = None if start is None else snapshot_from(start)
    log = games_from(file, form)
    if len(rules) > 1:
        _compare(file, log, rules, engine, as_json)
    else:
        result, score = _rated(log, rules[0], engine, snapshot, outputs.history is not None)
        with hinting("for example --at 2026-11-29"):
            ratings = result.ratings if at is None else result.ratings_at(at)
        written = outputs.write(
            {
                "--output": lambda: ratings,
                "--history": lambda: result.history,
                "--predictions": lambda: result.predictions,
                "--save": result.snapshot,
            }
        )
        outcome = Outcome(file, result, score, ratings, snapshot, written, by_default=not methodology)
        if as_json:
            print_json(outcome.document(top))
        else:
            outcome.print(console(), _TOP if top is None else top)
    return Ending.ROWS_LEFT_OUT if log.report.held or log.report.rejected else Ending.DONE


def _rated(
    log: "GameLog", rules: "Methodology", engine: EngineName, start: "Snapshot | None" = None, history: bool = False
) -> "tuple[Replay, Score]":
    from tallymark import replay, score

    try:
        result = replay(log, rules, start, history, predictions=True, engine=engine.value)
    except SnapshotError as error:
        if start is not None and start.methodology_hash not in (None, rules.hash):
            error.hint = f"{_rules_again(start)} goes on from it; other rules need the whole log"
        raise
    return result, score(result.predictions)


def _rules_again(start: "Snapshot") -> str:
    """The options that give the rules of a snapshot again. Of a variant, and of a file, the id alone does not."""
    from tallymark import shipped

    base, variant, _ = (start.methodology_id or "").partition("+")
    of = base if base in {rules.id for rules in shipped()} else f"with the file of {base} as it was"
    return f"-m {of}{' and the same --set' if variant else ''}"


def _compare(file: Path, log: "GameLog", rules: "list[Methodology]", engine: EngineName, as_json: bool) -> None:
    results = [_rated(log, one, engine) for one in rules]
    if as_json:
        each: list[Json] = [
            {"methodology": rules_document(result.methodology), "score": score_document(score)}
            for result, score in results
        ]
        print_json({"report": log_document(log.report), "methodologies": each})
    else:
        out = console()
        print_report(out, file, log.report)
        print_comparison(out, results)
