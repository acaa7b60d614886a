// go-onchain-v2 on BigInt, whole: the update (formulas.mjs), the felt of a player, the game rules. Fields have the
// names that they have in the vectors of `tallymark vectors`.

import * as C from "./constants.mjs";
import { accepted, deviation, flag, game, MU_HALF, ONE, RefusedError, TIME_MAX, within } from "./formulas.mjs";

const { PHI_MAX, PHI_MIN, VERSION } = C;

export { MU_HI, MU_LO, PHI_MAX, PHI_MIN, VERSION } from "./constants.mjs";
export { HALF, ONE, RefusedError, aged, deviation, expNeg, g, halfLife } from "./formulas.mjs";
export { logistic, rank, rdiv, root, rshift, update } from "./formulas.mjs";

/** @typedef {import("./formulas.mjs").State} State */

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

/** The largest phi of players who are established, and of settled ones. */
const SURE = ONE;
/** The band of who declares none. */
const UNDECLARED = 3n;

/** Why a game is not rated at all. */
export const VOID = Object.freeze({ INVALID: 1n, MATCHMAKER: 2n, REFEREE: 3n, SHORT: 4n, ANCHOR: 5n });

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
