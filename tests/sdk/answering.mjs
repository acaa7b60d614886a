// Many updates in one run for test_js.py: rows of little-endian 64-bit integers in, rows of them out.

import { readFileSync } from "node:fs";
import { endianness } from "node:os";

import { update } from "../../sdk/js/rating.mjs";

if (endianness() !== "LE") throw new Error("rows are little-endian");
const bytes = readFileSync(0);
const rows = new BigInt64Array(new Uint8Array(bytes).buffer);
const n = rows.length / 8;
const out = new BigInt64Array(n * 7);
for (let i = 0; i < n; i += 1) {
  const [muA, phiA, lastA, muB, phiB, lastB, halfPoints, t] = rows.subarray(8 * i, 8 * i + 8);
  const { a, b, p } = update(
    { mu: muA, phi: phiA, last: lastA },
    { mu: muB, phi: phiB, last: lastB },
    halfPoints,
    t,
  );
  out.set([a.mu, a.phi, a.last, b.mu, b.phi, b.last, p], 7 * i);
}
process.stdout.write(new Uint8Array(out.buffer));
