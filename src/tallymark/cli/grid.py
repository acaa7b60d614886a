"""Columns under their heads, of which no cell is ever cut."""

from collections.abc import Collection, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

GAP = 2
"""Blanks between two columns."""


def widths_of(columns: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """What each column takes up, its head included.

    >>> widths_of({"player": ["ann", "bartholomew"], "games": ["7", "12"]})
    {'player': 11, 'games': 5}
    """
    return {head: max(map(cell_len, [head, *cells])) for head, cells in columns.items()}


def fitted(out: Console, widths: Mapping[str, int], least: Mapping[str, int]) -> dict[str, int]:
    """The widths with what a terminal lacks taken from the columns that may be folded, each down to its least width.

    A file has no edge: there nothing is folded.
    """
    narrow = dict(widths)
    for head, low in least.items():
        room = out.width - sum(narrow.values()) - GAP * (len(narrow) - 1)
        if out.is_terminal and room < 0 and head in narrow:
            narrow[head] = max(min(narrow[head], low), narrow[head] + room)
    return narrow


def print_grid(
    out: Console, columns: Mapping[str, Sequence[str]], widths: Mapping[str, int], to_the_right: Collection[str]
) -> None:
    """The columns in these widths. Those that stand to the right are numbers, which go on past the edge of a terminal
    rather than lose a digit; the others are folded where they are wider than their width."""
    grid = Grid(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    for head in columns:
        right = head in to_the_right
        grid.add_column(head, justify="right" if right else "left", overflow="fold", width=widths[head], no_wrap=right)
    for cells in zip(*columns.values(), strict=True):
        grid.add_row(*map(Text, cells))
    width, out.width = out.width, max(out.width, sum(widths.values()) + GAP * len(widths))
    out.print(grid)
    out.width = width
