// The update of go-onchain-v2 in Q32.32 integers on BigInt, from the specification: the bits of tallymark.fixedpoint.
// Every number is a BigInt: a Number mixed in is refused or is a TypeError, never a wrong result.

import * as C from "./constants.mjs";

/**
 * A player as an update takes it. mu and phi are values times 2^32, last is in seconds since 1970; phi 0: never rated.
 * @typedef {{ mu: bigint, phi: bigint, last: bigint }} State
 */

export const ONE = 1n << 32n;
export const HALF = 1n << 31n;
export const TIME_MAX = (1n << 40n) - 1n;
export const MU_HALF = 1n << 39n;

const { PHI_MIN, PHI_MAX, MU_LO, MU_HI } = C;
const ONE_96 = 1n << 96n;

/** A value that no contract takes; `what` is the word for it in vectors. */
export class RefusedError extends RangeError {
  /**
   * @param {string} what
   * @param {string} message
   */
  constructor(what, message) {
    super(message);
    this.name = "RefusedError";
    this.what = what;
  }
}

/**
 * @param {string} what
 * @param {bigint} value
 * @param {bigint} low
 * @param {bigint} high
 */
export function within(what, value, low, high) {
  if (typeof value === "bigint" && low <= value && value <= high) return value;
  const given = typeof value === "bigint" ? `${value}n` : `${typeof value} ${String(value)}`;
  throw new RefusedError(what, `${what} is ${given}; expected a BigInt from ${low} to ${high}`);
}

/**
 * @param {string} what
 * @param {boolean} value
 */
export function flag(what, value) {
  if (typeof value === "boolean") return value;
  throw new RefusedError(what, `${what} is ${typeof value} ${String(value)}; expected true or false`);
}

/**
 * The nearest integer to n / d, ties to even; d > 0. BigInt division cuts towards 0, so the remainder has n's sign.
 * @param {bigint} n
 * @param {bigint} d
 */
export function rdiv(n, d) {
  if (d < 1n) throw new RefusedError("d", `d is ${d}n; expected 1n or more`);
  const q = n / d;
  const r = n - q * d;
  const twice = r < 0n ? -2n * r : 2n * r;
  if (twice < d || (twice === d && (q & 1n) === 0n)) return q;
  return n < 0n ? q - 1n : q + 1n;
}

/**
 * rdiv(n, 2^k) for k >= 0. A shift floors, so here the remainder is never negative.
 * @param {bigint} n
 * @param {bigint} k
 */
export function rshift(n, k) {
  const q = n >> k;
  const twice = (n - (q << k)) << 1n;
  const d = 1n << k;
  return twice < d || (twice === d && (q & 1n) === 0n) ? q : q + 1n;
}

/**
 * The nearest integer to the square root of n, from 0 to 2^66. The root in doubles is never below the whole root s, and
 * where it is above, n is so close below (s + 1)^2 that s + 1 is the nearest.
 * @param {bigint} n
 */
export function root(n) {
  within("n", n, 0n, C.VAR_CAP);
  const s = BigInt(Math.floor(Math.sqrt(Number(n))));
  return n - s * s > s ? s + 1n : s;
}

/**
 * e^-x for x >= 0, both times 2^32; 0 from 33 ln 2 on.
 * @param {bigint} x
 */
export function expNeg(x) {
  if (x < 0n) throw new RefusedError("x", `x is ${x}n; expected 0n or more`);
  const n = x / C.LN2;
  if (n >= 33n) return 0n;
  const rest = x - n * C.LN2;
  const j = rest >> 28n;
  const u = rest - (j << 28n);
  let h = ONE;
  for (let k = 6n; k > 0n; k -= 1n) h = ONE - rdiv(u * h, k << 32n);
  return rshift(rshift(C.T[Number(j)] * h, 32n), n);
}

/**
 * 1 / (1 + e^-z).
 * @param {bigint} z
 */
export function logistic(z) {
  const e = expNeg(z < 0n ? -z : z);
  return rdiv((z < 0n ? e : ONE) << 32n, ONE + e);
}

/**
 * The weight of a game against somebody of this variance (times 2^64): 1 / sqrt(1 + 3 var / pi^2).
 * @param {bigint} variance
 */
export function g(variance) {
  return root(rdiv(ONE_96, ONE + rdiv(3n * variance, C.PI_SQ)));
}

/**
 * The index of the rank times 2^32: 0 is 30k, 30 is 1d; linear between whole ranks, held at both ends.
 * @param {bigint} mu
 */
