"""Which ledger a command is about, and which of its pools."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from typer import Option

from tallymark.cli.endings import usage

if TYPE_CHECKING:
    from tallymark import Ledger

VARIABLE: Final = "TALLYMARK_LEDGER"
PANEL: Final = "Ledger"

Where: TypeAlias = Annotated[
    str | None,
    Option(
        "--ledger",
        "-l",
        metavar="FILE|URL",
        rich_help_panel=PANEL,
        help=f"The ledger: a file, or postgresql://USER@HOST/NAME. Without it, what {VARIABLE} says.",
    ),
]
Pool: TypeAlias = Annotated[
    str | None, Option("--pool", metavar="NAME", rich_help_panel=PANEL, help="This pool alone (default: all).")
]
AsJson: TypeAlias = Annotated[bool, Option("--json", help="Print one JSON document instead.")]


def place(given: str | None) -> str:
    """The file or URL of the ledger."""
    found = given or os.environ.get(VARIABLE)
    if not found:
        raise usage("nothing says which ledger", f"give --ledger FILE, or set {VARIABLE}")
    return found


@contextmanager
def opened(given: str | None, create: bool = False) -> "Iterator[Ledger]":
    """The ledger, as long as the block lasts."""
    from tallymark import Ledger

    with Ledger.open(place(given), create=create) as ledger:
        yield ledger


def chosen(ledger: "Ledger", pool: str | None) -> list[str]:
    """The names of the pools that a command is about."""
    known = [one.pool for one in ledger.pools()]
    if pool is not None and pool not in known:
        raise usage(f"there is no pool {pool!r}", f"there are {', '.join(known)}" if known else "there is none yet")
    return known if pool is None else [pool]


def other_file(option: str, path: Path, given: str | None) -> None:
    """Refuses to write a result over the ledger."""
    if os.path.realpath(path) == os.path.realpath(place(given).removeprefix("sqlite:///")):
        raise usage(f"{option} {path} is the ledger itself", "give each its own file")
