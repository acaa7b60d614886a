"""The board: players by rank, with the interval of each rating as a bar on one axis."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.table import Table as Grid
from rich.text import Text

from tallymark.cli.words import number, say, shown_id

if TYPE_CHECKING:
    from tallymark import Methodology, Table

_BAR = (12, 32)
_LONGEST_LINE_OF_NAME = 60
_SHORTEST_LINE_OF_NAME = 12
_ENDLESS = 10_000


@dataclass(frozen=True)
class Bar:
    """From low to high on an axis, with a mark between; as wide as there is room."""

    low: float
    mark: float
    high: float
    axis: tuple[float, float]

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(*_BAR).with_maximum(options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        width = min(options.max_width, _BAR[1])
        line, mark = ("-", "o") if options.ascii_only else ("─", "●")
        first, here, last = (self._cell(value, width) for value in (self.low, self.mark, self.high))
        cells = [line if first <= at <= last else " " for at in range(width)]
        cells[here] = mark
        yield Text("".join(cells), end="", no_wrap=True)

    def _cell(self, value: float, width: int) -> int:
        start, end = self.axis
        return round((value - start) / (end - start) * (width - 1)) if end > start else width // 2


@dataclass(frozen=True)
class Axis:
    """The two ends of the bars' axis, over the bars."""

    ends: tuple[float, float]

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(*_BAR).with_maximum(options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        width = min(options.max_width, _BAR[1])
        low, high = (number(end, 0) for end in self.ends)
        yield Text(low + high.rjust(width - len(low)), end="", no_wrap=True)


class Line(NamedTuple):
    """A player on the board."""

    pool: str
    player: str | int
    rating: float
    deviation: float
    games: int
    record: str
    provisional: bool
    rankable: bool


def print_board(out: Console, ratings: "Table", rules: "Methodology", top: int) -> None:
    """The best `top` players of each pool."""
    pools: dict[str, list[Line]] = {}
    for line in _lines(ratings):
        pools.setdefault(line.pool, []).append(line)
    shown: list[Line] = []
    for pool, lines in pools.items():
        best = lines[:top]
        shown += best
        title = f"pool {shown_id(pool)}: " if pool or len(pools) > 1 else ""
        of = "" if len(best) == len(lines) else f" of {len(lines):,}"
        say(out)
        say(out, f"{title}{len(best):,}{of} player{'' if len(lines) == 1 else 's'}", style="bold")
        if best:
            _print_grid(out, best, ranks(lines), rules)
    if any(line.provisional for line in shown):
        say(out, "? provisional", style="dim")
    if not all(line.rankable for line in shown):
        say(out, f"- takes no rank while RD is above {rules.published.rankable_deviation:g}", style="dim")


def ranks(lines: Sequence[Line]) -> list[str]:
    """Ranks of a pool, best first: equal ratings share one, and who is not rankable has none.

    >>> ranks([Line("", p, r, 50.0, 9, "9-0-0", False, True) for p, r in [("a", 1600.0), ("b", 1600.0), ("c", 1500.0)]])
    ['1', '1', '3']
    """
    found: list[str] = []
    place, shared, last = 0, "", math.nan
    for line in lines:
        if line.rankable:
            place += 1
            if line.rating != last:
                last, shared = line.rating, str(place)
        found.append(shared if line.rankable else "-")
    return found


def _lines(ratings: "Table") -> Iterator[Line]:
    rankable = ratings["rankable"].tolist() if "rankable" in ratings.columns else [True] * len(ratings)
    names = ("pool", "player", "rating", "deviation", "games", "wins", "draws", "losses", "provisional")
    columns = [ratings[name].tolist() for name in names]
    for pool, player, rating, deviation, games, wins, draws, losses, provisional, ranks_ in zip(
        *columns, rankable, strict=True
    ):
        yield Line(pool, player, rating, deviation, games, f"{wins}-{draws}-{losses}", provisional, ranks_)


def _print_grid(out: Console, lines: Sequence[Line], places: Sequence[str], rules: "Methodology") -> None:
    longest = min(max(cell_len(shown_id(line.player)) for line in lines), _LONGEST_LINE_OF_NAME)
    with_bar = rules.system.has_deviation
    layouts = [(with_bar, longest)]
    if out.is_terminal:  # where it is narrow the bar goes first; then names are folded
        layouts += [(False, longest), (False, min(longest, _SHORTEST_LINE_OF_NAME))]
    for with_bar, name in layouts:  # the last one stands where none fits
        grid = _grid(lines, places, rules, with_bar, name)
        needed = Measurement.get(out, out.options.update(width=_ENDLESS), grid).minimum
        if needed <= out.width:
            break
    # Too narrow even so, or a file, which has no edge: lines go on past it, for half a number would be a wrong one.
    width, out.width = out.width, max(out.width, needed)
    out.print(grid)
    out.width = width
    if with_bar:
        wide = rules.published.interval
        share = "95 %, " if wide == 2.0 else ""
        say(out, f"bar: {share}the rating and {wide:g} deviations (RD) to either side", style="dim")


def _grid(lines: Sequence[Line], places: Sequence[str], rules: "Methodology", with_bar: bool, name_width: int) -> Grid:
    names = [shown_id(line.player) for line in lines]
    wide = rules.published.interval
    axis = (min(n.rating - wide * n.deviation for n in lines), max(n.rating + wide * n.deviation for n in lines))
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column("#", justify="right", no_wrap=True)
    grid.add_column("player", overflow="fold", min_width=name_width)
    ratings = [number(line.rating, 0) + ("?" if line.provisional else " ") for line in lines]
    # Said aloud, for rich takes the space at the end for one that it may leave out.
    grid.add_column("rating ", justify="right", no_wrap=True, min_width=max(map(len, ["rating ", *ratings])))
    if with_bar:
        grid.add_column(Axis(axis))
    if rules.system.has_deviation:
        grid.add_column("RD", justify="right", no_wrap=True)
    grid.add_column("games", justify="right", no_wrap=True)
    grid.add_column("W-D-L", justify="right", no_wrap=True)
    for place, name, rating, line in zip(places, names, ratings, lines, strict=False):
        cells: list[RenderableType] = [place, Text(name), rating]
        if with_bar:
            reach = wide * line.deviation
            cells.append(Bar(line.rating - reach, line.rating, line.rating + reach, axis))
        if rules.system.has_deviation:
            cells.append(number(line.deviation, 0))
        grid.add_row(*cells, str(line.games), line.record)
    return grid
