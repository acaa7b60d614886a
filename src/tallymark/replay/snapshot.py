"""Where a replay stopped, exactly: what a later one goes on from, and what an imported list of ratings starts as."""

import os
from collections.abc import Sized
from datetime import date
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError, SnapshotError
from tallymark.games.columns import Cells, ColumnLike, cells_of, numbers, words
from tallymark.games.ids import Id, encode
from tallymark.games.times import NO_TIME, parse_times
from tallymark.games.vocabulary import BANDS, BANDS_ARE
from tallymark.methodology import Methodology
from tallymark.replay import snapshot_file
from tallymark.replay.columns import NEVER, Players, as_arrays, filled
from tallymark.replay.schedule import Head
from tallymark.replay.snapshot_file import Contents
from tallymark.systems import Rating
from tallymark.systems.rating import LARGEST


class Snapshot(Contents):
    """Players, where each pool stands, and the games of the open period, for one methodology.

    `methodology_hash` is None for ratings that came from elsewhere (`from_arrays`): `state` then holds rating,
    deviation and volatility as shown, in the place of mu, phi^2 and sigma^2, and any methodology may start from it.
    """

    __slots__ = ()

    @classmethod
    def from_arrays(
        cls,
        *,
        player: ColumnLike,
        rating: ColumnLike | None = None,
        deviation: ColumnLike | None = None,
        volatility: ColumnLike | None = None,
        at: str | int | date | np.datetime64 | ColumnLike | None = None,
        pool: str | ColumnLike = "",
        band: ColumnLike | None = None,
    ) -> "Snapshot":
        """Ratings from elsewhere, on the display scale, as they hold at the instant `at` (any form of `played_at`).

        `at` and `pool` are one for all players or a column. In calendar periods an instant stands for the end of the
        period before the one it lies in; without `at` no empty period lies before the pool's first. A missing
        deviation or volatility, of all players or of one (None, "" or NaN), is the newcomer's of the methodology that
        starts from it. `band` is the starting band that a player declared, 1 to 4, 0 or missing for none: who has one
        may be without a rating, and begins there in a methodology with bands. Raises `InputError` for a player named
        twice or missing, for a rating that is missing, for numbers that are not finite, and for columns of different
        lengths.

        >>> Snapshot.from_arrays(player=["ann", "bob"], rating=[1600, 1450], deviation=[60, 80])
        Snapshot of 2 players in 1 pool, from elsewhere
        """
        ids = cells_of(player, "player")
        codes, table = encode(ids, "player")
        n = len(codes)
        if (codes < 0).any():
            raise InputError(f"player is missing in row {int(np.argmin(codes))}")
        names = [table[c] for c in codes.tolist()]
        pools = [pool] * n if isinstance(pool, str) else _pool_names(_same_length(cells_of(pool, "pool"), "pool", n))
        seen: set[tuple[str, Id]] = set()
        for row, pair in enumerate(zip(pools, names, strict=True)):
            if pair in seen:
                raise InputError(f"player {pair[1]!r} is there again in row {row}", hint="one rating a player and pool")
            seen.add(pair)
        state = filled(Players, n)
        bands = _bands(band, n)
        columns = {"rating": rating, "deviation": deviation, "volatility": volatility}
        for field, (name, values) in zip(("mu", "phi2", "sigma2"), columns.items(), strict=True):
            getattr(state, field)[:] = _display_column(name, values, n, bands)
        rated = ~np.isnan(np.asarray(state.mu))
        instants = np.asarray(state.last)
        instants[:] = NEVER
        if at is not None:
            column: ColumnLike = [at] if isinstance(at, str) or not isinstance(at, Sized) else at
            times, wrong = parse_times(cells_of(column, "at"))
            if wrong:
                raise InputError(f"at: {next(iter(wrong.values()))}")
            instants[:] = _same_length(times, "at", n) if column is at else times
            instants[(instants == NO_TIME) | ~rated] = NEVER
        np.asarray(state.rated)[:] = rated
        np.asarray(state.last_played)[:] = instants
        of = np.array(pools, dtype=object)
        held = sorted(set(pools)) or ["" if not isinstance(pool, str) else pool]
        heads = [
            Head(origin=NEVER, closed=NEVER, last=instant, since=instant)
            for instant in (int(instants[of == name].max(initial=NEVER)) for name in held)
        ]
        return cls(None, None, held, heads, pools, names, state, None, bands.tolist() if bands.any() else None)

    def __repr__(self) -> str:
        many = "" if len(self.pools) == 1 else "s"
        of = "from elsewhere" if self.methodology_id is None else f"of {self.methodology_id}"
        players = f"{len(self.player):,} player{'' if len(self.player) == 1 else 's'}"
        return f"Snapshot of {players} in {len(self.pools):,} pool{many}, {of}"

    def states_for(self, methodology: Methodology) -> Players:
        """The players' columns on the scale of the methodology; `SnapshotError` where it is another one's."""
        if self.methodology_hash is None:
            return self._converted(methodology)
        if self.methodology_hash != methodology.hash:
            raise SnapshotError(
                f"the snapshot is of {self.methodology_id} ({self.methodology_hash[:12]}), not of {methodology.id} "
                f"({methodology.hash[:12]})",
                hint="replay the whole log under the other methodology",
            )
        if methodology.numbers.exact and not _on_grid(self.state):
            raise SnapshotError(
                f"a state of the snapshot is not of {methodology.id}: mu and phi are no multiples of 2**-32",
                hint="take the snapshot again from a replay",
            )
        return self.state

    def _converted(self, methodology: Methodology) -> Players:
        system, bounds = methodology.system, methodology.bounds
        newcomer = system.initial()
        state = as_arrays(self.state)
        starts = [methodology.initial(band).rating for band in range(len(system.bands()) + 1)]
        only_bands = np.isnan(state.mu)
        if len(starts) == 1 and only_bands.any():
            raise InputError(
                f"{self.player[int(np.argmax(only_bands))]!r} has a starting band and no rating, and "
                f"{methodology.id} has no starting bands ({np.count_nonzero(only_bands):,} such)",
                hint="take a methodology with bands, such as go-onchain or go-float, or give ratings",
            )
        rating = np.asarray(state.mu)
        if only_bands.any():
            rating = np.where(only_bands, np.array(starts)[self.bands], rating)
        deviation = np.where(np.isnan(state.phi2), newcomer.deviation, state.phi2)
        volatility = np.where(np.isnan(state.sigma2), newcomer.volatility, state.sigma2)
        if not system.has_deviation:
            deviation = np.zeros_like(deviation)
        if not system.has_volatility:
            volatility = np.zeros_like(volatility)
        for name, values, low, high in (
            ("rating", rating, bounds.rating_min, bounds.rating_max),
            ("deviation", deviation, bounds.deviation_min, bounds.deviation_max),
            ("volatility", volatility, bounds.volatility_min, bounds.volatility_max),
        ):
            low, high = -np.inf if low is None else low, np.inf if high is None else high
            out = np.flatnonzero((values < low) | (values > high))
            if len(out):
                first = int(out[0])
                raise InputError(
                    f"the {name} of {self.player[first]!r} is {values[first]:g}; {methodology.id} holds it "
                    f"from {low:g} to {high:g} ({len(out):,} such)",
                    hint="bring the list inside the bounds, or take a methodology with others",
                )
        entered = [
            methodology.entered(Rating(*numbers))
            for numbers in zip(rating.tolist(), deviation.tolist(), volatility.tolist(), strict=True)
        ]
        mu, phi2, sigma2 = (
            (np.array(column, np.float64) for column in zip(*entered, strict=True)) if entered else 3 * (rating,)
        )
        return state._replace(mu=mu, phi2=phi2, sigma2=sigma2)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the snapshot as JSON (gzip where the name ends in .gz), beside the target and then renamed.

        Doubles are written as their shortest decimal, which reads back to the same bits. `WriteError` where that
        cannot be done; nothing half written is left.

        >>> import os, tempfile
        >>> file = os.path.join(tempfile.mkdtemp(), "ladder.json.gz")
        >>> Snapshot.from_arrays(player=["ann"], rating=[1600]).save(file)
        >>> Snapshot.load(file)
        Snapshot of 1 player in 1 pool, from elsewhere
        """
        snapshot_file.save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Snapshot":
        """Reads what `save` wrote; `ReadError` for a file that cannot be read, `SnapshotError` for a damaged one."""
        return snapshot_file.load(path, cls)


T = TypeVar("T", bound=Sized)


def _on_grid(state: Players) -> bool:
    """Whether every state is one of Q32.32: mu is a whole number of its units, and phi^2 the square of one."""
    mu, phi = np.asarray(state.mu) * 2.0**32, np.sqrt(state.phi2) * 2.0**32
    return bool((mu == np.rint(mu)).all() and (phi == np.rint(phi)).all() and (np.abs(mu) < 2.0**39).all())


def _same_length(values: T, name: str, n: int) -> T:
    if len(values) != n:
        raise InputError(f"{name} has {len(values)} values for {n} players")
    return values


def _pool_names(cells: Cells) -> list[str]:
    names = words(cells, "pool")
    if None in names:
        raise InputError(f"pool is missing in row {names.index(None)}")
    return [name for name in names if name is not None]


def _bands(values: ColumnLike | None, n: int) -> NDArray[np.int64]:
    """The starting band of each player; 0 for none."""
    if values is None:
        return np.zeros(n, np.int64)
    column, faults = numbers(_same_length(cells_of(values, "band"), "band", n))
    wrong = np.isin(column, range(BANDS + 1), invert=True) & ~np.isnan(column)
    told = {row: shortened(given) for row, given in faults.items()}
    for row, given in {**told, **{row: f"{column[row]:g}" for row in np.flatnonzero(wrong).tolist()}}.items():
        raise InputError(f"band is {given} in row {row}; {BANDS_ARE}")
    return np.where(np.isnan(column), 0.0, column).astype(np.int64)


def _display_column(name: str, values: ColumnLike | None, n: int, bands: NDArray[np.int64]) -> np.ndarray:
    """A column of an imported list; NaN stands for "the newcomer's" where it has nothing, as who has a band may."""
    if values is None:
        if name == "rating" and not bands.all():
            raise InputError("rating is missing; expected one number a player")
        return np.full(n, np.nan)
    column, faults = numbers(_same_length(cells_of(values, name), name, n))
    for row, given in faults.items():
        raise InputError(f"{name} is {given!r} in row {row}; expected a number")
    fits = (np.abs(column) <= LARGEST) | (np.isnan(column) & (bands > 0))
    wrong = np.flatnonzero(~fits if name == "rating" else (column < 0.0) | (column > LARGEST))
    if len(wrong):
        expected = "a finite number" if name == "rating" else "a finite number from 0 up"
        raise InputError(f"{name} is {column[wrong[0]]} in row {int(wrong[0])}; expected {expected}")
    return column
