"""`--initial`: ratings from elsewhere that the games of a command start from."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from typer import Option

from tallymark.cli.documents import Json, log_document
from tallymark.cli.endings import usage
from tallymark.cli.hints import own
from tallymark.cli.options import near, parse_pairs
from tallymark.errors import ReadError, TallymarkError

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark import GameLog, Methodology
    from tallymark.replay.initial import InitialRatings

START: Final = "Start"
"""The panel of `--help` for what ratings start from."""
_NAMED: Final = 5
_EXAMPLE: Final = "for example --initial-columns player=id,rating=std"
_ZERO: Final = {
    "zero_means_unrated=True": "--zero-means-unrated",
    "zero_means_unrated=False": "--zero-is-a-rating",
}
_WIDE: Final = 150.0
"""From this deviation on a single game may move a rating by hundreds of points."""

InitialFile: TypeAlias = Annotated[
    Path | None,
    Option(
        "--initial",
        metavar="FILE",
        readable=False,
        rich_help_panel=START,
        help="Ratings that players start with: a list with player, rating and perhaps deviation, volatility, pool and "
        "band (a starting band, with which no rating is needed), or a TRF file.",
    ),
]
InitialColumns: TypeAlias = Annotated[
    list[str] | None,
    Option(
        "--initial-columns",
        metavar="NAME=COLUMN,...",
        rich_help_panel=START,
        help="What that list calls a column: player=id,rating=std.",
    ),
]
InitialAt: TypeAlias = Annotated[
    str | None,
    Option(
        "--initial-at",
        metavar="TIME",
        rich_help_panel=START,
        help="When those ratings held; since then they age. By default they do not age before the first game.",
    ),
]
InitialEncoding: TypeAlias = Annotated[
    str,
    Option("--initial-encoding", metavar="NAME", rich_help_panel=START, help="Of a list that is not UTF-8."),
]
InitialDeviation: TypeAlias = Annotated[
    float | None,
    Option(
        "--initial-deviation",
        metavar="RD",
        rich_help_panel=START,
        help="The deviation of ratings that come without one, such as 80 (default: a newcomer's).",
    ),
]
ZeroMeansUnrated: TypeAlias = Annotated[
    bool | None,
    Option(
        "--zero-means-unrated/--zero-is-a-rating",
        rich_help_panel=START,
        show_default=False,
        help="What a rating of 0 in that list says (no rating in a TRF file; elsewhere a 0 that may be meant so is an "
        "error until one is chosen).",
    ),
]


@dataclass(frozen=True)
class Initial:
    """A list of ratings as it was read, and who of it is in no game."""

    path: Path
    found: "InitialRatings"
    mapping: Mapping[str, str]
    unknown: Sequence[str | int] = ()

    def meeting(self, log: "GameLog") -> "Initial":
        """The same, compared with the games that start from it."""
        with speaking_of(self.path, self.mapping):
            return replace(self, unknown=self.found.unknown_to(log))

    def remarks(self, rules: "Methodology") -> list[str]:
        """What these rules make of the list that one should know."""
        remarks = []
        if not rules.system.undeclared and self.found.start.bands:
            remarks.append(f"starting bands count for nothing: {rules.id} has none")
        count, newcomer = self.found.without_deviation, rules.initial().deviation
        if not count or not rules.system.has_deviation:
            return remarks
        every = "" if count == self.found.rated else f" of {self.found.rated:,}"
        moved = ": their first games move them by hundreds of points" if newcomer >= _WIDE else ""
        remark = (
            f"{count:,}{every} ratings have no deviation and start with RD {newcomer:g} of {rules.id}{moved}; give "
            "deviations, --initial-columns deviation=..., or --initial-deviation N"
        )
        return [*remarks, remark]

    def print(self, out: "Console", every: "Sequence[Methodology]") -> None:
        """What became of the rows of the list, and what the rules make of it."""
        from tallymark.cli.words import counted, say, shown_id

        first, *rest = self.found.summary().split("\n")
        say(out, f"started from {self.path}: {first}")
        for line in rest:
            say(out, line)
        for rules in every:
            for remark in self.remarks(rules):
                say(out, f"  note: {remark}")
        if self.unknown:
            shown = ", ".join(map(shown_id, self.unknown[:_NAMED])) + (" ..." if len(self.unknown) > _NAMED else "")
            say(out, f"  {counted(len(self.unknown), 'rated player')} in no game: {shown}")

    def document(self) -> Json:
        """The same for machines."""
        report = log_document(self.found.report)
        del report["games"]
        return {
            "file": str(self.path),
            "rated": self.found.rated,
            "unrated": self.found.unrated,
            "with_band": self.found.banded,
            "average": self.found.average if self.found.rated else None,
            "without_deviation": self.found.without_deviation,
            "in_no_game": list(self.unknown),
            "report": report,
        }


def initial_from(
    path: Path | None,
    columns: Sequence[str] | None,
    zero: bool | None,
    at: str | None,
    encoding: str,
    deviation: float | None,
) -> Initial | None:
    """The list that `--initial` names, read as its options say; None without one."""
    from tallymark.replay.initial import read_ratings

    if path is None:
        given = {
            "--initial-columns": columns,
            "--initial-at": at,
            "--initial-deviation": deviation,
            "--zero-means-unrated or --zero-is-a-rating": zero,
        }
        for option, value in given.items():
            if value is not None and value != []:
                raise usage(f"{option} without --initial", "for example --initial ratings.csv")
        return None
    mapping = parse_pairs("--initial-columns", columns or [])
    with speaking_of(path, mapping):
        found = read_ratings(
            path, columns=mapping, zero_means_unrated=zero, at=at, deviation=deviation, encoding=encoding
        )
    return Initial(path, found, mapping)


@contextmanager
def speaking_of(path: Path, mapping: Mapping[str, str]) -> Iterator[None]:
    """Errors about the list from in here with hints that name its own options."""
    try:
        yield
    except TallymarkError as error:
        if error.hint is not None:
            hint = own("initial", error.hint)
            for argument, option in _ZERO.items():
                hint = hint.replace(argument, option)
            error.hint = hint
        if isinstance(error, ReadError):
            if any(f"no column {column!r} (for {name})" in error.message for name, column in mapping.items()):
                raise usage(error.message, error.hint or _EXAMPLE) from None
            error.hint = error.hint or near(path, "a list of players and ratings")
        raise
