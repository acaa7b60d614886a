"""The fold: units of games through a system, one after the other. The one place where a game changes a rating.

A unit is what is rated together (a period, a match or a game): every participant's values are those before it. A
replay calls the fold with all its units, a live service with the one that was just settled; both get the same bits.
`make` closes it over one system's formulas: as it stands for the interpreter, or handed to the compiler unchanged.
"""

from collections.abc import Callable
from typing import TypeAlias

from tallymark.methodology.limits import Limits, bounded, grown_within
from tallymark.numeric import formula, half_even, logistic, named_after
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
from tallymark.replay.side import make_side
from tallymark.systems import Constants, Formulas

Fold: TypeAlias = Callable[
    [int, int, Games, Units, Players, Sheet, Predictions, Steps, Tally, Constants, Limits, Clock, Shown], None
]
Ages: TypeAlias = Callable[[Players, IntColumn, FloatColumn, Constants, Limits, Clock], None]


@formula(inline=True)
def periods_between(last: float, now: float, clock: Clock) -> float:
    """Periods of growth from one time of the clock to a later one; 0 when time goes backwards."""
    days = (now - last) / clock.ticks
    n = days * clock.rate if days > 0.0 else 0.0
    near = half_even(n)
    # 49 days at 1/49 a day is 0.9999999999999999 of a period in doubles: that close to a whole one, it is.
    below = near - 1.0 if near - n > 1e-9 * near else near
    return below if clock.whole > 0.0 else n


