// votes-v1: ranking by pairwise votes, Glicko-2 in doubles with integers at rest. The same integers as the methodology
// votes-v1 of tallymark, on every engine, so that a site's isolates agree. Stored are hundredths of a point of rating
// and deviation, and millionths of volatility; one rounding at the end of an update.

import { expNormal, halfEven, halfUp, log, logistic } from "./numeric.mjs";

/**
 * An item as it is stored: whole numbers.
 * @typedef {{ rating: number, deviation: number, volatility: number }} Stored
 */

/**
 * An item after an update; which of rating, deviation and volatility were held at an end of their range, in that order;
 * and whether the volatility converged within 100 iterations (else the current value was taken).
 * @typedef {Stored & { clamped: string[], converged: boolean }} Updated
 */

/** An id: whole numbers come before text, text by code point. @typedef {string | number} Id */

/** The score of a: 1 it was picked, 0 the other was, 0.5 a tie. @typedef {{ a: Id, b: Id, score: number }} Vote */

/** "half-up" is what a site has that rounded with Math.round. @typedef {"half-even" | "half-up"} Rounding */

/** @typedef {{ name: "rating" | "deviation" | "volatility", low: number, high: number, multiplier: number }} Metric */

const RATING = /** @type {Metric} */ ({ name: "rating", low: 0.0, high: 3000.0, multiplier: 100.0 });
const DEVIATION = /** @type {Metric} */ ({ name: "deviation", low: 1.0, high: 350.0, multiplier: 100.0 });
const VOLATILITY = /** @type {Metric} */ ({ name: "volatility", low: 0.000001, high: 1.0, multiplier: 1000000.0 });

/** An item that nobody has voted on. @type {Readonly<Stored>} */
export const NEW = Object.freeze({ rating: 150000, deviation: 35000, volatility: 60000 });

const UNIT = 173.7178;
const CENTRE = 1500.0;
const THREE_OVER_PI_SQUARED = 0.3039635509270133;
const TAU = 0.5;
const TAU2 = TAU * TAU;
const TOLERANCE = 1e-7;
const ITERATIONS = 100;
/** Floor of what divides, the sum of g^2 E (1 - E). */
const MINIMUM_INFORMATION = 0.0001;
const SMALLEST_NORMAL = 2.2250738585072014e-308;

const MU_LOW = (RATING.low - CENTRE) / UNIT;
const MU_HIGH = (RATING.high - CENTRE) / UNIT;
const PHI2_LOW = (DEVIATION.low / UNIT) * (DEVIATION.low / UNIT);
const PHI2_HIGH = (DEVIATION.high / UNIT) * (DEVIATION.high / UNIT);
const SIGMA2_LOW = VOLATILITY.low * VOLATILITY.low;
const SIGMA2_HIGH = VOLATILITY.high * VOLATILITY.high;

/**
 * @param {Metric} metric
 * @param {number} value
 * @param {Rounding} rounding
 */
function toStorage(metric, value, rounding) {
  if (!(typeof value === "number" && value >= metric.low && value <= metric.high)) {
    throw new RangeError(`${metric.name} is ${value}; expected a number from ${metric.low} to ${metric.high}`);
  }
  return rounded(value * metric.multiplier, rounding);
}

/**
 * @param {Metric} metric
 * @param {number} stored
 */
function toDisplay(metric, stored) {
  const [low, high] = [halfEven(metric.low * metric.multiplier), halfEven(metric.high * metric.multiplier)];
  if (!(Number.isInteger(stored) && stored >= low && stored <= high)) {
    throw new RangeError(`stored ${metric.name} is ${stored}; expected a whole number from ${low} to ${high}`);
  }
  return stored / metric.multiplier;
}

/**
 * @param {number} scaled
 * @param {Rounding} rounding
 */
function rounded(scaled, rounding) {
  if (rounding !== "half-even" && rounding !== "half-up") {
    throw new RangeError(`rounding is ${rounding}; expected half-even or half-up`);
  }
  return rounding === "half-up" ? halfUp(scaled) : halfEven(scaled);
}

/** Points as hundredths. @param {number} rating @param {Rounding} [rounding] */
export function ratingToStorage(rating, rounding = "half-even") {
  return toStorage(RATING, rating, rounding);
}

/** Hundredths as points. @param {number} stored */
export function ratingToDisplay(stored) {
  return toDisplay(RATING, stored);
}

/** Points of deviation as hundredths. @param {number} deviation @param {Rounding} [rounding] */
export function rdToStorage(deviation, rounding = "half-even") {
  return toStorage(DEVIATION, deviation, rounding);
}

/** Hundredths as points of deviation. @param {number} stored */
export function rdToDisplay(stored) {
  return toDisplay(DEVIATION, stored);
}

/** Volatility as millionths. @param {number} volatility @param {Rounding} [rounding] */
export function volatilityToStorage(volatility, rounding = "half-even") {
  return toStorage(VOLATILITY, volatility, rounding);
}

