"""The board: players by rank, with the interval of each rating as a bar on one axis."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console

from tallymark.cli.grid import GAP, print_grid, widths_of
from tallymark.cli.words import labels, number, say, shown_id, with_names

if TYPE_CHECKING:
    from tallymark import Methodology, Table
    from tallymark.tables import Column

_BAR = (12, 32)
_NAME = (12, 60)
"""Shortest and longest line of a name that is folded."""
_NUMBERS = ("#", "rating ", "RD", "games", "W-D-L")
"""Columns that stand to the right; names and bars do not."""


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


Names = Mapping[str | int, str] | None


def print_board(out: Console, ratings: "Table", rules: "Methodology", top: int, names: Names = None) -> None:
    """The best `top` players of each pool, by name where there are names."""
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
            _print_players(out, best, ranks(lines), rules, labels(names))
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


def published(ratings: "Table", rules: "Methodology", names: Names = None) -> "Table":
    """The ratings as a board has them: with `name` where there are names; with `rank`, of who has a game and takes one;
    and with `low` and `high`, the ends of the interval, where there are deviations."""
    from tallymark import Table

    of: dict[str, list[int]] = {}
    lines = list(_lines(ratings))
    for row, line in enumerate(lines):
        if line.games:
            of.setdefault(line.pool, []).append(row)
    places: list[int | None] = [None] * len(lines)
    for rows in of.values():
        for row, place in zip(rows, ranks([lines[row] for row in rows]), strict=True):
            places[row] = int(place) if place.isdigit() else None
    columns: dict[str, Column] = {}
    for name in ratings.columns:
        columns[name] = ratings[name]
        if name == "pool":
            columns["rank"] = places
        if name == "deviation" and rules.system.has_deviation:
            half = rules.published.interval * ratings[name]
            columns |= {"low": ratings["rating"] - half, "high": ratings["rating"] + half}
    return with_names(Table(columns), names)


def _lines(ratings: "Table") -> Iterator[Line]:
    rankable = ratings["rankable"].tolist() if "rankable" in ratings.columns else [True] * len(ratings)
    names = ("pool", "player", "rating", "deviation", "games", "wins", "draws", "losses", "provisional")
    columns = [ratings[name].tolist() for name in names]
    for pool, player, rating, deviation, games, wins, draws, losses, provisional, ranks_ in zip(
        *columns, rankable, strict=True
    ):
        yield Line(pool, player, rating, deviation, games, f"{wins}-{draws}-{losses}", provisional, ranks_)


def drawn(low: float, mark: float, high: float, axis: tuple[float, float], width: int, ascii_only: bool) -> str:
    """From low to high on an axis of `width` cells, with a mark between.

    >>> drawn(1400, 1500, 1600, (1300, 1700), 9, True)
    '  --o--  '
    """
    start, end = axis

    def cell(value: float) -> int:
        return round((value - start) / (end - start) * (width - 1)) if end > start else width // 2

    line, point = ("-", "o") if ascii_only else ("─", "●")
    cells = [line if cell(low) <= at <= cell(high) else " " for at in range(width)]
    cells[cell(mark)] = point
    return "".join(cells)


def _print_players(
    out: Console,
    lines: Sequence[Line],
    places: Sequence[str],
    rules: "Methodology",
    label: Callable[[str | int], str],
) -> None:
    columns = {
        "#": list(places[: len(lines)]),
        "player": [label(line.player) for line in lines],
        "rating ": [number(line.rating, 0) + ("?" if line.provisional else " ") for line in lines],
        "RD": [number(line.deviation, 0) for line in lines],
        "games": [str(line.games) for line in lines],
        "W-D-L": [line.record for line in lines],
    }
    if not rules.system.has_deviation:
        del columns["RD"]
    widths = widths_of(columns)
    widths["player"] = min(widths["player"], _NAME[1])
    # Where a terminal is narrow the bar goes first, then names are folded. What does not fit even so goes on past its
    # edge, as it does in a file, which has none: half a number would be another number.
    room = out.width - sum(widths.values()) - GAP * (len(widths) - 1)
    with_bar = rules.system.has_deviation and (room >= _BAR[0] + GAP or not out.is_terminal)
    if with_bar:
        head, bars = _bars(lines, rules.published.interval, max(_BAR[0], min(_BAR[1], room - GAP)), out)
        columns = dict([*list(columns.items())[:3], (head, bars), *list(columns.items())[3:]])
        widths[head] = len(head)
    elif room < 0 and out.is_terminal:
        widths["player"] = max(min(widths["player"], _NAME[0]), widths["player"] + room)
    print_grid(out, columns, widths, _NUMBERS)
    if with_bar:
        wide = rules.published.interval
        share = "95 %, " if wide == 2.0 else ""
        say(out, f"bar: {share}the rating and {wide:g} deviations (RD) to either side", style="dim")


def _bars(lines: Sequence[Line], wide: float, width: int, out: Console) -> tuple[str, list[str]]:
    """The ends of the axis, and a bar on it for each line."""
    ends = [(line.rating - wide * line.deviation, line.rating + wide * line.deviation) for line in lines]
    axis = (min(low for low, _ in ends), max(high for _, high in ends))
    start, end = (number(value, 0) for value in axis)
    ascii_only = out.options.ascii_only
    bars = [
        drawn(low, line.rating, high, axis, width, ascii_only) for line, (low, high) in zip(lines, ends, strict=True)
    ]
    return start + end.rjust(width - len(start)), bars
