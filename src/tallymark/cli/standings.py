"""`tallymark standings`: the points table of files of games, on the terminal, as a page to print, as a table."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from tallymark.cli.completion import methodology_names, tie_break_names
from tallymark.cli.documents import log_document, print_json, rules_document, table_document
from tallymark.cli.endings import Ending, hinting, usage
from tallymark.cli.inputs import READING, RESULTS, RULES, ForSpreadsheets, Inputs, Settings, read_from, reading
from tallymark.cli.options import Outputs, rules_going_on
from tallymark.cli.outcome import print_report
from tallymark.cli.progress import Meter
from tallymark.cli.retold import retold
from tallymark.cli.start import Start, starting
from tallymark.cli.words import console, counted, labels, number, say, shown_id, with_names

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark import GameLog, Methodology, Table

HEADS = {
    "rank": "#",
    "player": "player",
    "games": "games",
    "wins": "won",
    "draws": "drawn",
    "losses": "lost",
    "unplayed": "unplayed",
    "points": "points",
    "direct": "direct",
    "sonneborn_berger": "S-B",
    "buchholz": "Buchholz",
    "rating": "rating ",
    "deviation": "RD",
}
"""What the columns are called where people read them. A column `wins` of tie-breaks is that of the table itself."""
Label = Callable[[str | int], str]
"""How a player is shown."""
_NAME = (12, 40)
"""Shortest and longest line of a name that is folded."""
_SINCE = Annotated[
    str | None,
    Option(
        metavar="TIME", rich_help_panel=READING, help="Count games from this time on, 2026-01-01; ratings know all."
    ),
]
_UNTIL = Annotated[
    str | None,
    Option(metavar="TIME", rich_help_panel=READING, help="Count games before this time; ratings know no later ones."),
]


def _standings(
    inputs: Inputs,
    start: Start,
    methodology: Annotated[
        str | None,
        Option(
            "--methodology",
            "-m",
            metavar="NAME|FILE.toml",
            autocompletion=methodology_names,
            rich_help_panel=RULES,
            help="Ratings beside the points, by these rules.",
        ),
    ] = None,
    settings: Settings = None,
    points: Annotated[
        str, Option(metavar="W-D-L", rich_help_panel=RULES, help="What a win, a draw and a loss are worth: 3-1-0.")
    ] = "1-1/2-0",
    tie_breaks: Annotated[
        str,
        Option(
            "--tie-breaks",
            metavar="NAME,...",
            autocompletion=tie_break_names,
            rich_help_panel=RULES,
            help="What orders equal points: direct, wins, sonneborn-berger, buchholz; else a rank is shared.",
        ),
    ] = "",
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            readable=False,
            rich_help_panel=RESULTS,
            help="Write the table: .csv, .parquet or .json.",
        ),
    ] = None,
    for_spreadsheets: ForSpreadsheets = False,
    html: Annotated[
        Path | None,
        Option(
            "--html",
            metavar="FILE",
            readable=False,
            rich_help_panel=RESULTS,
            help="Write a page to print or to publish, in one file.",
        ),
    ] = None,
    title: Annotated[
        str, Option(metavar="TEXT", rich_help_panel=RESULTS, help="What stands above the page.")
    ] = "Standings",
    top: Annotated[
        int | None,
        Option(
            min=0, metavar="N", rich_help_panel=RESULTS, help="How many players of each pool to show (default all)."
        ),
    ] = None,
    as_json: Annotated[
        bool, Option("--json", rich_help_panel=RESULTS, help="Print one JSON document instead.")
    ] = False,
) -> int:
    """The points table of files of games: played, won, drawn, lost, points; with -m the ratings beside them.

    A walkover or a bye gives its points and is no game; what was aborted or annulled counts for nothing.

    For example:

    $ tallymark standings games.csv

    $ tallymark standings games.csv --points 3-1-0 --tie-breaks direct,wins -m lichess

    $ tallymark standings games.csv --since 2026-01-01 --html table.html --title 'Spring ladder'
    """
    from tallymark import standings as table_of

    outputs = Outputs({"--output": output, "--html": html}, {"--html": (".html", ".htm")}, for_spreadsheets)
    tomls = [Path(methodology)] if methodology and methodology.endswith(".toml") else []
    outputs.check([*inputs.paths(), *tomls, *start.lists(), *([start.from_] if start.from_ else [])])
    if start.initial is not None and methodology is None:
        raise usage("--initial is what ratings start from, and none are asked for", "name their rules: -m paper")
    started = start.read()
    rules = None
    if methodology is not None or started.going_on is not None:
        rules = rules_going_on(methodology, settings or [], started.going_on)
    elif settings:
        raise usage("--set changes rules, and no ratings are asked for", "name them: -m paper")
    log = replace(inputs, since=None, until=None).log(Meter(quiet=as_json))
    started, log = started.meeting(log, inputs)
    with hinting("--points 3-1-0, --tie-breaks direct,wins, --since 2026-01-01"):
        table = table_of(
            log,
            rules,
            points=points,
            tie_breaks=tie_breaks,
            since=inputs.since,
            until=inputs.until,
            start=started.snapshot,
        )
    table = with_names(table, log.names)
    label = labels(log.names)
    facts = list(_facts(table, log, rules, points, tie_breaks, inputs))
    written = outputs.write(
        {
            "--output": lambda: outputs.table(table),
            "--html": lambda: lambda path: _write_page(path, title, table, label, [*facts, *_as_of(log, inputs)]),
        }
    )
    if as_json:
        print_json(
            {
                "methodology": None if rules is None else rules_document(rules),
                "initial": None if started.listed is None else started.listed.document(),
                "points": points,
                "tie_breaks": [word.strip() for word in tie_breaks.split(",") if word.strip()],
                "since": inputs.since,
                "until": inputs.until,
                "not_counted": not_counted(log, inputs.since, inputs.until),
                "report": log_document(log.report),
                "standings": table_document(table, top),
                "written": list(written),
            }
        )
    else:
        out = console()
        print_report(out, read_from(log), log.report)
        if rules is not None:
            started.print(out, [rules])
        _print(out, table, top, label)
        say(out)
        for fact in facts:
            say(out, fact, style="dim")
        for path in written:
            say(out, f"written: {path}")
    left_out = log.report.held or log.report.rejected or started.rows_left_out
    return Ending.ROWS_LEFT_OUT if left_out else Ending.DONE


standings = retold(reading(starting(_standings)), since=_SINCE, until=_UNTIL)


def _facts(
    table: "Table", log: "GameLog", rules: "Methodology | None", points: str, tie_breaks: str, inputs: Inputs
) -> "list[str]":
    """What one must know to count the table again."""
    facts = [f"points: {' - '.join(points.split('-'))} for a win, a draw and a loss"]
    if tie_breaks:
        facts[0] += f"; equal points by {', then '.join(word.strip() for word in tie_breaks.split(','))}"
    if inputs.since is not None or inputs.until is not None:
        since = f" from {inputs.since}" if inputs.since is not None else ""
        facts.append(f"games{since}{f' before {inputs.until}' if inputs.until is not None else ''}")
    if table["unplayed"].any():
        facts.append("unplayed: walkovers and byes, which give points and are not games")
    lost = not_counted(log, inputs.since, inputs.until)
    if lost:
        facts.append(
            f"not counted, as their ending leaves no result: {', '.join(f'{n:,} {w}' for w, n in lost.items())}"
        )
    if rules is not None:
        facts.append(f"ratings by {rules.id} ({rules.hash[:12]}): {rules.title}")
        if rules.system.has_deviation:
            facts.append("RD: the deviation of a rating, which is likely to lie within two of them to either side")
        if table["provisional"].any():
            facts.append("? provisional")
    return facts


def not_counted(log: "GameLog", since: str | None, until: str | None) -> dict[str, int]:
    """How many games of the table have no result for their ending, by that."""
    from tallymark.standings.results import uncounted
    from tallymark.standings.table import between

    return uncounted(between(log, since, until)[1])


def _as_of(log: "GameLog", inputs: Inputs) -> list[str]:
    """The last game of the table: a page has no date but that of its games."""
    from tallymark.standings.table import between

    _, counted_games = between(log, inputs.since, inputs.until)
    if counted_games.time is None or not len(counted_games):
        return []
    return [f"as of {str(counted_games.time[-1].astype('datetime64[us]'))[:10]}, the last game that is counted"]


def shown(table: "Table", label: Label = shown_id) -> dict[str, list[str]]:
    """The columns of a pool's table as text, by their heads. What no row has is left out."""
    columns: dict[str, list[str]] = {}
    for name in table.columns:
        cells = table[name].tolist()
        if name not in HEADS or (name == "unplayed" and not any(cells)):
            continue
        if name == "player":
            columns[HEADS[name]] = [label(cell) for cell in cells]
        elif name == "rating":
            both = zip(cells, table["provisional"].tolist(), strict=True)
            columns[HEADS[name]] = [number(cell, 0) + ("?" if open_ else " ") for cell, open_ in both]
        elif name == "deviation":
            if any(cell == cell and cell > 0.0 for cell in cells):
                columns[HEADS[name]] = [number(cell, 0) for cell in cells]
        else:
            columns[HEADS[name]] = [str(cell) if isinstance(cell, int) else trimmed(cell) for cell in cells]
    return columns


