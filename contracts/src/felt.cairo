//! A player in one felt: 240 bits, in two halves of 128 that no field crosses.

use core::traits::DivRem;
use super::constants::{COUNTER_MAX, PHI_MAX, PHI_MIN};
use super::primitives::{Q, signed, unsigned};
use super::updating::{MU_END, TIME_END};

const TWO_24: u128 = 0x1000000;
const TWO_34: u128 = 0x400000000;
const TWO_40: u128 = 0x10000000000;
const TWO_127: u128 = 0x80000000000000000000000000000000;
const TWO_112: u128 = 0x10000000000000000000000000000;
const TWO_128: felt252 = 0x100000000000000000000000000000000;

/// What a felt holds; without a peak, `peak` is 0. Felt 0, a player never rated, is zeros and false.
#[derive(Copy, Drop, PartialEq)]
pub struct Player {
    pub mu: Q,
    pub phi: Q,
    pub last: u64,
    pub band: u8,
    pub established: bool,
    pub has_peak: bool,
    pub version: u8,
    pub wins: u32,
    pub losses: u32,
    pub draws: u32,
    pub peak: Q,
}

pub const NEVER_RATED: Player = Player {
    mu: 0,
    phi: 0,
    last: 0,
    band: 0,
    established: false,
    has_peak: false,
    version: 0,
    wins: 0,
    losses: 0,
    draws: 0,
    peak: 0,
};

/// The felt of a player: 0 for one never rated. An error is the first field that its width does not hold.
pub fn pack(player: Player) -> Result<felt252, felt252> {
    if player == NEVER_RATED {
        return Result::Ok(0);
    }
    let mu = offset(player.mu, 'mu')?;
    if player.phi < PHI_MIN || player.phi > PHI_MAX {
        return Result::Err('phi');
    }
    if player.last >= TIME_END {
        return Result::Err('last');
    }
    if player.band >= 8 {
        return Result::Err('band');
    }
    let wins = counted(player.wins, 'wins')?;
    let losses = counted(player.losses, 'losses')?;
    let draws = counted(player.draws, 'draws')?;
    let peak = offset(player.peak, 'peak')?;
    let flags = bit(player.established) + 2 * bit(player.has_peak);
    let upper = player.band.into() + 8 * (flags + 4 * player.version.into());
    let low = mu + TWO_40 * (unsigned(player.phi) + TWO_34 * (player.last.into() + TWO_40 * upper));
    let high = wins + TWO_24 * (losses + TWO_24 * (draws + TWO_24 * peak));
    Result::Ok(low.into() + TWO_128 * high.into())
}

/// The player of a felt. An error is the first of: range (2^240 and above), reserved (bit 127), phi.
pub fn unpack(felt: felt252) -> Result<Player, felt252> {
    let u256 { low, high } = felt.into();
    if high >= TWO_112 {
        return Result::Err('range');
    }
    if felt == 0 {
        return Result::Ok(NEVER_RATED);
    }
    if low >= TWO_127 {
        return Result::Err('reserved');
    }
    let (low, mu) = split(low, TWO_40);
    let (low, phi) = split(low, TWO_34);
    let (low, last) = split(low, TWO_40);
    let (low, band) = split(low, 8);
    let (low, established) = split(low, 2);
    let (version, has_peak) = split(low, 2);
    let (high, wins) = split(high, TWO_24);
    let (high, losses) = split(high, TWO_24);
    let (peak, draws) = split(high, TWO_24);
    let phi = signed(phi);
    if phi < PHI_MIN || phi > PHI_MAX {
        return Result::Err('phi');
    }
    Result::Ok(
        Player {
            mu: signed(mu) - MU_END,
            phi,
            last: last.try_into().unwrap(),
            band: band.try_into().unwrap(),
            established: established == 1,
            has_peak: has_peak == 1,
            version: version.try_into().unwrap(),
            wins: wins.try_into().unwrap(),
            losses: losses.try_into().unwrap(),
            draws: draws.try_into().unwrap(),
            peak: signed(peak) - MU_END,
        },
    )
}

fn offset(value: Q, word: felt252) -> Result<u128, felt252> {
    if value < -MU_END || value >= MU_END {
        return Result::Err(word);
    }
    Result::Ok(unsigned(value + MU_END))
}

fn counted(count: u32, word: felt252) -> Result<u128, felt252> {
    if count.into() > COUNTER_MAX {
        return Result::Err(word);
    }
    Result::Ok(count.into())
}

fn bit(flag: bool) -> u128 {
    if flag {
        1
    } else {
        0
    }
}

/// What is above the lowest field, and that field.
fn split(bits: u128, width: u128) -> (u128, u128) {
    DivRem::div_rem(bits, width.try_into().unwrap())
}
