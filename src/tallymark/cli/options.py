"""Options with a form of their own: columns by name, files to write."""

import difflib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tallymark.cli.endings import CommandError, Ending, hinting, usage
from tallymark.errors import MethodologyError, ReadError, WriteError

if TYPE_CHECKING:
    from tallymark import Methodology, Replay, Snapshot, Table

DEFAULT: Final = "paper"
"""The rules where nobody chose any."""
SUFFIXES = (".csv", ".parquet", ".json")
_PAIR: Final = re.compile(r'\s*(?:"(?P<quoted>(?:[^"]|"")*)"\s*|(?P<plain>[^",][^,]*|))(?=,|$)')
_EXPECTED: Final = {"--results": "cell=word"}
_EXAMPLE: Final = {
    "--columns": "--columns played_at=date",
    "--results": "--results bothbad=draw",
    "--initial-columns": "--initial-columns rating=elo",
    "--fixtures-columns": "--fixtures-columns player_a=Heim",
}


def parse_pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """`canonical=file,canonical=file` of one or several times an option.

    Blanks around a name do not count, but for a pair in double quotes, `"score_a=Points, home"`: there the column's
    name is everything after the `=`, with a quotation mark doubled. Of `--columns` nothing after it says: no column.

    >>> parse_pairs("--columns", ["played_at=date, player_a=Home", '"score_a=Points, home"', '"player_b= Away"'])
    {'played_at': 'date', 'player_a': 'Home', 'score_a': 'Points, home', 'player_b': ' Away'}
    """
    columns: dict[str, str] = {}
    for text in texts:
        for pair, exact in _pairs(option, text):
            name, equals, column = pair.partition("=")
            name, column = name.strip(), column if exact else column.strip()
            if not (name and equals and (column or option == "--columns")):
                raise usage(
                    f"{option} has {pair!r}; expected {_EXPECTED.get(option, 'canonical=file')}",
                    f"for example {_EXAMPLE[option]}",
                )
            if name in columns:
                raise usage(f"{option} names {name} twice", "once is enough")
            columns[name] = column
    return columns


def _pairs(option: str, text: str) -> Iterator[tuple[str, bool]]:
    """Each pair of a list, and whether it stood in quotes."""
    at = 0
    while at <= len(text):
        match = _PAIR.match(text, at)
        if match is None:
            raise usage(
                f"{option} {text!r}: a quotation mark is not where a pair begins or ends",
                f"a name with a comma: {option} '\"score_a=a, b\"'",
            )
        exact = match["quoted"] is not None
        yield (match["quoted"].replace('""', '"') if exact else match["plain"]), exact
        at = match.end() + 1


def rules_of(name: str, settings: Sequence[str] = ()) -> "Methodology":
    """The methodology of a name or file, with every `--set` applied."""
    from tallymark.methodology import methodology, parse_setting

    try:
        found = methodology(name)
    except ReadError as error:
        error.hint = error.hint or near(Path(name), "a methodology as TOML")
        raise
    except MethodologyError as error:
        error.hint = (
            error.hint or "tallymark methodology show paper --toml prints a whole file, every field written out"
        )
        raise
    changes = [parse_setting(text) for text in settings]
    for key, value in changes:
        if [k for k, _ in changes].count(key) > 1:
            raise usage(f"--set names {key} twice", "one value for each rule")
        if value == {} or (key == "period" and value is None):
            raise usage(f"--set {key}= changes nothing", "for example --set period=7d")
    hint = f"tallymark methodology show {name} says what each rule may be; --set may be repeated"
    if any(key.partition(".")[0] in ("period", "ageing") for key, _ in changes):
        hint = "--set period=match (or game, or a length like 7d) changes all that goes with it"
    with hinting(hint):
        return found.with_(dict(changes)) if changes else found


def rules_going_on(name: str | None, settings: Sequence[str], start: "Snapshot | None") -> "Methodology":
    """The rules that were named, else those of the snapshot, else the default ones."""
    from tallymark import UnknownMethodologyError

    if name is not None or start is None or start.methodology_id is None:
        return rules_of(name or DEFAULT, settings)
    try:
        return rules_of(start.methodology_id, settings)
    except UnknownMethodologyError:
        message = f"the snapshot is of {start.methodology_id}, which is not shipped"
        raise usage(message, "give its rules again: -m, and --set where it is a variant") from None


def delimiter_of(given: str | None) -> str | None:
    r"""What separates the cells, as given, or a tab by its name or as `\t`.

    >>> delimiter_of("tab"), delimiter_of(r"\t"), delimiter_of(";"), delimiter_of(None)
    ('\t', '\t', ';', None)
    """
    return "\t" if given in ("tab", r"\t") else given


