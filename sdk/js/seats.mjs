// The arena's seats, commitments and draws, recomputed from a match's seed, which is published at its end.

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
const hex = (/** @type {ArrayBuffer} */ of) =>
  Array.from(new Uint8Array(of), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} seed 64 hexadecimal digits */
function parsed(seed) {
  if (!/^[0-9a-f]{64}$/.test(seed)) throw new RangeError(`seed is ${seed}; expected 64 hexadecimal digits`);
  return Uint8Array.from(seed.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

/** What is published when a match is announced: SHA-256 of both. @param {string} seed @param {string} match */
export async function commitment(seed, match) {
  return hex(await crypto.subtle.digest("SHA-256", Uint8Array.of(...parsed(seed), ...bytes(match))));
}

/** HMAC-SHA256 of labels under the seed.
 * @param {string} seed @returns {Promise<(label: string) => Promise<ArrayBuffer>>} */
async function drawing(seed) {
  const key = await crypto.subtle.importKey("raw", parsed(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return (label) => crypto.subtle.sign("HMAC", key, bytes(label));
}

/** Anything in the order of HMAC-SHA256 of its label under the seed. @template T
 * @param {string} seed @param {T[]} all @param {(one: T) => string} label */
export async function sorted(seed, all, label) {
  const drawn = await drawing(seed);
  const by = await Promise.all(all.map(async (one) => ({ one, by: hex(await drawn(label(one))) })));
  return by.sort((a, b) => (a.by < b.by ? -1 : 1)).map(({ one }) => one);
}

/** The agents, given in any order, by their seats. @param {string} seed @param {string[]} agents */
export const seats = (seed, agents) => sorted(seed, agents, (agent) => `seat:${agent}`);

/** A whole number from 0 to `count` - 1, each as likely: the first 8 bytes, big-endian, modulo; too large ones, that
 * would favour small numbers, are thrown away for LABEL:1 and so on.
 * @param {string} seed @param {string} label @param {number} count up to 2 ** 53 */
export async function below(seed, label, count) {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`count is ${count}; expected 1 or more`);
  const drawn = await drawing(seed);
  const fair = 2n ** 64n - (2n ** 64n % BigInt(count));
  for (let n = 0; ; n += 1) {
    const number = new DataView(await drawn(n === 0 ? label : `${label}:${n}`)).getBigUint64(0);
    if (number < fair) return Number(number % BigInt(count));
  }
}
