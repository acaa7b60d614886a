"""The game log: one columnar form of any set of games, in one total order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from tallymark.games.byes import count_people
from tallymark.games.checking import check_choices, check_games
from tallymark.games.choices import EVERYTHING, Choices
from tallymark.games.coded import Coded
from tallymark.games.columns import Cells, ColumnLike, cells_of, same_length
from tallymark.games.duplicates import check_repeats
from tallymark.games.entries import pair_entries
from tallymark.games.identity.display import names_of_entries, names_of_games
from tallymark.games.identity.names import NAMES
from tallymark.games.ids import Id, compact
from tallymark.games.joining import joined
from tallymark.games.noting import note_people, note_times
from tallymark.games.orders import one_order_a_match
from tallymark.games.origin import Origin
from tallymark.games.ready import ReadyLog
from tallymark.games.remarks import one_sided
from tallymark.games.report import Findings, LogReport
from tallymark.games.sorting import ordered
from tallymark.games.tabled import restore, table_of
from tallymark.tables import Table


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GameLog:
    """Games as columns, in the total order: time, `order` column, match id, game id, position in the input.

    Missing match and game ids sort first. Every array has one value a game:

    `a`, `b`: int32 positions of the players in `players` (ids in rank order: integers, then strings by code point; a
    list, or where very many ids are integers a sequence that makes them when asked);
    `score`: float64, player a's, 0 to 1; `pool`: int32 positions in `pools`; `time`: int64 microseconds since 1970 UTC
    or None when the games have no times; `match`, `game`: int32 positions in `matches`, `games` (-1 = none) or None;
    `steps`, `board`, `handicap`: int32 (-1 = missing) or None; `band_a`, `band_b`: int32 starting bands (0 and -1 =
    none declared) or None; `ending`, `source`: int8 codes of `Ending`, `Source` (-1 = missing) or None; `komi`: float64
    (NaN = missing) or None; `order`: int64 where all are whole numbers (the least int64 = missing), else float64 (NaN =
    missing), or None; `size_a`, `size_b`: int32 team sizes or None;
    `row`: int64 position of the game (or of player a's entry) in the input, whose files and lines `origin` knows.
    `names`: what people call a player where the input says more than the id, by that; None where it does not.
    """

    players: Sequence[Id]
    pools: list[str]
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    score: NDArray[np.float64]
    pool: NDArray[np.int32]
    time: NDArray[np.int64] | None
    match: NDArray[np.int32] | None
    matches: list[Id] | None
    game: NDArray[np.int32] | None
    games: Sequence[Id] | None
    steps: NDArray[np.int32] | None
    ending: NDArray[np.int8] | None
    source: NDArray[np.int8] | None
    board: NDArray[np.int32] | None
    komi: NDArray[np.float64] | None
    handicap: NDArray[np.int32] | None
    band_a: NDArray[np.int32] | None
    band_b: NDArray[np.int32] | None
    order: NDArray[np.float64] | NDArray[np.int64] | None
    size_a: NDArray[np.int32] | None
    size_b: NDArray[np.int32] | None
    row: NDArray[np.int64]
    report: LogReport
    origin: Origin
    names: Mapping[Id, str] | None = None

    @classmethod
    def from_arrays(
        cls,
        *,
        player_a: ColumnLike,
        player_b: ColumnLike,
        score_a: ColumnLike,
        played_at: ColumnLike | None = None,
        pool: ColumnLike | None = None,
        game: ColumnLike | None = None,
        match: ColumnLike | None = None,
        steps: ColumnLike | None = None,
        ending: ColumnLike | None = None,
        source: ColumnLike | None = None,
        board: ColumnLike | None = None,
        komi: ColumnLike | None = None,
        handicap: ColumnLike | None = None,
        band_a: ColumnLike | None = None,
        band_b: ColumnLike | None = None,
        order: ColumnLike | None = None,
    ) -> "GameLog":
        """A log from columns of equal length: lists, numpy arrays, pandas or polars Series, Arrow arrays.

        Rows that cannot be rated do not raise: they are named in `report`. InputError for columns of different
        lengths and for ids that are not exact (floats, booleans).

        >>> log = GameLog.from_arrays(player_a=["ann", "cid"], player_b=["bob", "ann"], score_a=[1, 0.5],
        ...                           played_at=["2026-01-02", "2026-01-01"])
        >>> log.players, log.a.tolist(), log.row.tolist()
        (['ann', 'bob', 'cid'], [2, 0], [1, 0])
        """
        given = {
            "player_a": player_a,
            "player_b": player_b,
            "score_a": score_a,
            "played_at": played_at,
            "pool": pool,
            "game": game,
            "match": match,
            "steps": steps,
            "ending": ending,
            "source": source,
            "board": board,
            "komi": komi,
            "handicap": handicap,
            "band_a": band_a,
            "band_b": band_b,
            "order": order,
        }
        cells = {name: cells_of(values, name) for name, values in given.items() if values is not None}
        return log_of_games(cells, Findings(same_length(cells)))

    @classmethod
    def from_entries(
        cls,
        *,
        match: ColumnLike,
        player: ColumnLike,
        rank: ColumnLike,
        team: ColumnLike | None = None,
        played_at: ColumnLike | None = None,
        pool: ColumnLike | None = None,
        ending: ColumnLike | None = None,
        source: ColumnLike | None = None,
        steps: ColumnLike | None = None,
        order: ColumnLike | None = None,
    ) -> "GameLog":
        """A log from matches of several players: one row a player and match, rank 1 the best, ties share a rank.

        Every two players of a match are a game (with `team`: every two of different teams), player_a the smaller id,
        its score 1, 0.5 or 0 by rank. What a match has once (`played_at`, `pool`, `ending`, `source`, `steps`,
        `order`) is the same in all its rows, or the match is rejected; so is one with a player twice.

        >>> log = GameLog.from_entries(match=[7, 7, 7], player=["cid", "ann", "bob"], rank=[1, 2, 2])
        >>> [(log.players[a], log.players[b], s) for a, b, s in zip(log.a, log.b, log.score.tolist())]
        [('ann', 'bob', 0.5), ('ann', 'cid', 0.0), ('bob', 'cid', 0.0)]
        """
        given = {
            "match": match,
            "player": player,
            "rank": rank,
            "team": team,
            "played_at": played_at,
            "pool": pool,
            "ending": ending,
            "source": source,
            "steps": steps,
            "order": order,
        }
        cells = {name: cells_of(values, name) for name, values in given.items() if values is not None}
        return log_of_entries(cells, Findings(same_length(cells)))

    def __len__(self) -> int:
        return len(self.a)

    def __setstate__(self, state: Sequence[object]) -> None:
        """A copy, or a log that comes from another process: its arrays change as little as those of the first."""
        for field, value in zip(fields(self), state, strict=True):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, field.name, value)

    def __repr__(self) -> str:
        return (
            f"GameLog: {len(self):,} games of {count_people(self.players):,} players in {len(self.pools):,} "
            f"pool{'' if len(self.pools) == 1 else 's'}{self._span()}; "
            f"{self.report.held:,} rows held, {self.report.rejected:,} rejected"
        )

    def _repr_html_(self) -> str:
        return self.to_table()._repr_html_()

    def _span(self) -> str:
        if self.time is None or not len(self):
            return ""
        first, last = (str(instant)[:10] for instant in self.time[[0, -1]].view("datetime64[us]"))
        return f", {first} to {last}"

    def to_table(self) -> Table:
        """The games as a Table with ids, words and times restored; columns the log does not have are left out.

        >>> GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[0]).to_table().columns
        ('pool', 'player_a', 'player_b', 'score_a', 'row')
        """
        return table_of(self._coded())

    def taken(self, positions: NDArray[np.integer]) -> "GameLog":
        """The games at these positions, in the log's order; `row` still says where they came from.

        >>> log = GameLog.from_arrays(player_a=[1, 2, 3], player_b=[2, 3, 1], score_a=[1, 0, 1])
        >>> log.taken(np.array([2])).row.tolist()
        [2]
        """
        keep = np.zeros(len(self), dtype=bool)
        keep[positions] = True
        return replace(in_order(self._coded(), keep, Findings(int(keep.sum()))), origin=self.origin, names=self.names)

    def followed_by(self, later: "GameLog") -> "GameLog":
        """Both logs as one in total order, games of `later` after equals; its report is that of `later`.

        InputError if a game id is in both, or if one has times and the other has none.

        >>> one = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1])
        >>> len(one.followed_by(GameLog.from_arrays(player_a=[3], player_b=[2], score_a=[1])))
        2
        """
        both = joined(self._coded(), later._coded())
        return replace(
            in_order(both, np.ones(len(both.a), dtype=bool), Findings(len(both.a))),
            report=later.report,
            origin=later.origin,
            names={**(self.names or {}), **(later.names or {})} or None,
        )

    def prepare(self) -> ReadyLog:
        """This log made ready for many replays: what they share is worked out once, and kept in memory.

        Nothing is written: `tallymark prepare` saves a log that was read, which is another thing.

        >>> GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1]).prepare()
        ReadyLog: 1 game, 0 schedules
        """
        return ReadyLog(self)

    @classmethod
    def restored(cls, columns: Mapping[str, Sequence[object]]) -> "GameLog":
        """The log whose `to_table` columns these are, `played_at` in microseconds, `row` counted anew.

        InputError for what no log can hold.

        >>> GameLog.restored({"player_a": [1], "player_b": [2], "score_a": [1.0], "pool": [""]}).players
        [1, 2]
        """
        return in_order(*restore(columns))

    def _coded(self) -> Coded:
        return Coded(**{field.name: getattr(self, field.name) for field in fields(Coded)})


def log_of_games(cells: dict[str, Cells], findings: Findings, choices: Choices = EVERYTHING) -> GameLog:
    """The log of two-player rows given by canonical column name; `findings` may already hold faults of reading.

    The columns are taken out of `cells`.
    """
    people = {name: cells[name] for pair in NAMES if set(pair) <= set(cells) for name in pair}
    coded = check_games(cells, findings)
    check_choices(coded, choices, findings)
    note_people(people, coded, findings)
    note_times(coded, findings)
    log = in_order(coded, findings.open, findings, complete=True)
    if findings.of is not None or not people:
        return log
    return replace(log, names=names_of_games(people, log.players, log.a, log.b, log.row))


def log_of_entries(cells: Mapping[str, Cells], findings: Findings, choices: Choices = EVERYTHING) -> GameLog:
    """The log of all pairings in the matches of the entries, given by canonical column name."""
    coded = pair_entries(cells, findings, choices)
    pairs = findings.spread(coded.row)
    if "match" not in cells:  # each row is a match of its own, and may be one told twice
        check_repeats(replace(coded, match=None, matches=None), pairs, choices.dedupe)
    note_people(cells, coded, findings)
    note_times(coded, findings)
    log = in_order(coded, pairs.open, findings)
    return replace(log, names=names_of_entries(cells, log.players))


def in_order(coded: Coded, keep: NDArray[np.bool_], findings: Findings, *, complete: bool = False) -> GameLog:
    """The kept rows in total order, with tables of the ids that remain. Ties keep the order they come in.

    What is put in order is so in `coded` from then on. `complete`: every id of the tables is in some row.
    """
    everything = bool(keep.all())
    first = None
    if coded.order is not None:
        first = np.where(np.isnan(coded.order), -np.inf, coded.order) if coded.order.dtype.kind == "f" else coded.order
        first = one_order_a_match(first, coded.match, keep)
    keys = {"game": coded.game, "match": coded.match, "order": first, "time": coded.time}
    given = [name for name, key in keys.items() if key is not None]
    order = None
    if not (everything and given == ["time"] and coded.in_time):
        order = ordered(None if everything else np.flatnonzero(keep), [key for key in keys.values() if key is not None])
    n = len(keep if order is None else order)
    del keys
    rows = coded.per_row()
    if order is not None:  # else nothing needs to be copied
        for name in rows:  # one by one, and the old one goes, for there is not always room for two of all
            rows[name] = rows[name][order]
            setattr(coded, name, rows[name])
    players: Sequence[Id] = coded.players
    pools: Sequence[Id] = coded.pools
    matches, games = coded.matches, coded.games
    match, game = rows.get("match"), rows.get("game")
    if not (complete and everything):
        (rows["a"], rows["b"]), players = compact([rows["a"], rows["b"]], players)
        (rows["pool"],), pools = compact([rows["pool"]], pools)
        if match is not None and matches is not None:
            (match,), matches = compact([match], matches)
        if game is not None and games is not None:
            (game,), games = compact([game], games)
    rows["row"] = findings.rows_of(rows["row"])
    for values in rows.values():
        values.flags.writeable = False
    if coded.time is None and n:
        by = [f"their {name}{'' if name == 'order' else ' ids'}" for name in reversed(given)] or ["their rows"]
        findings.notes.append(f"no times: games are taken in the order of {', then '.join(by)}")
    findings.notes += filter(None, [one_sided(rows["score"])])
    return GameLog(
        players=players,
        pools=[str(name) for name in pools] or [""],
        a=rows["a"],
        b=rows["b"],
        score=rows["score"],
        pool=rows["pool"],
        time=rows.get("time"),
        match=match,
        matches=matches,
        game=game,
        games=games,
        steps=rows.get("steps"),
        ending=rows.get("ending"),
        source=rows.get("source"),
        board=rows.get("board"),
        komi=rows.get("komi"),
        handicap=rows.get("handicap"),
        band_a=rows.get("band_a"),
        band_b=rows.get("band_b"),
        order=rows.get("order"),
        size_a=rows.get("size_a"),
        size_b=rows.get("size_b"),
        row=rows["row"],
        report=findings.report(n),
        origin=findings.origin,
    )
