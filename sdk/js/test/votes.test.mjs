// votes-v1 against what the methodology gave in Python (votes.json, by tests/sdk/votes_vectors.py), bit for bit where
// it is doubles; the specification's examples; what is refused.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import * as numeric from "../numeric.mjs";
import * as votes from "../votes.mjs";

/** @type {{ ids: votes.Id[], periods: any[], singles: any[], numbers: Record<string, string>[] }} */
const FILE = JSON.parse(readFileSync(new URL("votes.json", import.meta.url), "utf8"));
const view = new DataView(new ArrayBuffer(8));

/** @param {number} x */
function bits(x) {
  view.setFloat64(0, x);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/** @param {string} hex */
function double(hex) {
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

/** NaN has many bit patterns, and means the same in each. @param {number} found @param {string} expected */
function same(found, expected) {
  return bits(found) === expected || (Number.isNaN(found) && Number.isNaN(double(expected)));
}

/** @typedef {[votes.Id, number, number, number]} Row */

/** @param {Row[]} rows @returns {Map<votes.Id, votes.Stored>} */
function itemsOf(rows) {
  return new Map(rows.map(([id, rating, deviation, volatility]) => [id, { rating, deviation, volatility }]));
}

test("exp, log, logistic and rounding have the bits of Python", () => {
  const functions = /** @type {const} */ ({
    exp_normal: numeric.expNormal,
    log: numeric.log,
    half_even: numeric.halfEven,
    half_up: numeric.halfUp,
    logistic: (/** @type {number} */ x) => numeric.logistic(x)[0],
    not_logistic: (/** @type {number} */ x) => numeric.logistic(x)[1],
  });
  assert.ok(FILE.numbers.length > 400);
  for (const { x, ...expected } of FILE.numbers) {
    for (const [name, value] of Object.entries(expected)) {
      const found = functions[/** @type {keyof typeof functions} */ (name)](double(x));
      assert.ok(same(found, value), `${name}(${double(x)}) is ${bits(found)}; expected ${value}`);
    }
  }
});

test("pow2, mantissa and exponent are exact over their whole domain", () => {
  for (let n = -1022, power = 2 ** -1022; n <= 1023; n += 1, power *= 2) {
    assert.equal(numeric.pow2(n), power);
    assert.equal(numeric.mantissa(power * 1.25), 0.625);
    assert.equal(numeric.exponent(power * 1.25), n + 1);
  }
});

test("no function whose bits an engine may choose: a last bit seldom reaches the integers", () => {
  for (const name of ["votes.mjs", "numeric.mjs"]) {
    const text = readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
    const code = text.replace(/\/\*.*?\*\/|\/\/.*?$/gms, "");
    const used = new Set(code.match(/\bMath\.\w+|\*\*/g));
    for (const exact of ["Math.abs", "Math.sqrt"]) used.delete(exact);
    assert.deepEqual([...used], []);
  }
});

test("halves round to even, or upwards", () => {
  const cases = [[150000.5, 150000, 150001], [150001.5, 150002, 150002], [-2.5, -2, -2], [-3.5, -4, -3], [0.5, 0, 1]];
  for (const [x, even, up] of cases) {
    assert.equal(numeric.halfEven(x), even);
    assert.equal(numeric.halfUp(x), up);
  }
  assert.equal(numeric.halfUp(0.49999999999999994), 0);
  assert.equal(votes.ratingToStorage(1500.005), 150000);
  assert.equal(votes.ratingToStorage(1500.005, "half-up"), 150001);
});

for (const { name, items, votes: told, rounding, chances, after } of FILE.periods) {
  test(name, () => {
    const known = itemsOf(items);
    const cast = told.map((/** @type {[votes.Id, votes.Id, number]} */ [a, b, score]) => ({ a, b, score }));
    const expected = after.map((/** @type {any[]} */ row) => {
      const [id, rating, deviation, volatility, clamped, converged] = row;
      return [id, { rating, deviation, volatility, clamped: clamped ? clamped.split("+") : [], converged }];
    });
    for (const order of [cast, [...cast].reverse()]) {
      assert.deepEqual(votes.period(known, order, rounding), new Map(expected));
    }
    const stored = (/** @type {votes.Id} */ id) => /** @type {votes.Stored} */ (known.get(id));
    const ps = cast.map((/** @type {votes.Vote} */ { a, b }) => bits(votes.chance(stored(a), stored(b))));
    assert.deepEqual(ps, chances);
    if (cast.length === 1) {
      const { a, b, score } = cast[0];
      const done = votes.vote(stored(a), stored(b), score, rounding);
      assert.deepEqual([done.a, done.b], [new Map(expected).get(a), new Map(expected).get(b)]);
    }
  });
}

/** @param {string[]} hex */
function stateOf(hex) {
  const [mu, phi2, sigma2, g] = hex.map(double);
  return { mu, phi2, sigma2, g };
}

test("what one vote adds to the sums has the bits of Python, where s - E has others", () => {
  let others = 0;
  for (const { states, score, sums } of FILE.singles) {
    const [own, other] = states.map(stateOf);
    assert.deepEqual(votes.game(own, other, score, 1 - score).map(bits), sums);
    const [e] = numeric.logistic(other.g * (own.mu - other.mu));
    others += bits(other.g * (score - e)) === sums[1] ? 0 : 1;
  }
  assert.ok(others > 10);
});

test("a volatility that has not converged at the cap is told, and is the current one", () => {
  const told = { true: 0, false: 0 };
  for (const { states, sums, after } of FILE.singles) {
    for (const [cap, rating, deviation, volatility, converged] of after) {
      const [w, u] = sums.map(double);
      const { clamped, ...found } = votes.settle(stateOf(states[0]), w, u, "half-even", cap);
      assert.deepEqual(found, { rating, deviation, volatility, converged });
      told[/** @type {"true" | "false"} */ (String(converged))] += 1;
    }
  }
  assert.ok(told.true > 10 && told.false > 10);
});

test("votes are summed in the order of ids: whole numbers, then text by code point; of one pair by the score", () => {
  const ids = FILE.ids;
  assert.ok(ids.indexOf("\ue000") < ids.indexOf("\u{10000}") && ids.indexOf(9) < ids.indexOf(10));
  const all = ids.flatMap((a) => ids.filter((b) => b !== a).map((b) => ({ a, b, score: 0.1 })));
  const expected = ids.flatMap((low, i) =>
    ids.slice(i + 1).flatMap((high) => [
      { low, high, score: 0.1, rest: 0.9 },
      { low, high, score: 0.9, rest: 0.1 },
    ]),
  );
  assert.deepEqual(votes.inOrder(all), expected);
  assert.deepEqual(votes.inOrder(all.reverse()), expected);
});

test("the table of the specification", () => {
  const { a, b } = votes.vote(votes.NEW, votes.NEW, 1);
  assert.deepEqual([a.rating, a.deviation, a.volatility], [166231, 29032, 60000]);
  assert.deepEqual([b.rating, b.deviation, b.volatility], [133769, 29032, 60000]);
  const tie = votes.vote(votes.NEW, votes.NEW, 0.5).a;
  assert.deepEqual([tie.rating, tie.deviation, tie.volatility], [150000, 29032, 59999]);
  const high = { ...votes.NEW, rating: 300000 };
  const low = { ...votes.NEW, rating: 0 };
  const lost = votes.vote(high, low, 0).a;
  assert.deepEqual([lost.rating, lost.deviation, lost.clamped], [252797, 35000, ["deviation"]]);
  assert.equal(votes.vote(high, low, 1).a.rating, 300000);
});

test("conversions go there and back, and refuse what is outside", () => {
  for (let stored = 0; stored <= 300000; stored += 7) {
    assert.equal(votes.ratingToStorage(votes.ratingToDisplay(stored)), stored);
  }
  for (let stored = 100; stored <= 35000; stored += 1) {
    assert.equal(votes.rdToStorage(votes.rdToDisplay(stored)), stored);
  }
  for (let stored = 1; stored <= 1000000; stored += 13) {
    assert.equal(votes.volatilityToStorage(votes.volatilityToDisplay(stored)), stored);
  }
  assert.ok(Object.is(votes.ratingToStorage(-0), 0), "no -0 is stored");
  assert.ok(Object.is(votes.vote({ ...votes.NEW, rating: 0 }, votes.NEW, 0).a.rating, 0));
  for (const x of [3000.01, -0.01, NaN, Infinity]) assert.throws(() => votes.ratingToStorage(x), /^RangeError: rating/);
  assert.throws(() => votes.rdToStorage(0.99), /deviation is 0\.99; expected a number from 1 to 350/);
  assert.throws(() => votes.volatilityToStorage(1.01), /volatility/);
  assert.throws(() => votes.ratingToDisplay(300001), /stored rating/);
  assert.throws(() => votes.rdToDisplay(99), /stored deviation/);
  assert.throws(() => votes.volatilityToDisplay(0.5), /stored volatility/);
});

test("refused: an item against itself, one that is not there, scores that are none, text for a number", () => {
  const items = itemsOf([["a", 150000, 35000, 60000], ["b", 150000, 35000, 60000]]);
  assert.throws(() => votes.period(items, [{ a: "a", b: "a", score: 1 }]), /both sides/);
  assert.throws(() => votes.period(items, [{ a: "a", b: "c", score: 1 }]), /"c" is in a vote/);
  for (const score of [-0.1, 1.1, NaN]) {
    assert.throws(() => votes.period(items, [{ a: "a", b: "b", score }]), /score/);
  }
  // @ts-expect-error text on purpose
  assert.throws(() => votes.vote(votes.NEW, votes.NEW, "1"), /score/);
  // @ts-expect-error text on purpose
  assert.throws(() => votes.vote({ ...votes.NEW, rating: "150000" }, votes.NEW, 1), /stored rating/);
  // @ts-expect-error another word on purpose
  assert.throws(() => votes.vote(votes.NEW, votes.NEW, 1, "up"), /rounding/);
  assert.equal(votes.period(items, []).size, 0);
});