export function rank(mu) {
  if (mu <= C.M[0]) return 0n;
  if (mu >= C.M[39]) return 39n << 32n;
  let k = 0;
  for (let step = 32; step > 0; step >>= 1) if (k + step < 39 && C.M[k + step] <= mu) k += step;
  return (BigInt(k) << 32n) + rdiv((mu - C.M[k]) << 32n, C.M[k + 1] - C.M[k]);
}

/**
 * Days times 2^32 in which knowledge of a player of that rank halves.
 * @param {bigint} ofRank
 */
export function halfLife(ofRank) {
  const [low, slope, from, to] = [C.DAYS_LOW << 32n, C.DAYS_SLOPE, C.RANK_FROM << 32n, C.RANK_TO << 32n];
  if (ofRank < from) return low;
  if (ofRank >= to) return low + (slope << 32n);
  return low + rdiv(slope * (ofRank - from), C.RANK_TO - C.RANK_FROM);
}

/**
 * The variance at t, times 2^64, of a state whose values are known to be ones.
 * @param {State} state
 * @param {bigint} t
 */
function variance({ mu, phi, last }, t) {
  if (phi === 0n) return C.VAR_CAP;
  const base = phi * phi;
  const since = t - last;
  if (since <= 0n) return base;
  const dt = since < C.DT_MAX ? since : C.DT_MAX;
  const c = rdiv(C.DRIFT, halfLife(rank(mu)));
  const aged = base + rdiv(c * c * dt, C.DAY);
  return aged < C.VAR_CAP ? aged : C.VAR_CAP;
}

/**
 * The state itself, or `RefusedError` for one that no felt holds.
 * @param {string} who
 * @param {State} state
 */
export function accepted(who, state) {
  within(`${who}.mu`, state.mu, -MU_HALF, MU_HALF - 1n);
  if (state.phi !== 0n) within(`${who}.phi`, state.phi, PHI_MIN, PHI_MAX);
  within(`${who}.last`, state.last, 0n, TIME_MAX);
  return state;
}

/**
 * The variance of a player at t, times 2^64. Games before `last` add nothing.
 * @param {State} state
 * @param {bigint} t
 */
export function aged(state, t) {
  return variance(accepted("state", state), t);
}

/**
 * The deviation of an aged variance.
 * @param {bigint} ofVariance
 */
export function deviation(ofVariance) {
  const phi = root(ofVariance);
  return phi > PHI_MIN ? phi : PHI_MIN;
}

/**
 * One side's update against an opponent of weight gOther; s is its score: 0, HALF or ONE.
 * @param {State} before
 * @param {bigint} ofVariance
 * @param {bigint} gOther
 * @param {bigint} muOther
 * @param {bigint} s
 * @param {bigint} t
 * @returns {State}
 */
function side(before, ofVariance, gOther, muOther, s, t) {
  const e = logistic(rshift(gOther * (before.mu - muOther), 32n));
  const info = rshift(rshift(gOther * gOther, 32n) * rshift(e * (ONE - e), 32n), 32n);
  const left = rdiv(ONE_96, rdiv(ONE_96, ofVariance) + info);
  const free = before.mu + rshift(rshift(left * gOther, 64n) * (s - e), 32n);
  const mu = free < MU_LO ? MU_LO : free > MU_HI ? MU_HI : free;
  return { mu, phi: deviation(left), last: before.last > t ? before.last : t };
}

/**
 * One game between states that are known to be ones, with both variances at t.
 * @param {State} a
 * @param {State} b
 * @param {bigint} halfPoints
 * @param {bigint} t
 */
export function game(a, b, halfPoints, t) {
  const varA = variance(a, t);
  const varB = variance(b, t);
  const s = halfPoints * HALF;
  return {
    a: side(a, varA, g(varB), b.mu, s, t),
    b: side(b, varB, g(varA), a.mu, ONE - s, t),
    p: logistic(rshift(g(varA + varB) * (a.mu - b.mu), 32n)),
    varA,
    varB,
  };
}

/**
 * One game at t; halfPoints of a: 0 lost, 1 drawn, 2 won. Both new states, and the win probability of a before it.
 * `RefusedError` for a state that no felt holds, for such a t, and for other half points.
 * @param {State} a
 * @param {State} b
 * @param {bigint} halfPoints
 * @param {bigint} t
 * @returns {{ a: State, b: State, p: bigint }}
 */
export function update(a, b, halfPoints, t) {
  accepted("a", a);
  accepted("b", b);
  within("half_points", halfPoints, 0n, 2n);
  within("t", t, 0n, TIME_MAX);
  const done = game(a, b, halfPoints, t);
  return { a: done.a, b: done.b, p: done.p };
}
