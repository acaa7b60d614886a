"""Predictions of games to come: what a replay would expect of each, were it the next game of its log."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import InputError
from tallymark.games import GameLog
from tallymark.games.byes import is_bye
from tallymark.games.columns import Cells, ColumnLike, cells_of, words
from tallymark.games.ids import Id, encode
from tallymark.games.times import NO_TIME, parse_times
from tallymark.methodology import Methodology, methodology
from tallymark.numeric import logistic
from tallymark.replay.bands import bands_at_start, starts_of
from tallymark.replay.board import provisionally
from tallymark.replay.columns import NEVER, Players, filled
from tallymark.replay.display import Floats, displayed
from tallymark.replay.engines import Machine
from tallymark.replay.exact import SECOND, seconds
from tallymark.replay.replaying import replay
from tallymark.replay.result import Replay
from tallymark.replay.schedule import DAY, Head
from tallymark.replay.snapshot import Snapshot
from tallymark.systems.q32 import exact_game
from tallymark.tables import Column, Table

_SIDES = ("a", "b")


def predict(
    known: Replay | Snapshot,
    player_a: ColumnLike | Id,
    player_b: ColumnLike | Id,
    *,
    at: ColumnLike | str | date | np.datetime64 | None = None,
    pool: ColumnLike | str | None = None,
    rules: Methodology | str | None = None,
) -> Table:
    """What is expected of games to come, one row a game, each as if it were the next after all that is `known`.

    `known`: a replay, or a snapshot, of which `rules` names the methodology (for a shipped one it need not).
    `player_a`, `player_b`, `at` (any form of `played_at`) and `pool` are columns or one for all. Without `at`, or where
    it is missing, a game is played as soon as everything known counts: at the start of the period after the pool's
    last, in other methodologies at its last game. Without `pool` there must be only one.

    Columns: pool, player_a, player_b, at, p_a (from 0 to 1: a win 1, a draw one half), logit_a; rating, deviation and
    provisional of both sides (`rating_a`, ...), the deviations aged to `at` as the replay's prediction has them; and
    `note`, empty but for newcomers, who count as the methodology says, for a game that lies before what is known, and
    for one in a calendar period whose other games do not count yet.
    Raises `InputError` for a player against itself, an unknown pool or what is no time.

    >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
    >>> p = predict(replay(log, "elo"), ["ann", "cid"], "bob")
    >>> [(row["player_a"], round(row["p_a"], 4), row["note"]) for row in p.rows()]
    [('ann', 0.5288, ''), ('cid', 0.5144, 'cid is new')]
    """
    result = _as_replay(known, rules)
    fixtures = _fixtures(result, player_a, player_b, at, pool)
    seats = _seats(result, fixtures)
    machine = Machine(result.methodology, seats.players, "auto", len(fixtures.at))
    aged = machine.aged(seats.to)
    return _table(result, fixtures, seats, np.asarray(seats.players.phi2) if aged is None else aged)


def _as_replay(known: Replay | Snapshot, rules: Methodology | str | None) -> Replay:
    if isinstance(known, Replay):
        if rules is not None and methodology(rules).hash != known.methodology.hash:
            raise InputError(
                f"rules are {methodology(rules).id}, and the replay is of {known.methodology.id}",
                hint="leave rules out, or replay under them",
            )
        return known
    if not isinstance(known, Snapshot):
        raise InputError(f"known is a {type(known).__name__}; expected a Replay or a Snapshot")
    if rules is None:
        if known.methodology_id is None:
            raise InputError("the snapshot is of no methodology", hint="name one: predict(..., rules='paper')")
        rules = known.methodology_id
    return replay(GameLog.from_arrays(player_a=[], player_b=[], score_a=[]), rules, known)


class _Fixtures(NamedTuple):
    """Games to come, one entry a game."""

    sides: tuple[list[Id], list[Id]]
    pool: NDArray[np.int64]
    """Place in the replay's pools."""
    at: NDArray[np.int64]
    """Instant, `NEVER` where none was given."""


def _fixtures(
    result: Replay,
    player_a: ColumnLike | Id,
    player_b: ColumnLike | Id,
    at: ColumnLike | str | date | np.datetime64 | None,
    pool: ColumnLike | str | None,
) -> _Fixtures:
    given = {"player_a": player_a, "player_b": player_b, "at": at, "pool": pool}
    columns = {
        name: cells_of(values, name)
        for name, values in given.items()
        if values is not None and not isinstance(values, str | int | date | np.generic)
    }
    lengths = {name: len(cells) for name, cells in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"columns differ in length: {', '.join(f'{name} {n}' for name, n in lengths.items())}")
    n = next(iter(lengths.values()), 1)
    sides = [_ids(columns.get(name, [given[name]] * n), name) for name in ("player_a", "player_b")]
    for row, (a, b) in enumerate(zip(*sides, strict=True)):
        if a == b:
            raise InputError(f"{a!r} plays against itself in row {row}")
        if is_bye(a) or is_bye(b):
            raise InputError(f"BYE is nobody to play against, in row {row}")
    return _Fixtures(
        (sides[0], sides[1]),
        _pools(result, columns.get("pool", [pool] * n)),
        _instants(columns.get("at", [at] * n)),
    )


