// Primitives on constructed ties and neighbours of halves (a whole update does not see a wrong tie), what is refused,
// and every vector of the file beside this.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { M } from "../constants.mjs";
import * as rating from "../rating.mjs";
import { check, KINDS } from "../vectors.mjs";

const { rdiv, rshift, root, ONE, HALF } = rating;
const FILE = new URL("vectors.jsonl", import.meta.url);

/** A stream of 64 bits each from a seed: splitmix64. @param {bigint} seed */
function drawing(seed) {
  let at = seed;
  return (/** @type {bigint} */ below) => {
    at = BigInt.asUintN(64, at + 0x9e3779b97f4a7c15n);
    let z = at;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return (z ^ (z >> 31n)) % below;
  };
}

/** Quotients of every size, both signs. */
function* quotients(/** @type {bigint} */ seed, /** @type {number} */ count) {
  const draw = drawing(seed);
  for (let i = 0; i < count; i += 1) {
    const q = draw(1n << (draw(63n) + 1n));
    yield [draw(2n) ? q : -q, (draw(1n << (draw(46n) + 1n)) + 1n) * 2n];
  }
}

test("rdiv: a half goes to the even neighbour, what is beside it to the nearer one", () => {
  for (const [q, d] of quotients(1n, 20000)) {
    const half = q * d + d / 2n; // of q and q + 1, whatever the sign
    assert.equal(rdiv(half, d), q % 2n === 0n ? q : q + 1n);
    assert.equal(rdiv(half - 1n, d), q);
    assert.equal(rdiv(half + 1n, d), q + 1n);
    assert.equal(rdiv(q * d, d), q);
    const odd = d + 1n;
    assert.equal(rdiv(q * odd + odd / 2n, odd), q);
    assert.equal(rdiv(q * odd + odd / 2n + 1n, odd), q + 1n);
  }
  for (const n of [1n, 3n, 5n, 7n, 1n << 98n]) assert.equal(rdiv(-n, 2n), -rdiv(n, 2n));
});

test("rshift: the same by a power of two, none of it for 0", () => {
  const draw = drawing(2n);
  for (const [q] of quotients(3n, 20000)) {
    const k = draw(66n);
    assert.equal(rshift(q, 0n), q);
    for (const by of k ? [-1n, 0n, 1n] : []) {
      const n = (q << k) + (1n << (k - 1n)) + by;
      assert.equal(rshift(n, k), rdiv(n, 1n << k));
    }
  }
  assert.deepEqual([1n, 3n, 5n, 7n, -1n, -3n, -5n].map((n) => rshift(n, 1n)), [0n, 2n, 2n, 4n, 0n, -2n, -2n]);
});

test("root: s^2 + s is still s, one more is the next; at every size up to 2^66", () => {
  const draw = drawing(4n);
  for (let i = 0; i < 20000; i += 1) {
    const s = draw(1n << (draw(33n) + 1n));
    assert.equal(root(s * s), s);
    assert.equal(root(s * s + s), s);
    if (s < 1n << 33n) assert.equal(root(s * s + s + 1n), s + 1n);
    if (s) assert.equal(root(s * s - s + 1n), s);
    if (s > 1n) assert.equal(root(s * s - 1n), s);
    if (s) assert.equal(root(s * s - s), s - 1n);
  }
  assert.equal(root(1n << 66n), 1n << 33n);
  assert.equal(root((1n << 66n) - 1n), 1n << 33n);
});

/** 2^32 / e^x by a long series in whole numbers. @param {bigint} x */
function exactly(x) {
  const [unit, bits] = [1n << 200n, 200n];
  let [sum, term] = [unit, unit];
  for (let k = 1n; term > 0n; k += 1n) {
    term = ((term * x) >> 32n) / k;
    sum += term;
  }
  return (1n << (bits + 32n + 20n)) / sum; // 20 bits below the last one
}

test("expNeg: within two units of the exact one, at every change of its pieces", () => {
  const ln2 = 2977044472n;
  const places = [0n, 1n];
  for (let n = 1n; n <= 34n; n += 1n) places.push(n * ln2 - 1n, n * ln2, n * ln2 + 1n);
  for (let j = 1n; j <= 11n; j += 1n) places.push((j << 28n) - 1n, j << 28n, (j << 28n) + 1n);
  const draw = drawing(5n);
  for (let i = 0; i < 2000; i += 1) places.push(draw(34n * ln2));
  for (const x of places) {
    const off = (rating.expNeg(x) << 20n) - exactly(x);
    assert.ok(off < 2n << 20n && off > -(2n << 20n), `${x}`);
  }
  assert.equal(rating.expNeg(0n), ONE);
  assert.equal(rating.expNeg(33n * ln2), 0n);
  assert.equal(rating.expNeg(33n * ln2 - 1n), 1n);
});

test("logistic: both sides of 0 sum to one, or to a unit beside it; never 0 or 1 between players", () => {
  const draw = drawing(6n);
  for (let i = 0; i < 5000; i += 1) {
    const z = draw(84n << 30n);
    const off = rating.logistic(z) + rating.logistic(-z) - ONE;
    assert.ok(off >= -1n && off <= 1n);
    assert.ok(rating.logistic(-z) > 0n && rating.logistic(z) < ONE);
  }
  assert.equal(rating.logistic(0n), HALF);
});

