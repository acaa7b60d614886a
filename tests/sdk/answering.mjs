// Many updates in one run for test_js.py and test_js_votes.py: rows of little-endian 64-bit integers in, rows of them
// out. The argument says which: updates, votes.

import { readFileSync } from "node:fs";
import { endianness } from "node:os";

import { update } from "../../sdk/js/rating.mjs";
import { chance, vote } from "../../sdk/js/votes.mjs";

/** @typedef {(row: BigInt64Array) => bigint[]} Answer */

/** @type {Answer} */
function updates([muA, phiA, lastA, muB, phiB, lastB, halfPoints, t]) {
  const { a, b, p } = update({ mu: muA, phi: phiA, last: lastA }, { mu: muB, phi: phiB, last: lastB }, halfPoints, t);
  return [a.mu, a.phi, a.last, b.mu, b.phi, b.last, p];
}

const CLAMPS = ["change", "rating", "deviation", "volatility"];
const view = new DataView(new ArrayBuffer(8));

/** @type {Answer} */
function votes(row) {
  const [a, b] = [0, 3].map((at) => {
    const [rating, deviation, volatility] = Array.from(row.subarray(at, at + 3), Number);
    return { rating, deviation, volatility };
  });
  const after = vote(a, b, Number(row[6]) / 2);
  view.setFloat64(0, chance(a, b));
  const sides = [after.a, after.b].map(({ rating, deviation, volatility, clamped, converged }) => {
    const flags = clamped.reduce((sum, word) => sum + (1 << CLAMPS.indexOf(word)), 0);
    return [rating, deviation, volatility, flags, converged ? 1 : 0].map(BigInt);
  });
  return [...sides.flat(), view.getBigInt64(0)];
}

/** @type {Record<string, { answer: Answer, given: number, found: number }>} */
const WHICH = {
  updates: { answer: updates, given: 8, found: 7 },
  votes: { answer: votes, given: 7, found: 11 },
};

if (endianness() !== "LE") throw new Error("rows are little-endian");
const { answer, given, found } = WHICH[process.argv[2]];
const rows = new BigInt64Array(new Uint8Array(readFileSync(0)).buffer);
const out = new BigInt64Array((rows.length / given) * found);
for (let i = 0; i * given < rows.length; i += 1) out.set(answer(rows.subarray(i * given, (i + 1) * given)), i * found);
process.stdout.write(new Uint8Array(out.buffer));
