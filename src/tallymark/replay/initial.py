"""Lists of ratings from elsewhere, as a federation or another system has them: what a replay may start from."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError
from tallymark.games import GameLog, LogReport
from tallymark.games.columns import Cells, words
from tallymark.games.decimals import decimals
from tallymark.games.files.formats import Format, format_of
from tallymark.games.files.opening import Source
from tallymark.games.files.trf_file import trf_ratings
from tallymark.games.form import Form
from tallymark.games.ids import Id, encode
from tallymark.games.origin import Origin
from tallymark.games.reading import found_in, naming, read_table
from tallymark.games.remarks import far_off
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.head import Choice, Head, choices
from tallymark.games.shapes.plan import Plan, Row
from tallymark.games.shapes.results import NOTHING, plainly
from tallymark.games.vocabulary import BANDS, BANDS_ARE
from tallymark.replay.snapshot import Snapshot

_SPELLINGS: Final = {
    "player": ("player", "playerid", "name", "playername", "username", "id", "fideid", "idnumber", "model", "team"),
    "rating": ("rating", "elo", "elorating", "rtg", "srtng", "standardrating"),
    "deviation": ("deviation", "rd", "ratingdeviation"),
    "volatility": ("volatility",),
    "pool": ("pool",),
    "band": ("band", "startingband", "startband"),
}
COLUMNS: Final = tuple(_SPELLINGS)
"""The canonical names of the columns of a list."""
_PLAIN: Final = 100.0
"""Where every other rating is this or more, a 0 among them is hardly a rating."""
_NAMED: Final = 5
"""So many players are named where there are more."""


@dataclass(frozen=True, eq=False)
class InitialRatings:
    """Ratings to start from: `start` goes to `replay`, which lets everybody else begin as its methodology says.

    `report` says what became of each row of the list; `rated` and `unrated` count those with and without a rating,
    `banded` those without one who declare a starting band, and `average` is the mean of the ratings (NaN where there
    is none).
    """

    start: Snapshot
    report: LogReport
    rated: int
    unrated: int
    banded: int
    average: float

    @property
    def without_deviation(self) -> int:
        """How many of the rated have no deviation, and start with that of the methodology's newcomers."""
        state = self.start.state
        return int(np.count_nonzero(np.isnan(state.phi2) & (np.asarray(state.rated) > 0)))

    def summary(self) -> str:
        """A few lines of text."""
        average = f" (average {self.average:.6g})" if self.rated else ""
        banded = f" ({self.banded:,} with a starting band)" if self.banded else ""
        head = f"{self.rated:,} rated{average}, {self.unrated:,} unrated{banded}"
        lines = self.report.summary().split("\n")
        left_out = f"; {self.report.rejected:,} rejected" if self.report.rejected else ""
        return "\n".join([f"{_counted(self.report.rows, 'row')}: {head}{left_out}", *lines[1:]])

    def unknown_to(self, log: GameLog) -> list[Id]:
        """The rated players who are in no game of the log; `InputError` where that is all of them.

        >>> from tallymark import GameLog
        >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
        >>> read_ratings("list.csv").unknown_to(log)  # doctest: +SKIP
        ['cid']
        """
        known = set(log.players)
        unknown = [one for one in self.start.player if one not in known]
        if unknown and len(unknown) == len(self.start.player) and len(log):
            raise InputError(
                f"nobody of the list plays a game: it has {shortened(unknown[0])}, the games have "
                f"{shortened(log.players[0])}",
                hint="map the column with the ids that the games have: columns={'player': '...'}",
            )
        rated = np.asarray(self.start.state.rated).tolist()
        return [one for one, has in zip(self.start.player, rated, strict=True) if has and one not in known]


