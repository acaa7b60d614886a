"""What a fold keeps besides states and counts, where it is asked for: the record of each game, published states."""

import math

from tallymark.numeric import formula
from tallymark.replay.columns import Games, Players, Sheet, Shown, Steps
from tallymark.replay.rows import Rows


@formula(inline=True)
def record(low: int, high: int, games: Games, players: Players, sheet: Sheet, steps: Steps) -> None:
    """Writes what games low..high did to both sides; the sheet still holds the values before them."""
    for i in range(low, high):
        for side in range(2):
            x = games.a[i] if side == 0 else games.b[i]
            j = sheet.slot[x]
            row = 2 * i + side
            steps.mu_before[row] = sheet.mu[j]
            steps.phi2_before[row] = sheet.seen[j]
            steps.sigma2_before[row] = sheet.sigma2[j]
            steps.mu_after[row] = players.mu[x]
            steps.phi2_after[row] = players.phi2[x]
            steps.sigma2_after[row] = players.sigma2[x]
            steps.flags[row] = sheet.flags[j]
            steps.converged[row] = sheet.converged[j]


@formula(inline=True)
def peak_game(i: int, x: int, y: int, games: Games, sheet: Sheet, shown: Shown) -> bool:
    """Whether game i between the participants x and y may move their peaks: both settled before it."""
    if (len(games.peak) > 0 and games.peak[i] == 0) or (len(games.loser_only) > 0 and games.loser_only[i] > 0):
        return False
    if not shown.peak_games > 0.0:
        return True
    played = sheet.before[x] >= shown.peak_games and sheet.before[y] >= shown.peak_games
    return played and sheet.seen[x] <= shown.peak_phi2 and sheet.seen[y] <= shown.peak_phi2


@formula(inline=True)
def published(
    mu: float,
    phi2: float,
    won_and_lost: bool,
    may: bool,
    established: int,
    has_peak: int,
    peak: float,
    shown: Shown,
) -> tuple[int, int, float]:
    """Established, whether there is a peak, and the peak, after games that count. All stay; a peak only rises."""
    if won_and_lost and phi2 <= shown.established_phi2:
        established = 1
    if may and phi2 <= shown.peak_phi2 and (established > 0 or not shown.peak_needs_established > 0.0):
        value = mu - shown.peak_deviations * math.sqrt(phi2)
        if has_peak == 0 or value > peak:
            return established, 1, value
    return established, has_peak, peak


@formula(inline=True)
def publish(j: int, players: Players, sheet: Sheet, shown: Shown) -> None:
    """Participant j after the unit."""
    x = sheet.who[j]
    both = players.wins[x] > 0 and players.losses[x] > 0 and sheet.counted[j] > 0
    players.established[x], players.has_peak[x], players.peak[x] = published(
        players.mu[x],
        players.phi2[x],
        both,
        sheet.peak[j] > 0,
        players.established[x],
        players.has_peak[x],
        players.peak[x],
        shown,
    )


@formula(inline=True)
def publish_row(x: int, mu: float, phi2: float, may: bool, rows: Rows, shown: Shown) -> None:
    """A player of a pass after a game that counts."""
    both = rows.wins[x] + rows.counts[x, 0] > 0 and rows.losses[x] + rows.counts[x, 2] > 0
    rows.established[x], rows.has_peak[x], rows.peak[x] = published(
        mu, phi2, both, may, rows.established[x], rows.has_peak[x], rows.peak[x], shown
    )
