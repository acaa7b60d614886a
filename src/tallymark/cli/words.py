"""What is printed: text from files made harmless, numbers rounded, and the console."""

import io
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark import Table
    from tallymark.tables import Column


def escaped(text: str) -> str:
    r"""The text in one line, with everything that is no visible character or space written as its escape.

    >>> print(escaped("wipe\x1b[2J and\nbreak"))
    wipe\x1b[2J and\nbreak
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shown_id(player: str | int) -> str:
    r"""A player's or pool's id so that two texts never look the same: as `escaped`, backslashes doubled, and in quotes
    where it begins or ends with a space or a quote or is empty. An integer looks like the text of its digits.

    >>> print(shown_id("ann"), shown_id(" ann"), shown_id("a\\b"), shown_id(7), shown_id("'"))
    ann ' ann' a\\b 7 '''
    """
    text = escaped(str(player).replace("\\", "\\\\"))
    return text if text and text == text.strip(" '") else f"'{text}'"


def labels(names: Mapping[str | int, str] | None) -> Callable[[str | int], str]:
    """How players are shown: by name where the log has one, with the id where several have it; else by id.

    >>> label = labels({7: "Ann", 8: "Bob", 9: "Bob"})
    >>> label(7), label(8), label("cid")
    ('Ann', 'Bob (8)', 'cid')
    """
    if not names:
        return shown_id
    count = Counter(names.values())

    def label(player: str | int) -> str:
        name = names.get(player)
        if not name:
            return shown_id(player)
        return shown_id(name) if count[name] == 1 else f"{shown_id(name)} ({shown_id(player)})"

    return label


def with_names(
    table: "Table", names: Mapping[str | int, str] | None, columns: Mapping[str, str] | None = None
) -> "Table":
    """The table with a column of names behind that of players where the log has any: `name` behind `player`."""
    from tallymark import Table

    if not names:
        return table
    behind = {"player": "name"} if columns is None else columns
    found: dict[str, Column] = {}
    for column in table.columns:
        found[column] = table[column]
        if column in behind:
            found[behind[column]] = [names.get(player) for player in table[column].tolist()]
    return Table(found)


def number(value: float, digits: int = 4) -> str:
    """A number with so many decimals, rounded half to even.

    >>> number(0.5), number(0.00005, 4), number(2.5, 0), number(float("nan"))
    ('0.5000', '0.0001', '2', '-')
    """
    return "-" if value != value else f"{value:.{digits}f}"


def counted(count: int, what: str) -> str:
    """A count and what was counted.

    >>> counted(1, "game"), counted(2000, "game")
    ('1 game', '2,000 games')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def percent(share: float) -> str:
    """A share of one in per cent, rounded half to even.

    >>> percent(0.72566), percent(float("nan"))
    ('72.57 %', '-')
    """
    return "-" if share != share else f"{100.0 * share:.2f} %"


def console() -> "Console":
    """Standard output as rich writes to it: colours where a terminal has them, plain text elsewhere; no markup, for
    names are data."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the process here with 1, which means something else to us

    return Output(file=sys.stdout, markup=False, highlight=False, emoji=False)


def say(out: "Console", text: str = "", style: str = "", end: str = "\n") -> None:
    """Prints a line of our own, escaped; a terminal breaks it where it is too long, a file keeps it whole."""
    out.print(escaped(text), style=style, soft_wrap=True, end=end)


def print_text(text: str) -> None:
    """Prints a file's text as it stands, in UTF-8 whatever the terminal's encoding."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    sys.stdout.write(text)
