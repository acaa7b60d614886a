"""`tallymark rate`: files of games to a board of ratings, and how well they predicted."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from tallymark.cli.completion import methodology_names
from tallymark.cli.documents import Json, log_document, print_json, rules_document, score_document
from tallymark.cli.endings import Ending, hinting, usage
from tallymark.cli.inputs import RESULTS, RULES, ForSpreadsheets, Inputs, Rejects, Settings, read_from, reading
from tallymark.cli.options import DEFAULT, Outputs, rules_of
from tallymark.cli.outcome import Outcome, print_report
from tallymark.cli.progress import Meter
from tallymark.cli.scores import predicted_nothing, print_comparison
from tallymark.cli.start import Start, Started, starting
from tallymark.cli.words import console, counted, say
from tallymark.errors import SnapshotError

if TYPE_CHECKING:
    from tallymark import GameLog, Methodology, Replay, Score, Snapshot

_TOP = 20


class EngineName(StrEnum):
    """The engines by name."""

    auto = "auto"
    interpreted = "interpreted"
    compiled = "compiled"


@reading
@starting
def rate(
    inputs: Inputs,
    start: Start,
    methodology: Annotated[
        list[str] | None,
        Option(
            "--methodology",
            "-m",
            metavar="NAME|FILE.toml",
            autocompletion=methodology_names,
            rich_help_panel=RULES,
            help=f"The rules (default {DEFAULT}). Several, to compare how well each predicts.",
        ),
    ] = None,
    settings: Settings = None,
    engine: Annotated[
        EngineName,
        Option(rich_help_panel=RULES, help="The bits are the same; compiled is faster where there are many games."),
    ] = EngineName.auto,
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            readable=False,
            rich_help_panel=RESULTS,
            help="Write the ratings: .csv, .parquet or .json.",
        ),
    ] = None,
    history: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            readable=False,
            rich_help_panel=RESULTS,
            help="Write each game's ratings before and after, in such a file.",
        ),
    ] = None,
    predictions: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            readable=False,
            rich_help_panel=RESULTS,
            help="Write the prediction made before each game, in such a file.",
        ),
    ] = None,
    rejects: Rejects = None,
    for_spreadsheets: ForSpreadsheets = False,
    save: Annotated[
        Path | None,
        Option(
            metavar="SNAPSHOT",
            readable=False,
            rich_help_panel=RESULTS,
            help="Write where this stopped, to go on from.",
        ),
    ] = None,
    at: Annotated[
        str | None,
        Option(
            metavar="TIME", rich_help_panel=RESULTS, help="Ratings aged to this time, such as 2026-11-29T12:00:00Z."
        ),
    ] = None,
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
    """Rate the games of files, and score the predictions the ratings made before each game.

    For example:

    $ tallymark rate games.csv

    $ tallymark rate 'seasons/*.csv' -m elo -o ratings.csv --rejects rejects.csv

    $ tallymark rate club.csv --columns played_at=Date,player_a=White --set period=7d

    $ tallymark rate games.csv --initial federation.csv --initial-columns player=id,rating=std
    """
    from tallymark.cli.board import published

    names = methodology or [DEFAULT]
    asked = {"--output": output, "--history": history, "--predictions": predictions, "--save": save}
    outputs = Outputs({**asked, "--rejects": rejects}, {"--save": ()}, for_spreadsheets)
    if len(names) > 1:
        alone = {"--from": start.from_, "--at": at, "--top": top, **asked}
        given = [option for option, value in alone.items() if value is not None]
        if given:
            raise usage(
                f"{' and '.join(given)} with {len(names)} methodologies",
                f"a comparison has no board: once with each -m, such as -m {names[0]}, or compare without",
            )
    tomls = [Path(name) for name in names if name.endswith(".toml")]
    outputs.check([*inputs.paths(), *tomls, *start.lists()], start.from_)
    rules = [rules_of(name, settings or []) for name in names]
    started = start.read()
    meter = Meter(quiet=as_json)
    started, log = started.meeting(inputs.log(meter), inputs)
    if len(rules) > 1:
        _compare(log, rules, engine, started, outputs, meter, as_json)
    else:
        with meter.stage("rating", f" {counted(len(log), 'game')} under {rules[0].id}"):
            result, score = _rated(log, rules[0], engine, started.snapshot)
        with hinting("for example --at 2026-11-29"):
            ratings = result.ratings if at is None else result.ratings_at(at)
        with meter.stage("writing"):
            written = outputs.write(
                {
                    "--output": lambda: outputs.table(published(ratings, rules[0], result.log.names)),
                    "--history": lambda: outputs.history(result),
                    "--predictions": lambda: outputs.table(result.predictions),
                    "--save": lambda: result.snapshot().save,
                    "--rejects": lambda: outputs.table(log.report.problems),
                }
            )
        meter.finish()
        outcome = Outcome(read_from(log), result, score, ratings, started, written, by_default=not methodology)
        if as_json:
            print_json(outcome.document(top))
        else:
            outcome.print(console(), _TOP if top is None else top)
    left_out = log.report.held or log.report.rejected or started.rows_left_out
    return Ending.ROWS_LEFT_OUT if left_out else Ending.DONE


def _rated(
    log: "GameLog", rules: "Methodology", engine: EngineName, start: "Snapshot | None" = None
) -> "tuple[Replay, Score]":
    from tallymark import replay, score

    try:
        result = replay(log, rules, start, predictions=True, engine=engine.value)
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


def _compare(
    log: "GameLog",
    rules: "list[Methodology]",
    engine: EngineName,
    started: Started,
    outputs: Outputs,
    meter: Meter,
    as_json: bool,
) -> None:
    results = []
    for one in rules:
        with meter.stage("rating", f" {counted(len(log), 'game')} under {one.id}"):
            results.append(_rated(log, one, engine, started.snapshot))
    written = outputs.write({"--rejects": lambda: outputs.table(log.report.problems)})
    meter.finish()
    if as_json:
        each: list[Json] = [
            {"methodology": rules_document(result.methodology), "score": score_document(score)}
            for result, score in results
        ]
        initial = None if started.listed is None else started.listed.document()
        print_json(
            {"report": log_document(log.report), "initial": initial, "methodologies": each, "written": list(written)}
        )
    else:
        out = console()
        print_report(out, read_from(log), log.report)
        started.print(out, rules)
        print_comparison(out, results)
        if started.snapshot is None:
            for line in predicted_nothing([result for result, _ in results]):
                say(out, line)
        for path in written:
            say(out, f"written: {path}")