def make_fold(run: Formulas, grows_first: bool) -> Fold:
    """The fold over one system's formulas."""
    weight, game, _, _, growth, logit = run
    side_after = make_side(run)

    @named_after(run, grows_first)
    def fold(
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
        """Rates units first..last. Changes players, predictions, steps and tally in place; leaves the sheet blank."""
        a, b, s = games.a, games.b, games.s
        shares, exceptions, dated = len(games.share) > 0, len(games.loser_only) > 0, len(games.at) > 0
        starting = len(games.start_a) > 0
        mu, phi2, sigma2 = players.mu, players.phi2, players.sigma2
        slot, who, g, w, u = sheet.slot, sheet.who, sheet.g, sheet.w, sheet.u
        predicting = len(predictions.p) > 0
        recording = len(steps.flags) > 0
        publishing = shown.established_phi2 >= 0.0 or shown.peak_phi2 >= 0.0
        for unit in range(first, last):
            low = units.start[unit] if len(units.start) > 0 else unit
            high = units.start[unit + 1] if len(units.start) > 0 else unit + 1
            now = units.when[unit] if len(units.when) > 0 else NEVER

            # The values before the unit, aged to it, once a participant.
            n = 0
            for i in range(low, high):
                for side in range(2):
                    x = a[i] if side == 0 else b[i]
                    if slot[x] >= 0:
                        continue
                    slot[x] = n
                    who[n] = x
                    if starting and not players.rated[x]:
                        mu[x] = games.start_a[i] if side == 0 else games.start_b[i]
                    own = phi2[x]
                    seen = own
                    ahead = own
                    elapsed = 1.0
                    if clock.kind > 0.0:
                        passed = 0.0
                        if players.rated[x] and players.last[x] != NEVER:
                            passed = periods_between(float(players.last[x]), float(now), clock)
                        by_time = clock.kind > 1.0
                        before = passed if by_time or grows_first else (passed - 1.0 if passed > 1.0 else 0.0)
                        if passed > 0.0:
                            ahead = grown_within(growth(mu[x], own, sigma2[x], passed, k), limits)
                        if before > 0.0:
                            seen = grown_within(growth(mu[x], own, sigma2[x], before, k), limits)
                        elapsed = passed if by_time else 1.0
                        own = own if by_time and not grows_first else seen
                    sheet.mu[n] = mu[x]
                    sheet.own[n] = own
                    sheet.seen[n] = seen
                    sheet.predicted[n] = ahead
                    sheet.sigma2[n] = sigma2[x]
                    sheet.elapsed[n] = elapsed
                    sheet.before[n] = players.games[x]
                    sheet.peak[n] = 0
                    sheet.counted[n] = 0
                    g[n] = weight(seen)
                    w[n] = 0.0
                    u[n] = 0.0
                    n += 1

            # The sums, in the order of the games.
            for i in range(low, high):
                x = slot[a[i]]
                y = slot[b[i]]
                mu_a = sheet.mu[x]
                mu_b = sheet.mu[y]
                if predicting:
                    logit_a = logit(mu_a, mu_b, sheet.predicted[x], sheet.predicted[y], k)
                    predictions.logit[i] = logit_a
                    predictions.p[i] = logistic(logit_a)[0]
                loser_only = exceptions and games.loser_only[i] > 0
                share = games.share[i] if shares else 1.0
                t = 1.0 - s[i]
                if not (loser_only and s[i] > 0.5):
                    more_w, more_u = game(mu_a, mu_b, g[y], s[i], t, share, k)
                    w[x] += more_w
                    u[x] += more_u
                    sheet.counted[x] += 1
                if not (loser_only and s[i] < 0.5):
                    more_w, more_u = game(mu_b, mu_a, g[x], t, s[i], share, k)
                    w[y] += more_w
                    u[y] += more_u
                    sheet.counted[y] += 1
                if publishing and peak_game(i, x, y, games, sheet, shown):
                    sheet.peak[x] = 1
                    sheet.peak[y] = 1

            # Everyone's values after it.
            for j in range(n):
                x = who[j]
                flags = 0
                converged = True
                if sheet.counted[j] > 0:
                    new_mu, new_phi2, new_sigma2, flags, converged = side_after(
                        sheet.mu[j],
                        sheet.own[j],
                        sheet.sigma2[j],
                        w[j],
                        u[j],
                        sheet.elapsed[j],
                        float(sheet.before[j]),
                        k,
                        limits,
                    )
                    players.rated[x] = 1
                else:  # the winner of a game that counts for the loser only: aged, nothing else
                    new_mu, new_phi2, new_sigma2, flags = bounded(
                        sheet.mu[j], sheet.mu[j], sheet.predicted[j], sheet.sigma2[j], limits
                    )
                if players.rated[x]:
                    players.last[x] = now if now > players.last[x] else players.last[x]
                mu[x] = new_mu
                phi2[x] = new_phi2
                sigma2[x] = new_sigma2
                sheet.flags[j] = flags
                sheet.converged[j] = 1 if converged else 0
                if flags:
                    for bit in range(5):
                        tally.clamps[bit] += (flags >> bit) & 1
                if not converged:
                    tally.unconverged[0] += 1

            # The counts, and what else is kept.
            for i in range(low, high):
                for side in range(2):
                    x = a[i] if side == 0 else b[i]
                    score = s[i] if side == 0 else 1.0 - s[i]
                    if not (exceptions and games.loser_only[i] > 0) or score < 0.5:
                        players.games[x] += 1
                        players.wins[x] += 1 if score > 0.5 else 0
                        players.draws[x] += 1 if score == 0.5 else 0
                        players.losses[x] += 1 if score < 0.5 else 0
                    if dated and players.rated[x] and games.at[i] > players.last_played[x]:
                        players.last_played[x] = games.at[i]
            if recording:
                record(low, high, games, players, sheet, steps)
            if publishing:
                for j in range(n):
                    publish(j, players, sheet, shown)
            for j in range(n):
                slot[who[j]] = -1

    return fold


def make_ages(run: Formulas) -> Ages:
    """The ageing of every player to a time of the clock, over one system's formulas."""
    growth = run.growth

    @named_after(run)
    def ages(players: Players, to: IntColumn, out: FloatColumn, k: Constants, limits: Limits, clock: Clock) -> None:
        """Writes phi^2 of each player, aged to that player's entry of `to`; `NEVER` there, or no ageing: as it is."""
        for x in range(len(out)):
            aged = players.phi2[x]
            if clock.kind > 0.0 and players.rated[x] and players.last[x] != NEVER and to[x] != NEVER:
                passed = periods_between(float(players.last[x]), float(to[x]), clock)
                if passed > 0.0:
                    aged = grown_within(growth(players.mu[x], aged, players.sigma2[x], passed, k), limits)
            out[x] = aged

    return ages
