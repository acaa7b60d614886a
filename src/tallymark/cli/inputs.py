"""The games a command reads: files, and every option that says how, in one place for all commands."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from typer import Argument, Option

from tallymark.cli.bundles import bundled
from tallymark.cli.completion import column_names
from tallymark.cli.endings import usage
from tallymark.cli.hints import in_options
from tallymark.cli.options import delimiter_of, near, other_delimiter, parse_pairs
from tallymark.cli.progress import Meter
from tallymark.errors import InputError, ReadError

if TYPE_CHECKING:
    from tallymark import GameLog
    from tallymark.games.provenance import Options

READING: Final = "Reading"
RULES: Final = "Rules"
RESULTS: Final = "Results"
"""The panels of `--help`: how games are read, what they are rated by, what comes of it."""
_COLUMNS: Final = "for example --columns played_at=date,player_a=Home"
_STANDARD_INPUT: Final = Path("-")


@dataclass(frozen=True)
class Inputs:
    """Files of games, and what was said about them on the command line."""

    files: tuple[Path, ...]
    columns: Mapping[str, str]
    results: Mapping[str, str]
    delimiter: str | None
    encoding: str
    times: str | None
    zone: str | None
    aliases: Path | None
    since: str | None
    until: str | None
    dedupe: bool

    def paths(self) -> list[Path]:
        """The files that are read, patterns spelled out, that of aliases too: none of them may be written over."""
        from tallymark.games.files.opening import spelled_out

        found = [one for path in self.files for one in spelled_out(path) if one != _STANDARD_INPUT]
        return found if self.aliases is None else [*found, self.aliases]

    def options(self) -> "Options":
        """What `read_games` takes to say how files are read."""
        return {
            "columns": self.columns,
            "results": self.results,
            "delimiter": self.delimiter,
            "encoding": self.encoding,
            "times": self.times,
            "zone": self.zone,
            "aliases": self.aliases,
            "since": self.since,
            "until": self.until,
            "dedupe": self.dedupe,
        }

    def log(self, meter: Meter) -> "GameLog":
        """The games; who waits for them sees how far it has come."""
        from tallymark import read_games

        with self.explaining(), meter.stage("reading", self.named()) as progress:
            return read_games(self.files, **self.options(), progress=progress)

    def named(self) -> str:
        """The files in a word, after what is done with them."""
        return f" {self.files[0]}" if len(self.files) == 1 else ""

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Errors of reading from in here with a hint for the command line.

        A column that `--columns` names and no file has is a wrong call, not a wrong file.
        """
        try:
            yield
        except InputError as error:
            of_delimiter = error.message.startswith("delimiter")
            error.hint = error.hint or ("for example --delimiter ';'" if of_delimiter else _COLUMNS)
            raise
        except ReadError as error:
            if any(f"no column {column!r} (for {name})" in error.message for name, column in self.columns.items()):
                hint = other_delimiter(error.message) or (error.hint and in_options(error.hint)) or _COLUMNS
                if len(self.paths()) > 1:
                    hint = (
                        "files of other columns: tallymark prepare each with its own --columns, "
                        "then give the prepared logs together"
                    )
                raise usage(error.message, hint) from None
            error.hint = error.hint or near(self._unread(error), "a table of games")
            raise

    def _unread(self, error: ReadError) -> Path:
        """The file that could not be read: the one that the message begins with."""
        named = [path for path in (*self.files, self.aliases) if path is not None]
        return next((path for path in named if error.message.startswith(f"{path} ")), named[0])


def read_from(log: "GameLog") -> str:
    """How a report names where its rows came from: the file, or how many there were."""
    files = log.origin.files
    return files[0] if len(files) == 1 else f"{len(files)} files"


Rejects: TypeAlias = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        readable=False,
        rich_help_panel=RESULTS,
        help="Write the rows that were held or rejected, each with its place and the reason.",
    ),
]
"""The option `--rejects`; the content is `log.report.problems`."""

Settings: TypeAlias = Annotated[
    list[str] | None,
    Option("--set", metavar="KEY=VALUE", rich_help_panel=RULES, help="Change a rule: tau=0.3, period=7d. Repeatable."),
]
ForSpreadsheets: TypeAlias = Annotated[
    bool,
    Option(
        "--for-spreadsheets",
        rich_help_panel=RESULTS,
        help="In .csv files, an apostrophe before names that begin like a formula (=, +, -, @).",
    ),
]
"""The option `--for-spreadsheets` of commands that write tables."""


# Files are not looked at by typer (`readable=False`): one that cannot be read is no wrong usage.
def _inputs(
    files: Annotated[
        list[Path],
        Argument(
            metavar="FILE",
            readable=False,
            show_default=False,
            help="Games: files, patterns in quotes ('games/*.csv'), or - for standard input.",
        ),
    ],
    columns: Annotated[
        list[str] | None,
        Option(
            metavar="NAME=COLUMN,...",
            autocompletion=column_names,
            rich_help_panel=READING,
            help="What the files call a column: played_at=date,player_a=Home.",
        ),
    ] = None,
    pool: Annotated[
        str | None,
        Option(
            metavar="COLUMN",
            rich_help_panel=READING,
            help="The file's column that tells pools apart: one board each, and no rating goes from one to another.",
        ),
    ] = None,
    results: Annotated[
        list[str] | None,
        Option(
            metavar="CELL=WORD,...",
            rich_help_panel=READING,
            help="What a cell of results means: bothbad=draw. Also win and loss.",
        ),
    ] = None,
    times: Annotated[
        str | None,
        Option(
            metavar="FORM",
            rich_help_panel=READING,
            help="How times are written, where that is not clear: 'DD.MM.YYYY hh:mm', or days since 1970.",
        ),
    ] = None,
    zone: Annotated[
        str | None,
        Option(
            metavar="NAME",
            rich_help_panel=READING,
            help="The time zone of times that have none, such as Europe/Vienna (default UTC).",
        ),
    ] = None,
    aliases: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            readable=False,
            rich_help_panel=READING,
            help="Names of one player: a line each, old name = name.",
        ),
    ] = None,
    since: Annotated[
        str | None, Option(metavar="TIME", rich_help_panel=READING, help="Reject games before this time, 2026-01-01.")
    ] = None,
    until: Annotated[
        str | None, Option(metavar="TIME", rich_help_panel=READING, help="Reject games from this time on.")
    ] = None,
    dedupe: Annotated[
        bool,
        Option("--dedupe", rich_help_panel=READING, help="Reject rows that say exactly what an earlier one says."),
    ] = False,
    delimiter: Annotated[
        str | None,
        Option(
            metavar="CHARACTER",
            rich_help_panel=READING,
            help="Between the cells of a text file, where it does not show that itself; tab for a tab.",
        ),
    ] = None,
    encoding: Annotated[
        str,
        Option(metavar="NAME", rich_help_panel=READING, help="Of a text file that is not UTF-8, such as cp1252."),
    ] = "utf-8",
) -> Inputs:
    mapping = parse_pairs("--columns", columns or [])
    if pool is not None:
        if "pool" in mapping:
            raise usage("--pool and --columns both name the column of pools", "once is enough")
        mapping["pool"] = pool
    return Inputs(
        files=tuple(files),
        columns=mapping,
        results=parse_pairs("--results", results or []),
        delimiter=delimiter_of(delimiter),
        encoding=encoding,
        times=times,
        zone=zone,
        aliases=aliases,
        since=since,
        until=until,
        dedupe=dedupe,
    )


reading = bundled("inputs", _inputs)
"""A command with the parameter `inputs` as one that takes files and the options of reading in its place."""
