"""`tallymark predict`: what is expected of games to come, from a file of games or a snapshot."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from typer import Argument, Option

from tallymark.cli.completion import methodology_names
from tallymark.cli.documents import log_document, print_json, rules_document, table_document
from tallymark.cli.endings import CommandError, Ending, usage
from tallymark.cli.expecting import Expecting
from tallymark.cli.hints import own
from tallymark.cli.inputs import READING, RESULTS, RULES, ForSpreadsheets, Inputs, Settings, read_from, reading
from tallymark.cli.options import DEFAULT, Outputs, parse_pairs, rules_going_on
from tallymark.cli.outcome import print_report
from tallymark.cli.progress import Meter
from tallymark.cli.retold import retold
from tallymark.cli.start import Start, starting
from tallymark.cli.words import console, counted, labels, number, say, shown_id, with_names
from tallymark.errors import TallymarkError

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark import GameLog, Methodology, Snapshot, Table
    from tallymark.games.fixtures import Fixtures
    from tallymark.games.provenance import Options

FIXTURES: Final = "Games to come"
"""The panel of `--help` for how a file of games to come is read."""
_TOP = 20
_NAME = (12, 40)
"""Shortest and longest line of a name that is folded."""
_NOTE = 24
"""Shortest line of a note."""
_EXAMPLE = "for example: tallymark predict ann bob --games games.csv"


def _predict(
    inputs: Inputs,
    start: Start,
    who: Annotated[
        list[str],
        Argument(
            metavar="PLAYER PLAYER | FIXTURES",
            show_default=False,
            help="Two players; or a file of games to come with player_a, player_b and perhaps played_at and pool.",
        ),
    ],
    methodology: Annotated[
        str | None,
        Option(
            "--methodology",
            "-m",
            metavar="NAME|FILE.toml",
            autocompletion=methodology_names,
            rich_help_panel=RULES,
            help=f"The rules (default {DEFAULT}, or those of the snapshot).",
        ),
    ] = None,
    settings: Settings = None,
    fixtures_columns: Annotated[
        list[str] | None,
        Option(
            metavar="NAME=COLUMN,...",
            rich_help_panel=FIXTURES,
            help="What the file of games to come calls a column: player_a=Heim. --columns is of the games.",
        ),
    ] = None,
    fixtures_encoding: Annotated[
        str, Option(metavar="NAME", rich_help_panel=FIXTURES, help="Of such a file that is not UTF-8.")
    ] = "utf-8",
    fixtures_times: Annotated[
        str | None, Option(metavar="FORM", rich_help_panel=FIXTURES, help="How its times are written, as for --times.")
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

    $ tallymark predict plan.csv --fixtures-columns player_a=Heim,player_b=Gast --games games.csv

    $ tallymark predict ann bob --from ladder.snapshot --at 2026-03-01
    """
    from tallymark import replay

    if len(who) > 2:
        raise usage(f"{len(who)} words for two players or one file", f"{_EXAMPLE}; a name with blanks is in quotes")
    fixtures_file = Path(who[0]) if len(who) == 1 else None
    if start.from_ is None and start.initial is None and not inputs.files:
        raise usage("from which games?", f"give --games FILE or --from SNAPSHOT; {_EXAMPLE}")
    said: Options = {
        "columns": parse_pairs("--fixtures-columns", fixtures_columns or []),
        "encoding": fixtures_encoding,
        "times": fixtures_times,
    }
    if fixtures_file is None and any(value for name, value in said.items() if (name, value) != ("encoding", "utf-8")):
        raise usage("two players are no file of games to come", "leave --fixtures-... out")
    outputs = Outputs({"--output": output}, for_spreadsheets=for_spreadsheets)
    read = [*inputs.paths(), *([start.from_] if start.from_ else []), *start.lists()]
    read += [fixtures_file] if fixtures_file else []
    outputs.check([*read, *([Path(methodology)] if methodology and methodology.endswith(".toml") else [])])
    started = start.read()
    rules = rules_going_on(methodology, settings or [], started.going_on)
    fixtures = None if fixtures_file is None else _fixtures(inputs, fixtures_file, said)
    log = _games(inputs, Meter(quiet=as_json))
    if inputs.files:
        started, log = started.meeting(log, inputs)
    result = replay(log, rules, started.snapshot)
    asked = Expecting(result, started.snapshot, at, within)
    expected = asked.of_two(who[0], who[1]) if fixtures is None else asked.of_all(fixtures)
    expected = with_names(expected, log.names, {"player_a": "name_a", "player_b": "name_b"})
    written = outputs.write({"--output": lambda: outputs.table(expected)})
    reports = [*([fixtures.report] if fixtures else []), *([result.log.report] if inputs.files else [])]
    if as_json:
        print_json(
            {
                "methodology": rules_document(rules),
                "from": None if start.from_ is None else str(start.from_),
                "initial": None if started.listed is None else started.listed.document(),
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
        started.print(out, [rules])
        say(out, f"{rules.id}: {rules.title}{_by_default(methodology, started.going_on)}", style="dim")
        for note in asked.notes:
            say(out, f"note: {note}")
        _print(out, expected, rules, top, labels(log.names))
        for path in written:
            say(out, f"written: {path}")
    left_out = started.rows_left_out or any(one.held or one.rejected for one in reports)
    return Ending.ROWS_LEFT_OUT if left_out else Ending.DONE


def _games(inputs: Inputs, meter: Meter) -> "GameLog":
    from tallymark import GameLog

    return inputs.log(meter) if inputs.files else GameLog.from_arrays(player_a=[], player_b=[], score_a=[])


def _fixtures(inputs: Inputs, file: Path, said: "Options") -> "Fixtures":
    """The games to come of a file, by what was said about it; the zone and the names are those of the games."""
    from tallymark.games.fixtures import read_fixtures

    columns, encoding, times = said["columns"], said["encoding"], said["times"]
    try:
        with replace(inputs, files=(file,), columns=columns).explaining():
            return read_fixtures(
                file, columns=columns, encoding=encoding, times=times, zone=inputs.zone, aliases=inputs.aliases
            )
    except (CommandError, TallymarkError) as error:
        error.hint = error.hint and own("fixtures", error.hint)
        raise


def _by_default(name: str | None, start: "Snapshot | None") -> str:
    if name is not None:
        return ""
    if start is not None and start.methodology_id is not None:
        return " (the snapshot's)"
    return f" ({DEFAULT} is the default; -m chooses)"


def _print(
    out: "Console", expected: "Table", rules: "Methodology", top: int, label: Callable[[str | int], str]
) -> None:
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
        columns[f"player_{side}"] = [label(one) for one in shown[f"player_{side}"].tolist()]
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
predict = retold(reading(starting(_predict)), files=_FILES)
