//! The game rules of go-onchain-v2: what one finished game makes of two players.

use super::constants::{BAND_MU, COUNTER_MAX, MIN_STEPS, SETTLED_GAMES, VERSION};
use super::felt::{NEVER_RATED, Player};
use super::formulas::{Side, floored, game};
use super::primitives::{HALF, ONE, Q, W, root};
use super::updating::{happened, later};

/// The band of who declares none.
pub const UNDECLARED: u8 = 3;
/// The largest phi of players who are established, and of settled ones.
pub const SURE: Q = ONE;

/// Why a game is not rated at all.
pub const INVALID: u8 = 1;
pub const MATCHMAKER: u8 = 2;
pub const REFEREE: u8 = 3;
pub const SHORT: u8 = 4;
pub const ANCHOR: u8 = 5;

/// A finished game: half points of a (0, 1, 2), when it started, its steps, whether it ended on the chain by
/// resignation or timeout (`forfeit`), and whether a queue paired it. The bands that newcomers declared stand beside
/// it: 1 to 4, 0 for none. Of others they do not count.
#[derive(Copy, Drop, PartialEq, Serde)]
pub struct GameResult {
    pub half_points: u8,
    pub t: u64,
    pub steps: u32,
    pub forfeit: bool,
    pub queue: bool,
    pub band_a: u8,
    pub band_b: u8,
}

/// Both players after a game, or why it is void; then nothing changes, the clock included.
#[derive(Copy, Drop)]
pub enum Outcome {
    Rated: (Player, Player),
    Void: u8,
}

/// mu of a starting band, 1 to 4; 0 is none declared.
pub fn band_mu(band: u8) -> Result<Q, felt252> {
    if band > 4 {
        return Result::Err('band');
    }
    Result::Ok(*BAND_MU.span()[(declared(band) - 1).into()])
}

/// A short game is void, but for one that a player gave up on the chain: there the loser loses as in a full game, and
/// the winner only ages. An error is the word for a result or band that there is not.
pub fn rate(a: Player, b: Player, result: GameResult) -> Result<Outcome, felt252> {
    let GameResult { half_points, t, steps, forfeit, queue, band_a, band_b } = result;
    happened(half_points, t)?;
    let short = steps.into() < MIN_STEPS;
    let start_a = started(a, band_a)?;
    let start_b = started(b, band_b)?;
    if short && (half_points == 1 || !forfeit) {
        return Result::Ok(Outcome::Void(SHORT));
    }
    let done = game(
        start_a.mu, start_a.phi, start_a.last, start_b.mu, start_b.phi, start_b.last, half_points.into() * HALF, t,
    );
    let mut after_a = played(start_a, done.a, t, half_points);
    let mut after_b = played(start_b, done.b, t, 2 - half_points);
    if short && half_points == 2 {
        after_a = only_aged(a, done.var_a, t);
    } else if short {
        after_b = only_aged(b, done.var_b, t);
    } else if queue && settled(a, done.var_a) && settled(b, done.var_b) {
        after_a = peaked(after_a);
        after_b = peaked(after_b);
    }
    Result::Ok(Outcome::Rated((after_a, after_b)))
}

fn declared(band: u8) -> u8 {
    if band == 0 {
        UNDECLARED
    } else {
        band
    }
}

/// The player as a game finds it: a newcomer at the band that it declared.
fn started(player: Player, band: u8) -> Result<Player, felt252> {
    let mu = band_mu(band)?;
    if player.phi == 0 {
        return Result::Ok(Player { mu, band: declared(band), ..NEVER_RATED });
    }
    Result::Ok(player)
}

/// The player with the game's rating, one more in its record, and established if it is now.
fn played(before: Player, side: Side, t: u64, half_points: u8) -> Player {
    let wins = counted(before.wins, half_points == 2);
    let losses = counted(before.losses, half_points == 0);
    let sure = side.phi <= SURE && wins > 0 && losses > 0;
    Player {
        mu: side.mu,
        phi: side.phi,
        last: later(before.last, t),
        established: before.established || sure,
        version: VERSION.try_into().unwrap(),
        wins,
        losses,
        draws: counted(before.draws, half_points == 1),
        ..before,
    }
}

/// One more, if it happened; counters hold at COUNTER_MAX.
fn counted(before: u32, more: bool) -> u32 {
    if more && before.into() < COUNTER_MAX {
        before + 1
    } else {
        before
    }
}

/// The winner of a short game; one who was never rated stays so.
fn only_aged(player: Player, var: W, t: u64) -> Player {
    if player.phi == 0 {
        return player;
    }
    Player { phi: aged_phi(var), last: later(player.last, t), version: VERSION.try_into().unwrap(), ..player }
}

/// Before a game, by the variance aged to it.
fn settled(player: Player, var: W) -> bool {
    (player.wins + player.losses + player.draws).into() >= SETTLED_GAMES && aged_phi(var) <= SURE
}

fn aged_phi(var: W) -> Q {
    floored(root(var))
}

/// The player with mu - 2 phi as its peak if that is its best.
fn peaked(player: Player) -> Player {
    let now = player.mu - 2 * player.phi;
    if !player.established || (player.has_peak && player.peak >= now) {
        return player;
    }
    Player { has_peak: true, peak: now, ..player }
}
