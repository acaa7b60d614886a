// go-onchain-v2 in Q32.32 integers on BigInt: the update, the felt of a player, the game rules. Written from the
// specification; the bits of tallymark.fixedpoint. Every number is a BigInt: a Number mixed in is refused or is a
// TypeError, never a wrong result. Fields have the names that they have in the vectors of `tallymark vectors`.

import * as C from "./constants.mjs";

/**
 * A player as an update takes it. mu and phi are values times 2^32, last is in seconds since 1970; phi 0: never rated.
 * @typedef {{ mu: bigint, phi: bigint, last: bigint }} State
 */

/**
 * What a felt holds. Without a peak, `peak` is 0.
 * @typedef {{
 *   mu: bigint, phi: bigint, last: bigint, band: bigint, established: boolean, has_peak: boolean, version: bigint,
 *   wins: bigint, losses: bigint, draws: bigint, peak: bigint
 * }} Player
 */

/**
 * A finished game: half points of a (0, 1, 2), when it started, its steps, whether it ended on the chain by resignation
 * or timeout (`forfeit`), whether a queue paired it, and the bands that newcomers declared (1 to 4; 0 is none).
 * @typedef {{
 *   half_points: bigint, t: bigint, steps: bigint, forfeit: boolean, queue: boolean, band_a: bigint, band_b: bigint
 * }} Result
 */

export const ONE = 1n << 32n;
export const HALF = 1n << 31n;
export const { VERSION, PHI_MIN, PHI_MAX, MU_LO, MU_HI } = C;

const ONE_96 = 1n << 96n;
const TIME_MAX = (1n << 40n) - 1n;
const MU_HALF = 1n << 39n;
/** The largest phi of players who are established, and of settled ones. */
const SURE = ONE;
/** The band of who declares none. */
const UNDECLARED = 3n;

/** Why a game is not rated at all. */
export const VOID = Object.freeze({ INVALID: 1n, MATCHMAKER: 2n, REFEREE: 3n, SHORT: 4n, ANCHOR: 5n });

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
function within(what, value, low, high) {
  if (typeof value === "bigint" && low <= value && value <= high) return value;
  const given = typeof value === "bigint" ? `${value}n` : `${typeof value} ${String(value)}`;
  throw new RefusedError(what, `${what} is ${given}; expected a BigInt from ${low} to ${high}`);
}

/**
 * @param {string} what
 * @param {boolean} value
 */