/** Millionths as volatility. @param {number} stored */
export function volatilityToDisplay(stored) {
  return toDisplay(VOLATILITY, stored);
}

/** On the scale of the formulas. @typedef {{ mu: number, phi2: number, sigma2: number, g: number }} State */

/**
 * @param {Stored} stored
 * @returns {State}
 */
function stateOf(stored) {
  const phi = rdToDisplay(stored.deviation) / UNIT;
  const sigma = volatilityToDisplay(stored.volatility);
  const phi2 = phi * phi;
  return { mu: (ratingToDisplay(stored.rating) - CENTRE) / UNIT, phi2, sigma2: sigma * sigma, g: weight(phi2) };
}

/**
 * g of the paper's step 3.
 * @param {number} phi2
 */
function weight(phi2) {
  return 1.0 / Math.sqrt(1.0 + THREE_OVER_PI_SQUARED * phi2);
}

/**
 * What one vote adds to the two sums: to g^2 E (1 - E), and to g (s - E) as s (1 - E) - (1 - s) E, so that nothing
 * cancels. Exported for tests: its last bits hardly ever reach the integers.
 * @param {State} own
 * @param {State} other
 * @param {number} s
 * @param {number} notS
 * @returns {[number, number]}
 */
export function game(own, other, s, notS) {
  const [e, notE] = logistic(other.g * (own.mu - other.mu));
  return [other.g * other.g * (e * notE), other.g * (s * notE - notS * e)];
}

/**
 * The paper's f(x), x = ln sigma'^2, a = ln sigma^2.
 * @param {number} x
 * @param {number} a
 * @param {number} delta2
 * @param {number} phi2
 * @param {number} v
 */
function f(x, a, delta2, phi2, v) {
  const y = expNormal(x);
  const d = phi2 + v + y;
  let dd = 2.0 * d * d;
  dd = dd > 0.0 ? dd : SMALLEST_NORMAL;
  return (y * (delta2 - phi2 - v - y)) / dd - (x - a) / TAU2;
}

/**
 * [sigma'^2, converged]: the paper's steps 5.2 to 5.5, from w = 1 / v and u = Delta / v, in at most `cap` iterations.
 * @param {number} phi2
 * @param {number} sigma2
 * @param {number} w
 * @param {number} u
 * @param {number} cap
 * @returns {[number, boolean]}
 */
function illinois(phi2, sigma2, w, u, cap) {
  const v = 1.0 / w;
  const delta = v * u;
  const delta2 = delta * delta;
  const a = log(sigma2);
  let bigA = a;
  let bigB;
  if (delta2 > phi2 + v) {
    bigB = log(delta2 - phi2 - v);
  } else {
    let k = 1.0;
    while (f(a - k * TAU, a, delta2, phi2, v) < 0.0 && k < 1000.0) k += 1.0;
    bigB = a - k * TAU;
  }
  let fa = f(bigA, a, delta2, phi2, v);
  let fb = f(bigB, a, delta2, phi2, v);
  let done = 0;
  while (Math.abs(bigB - bigA) > TOLERANCE) {
    const rise = fb - fa;
    if (done >= cap || !(rise > 0.0 || rise < 0.0)) return [expNormal(bigA), false];
    /** @type {number} */
    const c = bigA + ((bigA - bigB) * fa) / rise;
    const fc = f(c, a, delta2, phi2, v);
    if (fc * fb <= 0.0) {
      bigA = bigB;
      fa = fb;
    } else {
      fa = 0.5 * fa;
    }
    bigB = c;
    fb = fc;
    done += 1;
  }
  return [expNormal(bigA), true];
}

/**
 * One item after its votes, from their two sums: steps 5 to 8, the ranges, the rounding. Within the ranges of what is
 * stored nothing leaves the doubles. Exported for tests: no votes are known that need 100 iterations.
 * @param {State} before
 * @param {number} sumW
 * @param {number} u
 * @param {Rounding} rounding
 * @param {number} cap
 * @returns {Updated}
 */
export function settle(before, sumW, u, rounding, cap) {
  const w = sumW >= MINIMUM_INFORMATION ? sumW : MINIMUM_INFORMATION;
  let [sigma2, converged] = illinois(before.phi2, before.sigma2, w, u, cap);
  const aged = before.phi2 + sigma2;
  let phi2 = aged / (1.0 + aged * w);
  let mu = before.mu + phi2 * u;
  const clamped = [];
  if (mu > MU_HIGH || mu < MU_LOW) {
    clamped.push(RATING.name);
    mu = mu > MU_HIGH ? MU_HIGH : MU_LOW;
  }
  if (phi2 > PHI2_HIGH || phi2 < PHI2_LOW) {
    clamped.push(DEVIATION.name);
    phi2 = phi2 > PHI2_HIGH ? PHI2_HIGH : PHI2_LOW;
  }
  if (sigma2 > SIGMA2_HIGH || sigma2 < SIGMA2_LOW) {
    clamped.push(VOLATILITY.name);
    sigma2 = sigma2 > SIGMA2_HIGH ? SIGMA2_HIGH : SIGMA2_LOW;
  }
  return {
    rating: rounded((UNIT * mu + CENTRE) * RATING.multiplier, rounding),
    deviation: rounded(UNIT * Math.sqrt(phi2) * DEVIATION.multiplier, rounding),
    volatility: rounded(Math.sqrt(sigma2) * VOLATILITY.multiplier, rounding),
    clamped,
    converged,
  };
}

