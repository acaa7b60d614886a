//! The formulas of go-onchain-v2, in the order of operations of the specification.

use super::constants::{
    DAYS_LOW, DAYS_SLOPE, DRIFT, DT_MAX, LN2, MU_HI, MU_LO, PHI_MIN, RANK_FROM, RANK_TO, T, VAR_CAP,
};
use super::primitives::{
    ONE, Q, W, drift, knot, knot_below, mul_high, mul_rdiv, over_pi_sq, precision, rdiv, root, square, two_to,
    unsigned, variance,
};

/// One side after a game.
#[derive(Copy, Drop)]
pub struct Side {
    pub mu: Q,
    pub phi: Q,
}

/// Both sides of one game, and their variances aged to it.
#[derive(Copy, Drop)]
pub struct Game {
    pub var_a: W,
    pub var_b: W,
    pub a: Side,
    pub b: Side,
}

/// e^-x for x >= 0: 2^-n e^(-j/16) e^-u, the last by six steps.
pub fn exp_neg(x: Q) -> Q {
    let n = x / LN2;
    if n >= 33 {
        return 0;
    }
    let rest = x - n * LN2;
    let j = rest / 0x10000000;
    let u = rest - j * 0x10000000;
    let mut h = ONE;
    let mut k = 6;
    while k > 0 {
        h = ONE - mul_rdiv(u, h, k * ONE);
        k -= 1;
    };
    let j: usize = j.try_into().unwrap();
    rdiv(mul_rdiv(*T.span()[j], h, ONE), two_to(n))
}

/// 1 / (1 + e^-z).
pub fn logistic(z: Q) -> Q {
    if z >= 0 {
        rdiv(ONE * ONE, ONE + exp_neg(z))
    } else {
        let e = exp_neg(-z);
        mul_rdiv(e, ONE, ONE + e)
    }
}

/// The weight of a game against somebody of this variance: 1 / sqrt(1 + 3 var / pi^2).
pub fn g(var: W) -> Q {
    root(variance(ONE + over_pi_sq(var)))
}

/// The index of the rank, 0 = 30k and 30 = 1d: linear between the knots at whole ranks, held at the ends.
pub fn rank(mu: Q) -> Q {
    let held = clamp(mu, knot(0), knot(39));
    let k = knot_below(held);
    let low = knot(k);
    k.into() * ONE + mul_rdiv(held - low, ONE, knot(k + 1) - low)
}

/// Days in which knowledge of a player of rank r halves.
pub fn half_life(r: Q) -> Q {
    let held = clamp(r, RANK_FROM * ONE, RANK_TO * ONE);
    DAYS_LOW * ONE + mul_rdiv(held - RANK_FROM * ONE, DAYS_SLOPE, RANK_TO - RANK_FROM)
}

/// The variance at t; phi = 0 says never rated. Games before `last` add nothing.
pub fn aged(mu: Q, phi: Q, last: u64, t: u64) -> W {
    let cap = unsigned(VAR_CAP);
    if phi == 0 {
        return cap;
    }
    let var = square(phi);
    if t <= last {
        return var;
    }
    let since: i128 = (t - last).into();
    let dt = if since < DT_MAX {
        since
    } else {
        DT_MAX
    };
    let c = rdiv(DRIFT, half_life(rank(mu)));
    let grown = var + drift(c, dt);
    if grown < cap {
        grown
    } else {
        cap
    }
}

/// One side's update against an opponent of weight g_other; s is its score: 0, HALF or ONE.
pub fn side(mu: Q, var: W, g_other: Q, mu_other: Q, s: Q) -> Side {
    let e = logistic(mul_rdiv(g_other, mu - mu_other, ONE));
    let gg = mul_rdiv(g_other, g_other, ONE);
    let ee = mul_rdiv(e, ONE - e, ONE);
    let info = mul_rdiv(gg, ee, ONE);
    let left = variance(precision(var) + info);
    let step = mul_rdiv(mul_high(left, g_other), s - e, ONE);
    Side { mu: clamp(mu + step, MU_LO, MU_HI), phi: floored(root(left)) }
}

/// The win probability that is shown, of a, by both aged variances.
pub fn chance(mu_a: Q, var_a: W, mu_b: Q, var_b: W) -> Q {
    logistic(mul_rdiv(g(var_a + var_b), mu_a - mu_b, ONE))
}

/// One game at t with the score s for a: both sides from what was before it.
pub fn game(mu_a: Q, phi_a: Q, last_a: u64, mu_b: Q, phi_b: Q, last_b: u64, s: Q, t: u64) -> Game {
    let var_a = aged(mu_a, phi_a, last_a, t);
    let var_b = aged(mu_b, phi_b, last_b, t);
    let (g_a, g_b) = (g(var_a), g(var_b));
    Game { var_a, var_b, a: side(mu_a, var_a, g_b, mu_b, s), b: side(mu_b, var_b, g_a, mu_a, ONE - s) }
}

/// A deviation, at least PHI_MIN.
pub fn floored(phi: Q) -> Q {
    if phi > PHI_MIN {
        phi
    } else {
        PHI_MIN
    }
}

fn clamp(x: Q, low: Q, high: Q) -> Q {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}