test("rank and half-life: whole ranks are exact, both ends hold, the knee is at 16", () => {
  assert.equal(M[16], -11177650347n);
  assert.equal(M[30], 10346713043n);
  M.forEach((mu, k) => {
    const whole = BigInt(k) << 32n;
    assert.equal(rating.rank(mu), whole);
    assert.ok(k === 0 || rating.rank(mu - 1n) < whole);
    assert.ok(k === 39 || rating.rank(mu + 2n) > whole);
  });
  assert.equal(rating.rank(1n << 39n), 39n << 32n);
  assert.equal(rating.rank(-(1n << 39n)), 0n);
  assert.equal(rating.halfLife((16n << 32n) - 1n), 15n << 32n);
  assert.equal(rating.halfLife(16n << 32n), 15n << 32n);
  assert.equal(rating.halfLife(23n << 32n), 30n << 32n);
  assert.equal(rating.halfLife(30n << 32n), 45n << 32n);
});

test("the table of the specification", () => {
  const t = 1700000000n;
  const none = { mu: 0n, phi: 0n, last: 0n };
  const first = rating.update(none, none, 2n, t);
  assert.deepEqual(first.a, { mu: 3976162240n, phi: 7130373381n, last: t });
  assert.deepEqual(first.b, { mu: -3976162240n, phi: 7130373381n, last: t });
  assert.equal(first.p, 2147483648n);
  const a = { mu: -3512328987n + 12345n, phi: HALF, last: t - 9n * 86400n };
  const b = { mu: -6291078083n + 999n, phi: ONE / 3n, last: t - 3n * 86400n };
  const rows = [
    [2n, -3127674924n, -6466404596n],
    [1n, -3682925599n, -6215595102n],
    [0n, -4238176273n, -5964785608n],
  ];
  for (const [halfPoints, muA, muB] of rows) {
    const done = rating.update(a, b, halfPoints, t);
    assert.deepEqual(done.a, { mu: muA, phi: 2204362784n, last: t });
    assert.deepEqual(done.b, { mu: muB, phi: 1498026208n, last: t });
    assert.equal(done.p, 2783423771n);
  }
  const state = { mu: -24105722693n, phi: HALF, last: 0n };
  assert.equal(rating.deviation(rating.aged(state, 5736551n)) > ONE, false);
  assert.ok(rating.aged(state, 5736552n) > 1n << 64n && rating.aged(state, 5736551n) <= 1n << 64n);
  assert.ok(rating.aged(state, 28682760n) === 1n << 66n && rating.aged(state, 28682759n) < 1n << 66n);
});

test("settled is who has an aged phi of 1 once it is rounded", () => {
  const t = 1700000000n;
  const record = { ...rating.NEVER_RATED, band: 3n, established: true, version: 2n, wins: 9n, losses: 9n };
  const result = { half_points: 2n, t, steps: 200n, forfeit: false, queue: true, band_a: 0n, band_b: 0n };
  let [inside, beyond] = [0, 0];
  for (let dt = 1n; dt <= 40n; dt += 1n) {
    const drift = rating.aged({ mu: 0n, phi: HALF, last: t - dt }, t) - HALF * HALF;
    for (const by of [0n, 1n]) {
      const a = { ...record, phi: root(ONE * ONE - drift) + by, last: t - dt };
      const over = rating.aged(a, t) - ONE * ONE;
      const done = rating.rate(a, { ...a, phi: HALF }, result);
      assert.ok("a" in done);
      assert.equal(done.a.has_peak, over <= ONE);
      if (over > 0n && over <= ONE) inside += 1;
      if (over > ONE) beyond += 1;
    }
  }
  assert.ok(inside && beyond);
});

test("a Number is refused where a BigInt belongs, and so is what no felt holds", () => {
  const none = { mu: 0n, phi: 0n, last: 0n };
  const refused = (/** @type {string} */ what) => (/** @type {unknown} */ error) =>
    error instanceof rating.RefusedError && error.what === what;
  // @ts-expect-error a Number on purpose
  assert.throws(() => rating.update({ mu: 0, phi: 0n, last: 0n }, none, 2n, 5n), refused("a.mu"));
  // @ts-expect-error a Number on purpose
  assert.throws(() => rating.update(none, { mu: 0n, phi: 0, last: 0n }, 2n, 5n), refused("b.phi"));
  // @ts-expect-error a Number on purpose
  assert.throws(() => rating.update(none, none, 2, 5n), refused("half_points"));
  assert.throws(() => rating.update(none, none, 2n, 1n << 40n), refused("t"));
  // @ts-expect-error a Number on purpose
  assert.throws(() => rating.pack({ ...rating.NEVER_RATED, wins: 1 }), refused("phi"));
  const player = { ...rating.NEVER_RATED, phi: ONE };
  // @ts-expect-error a Number on purpose
  assert.throws(() => rating.pack({ ...player, established: 1 }), refused("established"));
  assert.throws(() => rating.pack({ ...player, draws: 1n << 24n }), refused("draws"));
  assert.throws(() => rating.rate(player, player, /** @type {any} */ ({ half_points: 2n, t: 5n })), refused("steps"));
});

test("every vector of the file", () => {
  const text = readFileSync(FILE, "utf8");
  const { compared, difference } = check(text);
  assert.equal(difference, "");
  assert.deepEqual(Object.keys(compared).sort(), Object.keys(KINDS).sort(), "a kind without a vector shows nothing");
});

test("a spoiled file fails: an answer, a refusal, a lost line", () => {
  const text = readFileSync(FILE, "utf8");
  assert.match(check(text.replace('"p":"2147483648"', '"p":"2147483649"')).difference, /^line \d+, update\//);
  assert.match(check(text.replace('"refused":"d"', '"refused":"n"')).difference, /^line \d+, rdiv\//);
  assert.match(check(text.split("\n").toSpliced(5, 1).join("\n")).difference, /SHA-256/);
  assert.throws(() => check(text.slice(0, -2)), /whole/);
});
