"""The head of a file, its first row and some rows after it, and what has been made of it so far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tallymark.checked import shortened
from tallymark.errors import ReadError
from tallymark.games.ids import is_missing
from tallymark.games.shapes.plan import Plan, Row, Seats
from tallymark.games.shapes.spellings import plain

_LISTED = 40
"""So many columns, and so many characters of each, are listed of a header."""


@dataclass(frozen=True)
class Head:
    """The names of a file's columns and a sample of its rows."""

    names: Sequence[str]
    sample: Sequence[Row]
    file: str

    @cached_property
    def plains(self) -> list[str]:
        """The names as spellings are compared."""
        return [plain(name) for name in self.names]

    def spelt(self, *spellings: str) -> list[int]:
        """The positions of columns spelt in one of these ways, in the order of the spellings."""
        return [at for spelling in spellings for at, name in enumerate(self.plains) if name == spelling]

    def texts(self, position: int) -> list[str]:
        """The cells of a column in the sample that are not empty, as text."""
        cells = (row[position] for row in self.sample if len(row) == len(self.names))
        return [str(cell) for cell in cells if not is_missing(cell)]

    def listing(self) -> str:
        """The header on one line, whatever the file holds."""
        shown = [name if name.isprintable() else repr(name) for name in self.names[:_LISTED]]
        cut = [name if len(name) <= _LISTED else name[:_LISTED] + "..." for name in shown]
        return ", ".join(cut) + (f" and {len(self.names) - _LISTED} more" if len(self.names) > _LISTED else "")

    def once(self, name: str) -> int:
        """The position of the one column of this name; ReadError where there are several."""
        if self.names.count(name) > 1:
            raise ReadError(
                f"{self.file} has {self.names.count(name)} columns {shortened(name)}", hint="rename all but one"
            )
        return self.names.index(name)

    def own(self, name: str) -> int:
        """The position of the column of this canonical name; ReadError where another is spelt like it, too."""
        alike = self.spelt(plain(name))
        if len(alike) > 1 and self.names.count(name) == 1:
            raise ReadError(
                f"{self.file} has columns {', '.join(shortened(self.names[at]) for at in alike)}",
                hint=f"say which one counts: {choices(self, [{name: at} for at in alike])}",
            )
        return self.once(name)


@dataclass
class Choice:
    """Which columns count: those that were mapped, and what is found beside them."""

    mapped: frozenset[str]
    columns: dict[str, tuple[int, ...]]
    seats: Seats = Seats.PLAIN
    labels: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    sides: tuple[str, str] = ("", "")

    def wants(self, *names: str) -> bool:
        """Whether none of these has a column yet, nor is to have none."""
        return not any(name in self.columns or name in self.mapped for name in names)

    def take(self, head: Head, name: str, *positions: int, shown: str | None = None) -> None:
        """Reads a column under a canonical name, to be announced unless that is its own."""
        self.columns[name] = positions
        if shown is not None or head.names[positions[0]] != name:
            self.said[name] = shown or head.names[positions[0]]

    def plan(self, header: bool = True) -> Plan:
        """The plan, what was recognised announced first."""
        said = ", ".join(f"{name} = {column}" for name, column in self.said.items() if name in self.columns)
        label = f"{', '.join(self.labels)}: " if self.labels else ""
        notes = [label + said, *self.notes] if said else self.notes
        return Plan(dict(self.columns), header, tuple(notes), self.seats, self.sides)


def choices(head: Head, several: Sequence[Mapping[str, int]]) -> str:
    """Ready mappings, to choose one of.

    >>> choices(Head(["a", "b"], [], "x.csv"), [{"played_at": 0}, {"played_at": 1}])
    "columns={'played_at': 'a'} or columns={'played_at': 'b'}"
    """
    return " or ".join("columns=" + repr({name: head.names[at] for name, at in mapping.items()}) for mapping in several)


def pairs(head: Head, spellings: Sequence[tuple[str, str]]) -> Iterator[tuple[int, int]]:
    """The positions of each pair of columns that is spelt so.

    >>> list(pairs(Head(["Home", "Away"], [], "x.csv"), [("home", "away")]))
    [(0, 1)]
    """
    for first, second in spellings:
        for one in head.spelt(first):
            for two in head.spelt(second):
                yield one, two