def other_delimiter(message: str) -> str | None:
    """What to do where the header that the message lists is one cell that others seem to be glued together in."""
    header = message.rpartition("; it has ")[2]
    if ", " in header:
        return None
    found = [word for sign, word in ((";", "';'"), (r"\t", "tab"), ("|", "'|'")) if sign in header]
    return f"is it separated otherwise? --delimiter {found[0]}" if found else None


def snapshot_from(path: Path) -> "Snapshot":
    """The snapshot of a file; a damaged one cannot be read, which is another ending than one of other rules."""
    from tallymark import Snapshot, SnapshotError

    try:
        return Snapshot.load(path)
    except SnapshotError as error:
        hint = error.hint or "give a file that tallymark rate --save wrote"
        raise CommandError(Ending.UNREADABLE, error.message, hint) from None


def near(path: Path, what: str) -> str:
    """What to do about a file that cannot be read: a name like its own, where there is one."""
    names: list[str] = []
    with suppress(OSError):
        if path.exists():
            return f"may you read it, and is it what it should be: {what}?"
        names = [other.name for other in path.parent.iterdir() if other.name != path.name]
    close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.7)
    return f"did you mean {path.with_name(close[0])}?" if close else f"is the name right? looked for in {Path.cwd()}"


@dataclass(frozen=True)
class Outputs:
    """The files a command was asked to write, by option; None where it was not given."""

    files: Mapping[str, Path | None]
    suffixes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """How their names may end, where that is not as the name of a table does; `()`: in any way."""
    for_spreadsheets: bool = False
    """Whether text in .csv files must not be taken for a formula."""

    def check(self, read: Sequence[Path], start: Path | None = None) -> None:
        """Refuses before the work what would fail after it: unknown formats, missing folders, one file twice.

        `read` are the files that may not be written over, those of rules too. A snapshot (`--save`) may replace the one
        that the command goes on from, `start`: that is how a ladder is kept.
        """
        if self.for_spreadsheets and not any(path.suffix.lower() == ".csv" for _, path in self._given()):
            raise usage("--for-spreadsheets and no .csv is written", "for example -o ratings.csv")
        seen = {os.path.realpath(path): "is read" for path in read}
        for option, path in self._given():
            real = os.path.realpath(path)  # Path.resolve raises where links go in a circle
            suffixes = self.suffixes.get(option, SUFFIXES)
            if suffixes and path.suffix.lower() not in suffixes:
                raise usage(f"{option} {path}: cannot tell the format", f"end the name in {', '.join(suffixes)}")
            if option != "--save" and start is not None and real == os.path.realpath(start):
                seen[real] = "is read"
            if real in seen:
                raise usage(f"{option} {path}: that file {seen[real]} too", "give each its own file")
            seen[real] = "is written"
            if path.is_dir():
                raise CommandError(Ending.UNREADABLE, f"{option} {path} is a directory", "name a file")
            if not path.parent.is_dir():
                message = f"{option} {path}: there is no folder {path.parent}"
                raise CommandError(Ending.UNREADABLE, message, "make it first, or name a file in another")

    def write(self, contents: "Mapping[str, Callable[[], Callable[[Path], object]]]") -> list[str]:
        """Writes what was asked for; the names of the files. Where one fails, the hint says which are there.

        `contents` makes, by option, what writes to a path: `lambda: outputs.table(result.ratings)`.
        """
        written: list[str] = []
        made = [(path, contents[option]()) for option, path in self._given()]  # all of them before the first is written
        for path, write in made:
            try:
                write(path)
            except WriteError as error:
                hint = f"written before it: {', '.join(written)}" if written else "nothing was written"
                raise CommandError(Ending.UNREADABLE, error.message, hint) from None
            written.append(str(path))
        return written

    def table(self, table: "Table") -> Callable[[Path], None]:
        """What writes a table in the form that its file's name tells."""
        return lambda path: table.write(path, for_spreadsheets=self.for_spreadsheets and path.suffix.lower() == ".csv")

    def history(self, result: "Replay") -> Callable[[Path], None]:
        """What writes the history of a replay, which is made as it is written."""
        return lambda path: result.write_history(
            path, for_spreadsheets=self.for_spreadsheets and path.suffix.lower() == ".csv"
        )

    def _given(self) -> Iterator[tuple[str, Path]]:
        return ((option, path) for option, path in self.files.items() if path is not None)