def _ids(cells: Cells, name: str) -> list[Id]:
    codes, table = encode(cells, name)
    if (codes < 0).any():
        raise InputError(f"{name} is missing in row {int(np.argmin(codes))}")
    return [table[code] for code in codes.tolist()]


def _pools(result: Replay, cells: Cells) -> NDArray[np.int64]:
    names = result._roster.pools or [""]
    place = {name: code for code, name in enumerate(names)}
    out = np.zeros(len(cells), np.int64)
    for row, name in enumerate(words(cells, "pool")):
        if name is None and len(names) > 1:
            raise InputError(
                f"there are {len(names):,} pools, and row {row} does not say which", hint=f"pool={names[0]!r}"
            )
        if name is not None and name not in place:
            listed = ", ".join(map(repr, names[:10]))
            raise InputError(f"pool is {name!r} in row {row}; the pools are {listed}")
        out[row] = 0 if name is None else place[name]
    return out


def _instants(cells: Cells) -> NDArray[np.int64]:
    times, wrong = parse_times(cells)
    for message in wrong.values():
        raise InputError(f"at: {message}", hint="a time such as 2026-11-29 or 2026-11-29T12:00:00Z")
    return np.where(times == NO_TIME, NEVER, times)


class _Seats(NamedTuple):
    """Both sides of every game, two rows a game (a, then b): what a fold would read of them before the game."""

    players: Players
    to: NDArray[np.int64]
    """The time of the clock that each is aged to."""
    new: NDArray[np.bool_]
    at: NDArray[np.int64]
    """For each game, the instant it is played at; `NEVER` where there are no times."""
    note: list[str]
    """For each game, what there is to say besides newcomers."""


def _seats(result: Replay, fixtures: _Fixtures) -> _Seats:
    roster = result._roster
    schedule = result._schedule
    after, closed = result._machine.standing.columns(), result._closed()
    n = len(fixtures.at)
    row_of = dict(zip(roster.key.tolist(), range(len(roster)), strict=True))
    place = {player: code for code, player in enumerate(roster.players)}
    width = len(roster.players)
    pools = fixtures.pool.tolist()
    rows = np.full(2 * n, -1, np.int64)
    for side, players in enumerate(fixtures.sides):
        rows[side::2] = [
            row_of.get(code * width + place[p], -1) if p in place else -1
            for code, p in zip(pools, players, strict=True)
        ]
    moments = [
        _moment(result.methodology, _head(schedule.heads, code), _open(schedule.open_period, code), at)
        for code, at in zip(pools, fixtures.at.tolist(), strict=True)
    ]
    before = np.repeat([moment.closed_state for moment in moments], 2).astype(bool)
    newcomer = result.methodology.entered(result.methodology.initial())
    seats = filled(Players, 2 * n)
    here = rows >= 0
    for name, late, early, column in zip(Players._fields, after, closed, seats, strict=True):
        out = np.asarray(column)
        out[:] = {"mu": newcomer.mu, "phi2": newcomer.phi2, "sigma2": newcomer.sigma2, "last": NEVER}.get(name, 0)
        if here.any():
            out[here] = np.where(before[here], np.asarray(early)[rows[here]], np.asarray(late)[rows[here]])
    new = np.asarray(seats.rated) == 0
    bands = np.append(bands_at_start(roster, result.methodology, result._start).declared, 0)
    np.asarray(seats.mu)[new] = starts_of(result.methodology)[bands[rows[new]]]
    to = np.repeat(np.array([moment.to for moment in moments], np.int64), 2)
    _date(np.asarray(seats.last), np.repeat([moment.origin for moment in moments], 2), to, result.methodology)
    return _Seats(
        seats,
        to,
        new,
        np.array([moment.at for moment in moments], np.int64),
        [moment.note for moment in moments],
    )


def _head(heads: Sequence[Head], code: int) -> Head:
    return heads[code] if code < len(heads) else Head(NEVER, NEVER, NEVER)


def _open(periods: NDArray[np.int64], code: int) -> int:
    return int(periods[code]) if code < len(periods) else NEVER


class _Moment(NamedTuple):
    """When a game is played, for a pool."""

    at: int
    to: int
    """On the methodology's clock."""
    closed_state: bool
    """Whether the games of the open period do not count yet."""
    origin: int
    """Where instants of imported ratings are counted from, `NEVER` where they are dated already."""
    note: str


