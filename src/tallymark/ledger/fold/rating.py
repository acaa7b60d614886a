"""Matches rated one after the other, by the fold of `tallymark.replay`: each from what the one before left."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.fixedpoint.felt import unpack
from tallymark.fixedpoint.rules import MIN_STEPS, Rated, Result, rate
from tallymark.games import GameLog
from tallymark.games.ids import Id
from tallymark.games.vocabulary import Ending, Source
from tallymark.ledger.fold.played import Match, Pairings, pairings
from tallymark.ledger.fold.reasons import Unrated
from tallymark.ledger.fold.rows import Row, columns_of, listed, of_felt, rows_of
from tallymark.methodology import Methodology
from tallymark.methodology.limits import CLAMPS
from tallymark.replay.bands import declaring
from tallymark.replay.columns import NEVER, Steps
from tallymark.replay.eligibility import REASONS, eligibility
from tallymark.replay.engines import Engine, Machine
from tallymark.replay.exact import SECOND
from tallymark.replay.roster import roster
from tallymark.replay.schedule import Head
from tallymark.replay.scheduling import build


class After(NamedTuple):
    """A player after a match: the state, and what was out of the ordinary."""

    player: Id
    mu: float
    phi2: float
    sigma2: float
    flags: int
    converged: bool
    felt: int = 0

    @property
    def clamped(self) -> list[str]:
        """The bounds that were hit."""
        return [word for bit, word in CLAMPS if self.flags & bit]


class Outcome(NamedTuple):
    """What became of a match: everybody's state after it, or why it is not rated."""

    after: list[After]
    reason: str | None


_ENDINGS = [word.value for word in Ending]
_SOURCES = [word.value for word in Source]


def rate_matches(
    rules: Methodology,
    rows: Mapping[Id, Row],
    matches: Sequence[Match],
    engine: Engine = "auto",
    refused: Mapping[int, str] = MappingProxyType({}),
) -> tuple[list[Outcome], dict[Id, Row]]:
    """What becomes of each match, and the rows of those it changed. `rows` has everybody who is in one; `refused` are
    reasons known before.

    Pools by match and by game only: a calendar period is rated when it closes.
    """
    outcomes: dict[int, Outcome] = {}
    ratable: list[int] = []
    for n, match in enumerate(matches):
        why = refused.get(n) or _missing(rules, match)
        if why is None:
            ratable.append(n)
        else:
            outcomes[n] = Outcome([], why)
    changed: dict[Id, Row] = {}
    if ratable:
        games = pairings([matches[n] for n in ratable])
        run = _rate_felts if rules.numbers.exact else _rate_doubles
        found, changed = run(rules, rows, games, engine)
        outcomes |= {ratable[at]: outcome for at, outcome in enumerate(found)}
    return [outcomes[n] for n in range(len(matches))], changed


def why_not(rules: Methodology, matches: Sequence[Match], refused: Mapping[int, str]) -> list[str | None]:
    """Why each match is not rated, whatever players and periods are; None where it is. `refused`: known reasons."""
    out = [refused.get(n) or _missing(rules, match) for n, match in enumerate(matches)]
    ratable = [n for n, why in enumerate(out) if why is None]
    if ratable:
        games = pairings([matches[n] for n in ratable])
        for at, reason in _reasons(eligibility(games.log, rules).reason, games).items():
            out[ratable[at]] = reason
    return out


def timed(rules: Methodology) -> bool:
    """Whether only matches are rated that say when they were played.

    >>> from tallymark.methodology import methodology
    >>> timed(methodology("lichess")), timed(methodology("arena"))
    (True, False)
    """
    return rules.ageing.kind == "elapsed" or rules.period.kind == "calendar" or rules.numbers.exact


def _missing(rules: Methodology, match: Match) -> str | None:
    """What a match lacks that every game of a log has."""
    if not match.has_result:
        return Unrated.NO_RESULT
    return Unrated.NO_TIME if match.played == NEVER and timed(rules) else None


def _reasons(reason: NDArray[np.int8] | None, games: Pairings) -> dict[int, str]:
    """By match: the reason of its first game that has one."""
    why: dict[int, str] = {}
    if reason is not None:
        for game in np.flatnonzero(reason >= 0)[::-1].tolist():
            why[games.of[game]] = REASONS[reason[game]].value
    return why


