"""`tallymark predict`: what is expected of games to come, from a file of games or a snapshot."""

from dataclasses import replace
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from tallymark.cli.completion import methodology_names
from tallymark.cli.documents import log_document, print_json, rules_document, table_document
from tallymark.cli.endings import Ending, usage
from tallymark.cli.expecting import Expecting
from tallymark.cli.inputs import READING, RESULTS, RULES, ForSpreadsheets, Inputs, read_from, reading
from tallymark.cli.options import Outputs, rules_of, snapshot_from
from tallymark.cli.outcome import print_report
from tallymark.cli.progress import Meter
from tallymark.cli.retold import retold
from tallymark.cli.words import console, counted, number, say, shown_id

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark import Methodology, Replay, Snapshot, Table
    from tallymark.games.fixtures import Fixtures

_DEFAULT = "paper"
_TOP = 20
_NAME = (12, 40)
"""Shortest and longest line of a name that is folded."""
_NOTE = 24
"""Shortest line of a note."""
_EXAMPLE = "for example: tallymark predict ann bob --games games.csv"


def _predict(
    inputs: Inputs,
    who: Annotated[
        list[str],
        Argument(
            metavar="PLAYER PLAYER | FIXTURES",
            show_default=False,
            help="Two players; or a file of games to come with player_a, player_b and perhaps played_at and pool.",
        ),
    ],
    start: Annotated[
        Path | None,
        Option(
            "--from",
            metavar="SNAPSHOT",
            readable=False,
            rich_help_panel=READING,
            help="Ratings as tallymark rate --save wrote them; with --games, gone on from.",
        ),
    ] = None,
    methodology: Annotated[
        str | None,
        Option(
            "--methodology",
            "-m",
            metavar="NAME|FILE.toml",
            autocompletion=methodology_names,
            rich_help_panel=RULES,
            help=f"The rules (default {_DEFAULT}, or those of the snapshot).",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        Option(
            "--set", metavar="KEY=VALUE", rich_help_panel=RULES, help="Change a rule: tau=0.3, period=7d. Repeatable."
        ),
    ] = None,
    at: Annotated[
        str | None,
        Option(metavar="TIME", help="When the games are played, where no fixture says it. Default: as soon as can be."),
    ] = None,
    within: Annotated[
        str | None, Option("--in", metavar="POOL", help="The pool they meet in, where there are several.")
    ] = None,
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            readable=False,
            rich_help_panel=RESULTS,
            help="Write all of it: .csv, .parquet or .json.",
        ),
    ] = None,
    for_spreadsheets: ForSpreadsheets = False,
    top: Annotated[int, Option(min=0, metavar="N", rich_help_panel=RESULTS, help="How many games to show.")] = _TOP,
    as_json: Annotated[
        bool, Option("--json", rich_help_panel=RESULTS, help="Print one JSON document instead, with all games.")
    ] = False,
) -> int:
    """What to expect of games to come: the score of each player_a, from 0 to 1, by the ratings as they will be then.

    A win counts 1 and a draw one half; how likely a draw is, ratings do not say. Deviations are aged to the game, and
    who is new starts as the methodology says.

    For example:

    $ tallymark predict ann bob --games games.csv

    $ tallymark predict fixtures.csv --games games.csv -m lichess -o expected.csv

    $ tallymark predict ann bob --from ladder.snapshot --at 2026-03-01
    """
    if len(who) > 2:
        raise usage(f"{len(who)} words for two players or one file", f"{_EXAMPLE}; a name with blanks is in quotes")
    fixtures_file = Path(who[0]) if len(who) == 1 else None
    if start is None and not inputs.files:
        raise usage("from which games?", f"give --games FILE or --from SNAPSHOT; {_EXAMPLE}")
    outputs = Outputs({"--output": output}, for_spreadsheets=for_spreadsheets)
    read = [*inputs.paths(), *([start] if start else []), *([fixtures_file] if fixtures_file else [])]
    outputs.check([*read, *([Path(methodology)] if methodology and methodology.endswith(".toml") else [])])
    snapshot = None if start is None else snapshot_from(start)
    rules = _rules(methodology, settings or [], snapshot)
    fixtures = None if fixtures_file is None else _fixtures(inputs, fixtures_file)
    result = _known(inputs, rules, snapshot, Meter(quiet=as_json))
    asked = Expecting(result, snapshot, at, within)
    expected = asked.of_two(who[0], who[1]) if fixtures is None else asked.of_all(fixtures)
    written = outputs.write({"--output": lambda: outputs.table(expected)})
    reports = [*([fixtures.report] if fixtures else []), *([result.log.report] if inputs.files else [])]
    if as_json:
        print_json(
            {
                "methodology": rules_document(rules),
                "from": None if start is None else str(start),
                "games": log_document(result.log.report) if inputs.files else None,
                "fixtures": None if fixtures is None else log_document(fixtures.report),
                "notes": list(asked.notes),
                "predictions": table_document(expected),
                "written": list(written),
            }
        )
    else:
        out = console()
        if inputs.files:
            print_report(out, read_from(result.log), result.log.report)
        if fixtures is not None:
            print_report(out, str(fixtures_file), fixtures.report)
        say(out, f"{rules.id}: {rules.title}{_by_default(methodology, snapshot)}", style="dim")
        for note in asked.notes:
            say(out, f"note: {note}")
        _print(out, expected, rules, top)
        for path in written:
            say(out, f"written: {path}")
    return Ending.ROWS_LEFT_OUT if any(one.held or one.rejected for one in reports) else Ending.DONE