function flag(what, value) {
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
function accepted(who, state) {
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
function game(a, b, halfPoints, t) {
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

/**
 * The felt: lowest bit, width, and what is added before a value is stored; none of them crosses bit 128.
 * @type {ReadonlyArray<readonly [keyof Player, bigint, bigint, bigint]>}
 */
const FIELDS = [
  ["mu", 0n, 40n, MU_HALF],
  ["phi", 40n, 34n, 0n],
  ["last", 74n, 40n, 0n],
  ["band", 114n, 3n, 0n],
  ["established", 117n, 1n, 0n],
  ["has_peak", 118n, 1n, 0n],
  ["version", 119n, 8n, 0n],
  ["wins", 128n, 24n, 0n],
  ["losses", 152n, 24n, 0n],
  ["draws", 176n, 24n, 0n],
  ["peak", 200n, 40n, MU_HALF],
];
const RESERVED = 127n;
const BITS = 240n;

/** The player of felt 0. @type {Readonly<Player>} */
export const NEVER_RATED = Object.freeze({
  mu: 0n,
  phi: 0n,
  last: 0n,
  band: 0n,
  established: false,
  has_peak: false,
  version: 0n,
  wins: 0n,
  losses: 0n,
  draws: 0n,
  peak: 0n,
});

/**
 * The felt of a player: 0 for one never rated. `RefusedError` for a field that its width does not hold, a phi outside
 * PHI_MIN to 2^33, and for who has phi 0 and yet anything else.
 * @param {Readonly<Player>} player
 */
export function pack(player) {
  if (FIELDS.every(([name]) => player[name] === NEVER_RATED[name])) return 0n;
  let felt = 0n;
  for (const [name, at, width, offset] of FIELDS) {
    const value = player[name];
    if (name === "established" || name === "has_peak") {
      felt |= (flag(name, /** @type {boolean} */ (value)) ? 1n : 0n) << at;
      continue;
    }
    const low = name === "phi" ? PHI_MIN : -offset;
    const high = name === "phi" ? PHI_MAX : (1n << width) - 1n - offset;
    felt |= (within(name, /** @type {bigint} */ (value), low, high) + offset) << at;
  }
  return felt;
}

/**
 * The player of a felt. `RefusedError` for one that no player has: `range` (below 0, or 2^240 and above), `reserved`
 * (bit 127 is set), `phi` (outside PHI_MIN to 2^33).
 * @param {bigint} felt
 * @returns {Player}
 */
export function unpack(felt) {
  within("range", felt, 0n, (1n << BITS) - 1n);
  if (felt === 0n) return { ...NEVER_RATED };
  if ((felt >> RESERVED) & 1n) throw new RefusedError("reserved", `bit ${RESERVED} of the felt is 1; expected 0`);
  /** @type {Record<string, bigint | boolean>} */
  const player = {};
  for (const [name, at, width, offset] of FIELDS) {
    const value = ((felt >> at) & ((1n << width) - 1n)) - offset;
    player[name] = name === "established" || name === "has_peak" ? value === 1n : value;
  }
  within("phi", /** @type {bigint} */ (player.phi), PHI_MIN, PHI_MAX);
  return /** @type {Player} */ (player);
}

/**
 * mu of a starting band, 1 to 4; 0 is none declared.
 * @param {bigint} band
 */
export function bandMu(band) {
  within("band", band, 0n, BigInt(C.BAND_MU.length));
  return C.BAND_MU[Number(band || UNDECLARED) - 1];
}

/**
 * Both players after a game and the win probability of a before it, or why the game is void; then nothing changes, the
 * clock included. A short game is void, but for one that a player gave up on the chain: there the loser loses as in a
 * full game, and the winner only ages. `RefusedError` for a player, result or band that there is not.
 * @param {Readonly<Player>} a
 * @param {Readonly<Player>} b
 * @param {Result} result
 * @returns {{ a: Player, b: Player, p: bigint } | { void: bigint }}
 */
export function rate(a, b, result) {
  accepted("a", a);
  accepted("b", b);
  const halfPoints = within("half_points", result.half_points, 0n, 2n);
  const t = within("t", result.t, 0n, TIME_MAX);
  const short = within("steps", result.steps, 0n, (1n << 32n) - 1n) < C.MIN_STEPS;
  const forfeit = flag("forfeit", result.forfeit);
  const queue = flag("queue", result.queue);
  const startA = started(a, result.band_a);
  const startB = started(b, result.band_b);
  if (short && (halfPoints === 1n || !forfeit)) return { void: VOID.SHORT };
  const done = game(startA, startB, halfPoints, t);
  let afterA = played(startA, done.a, halfPoints);
  let afterB = played(startB, done.b, 2n - halfPoints);
  if (short && halfPoints === 2n) {
    afterA = onlyAged(a, done.varA, done.a.last);
  } else if (short) {
    afterB = onlyAged(b, done.varB, done.b.last);
  } else if (queue && settled(a, done.varA) && settled(b, done.varB)) {
    afterA = peaked(afterA);
    afterB = peaked(afterB);
  }
  return { a: afterA, b: afterB, p: done.p };
}

/**
 * The player as a game finds it: a newcomer at the band that it declared.
 * @param {Readonly<Player>} player
 * @param {bigint} band
 * @returns {Player}
 */
function started(player, band) {
  const mu = bandMu(band);
  return player.phi ? player : { ...NEVER_RATED, mu, band: band || UNDECLARED };
}

/**
 * The player with the game's rating, one more in its record, and established if it is now.
 * @param {Player} before
 * @param {State} state
 * @param {bigint} halfPoints
 * @returns {Player}
 */
function played(before, state, halfPoints) {
  const wins = counted(before.wins, halfPoints === 2n);
  const losses = counted(before.losses, halfPoints === 0n);
  const draws = counted(before.draws, halfPoints === 1n);
  const established = before.established || (state.phi <= SURE && wins > 0n && losses > 0n);
  return { ...before, ...state, version: VERSION, wins, losses, draws, established };
}

/**
 * @param {bigint} count
 * @param {boolean} more
 */
function counted(count, more) {
  return more && count < C.COUNTER_MAX ? count + 1n : count;
}

/**
 * The winner of a short game; one who was never rated stays so.
 * @param {Readonly<Player>} player
 * @param {bigint} ofVariance
 * @param {bigint} last
 * @returns {Player}
 */
function onlyAged(player, ofVariance, last) {
  return player.phi ? { ...player, phi: deviation(ofVariance), last, version: VERSION } : { ...player };
}

/**
 * Before a game, by the variance aged to it.
 * @param {Readonly<Player>} player
 * @param {bigint} ofVariance
 */
function settled(player, ofVariance) {
  return player.wins + player.losses + player.draws >= C.SETTLED_GAMES && deviation(ofVariance) <= SURE;
}

/**
 * The player with mu - 2 phi as its peak if that is its best.
 * @param {Player} player
 * @returns {Player}
 */
function peaked(player) {
  const now = player.mu - 2n * player.phi;
  if (!player.established || (player.has_peak && player.peak >= now)) return player;
  return { ...player, has_peak: true, peak: now };
}