def _moment(rules: Methodology, head: Head, open_period: int, at: int) -> _Moment:
    """The moment of a game at an instant, or of one as soon as all that is known counts.

    What `schedule.build` does for a log, here for one game.
    """
    if rules.period.kind != "calendar":
        at = head.last if at == NEVER else at
        early = at < head.last
        return _Moment(at, at, False, NEVER, "played before the last game that is known" if early else "")
    length = rules.period.length
    origin, closed, dating = head.origin, head.closed, NEVER
    if origin == NEVER:  # a pool without a rated game: this one would be the first
        if at == NEVER and head.since == NEVER:
            return _Moment(NEVER, 0, False, 0, "")
        stated = rules.period.origin_instant
        origin = dating = max(at, head.since) // DAY * DAY if stated is None else stated
        if head.since != NEVER:
            closed = (head.since - origin) // length - 1
    if open_period != NEVER:
        closed = max(closed, open_period - 1)
    if at == NEVER:
        last = max(closed, open_period)
        period = last + 1 if last != NEVER else 0
        return _Moment(origin + period * length, period, False, dating, "")
    period = (at - origin) // length
    note = ""
    if (closed != NEVER and period <= closed) or at < head.since:
        period, note = closed + 1, "played in a period that is over"
    elif period == open_period:
        note = "its period is open: ratings are those before it, a board has its games so far"
    return _Moment(at, period, period == open_period, dating, note)


def _date(last: NDArray[np.int64], origin: NDArray[np.int64], to: NDArray[np.int64], rules: Methodology) -> None:
    """Numbers of periods for imported states that still have instants, or no time at all.

    What `starting._date_states` does for a log, here for each game.
    """
    if rules.period.kind != "calendar":
        return
    dated = (origin != NEVER) & (last != NEVER)
    last[dated] = (last[dated] - origin[dated]) // rules.period.length - 1
    undated = last == NEVER
    last[undated] = to[undated] - 1


def _table(result: Replay, fixtures: _Fixtures, seats: _Seats, phi2: NDArray[np.float64]) -> Table:
    rules = result.methodology
    mu, sigma2 = np.asarray(seats.players.mu), np.asarray(seats.players.sigma2)
    expected = _expected_exactly(seats) if rules.numbers.exact else _expected(rules, mu, phi2)
    rating, deviation, _ = displayed((mu, phi2, sigma2), rules.limits)
    provisional = provisionally(rules, phi2, np.asarray(seats.players.games))
    pools = np.array([*result._roster.pools, ""], dtype=object)
    columns: dict[str, Column] = {
        "pool": pools[fixtures.pool],
        "player_a": fixtures.sides[0],
        "player_b": fixtures.sides[1],
        "at": np.where(seats.at == NEVER, NO_TIME, seats.at).view("datetime64[us]"),
        "p_a": np.array([p for p, _ in expected], np.float64),
        "logit_a": np.array([logit for _, logit in expected], np.float64),
    }
    for side, which in enumerate(_SIDES):
        columns[f"rating_{which}"] = rating[side::2]
        columns[f"deviation_{which}"] = deviation[side::2]
        columns[f"provisional_{which}"] = provisional[side::2]
    columns["note"] = [
        "; ".join([*_newcomers(fixtures, seats, game), *([seats.note[game]] if seats.note[game] else [])])
        for game in range(len(seats.note))
    ]
    return Table(columns)


def _expected(rules: Methodology, mu: Floats, phi2: Floats) -> list[tuple[float, float]]:
    """The probability that a wins, and its logit, of each game, from states aged to it."""
    k = rules.system.constants(rules.limits.rating_steps)
    logit = rules.system.formulas.logit
    a, b = (list(zip(mu[side::2].tolist(), phi2[side::2].tolist(), strict=True)) for side in (0, 1))
    logits = [logit(mu_a, mu_b, phi2_a, phi2_b, k) for (mu_a, phi2_a), (mu_b, phi2_b) in zip(a, b, strict=True)]
    return [(logistic(x)[0], x) for x in logits]


def _expected_exactly(seats: _Seats) -> list[tuple[float, float]]:
    """The same in integers, whose variances are aged within: they have more digits than a deviation has."""
    columns = (seats.players.mu, seats.players.phi2, seats.players.last)
    states = list(zip(*(np.asarray(column).tolist() for column in columns), strict=True))
    games = []
    for (mu_a, phi2_a, last_a), (mu_b, phi2_b, last_b), now in zip(
        states[::2], states[1::2], seats.to[::2].tolist(), strict=True
    ):
        since_a, since_b = seconds(last_a, now), seconds(last_b, now)
        done = exact_game(mu_a, phi2_a, since_a, mu_b, phi2_b, since_b, 0.5, now // SECOND)
        games.append((done.p, done.logit))
    return games


def _newcomers(fixtures: _Fixtures, seats: _Seats, game: int) -> list[str]:
    new = [str(players[game]) for side, players in enumerate(fixtures.sides) if seats.new[2 * game + side]]
    return [f"{' and '.join(new)} {'is' if len(new) == 1 else 'are'} new"] if new else []