/**
 * The probability that a is picked, by both deviations; the bits of a prediction under votes-v1.
 * @param {Stored} a
 * @param {Stored} b
 */
export function chance(a, b) {
  const [one, two] = [stateOf(a), stateOf(b)];
  return logistic(weight(one.phi2 + two.phi2) * (one.mu - two.mu))[0];
}

/**
 * Both items after one vote, which is a period of its own. RangeError for items outside the ranges of storage, and for
 * a score outside 0 to 1.
 * @param {Stored} a
 * @param {Stored} b
 * @param {number} score 1 if a was picked, 0 if b was, 0.5 for a tie
 * @param {Rounding} [rounding]
 * @returns {{ a: Updated, b: Updated }}
 */
export function vote(a, b, score, rounding = "half-even") {
  const after = period([["a", a], ["b", b]], [{ a: "a", b: "b", score }], rounding);
  return { a: /** @type {Updated} */ (after.get("a")), b: /** @type {Updated} */ (after.get("b")) };
}

/**
 * Every item of a period's votes after them, all from what was before it. Each item's votes are summed in the order of
 * the other items' ids, so the order in which they arrived changes nothing. RangeError as for `vote`, for an item that
 * is not among `items`, and for one against itself.
 * @param {Iterable<readonly [Id, Stored]>} items a Map, or pairs: those without a vote do not come back
 * @param {Iterable<Vote>} votes
 * @param {Rounding} [rounding]
 * @returns {Map<Id, Updated>}
 */
export function period(items, votes, rounding = "half-even") {
  const known = new Map(items);
  /** @type {Map<Id, { state: State, w: number, u: number }>} */
  const sums = new Map();
  for (const { low, high, score, rest } of inOrder(votes)) {
    const [own, other] = [low, high].map((id) => {
      const stored = known.get(id);
      if (stored === undefined) throw new RangeError(`${JSON.stringify(id)} is in a vote; expected it among the items`);
      const sum = sums.get(id) ?? { state: stateOf(stored), w: 0.0, u: 0.0 };
      sums.set(id, sum);
      return sum;
    });
    add(own, game(own.state, other.state, score, rest));
    add(other, game(other.state, own.state, rest, score));
  }
  return new Map([...sums].map(([id, { state, w, u }]) => [id, settle(state, w, u, rounding, ITERATIONS)]));
}

/**
 * The votes in the order in which they are summed, each told from the side of the id that comes first: so each item
 * meets the others in the order of their ids.
 * @param {Iterable<Vote>} votes
 */
export function inOrder(votes) {
  return [...votes].map(sided).sort(byIds);
}

/**
 * @param {{ w: number, u: number }} sum
 * @param {[number, number]} more
 */
function add(sum, [w, u]) {
  sum.w += w;
  sum.u += u;
}

/** @param {Vote} vote */
function sided({ a, b, score }) {
  if (!(typeof score === "number" && score >= 0.0 && score <= 1.0)) {
    throw new RangeError(`score is ${score}; expected a number from 0 to 1`);
  }
  const order = compareIds(a, b);
  if (order === 0) throw new RangeError(`${JSON.stringify(a)} is on both sides of a vote; expected two items`);
  const rest = 1.0 - score;
  return order < 0 ? { low: a, high: b, score, rest } : { low: b, high: a, score: rest, rest: score };
}

/**
 * @param {ReturnType<typeof sided>} one
 * @param {ReturnType<typeof sided>} two
 */
function byIds(one, two) {
  return compareIds(one.low, two.low) || compareIds(one.high, two.high) || one.score - two.score;
}

/**
 * Whole numbers by size, then text by code point: `<` goes by units of UTF-16, where U+10000 comes before U+E000.
 * @param {Id} one
 * @param {Id} two
 */
function compareIds(one, two) {
  if (typeof one === "number" || typeof two === "number") {
    if (typeof one === "number" && typeof two === "number") return one - two;
    return typeof one === "number" ? -1 : 1;
  }
  const [codes, others] = [one, two].map((text) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0));
  const i = codes.findIndex((code, at) => code !== others[at]);
  return i < 0 ? codes.length - others.length : codes[i] - (others[i] ?? -1);
}
