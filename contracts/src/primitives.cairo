//! What the formulas are made of: exact operations. Cairo divides downwards and without signs only; these round.

use core::num::traits::Sqrt;
use core::traits::DivRem;
use super::constants::{DAY, M, PI_SQ};

/// A value times 2^32: ratings, deviations, g, E, precisions. Below 2^51 in size.
pub type Q = i128;
/// A variance times 2^64. Below 2^72; never negative, and of another type than Q.
pub type W = u128;

pub const ONE: Q = 0x100000000;
pub const HALF: Q = 0x80000000;
const TWO_64: u128 = 0x10000000000000000;
const TWO_96: u128 = 0x1000000000000000000000000;

/// The nearest integer to n / d, ties to even; d > 0. Odd in n, as ties to even are: the sign can be put aside.
pub fn rdiv(n: i128, d: i128) -> i128 {
    if n < 0 {
        -signed(nearest(unsigned(-n), unsigned(d)))
    } else {
        signed(nearest(unsigned(n), unsigned(d)))
    }
}

/// The nearest integer to n / d without signs. The remainder is held against what is missing to d, not doubled.
pub fn nearest(n: u128, d: u128) -> u128 {
    let (q, r) = DivRem::div_rem(n, d.try_into().expect('division by 0'));
    let missing = d - r;
    if r > missing || (r == missing && q % 2 == 1) {
        q + 1
    } else {
        q
    }
}

/// The nearest integer to the square root of v: the Q of a variance.
pub fn root(v: W) -> Q {
    let s: u128 = v.sqrt().into();
    signed(if v - s * s > s {
        s + 1
    } else {
        s
    })
}

/// a b / d, rounded once. Both factors of less than 2^51.
pub fn mul_rdiv(a: i128, b: i128, d: i128) -> i128 {
    rdiv(a * b, d)
}

/// 2^n.
pub fn two_to(n: i128) -> i128 {
    let mut power = 1;
    for _ in 0..n {
        power += power;
    };
    power
}

/// mu of the whole rank k = 0..39.
pub fn knot(k: usize) -> Q {
    *M.span()[k]
}

/// The last whole rank k = 0..38 whose mu is not above this one; 0 where there is none.
pub fn knot_below(mu: Q) -> usize {
    let (mut low, mut high) = (0, 39);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if knot(middle) > mu {
            high = middle;
        } else {
            low = middle;
        }
    };
    low
}

/// phi^2.
pub fn square(phi: Q) -> W {
    unsigned(phi * phi)
}

/// c^2 dt / 86400: 88 bits before the division.
pub fn drift(c: Q, dt: i128) -> W {
    nearest(unsigned(c * c * dt), unsigned(DAY))
}

/// 3 v / PI_SQ.
pub fn over_pi_sq(v: W) -> Q {
    signed(nearest(3 * v, unsigned(PI_SQ)))
}

/// 1 / v as Q.
pub fn precision(v: W) -> Q {
    signed(nearest(TWO_96, v))
}

/// 1 / p as W.
pub fn variance(p: Q) -> W {
    nearest(TWO_96, unsigned(p))
}

/// v b / 2^64: a variance times a Q that is not negative, as Q. The widest product there is, of 98 bits.
pub fn mul_high(v: W, b: Q) -> Q {
    signed(nearest(v * unsigned(b), TWO_64))
}

/// The number without its sign's type. Panics where it is negative.
pub fn unsigned(n: i128) -> u128 {
    n.try_into().expect('negative')
}

/// The number with a sign's type. Panics from 2^127 on.
pub fn signed(n: u128) -> i128 {
    n.try_into().expect('128 bits')
}