def read_ratings(
    path: str | os.PathLike[str],
    *,
    columns: Mapping[str, str] | None = None,
    zero_means_unrated: bool | None = None,
    at: str | None = None,
    pool: str = "",
    deviation: float | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
) -> InitialRatings:
    """The ratings of a list, in any format that `read_games` reads as a table, or of the players of a TRF file.

    The columns are `player`, `rating` and, where there, `deviation`, `volatility`, `pool` and `band`, on the display
    scale; `columns` maps these names to the file's own. A player without a rating starts as the methodology says, and
    so does one without a deviation or a volatility as to that, but that `deviation` stands for those that are missing.
    `band` is the starting band that a player declared, 1 to 4, 0 or nothing for none: who has no rating starts there,
    and a list of bands may be without ratings. `zero_means_unrated`: whether 0 is no rating; where nobody says so, it
    is none in a TRF file, and elsewhere an `InputError` if all others are 100 or more. `at` is the instant the ratings
    hold at, `pool` the pool of a list without that column; see `Snapshot.from_arrays` for both.

    Rows without a player, or with what is no number, are named in the report. ReadError for a file that cannot be read,
    lacks a column, or has a player twice in one pool.

    >>> read_ratings("federation.csv", columns={"player": "id", "rating": "std"})  # doctest: +SKIP
    """
    mapping = _checked(columns)
    form = Form.of(delimiter=delimiter, encoding=encoding)
    if deviation is not None and not 0.0 <= deviation < math.inf:
        raise InputError(f"deviation is {shortened(deviation)}; expected a finite number from 0 up")
    with naming([path]):
        source = Source(Path(path))
        if format_of(source, form.encoding) is Format.TRF:
            if mapping:
                raise InputError(f"{source.name} is a TRF file, whose columns have their places", hint="map none")
            found = trf_ratings(source, form.encoding)
            cells: dict[str, Cells] = {"player": list(found.ids), "rating": list(found.ratings)}
            findings = Findings(len(found.ids), Origin((source.name,)))
            zero_means_unrated = True if zero_means_unrated is None else zero_means_unrated
        else:
            table = read_table(source, form, lambda first, rows: _chosen(first, rows, mapping, source.name))
            findings = found_in(table, source)
            cells = {name: table.cells[at_[0]] for name, at_ in table.plan.columns.items()}
    return _imported(cells, findings, source.name, zero_means_unrated, at, pool, deviation)


def _imported(
    cells: Mapping[str, Cells],
    findings: Findings,
    file: str,
    zero: bool | None,
    at: str | None,
    pool: str,
    deviation: float | None,
) -> InitialRatings:
    codes, table = encode(cells["player"], "player")
    findings.reject(codes < 0, Reason.MISSING_PLAYER, lambda _: "player is missing")
    rating = np.full(len(findings), np.nan)
    if "rating" in cells:
        rating = _numbers("rating", cells["rating"], findings)
    band = np.zeros(len(findings), np.int32)
    if "band" in cells:
        told = _numbers("band", cells["band"], findings)
        wrong = np.isin(told, range(BANDS + 1), invert=True) & ~np.isnan(told)
        findings.reject(wrong, Reason.BAD_NUMBER, lambda row: f"band is {told[row]:g}; {BANDS_ARE}")
        band = np.where(wrong | np.isnan(told), 0.0, told).astype(np.int32)
    others = {name: _numbers(name, cells[name], findings) for name in ("deviation", "volatility") if name in cells}
    banded = findings.open & np.isnan(rating) & (band > 0)
    idle = int(np.count_nonzero(banded & ~np.isnan(others["deviation"]))) if "deviation" in others else 0
    if idle:
        findings.notes.append(f"deviation is not read of {_counted(idle, 'player')} with a starting band and no rating")
    if deviation is not None:
        others["deviation"] = _filled(others.get("deviation", np.full(len(findings), np.nan)), float(deviation))
    pools = _pools(cells, pool, findings)
    _refuse_twice(codes, table, pools, findings, file)
    rated = findings.open & ~np.isnan(rating)
    zeros = rated & (rating == 0.0)
    if zero is None:
        _refuse_doubtful(zeros, rating[rated & ~zeros], file)
    if zero:
        rated &= ~zeros
    known = np.flatnonzero(rated)
    far = known[far_off(rating[known])]
    if len(far):
        shown = ", ".join(f"{table[codes[row]]!r} with {rating[row]:g}" for row in far[:_NAMED].tolist())
        findings.notes.append(f"{_counted(len(far), 'rating')} far from the others: {shown}")
    rows = np.flatnonzero(rated | (findings.open & (band > 0)))
    start = Snapshot.from_arrays(
        player=[table[code] for code in codes[rows].tolist()],
        rating=np.where(rated, rating, np.nan)[rows],
        **{name: np.where(rated, values, np.nan)[rows] for name, values in others.items()},
        at=at,
        pool=[pools[row] for row in rows.tolist()] if len({*pools}) > 1 else pools[0] if pools else pool,
        band=band[rows],
    )
    average = math.fsum(rating[known].tolist()) / len(known) if len(known) else math.nan
    unrated = int(np.count_nonzero(findings.open & ~rated))
    return InitialRatings(start, findings.report(0), len(known), unrated, len(rows) - len(known), average)