def told(log: GameLog, places: NDArray[np.int64], steps: Steps) -> Iterator[tuple[After, After]]:
    """Both sides after each game that was rated, as a fold recorded them."""
    mu, phi2, sigma2 = listed(steps.mu_after), listed(steps.phi2_after), listed(steps.sigma2_after)
    flags, converged = listed(steps.flags), listed(steps.converged)
    people, a, b = log.players, log.a.tolist(), log.b.tolist()
    for k, game in enumerate(places.tolist()):
        i, j = 2 * k, 2 * k + 1
        yield (
            After(people[a[game]], mu[i], phi2[i], sigma2[i], flags[i], converged[i] > 0),
            After(people[b[game]], mu[j], phi2[j], sigma2[j], flags[j], converged[j] > 0),
        )


def _rate_doubles(
    rules: Methodology, rows: Mapping[Id, Row], games: Pairings, engine: Engine
) -> tuple[list[Outcome], dict[Id, Row]]:
    log = games.log
    who = roster(log)
    schedule = declaring(build(log, rules, who, [Head(NEVER, NEVER, NEVER)]), log, rules, who, None)
    machine = Machine(rules, columns_of([rows[player] for player in log.players]), engine, len(log), 1)
    work = machine.work(schedule.games, schedule.units, schedule.most, False, True)
    machine.rate(work, 0, schedule.unit_count)
    people, of = log.players, [games.of[game] for game in schedule.places.tolist()]
    after: list[dict[Id, After]] = [{} for _ in range(games.of[-1] + 1)]
    for n, one in zip(of, told(log, schedule.places, work.steps), strict=True):
        for side in one:
            after[n].setdefault(side.player, side)
    why = _reasons(schedule.reason, games)
    outcomes = [Outcome(list(sides.values()), why.get(n)) for n, sides in enumerate(after)]
    stood = rows_of(machine.standing.columns())
    touched = {player for sides in after for player in sides}
    changed = {player: row for player, row in zip(people, stood, strict=True) if player in touched}
    return outcomes, changed


def _rate_felts(
    rules: Methodology, rows: Mapping[Id, Row], games: Pairings, engine: Engine
) -> tuple[list[Outcome], dict[Id, Row]]:
    """By the rules of the contract, felt by felt; which games are rated at all is asked of the methodology. Of several
    sides, pair by pair: the contract knows no other games."""
    log = games.log
    schedule = build(log, rules, roster(log), [Head(NEVER, NEVER, NEVER)])
    reason = np.full(len(log), -1) if schedule.reason is None else schedule.reason
    forfeits = set(rules.rated.short_loss)
    changed: dict[Id, Row] = {}
    whys: dict[int, str] = {}
    sides: list[dict[Id, After]] = [{} for _ in range(games.of[-1] + 1)]
    assert log.time is not None
    for game, match in enumerate(games.of):
        if reason[game] >= 0:
            whys.setdefault(match, REASONS[reason[game]].value)
            continue
        a, b = log.players[log.a[game]], log.players[log.b[game]]
        before_a, before_b = changed.get(a, rows[a]), changed.get(b, rows[b])
        at = int(log.time[game])
        steps = MIN_STEPS if log.steps is None or log.steps[game] < 0 else int(log.steps[game])
        ending = None if log.ending is None or log.ending[game] < 0 else int(log.ending[game])
        source = None if log.source is None or log.source[game] < 0 else int(log.source[game])
        result = Result(
            int(2 * log.score[game]),
            at // SECOND,
            steps,
            ending is not None and _ENDINGS[ending] in forfeits,
            source is None or _SOURCES[source] in rules.published.peak_sources,
            0 if log.band_a is None else max(0, int(log.band_a[game])),
            0 if log.band_b is None else max(0, int(log.band_b[game])),
        )
        done = rate(unpack(before_a.felt), unpack(before_b.felt), result)
        if not isinstance(done, Rated):
            whys.setdefault(match, done.name.lower())
            continue
        for player, before, side, state in (
            (a, before_a, done.game.side_a, done.a),
            (b, before_b, done.game.side_b, done.b),
        ):
            row = changed[player] = of_felt(state, before, at)
            flags = 2 * (side.free != side.mu) + 4 * (side.root != side.phi)
            known = sides[match].get(player)
            flags |= 0 if known is None else known.flags
            sides[match][player] = After(player, row.mu, row.phi2, row.sigma2, flags, True, row.felt)
    return [Outcome([*after.values()], None if after else whys[n]) for n, after in enumerate(sides)], changed
