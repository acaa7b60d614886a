"""Options with a form of their own: columns by name, files to write."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tallymark.cli.endings import CommandError, Ending, usage
from tallymark.errors import WriteError

if TYPE_CHECKING:
    from tallymark import GameLog, Methodology, Snapshot, Table

SUFFIXES = (".csv", ".parquet", ".json")


def parse_columns(texts: Sequence[str]) -> dict[str, str]:
    """`canonical=file,canonical=file` of one or several options. A name with a comma stands in double quotes.

    >>> parse_columns(["played_at=date,player_a=Home", '"score_a=Points, home"'])
    {'played_at': 'date', 'player_a': 'Home', 'score_a': 'Points, home'}
    """
    columns: dict[str, str] = {}
    for text in texts:
        try:
            pairs = next(csv.reader([text], strict=True, skipinitialspace=True), [])
        except csv.Error as error:
            raise usage(f"--columns {text!r}: {error}", "a name with a comma: --columns '\"score_a=a, b\"'") from None
        for pair in pairs:
            name, equals, column = (part.strip() for part in pair.partition("="))
            if not (name and equals and column):
                raise usage(f"--columns has {pair!r}; expected canonical=file", "for example --columns played_at=date")
            if name in columns:
                raise usage(f"--columns names {name} twice")
            columns[name] = column
    return columns


def rules_of(name: str, settings: Sequence[str]) -> "Methodology":
    """The methodology of a name or file, with every `--set` applied."""
    from tallymark.methodology import methodology, parse_setting

    found = methodology(name)
    changes = [parse_setting(text) for text in settings]
    for key, _ in changes:
        if [k for k, _ in changes].count(key) > 1:
            raise usage(f"--set names {key} twice")
    return found.with_(dict(changes)) if changes else found


def games_from(path: Path, columns: Mapping[str, str], delimiter: str) -> "GameLog":
    """The games of a file. A column that `--columns` names and the file has not is a wrong call, not a wrong file."""
    from tallymark import ReadError, read_games

    try:
        return read_games(path, columns=columns, delimiter=delimiter)
    except ReadError as error:
        if any(f"no column {column!r} (for {name})" in error.message for name, column in columns.items()):
            raise usage(error.message, error.hint) from None
        raise


def snapshot_from(path: Path) -> "Snapshot":
    """The snapshot of a file; a damaged one cannot be read, which is another ending than one of other rules."""
    from tallymark import Snapshot, SnapshotError

    try:
        return Snapshot.load(path)
    except SnapshotError as error:
        raise CommandError(Ending.UNREADABLE, error.message, error.hint) from None


@dataclass(frozen=True)
class Outputs:
    """The files a command was asked to write, by option."""

    ratings: Path | None
    history: Path | None
    predictions: Path | None
    snapshot: Path | None

    def check(self, games: Path, start: Path | None) -> None:
        """Refuses before the work what would fail after it: unknown formats, missing folders, one file twice.

        A snapshot may replace the one that the command goes on from: that is how a ladder is kept.
        """
        seen = {games.resolve(): "is read"}
        for option, path in self._given():
            if option != "--save" and path.suffix.lower() not in SUFFIXES:
                raise usage(f"{option} {path}: cannot tell the format", f"end the name in {', '.join(SUFFIXES)}")
            if option != "--save" and start is not None and path.resolve() == start.resolve():
                seen[path.resolve()] = "is read"
            if path.resolve() in seen:
                raise usage(f"{option} {path}: that file {seen[path.resolve()]} too", "give each its own file")
            seen[path.resolve()] = "is written"
            if path.is_dir():
                raise CommandError(Ending.UNREADABLE, f"{option} {path} is a directory", "name a file")
            if not path.parent.is_dir():
                raise CommandError(Ending.UNREADABLE, f"{option} {path}: there is no folder {path.parent}")

    def write(self, contents: "Mapping[str, Callable[[], Table | Snapshot]]") -> list[str]:
        """Writes what was asked for; the names of the files. Where one fails, the hint says which are there."""
        from tallymark import Snapshot

        written: list[str] = []
        made = [(path, contents[option]()) for option, path in self._given()]  # all of them before the first is written
        for path, content in made:
            try:
                if isinstance(content, Snapshot):
                    content.save(path)
                else:
                    content.write(path)
            except WriteError as error:
                hint = f"written before it: {', '.join(written)}" if written else "nothing was written"
                raise CommandError(Ending.UNREADABLE, error.message, hint) from None
            written.append(str(path))
        return written

    def named(self) -> dict[str, Path | None]:
        """The files by option, None where it was not given."""
        return {
            "--output": self.ratings,
            "--history": self.history,
            "--predictions": self.predictions,
            "--save": self.snapshot,
        }

    def _given(self) -> Iterator[tuple[str, Path]]:
        return ((option, path) for option, path in self.named().items() if path is not None)
