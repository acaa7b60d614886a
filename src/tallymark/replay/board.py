"""The table of ratings: one row a rated player and pool, best first."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tallymark.games.times import NO_TIME
from tallymark.methodology import Methodology
from tallymark.named import Named
from tallymark.replay.columns import NEVER
from tallymark.replay.display import Floats, displayed
from tallymark.replay.histories import settled
from tallymark.replay.integer_columns import as_integers, ranks
from tallymark.replay.kinds import Places
from tallymark.replay.ranking import best_first
from tallymark.replay.roster import Roster
from tallymark.replay.rows import PART
from tallymark.replay.standing import Standing, Which
from tallymark.tables import Column, Table

Columns = dict[str, np.ndarray]

_WIDE = 8
"""Bytes of a number."""


def board(
    roster: Roster, standing: Standing, rules: Methodology, aged: Floats | None, bands: NDArray[np.int64] | None
) -> Table:
    """The table; `aged`: phi^2 of each player where it is not that of the states; `bands`: where rules have any."""
    found = _of_kinds(standing, rules) if aged is None and len(roster.pools) == 1 else None
    rows, columns = found or _one_by_one(roster, standing, rules, aged)
    columns["last_played"] = _instants(standing, rows)
    if bands is not None:
        columns["band"] = bands[rows]
    pool, player = roster.seats(rows)
    named: dict[str, Column | Named] = {"pool": Named(roster.pools, pool), "player": Named(roster.players, player)}
    if rules.numbers.exact:
        named["go_rank"] = ranks(columns["mu"], columns["provisional"])
    order = ("rating", "deviation", "volatility", "games", "wins", "draws", "losses", "last_played", "provisional")
    return Table(named | {name: settled(columns[name]) for name in dict.fromkeys((*order, *columns))})


def _one_by_one(roster: Roster, standing: Standing, rules: Methodology, aged: Floats | None) -> tuple[Places, Columns]:
    """The rated players best first, and what the table says of them."""
    rows = _in_order(roster, standing, rules, aged)
    columns = _blank(_columns(standing, rules, aged, rows[:0]), len(rows))
    for low in range(0, len(rows), PART):
        for name, values in _columns(standing, rules, aged, rows[low : low + PART]).items():
            columns[name][low : low + PART] = values
    return rows, columns


def _columns(standing: Standing, rules: Methodology, aged: Floats | None, which: Which) -> Columns:
    """What the table says of some players, but for when they played."""
    published, limits = rules.published, rules.limits
    mu, phi2, sigma2 = standing.states(which)
    if aged is not None:
        phi2 = aged[which]
    columns: Columns = {}
    columns["rating"], columns["deviation"], columns["volatility"] = displayed((mu, phi2, sigma2), limits)
    columns["games"], columns["wins"], columns["draws"], columns["losses"] = standing.counts(which)
    columns["provisional"] = provisionally(rules, phi2, columns["games"])
    if published.rankable_deviation is not None:
        columns["rankable"] = phi2 <= rules.system.scale.to_state(0.0, published.rankable_deviation, 0.0).phi2
    if published.established_deviation is not None:
        columns["established"] = standing.published(which)[0]
    if published.peak != "none":
        _, has_peak, peak = standing.published(which)
        columns["peak"] = np.where(has_peak, displayed((peak, phi2, sigma2), limits)[0], np.nan)
    if rules.numbers.exact:
        columns["mu"], columns["phi"] = as_integers(mu, phi2)
    return columns


def _blank(like: Columns, n: int) -> Columns:
    """Columns of the types of these, n rows each. One piece of memory for all, which is had sooner than several."""
    wide = iter(np.empty((sum(values.itemsize == _WIDE for values in like.values()), n)))
    return {
        name: next(wide).view(values.dtype) if values.itemsize == _WIDE else np.empty(n, values.dtype)
        for name, values in like.items()
    }


def _instants(standing: Standing, rows: Places) -> np.ndarray:
    """When players played last."""
    last = np.empty(len(rows), np.int64)
    for low in range(0, len(rows), PART):
        part = last[low : low + PART]
        part[:] = standing.last_played(rows[low : low + PART])
        part[part == NEVER] = NO_TIME
    return last.view("datetime64[us]")


def _of_kinds(standing: Standing, rules: Methodology) -> tuple[Places, Columns] | None:
    """The same where much is the same for many; else None."""
    kinds = standing.kinds()
    if kinds is None:
        return None
    told = _columns(standing, rules, None, kinds.each)
    rated = standing.rated(kinds.each)
    by = told["rating"], told["deviation"], told["games"]
    order = np.lexsort((-by[2], by[1], -by[0], ~rated))
    new = np.zeros(len(order), bool)  # players of kinds that the order does not tell apart come in one order
    for values in (rated, *by):
        new[1:] |= values[order][1:] != values[order][:-1]
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(new)
    rows = kinds.in_order(number)
    columns = _blank(told, len(rows))
    known = 0
    for low in range(0, len(rows), PART):
        which = kinds.of.take(rows[low : low + PART]).astype(np.int64)
        for name, values in told.items():
            values.take(which, out=columns[name][low : low + PART], mode="clip")
        known += int(np.count_nonzero(rated.take(which)))
    return rows[:known], {name: values[:known] for name, values in columns.items()}


def _in_order(roster: Roster, standing: Standing, rules: Methodology, aged: Floats | None) -> NDArray[np.int64]:
    """The rows of rated players by pool, and in each the best first."""
    n = len(roster)
    rating, deviation, games, rated = np.empty(n), np.empty(n), np.empty(n, np.int64), np.empty(n, bool)
    for low in range(0, n, PART):
        part = slice(low, low + PART)
        mu, phi2, sigma2 = standing.states(part)
        shown = displayed((mu, phi2 if aged is None else aged[part], sigma2), rules.limits)
        rating[part], deviation[part] = shown[:2]
        games[part], rated[part] = standing.counts(part)[0], standing.rated(part)
    columns: tuple[np.ndarray, ...] = rating, deviation, games
    known = None if rated.all() else np.flatnonzero(rated)
    if known is not None:
        columns = tuple(values[known] for values in columns)
    ends = [len(columns[0])]
    if len(roster.pools) > 1:  # rows are in the order of pools
        pool = roster.pool if known is None else roster.pool[known]
        ends = [*(np.flatnonzero(np.diff(pool)) + 1).tolist(), *ends]
    order = [low + best_first(*(values[low:high] for values in columns)) for low, high in pairwise([0, *ends])]
    rows = order[0] if len(order) == 1 else np.concatenate(order)
    return rows if known is None else known[rows]


def provisionally(rules: Methodology, phi2: Floats, games: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whose rating is provisional."""
    published = rules.published
    provisional = np.zeros(len(phi2), bool)
    if published.provisional_deviation is not None:
        # On the scale of the state, where a deviation of exactly 110 is exactly the bound.
        bound = rules.system.scale.to_state(0.0, published.provisional_deviation, 0.0).phi2
        provisional |= phi2 >= bound if published.provisional_at == "from" else phi2 > bound
    if published.provisional_games is not None:
        provisional |= games < published.provisional_games
    return provisional