def _rules(name: str | None, settings: list[str], start: "Snapshot | None") -> "Methodology":
    """The rules that were named, else those of the snapshot, else the default."""
    if name is not None or start is None or start.methodology_id is None:
        return rules_of(name or _DEFAULT, settings)
    from tallymark import UnknownMethodologyError

    try:
        return rules_of(start.methodology_id, settings)
    except UnknownMethodologyError:
        message = f"the snapshot is of {start.methodology_id}, which is not shipped"
        raise usage(message, "give its rules again: -m, and --set where it is a variant") from None


def _known(inputs: Inputs, rules: "Methodology", start: "Snapshot | None", meter: Meter) -> "Replay":
    from tallymark import GameLog, replay

    log = inputs.log(meter) if inputs.files else GameLog.from_arrays(player_a=[], player_b=[], score_a=[])
    return replay(log, rules, start)


def _fixtures(inputs: Inputs, file: Path) -> "Fixtures":
    from tallymark.games.fixtures import read_fixtures

    said = inputs.options()
    with replace(inputs, files=(file,)).explaining():
        return read_fixtures(
            file,
            columns=said["columns"],
            delimiter=said["delimiter"],
            encoding=said["encoding"],
            times=said["times"],
            zone=said["zone"],
            aliases=said["aliases"],
        )


def _by_default(name: str | None, start: "Snapshot | None") -> str:
    if name is not None:
        return ""
    if start is not None and start.methodology_id is not None:
        return " (the snapshot's)"
    return f" ({_DEFAULT} is the default; -m chooses)"


def _print(out: "Console", expected: "Table", rules: "Methodology", top: int) -> None:
    from tallymark.cli.grid import fitted, print_grid, widths_of

    shown = expected.head(top)
    say(out)
    first = f"; the first {len(shown):,}" if len(shown) < len(expected) else ""
    say(out, f"{counted(len(expected), 'game')} to come{first}", style="bold")
    columns: dict[str, list[str]] = {}
    if set(expected["pool"].tolist()) != {""}:
        columns["pool"] = [shown_id(name) for name in shown["pool"].tolist()]
    if rules.period.kind == "calendar" or rules.ageing.kind != "none":
        columns["at"] = [_moment(instant) for instant in shown["at"].tolist()]
    for side in ("a", "b"):
        columns[f"player_{side}"] = [shown_id(one) for one in shown[f"player_{side}"].tolist()]
        both = zip(shown[f"rating_{side}"].tolist(), shown[f"provisional_{side}"].tolist(), strict=True)
        columns[f"rating_{side} "] = [number(rating, 0) + ("?" if open_ else " ") for rating, open_ in both]
        if rules.system.has_deviation:
            columns[f"RD_{side}"] = [number(deviation, 0) for deviation in shown[f"deviation_{side}"].tolist()]
        if side == "a":
            columns["expected"] = [number(p) for p in shown["p_a"].tolist()]
    notes = shown["note"].tolist()
    if any(notes):
        columns["note"] = notes
    if len(shown):
        widths = widths_of(columns)
        widths |= {name: min(widths[name], _NAME[1]) for name in ("player_a", "player_b")}
        widths = fitted(out, widths, {"note": _NOTE, "player_a": _NAME[0], "player_b": _NAME[0]})
        texts = ("pool", "at", "player_a", "player_b", "note")
        print_grid(out, columns, widths, [head for head in columns if head not in texts])
    if any(shown["provisional_a"].tolist() + shown["provisional_b"].tolist()):
        say(out, "? provisional", style="dim")
    say(out, "expected: the score of player_a, from 0 (lost) to 1 (won); a draw counts one half", style="dim")


def _moment(instant: datetime | None) -> str:
    """An instant as a day, with its time where it is not midnight."""
    if instant is None:
        return "-"
    return f"{instant:%Y-%m-%d}" if instant.time() == time() else f"{instant:%Y-%m-%dT%H:%M:%S}Z"


_FILES = Annotated[
    list[Path] | None,
    Option(
        "--games",
        "-g",
        metavar="FILE",
        readable=False,
        rich_help_panel=READING,
        help="Games to learn the ratings from, as tallymark rate reads them. Repeatable.",
    ),
]
predict = retold(reading(_predict), files=_FILES)
