//! One rated game: both new states and the win probability, from states that a felt can hold.

use super::constants::{PHI_MAX, PHI_MIN};
use super::formulas::{chance, game};
use super::primitives::{HALF, Q};

/// Values of the felt's fields: mu from -MU_END to MU_END - 1, times below TIME_END.
pub const MU_END: Q = 0x8000000000;
pub const TIME_END: u64 = 0x10000000000;

/// A player: mu and phi as Q, and when the last game was, in seconds since 1970. phi = 0 says never rated.
#[derive(Copy, Drop, PartialEq)]
pub struct State {
    pub mu: Q,
    pub phi: Q,
    pub last: u64,
}

/// Both players after a game, and the win probability of a before it.
#[derive(Copy, Drop)]
pub struct Update {
    pub a: State,
    pub b: State,
    pub p: Q,
}

/// Words for what is refused of a state: those of one side.
#[derive(Copy, Drop)]
pub struct Words {
    pub mu: felt252,
    pub phi: felt252,
    pub last: felt252,
}

pub const OF_A: Words = Words { mu: 'a.mu', phi: 'a.phi', last: 'a.last' };
pub const OF_B: Words = Words { mu: 'b.mu', phi: 'b.phi', last: 'b.last' };

/// One game at t; half_points of a: 0 lost, 1 drawn, 2 won. An error is the word for the first value out of range.
pub fn update(a: State, b: State, half_points: u8, t: u64) -> Result<Update, felt252> {
    accepted(a, OF_A)?;
    accepted(b, OF_B)?;
    happened(half_points, t)?;
    let done = game(a.mu, a.phi, a.last, b.mu, b.phi, b.last, half_points.into() * HALF, t);
    Result::Ok(
        Update {
            a: State { mu: done.a.mu, phi: done.a.phi, last: later(a.last, t) },
            b: State { mu: done.b.mu, phi: done.b.phi, last: later(b.last, t) },
            p: chance(a.mu, done.var_a, b.mu, done.var_b),
        },
    )
}

/// Refuses a state that no felt holds.
pub fn accepted(state: State, words: Words) -> Result<(), felt252> {
    if state.mu < -MU_END || state.mu >= MU_END {
        return Result::Err(words.mu);
    }
    if state.phi != 0 && (state.phi < PHI_MIN || state.phi > PHI_MAX) {
        return Result::Err(words.phi);
    }
    if state.last >= TIME_END {
        return Result::Err(words.last);
    }
    Result::Ok(())
}

/// Refuses a score that there is not, and a time of more than 40 bits.
pub fn happened(half_points: u8, t: u64) -> Result<(), felt252> {
    if half_points > 2 {
        return Result::Err('half_points');
    }
    if t >= TIME_END {
        return Result::Err('t');
    }
    Result::Ok(())
}

/// The clock of a player after a game at t: it only moves forward.
pub fn later(last: u64, t: u64) -> u64 {
    if last > t {
        last
    } else {
        t
    }
}
