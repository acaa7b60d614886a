// The arena's seats and commitments, recomputed from a match's seed, which is published at its end.

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

/** The agents, given in any order, by their seats. @param {string} seed @param {string[]} agents */
export async function seats(seed, agents) {
  const key = await crypto.subtle.importKey("raw", parsed(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const by = async (/** @type {string} */ agent) => hex(await crypto.subtle.sign("HMAC", key, bytes(`seat:${agent}`)));
  const drawn = await Promise.all(agents.map(async (agent) => ({ agent, by: await by(agent) })));
  return drawn.sort((a, b) => (a.by < b.by ? -1 : 1)).map(({ agent }) => agent);
}