def _numbers(name: str, cells: Cells, findings: Findings) -> NDArray[np.float64]:
    """A column of numbers, NaN where a cell is empty or NA and its like; what is no such number is rejected."""
    values, wrong = decimals(cells, name, findings)
    wrong = {row: cell for row, cell in wrong.items() if not (isinstance(cell, str) and plainly(cell) in NOTHING)}
    findings.reject(wrong, Reason.BAD_NUMBER, lambda row: f"{name} is {shortened(wrong[row])}, which is not a number")
    findings.reject(np.isinf(values), Reason.BAD_NUMBER, lambda _: f"{name} is not finite")
    if name != "rating":
        findings.reject(values < 0.0, Reason.BAD_NUMBER, lambda row: f"{name} is {values[row]:g}, below 0")
    return values


def _filled(values: NDArray[np.float64], value: float) -> NDArray[np.float64]:
    return np.where(np.isnan(values), value, values)


def _pools(cells: Mapping[str, Cells], pool: str, findings: Findings) -> list[str]:
    """The pool of each row; a column in which nobody has one is that of a log without pools."""
    names = words(cells["pool"], "pool") if "pool" in cells else [pool] * len(findings)
    if any(names):
        findings.reject(
            [row for row, name in enumerate(names) if not name], Reason.MISSING_POOL, lambda _: "pool is empty"
        )
    return [name or "" for name in names]


def _refuse_twice(
    codes: NDArray[np.int32], table: Sequence[Id], pools: Sequence[str], findings: Findings, file: str
) -> None:
    first: dict[tuple[str, int], int] = {}
    for row in np.flatnonzero(findings.open).tolist():
        before = first.setdefault((pools[row], int(codes[row])), row)
        if before != row:
            raise ReadError(
                f"{file} has {shortened(table[codes[row]])} twice: {findings.place(before)} and {findings.place(row)}",
                hint="one rating a player and pool: take one of them out",
            )


def _refuse_doubtful(zeros: NDArray[np.bool_], others: NDArray[np.float64], file: str) -> None:
    """`InputError` where a rating of 0 may mean none: lists of federations have it so."""
    count = int(np.count_nonzero(zeros))
    if count and len(others) and (others >= _PLAIN).all():
        raise InputError(
            f"{file} has {_counted(count, 'rating')} of 0, and all others are {others.min():g} or more",
            hint="say zero_means_unrated=True, or zero_means_unrated=False where 0 is a rating like any other",
        )


def _checked(columns: Mapping[str, str] | None) -> dict[str, str]:
    for name, column in (columns or {}).items():
        if name not in COLUMNS or not isinstance(column, str):
            raise InputError(f"no column of ratings is called {shortened(name)}; there are {', '.join(COLUMNS)}")
    return dict(columns or {})


def _chosen(first: Sequence[str], sample: Sequence[Row], mapping: Mapping[str, str], file: str) -> Plan:
    """The columns of a list: what somebody said, then those called so, then the one that is spelt like it."""
    head = Head(list(first), sample, file)
    for name, column in mapping.items():
        if column not in head.names:
            raise ReadError(f"{file} has no column {column!r} (for {name}); it has {head.listing()}")
    choice = Choice(frozenset(mapping), {name: (head.once(column),) for name, column in mapping.items()})
    for name in COLUMNS:
        if name in head.names and choice.wants(name):
            choice.take(head, name, head.once(name))
    taken = {at for several in choice.columns.values() for at in several}
    for name, spellings in _SPELLINGS.items():
        found = [at for at in head.spelt(*spellings) if at not in taken]
        if not found or not choice.wants(name):
            continue
        if len(found) > 1:
            raise ReadError(
                f"{file} has several columns that may be {name}: {', '.join(head.names[at] for at in found)}",
                hint=f"choose {choices(head, [{name: at} for at in found])}",
            )
        choice.take(head, name, found[0])
    needed = ("player",) if "band" in choice.columns else ("player", "rating")
    for name in needed:
        if name not in choice.columns:
            hint = f"map it: columns={{{name!r}: '...'}}"
            raise ReadError(f"{file} has no column {name!r}; it has {head.listing()}", hint=hint)
    return choice.plan()


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