def trimmed(value: float) -> str:
    """A number of points as short as it is.

    >>> trimmed(4.0), trimmed(2.5), trimmed(0.125)
    ('4', '2.5', '0.125')
    """
    return f"{value:.4f}".rstrip("0").rstrip(".")


def pools_of(table: "Table") -> "list[tuple[str, Table]]":
    """The table of each pool, in their order."""
    from tallymark import Table

    names = table["pool"].tolist()
    found: list[tuple[str, Table]] = []
    for name in dict.fromkeys(names):
        here = [row for row, other in enumerate(names) if other == name]
        found.append((name, Table({column: table[column][here] for column in table.columns})))
    return found


def _print(out: "Console", table: "Table", top: int | None, label: Label) -> None:
    from tallymark.cli.grid import fitted, print_grid, widths_of

    pools = pools_of(table)
    if not pools:
        say(out, "no players")
    for name, whole in pools:
        part = whole if top is None else whole.head(top)
        title = f"pool {shown_id(name)}: " if name or len(pools) > 1 else ""
        of = "" if len(part) == len(whole) else f"{len(part):,} of "
        say(out)
        say(out, f"{title}{of}{counted(len(whole), 'player')}", style="bold")
        if len(part):
            columns = shown(part, label)
            widths = widths_of(columns)
            widths["player"] = min(widths["player"], _NAME[1])
            print_grid(
                out, columns, fitted(out, widths, {"player": _NAME[0]}), [head for head in columns if head != "player"]
            )


def _write_page(path: Path, title: str, table: "Table", label: Label, facts: list[str]) -> None:
    from tallymark.cli.pages import Section, page
    from tallymark.files import written_beside

    sections = [
        Section((f"{shown_id(name)}: " if name else "") + counted(len(part), "player"), shown(part, label))
        for name, part in pools_of(table)
    ]
    with written_beside(path) as beside:
        beside.write_text(page(title, sections, facts), encoding="utf-8", newline="\n")
