"""What a fold keeps besides states and counts, where it is asked for: the record of each game, published states."""

import math

from tallymark.numeric import formula
from tallymark.replay.columns import Games, Players, Sheet, Shown, Steps


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
    mu: float, phi2: float, won_and_lost: bool, may: bool, established: bool, peak: float, shown: Shown
) -> tuple[bool, float]:
    """Established, and the peak or -inf, after games that count. Once established, for ever; a peak only rises."""
    established = established | (won_and_lost & (phi2 <= shown.established_phi2))
    value = mu - shown.peak_deviations * math.sqrt(phi2)
    counts = may & (phi2 <= shown.peak_phi2) & (established | (shown.peak_needs_established <= 0.0))
    return established, (value if counts & (value > peak) else peak)


@formula(inline=True)
def publish(j: int, players: Players, sheet: Sheet, shown: Shown) -> None:
    """Participant j after the unit."""
    x = sheet.who[j]
    established, peak = published(
        players.mu[x],
        players.phi2[x],
        players.wins[x] > 0 and players.losses[x] > 0 and sheet.counted[j] > 0,
        sheet.peak[j] > 0,
        players.established[x] > 0,
        players.peak[x] if players.has_peak[x] > 0 else -math.inf,
        shown,
    )
    if established:
        players.established[x] = 1
    if peak > -math.inf:
        players.has_peak[x] = 1
        players.peak[x] = peak
