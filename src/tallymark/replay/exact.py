"""The fold of methodologies whose numbers are Q32.32: each game alone, in integers, between states in doubles.

Time is in whole seconds there, as a contract has it; the columns keep their microseconds.
"""

from typing import Final

from tallymark.methodology.limits import Limits
from tallymark.numeric import formula
from tallymark.replay.bookkeeping import peak_game, publish, record
from tallymark.replay.columns import (
    NEVER,
    Clock,
    FloatColumn,
    Games,
    IntColumn,
    Players,
    Predictions,
    Sheet,
    Shown,
    Steps,
    Tally,
    Units,
)
from tallymark.systems import Constants
from tallymark.systems.q32 import aged_exactly, exact_game

SECOND: Final = 1_000_000


@formula(inline=True)
def seconds(last: int, now: int) -> int:
    """When a state is from, in whole seconds since 1970; who has none has not aged by now. Both in microseconds.

    >>> seconds(1_999_999, 5_000_000), seconds(NEVER, 5_000_000)
    (1, 5)
    """
    return (now if last == NEVER else last) // SECOND


def exact_fold(
    first: int,
    last: int,
    games: Games,
    units: Units,
    players: Players,
    sheet: Sheet,
    predictions: Predictions,
    steps: Steps,
    tally: Tally,
    k: Constants,
    limits: Limits,
    clock: Clock,
    shown: Shown,
) -> None:
    """Rates games first..last, each a unit of its own, as `fold.make_fold` says."""
    predicting, recording = len(predictions.p) > 0, len(steps.flags) > 0
    starting = len(games.start_a) > 0
    publishing = shown.established_phi2 >= 0.0 or shown.peak_phi2 >= 0.0
    mu, phi2, last_at = players.mu, players.phi2, players.last
    for i in range(first, last):
        x, y, now, s = games.a[i], games.b[i], units.when[i], games.s[i]
        if starting and not players.rated[x]:
            mu[x] = games.start_a[i]
        if starting and not players.rated[y]:
            mu[y] = games.start_b[i]
        done = exact_game(
            mu[x], phi2[x], seconds(last_at[x], now), mu[y], phi2[y], seconds(last_at[y], now), s, now // SECOND
        )
        if predicting:
            predictions.p[i], predictions.logit[i] = done.p, done.logit
        loser_only = len(games.loser_only) > 0 and games.loser_only[i] > 0
        both = ((x, done.a, s), (y, done.b, 1.0 - s))
        for j, (who, side, score) in enumerate(both):
            counts = not (loser_only and score > 0.5)
            sheet.slot[who], sheet.who[j] = j, who
            sheet.mu[j], sheet.seen[j], sheet.sigma2[j] = mu[who], side.seen, 0.0
            sheet.before[j], sheet.counted[j], sheet.peak[j] = players.games[who], int(counts), 0
            sheet.flags[j], sheet.converged[j] = side.flags if counts else 0, 1
        if publishing and peak_game(i, 0, 1, games, sheet, shown):
            sheet.peak[0] = sheet.peak[1] = 1
        for j, (who, side, score) in enumerate(both):
            if sheet.counted[j]:
                mu[who], phi2[who], players.rated[who] = side.mu, side.phi2, 1
                players.games[who] += 1
                won = players.wins if score > 0.5 else players.draws if score == 0.5 else players.losses
                won[who] += 1
                for bit in range(5):
                    tally.clamps[bit] += (side.flags >> bit) & 1
            else:
                phi2[who] = side.seen
            if players.rated[who]:
                last_at[who] = max(last_at[who], now)
                players.last_played[who] = max(players.last_played[who], games.at[i])
        if recording:
            record(i, i + 1, games, players, sheet, steps)
        if publishing:
            for j in range(2):
                publish(j, players, sheet, shown)
        sheet.slot[x] = sheet.slot[y] = -1


def exact_ages(players: Players, to: IntColumn, out: FloatColumn, k: Constants, limits: Limits, clock: Clock) -> None:
    """Writes phi^2 of each player, aged to that player's entry of `to`; `NEVER` there: as it is."""
    for x in range(len(out)):
        aged = players.phi2[x]
        if players.rated[x] and players.last[x] != NEVER and to[x] != NEVER:
            dt = to[x] // SECOND - players.last[x] // SECOND
            aged = aged_exactly(players.mu[x], aged, dt) if dt > 0 else aged
        out[x] = aged
