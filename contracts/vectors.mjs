// Files of vectors as `tallymark vectors` writes them, and their values as felts.

import { createHash } from "node:crypto";
import { text } from "./package.mjs";

export const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** What cannot be gone on with: its message says all. */
export class Broken extends Error {}

/** Members of a state, of a result, and of a season's call, in the order in which Cairo takes them. */
export const STATE = ["mu", "phi", "last"];
export const RESULT = ["half_points", "t", "steps", "forfeit", "queue", "band_a", "band_b"];
const CALL = ["action", "ticket", "reason", "a", "b", ...RESULT];

/** The vectors of a file that is whole. */
export function vectors(bytes) {
  const lines = bytes.toString("ascii").split("\n");
  const end = bytes.lastIndexOf('{"sha256"');
  const head = JSON.parse(lines[0]);
  if (head.format !== "tallymark-vectors" || head.format_version !== "1") throw new Broken("no file of vectors");
  const version = /VERSION: i128 = (\d+);/.exec(text("src/constants.cairo"))[1];
  if (head.constants_version !== version) throw new Broken(`constants_version is ${head.constants_version}`);
  const hash = createHash("sha256").update(bytes.subarray(0, Math.max(end, 0))).digest("hex");
  if (end < 0 || JSON.parse(lines.at(-2)).sha256 !== hash) throw new Broken("the SHA-256 is another: is it whole?");
  return lines.slice(1, -2).map((line) => JSON.parse(line));
}

/** A value of a vector as a felt: digits, true or false, or a word; 0 where a member is not there. */
export function felt(value) {
  if (value === undefined || typeof value === "boolean") return value ? 1n : 0n;
  if (/^-?\d+$/.test(value)) return ((BigInt(value) % PRIME) + PRIME) % PRIME;
  if (!/^[a-z_.]{1,31}$/.test(value)) throw new Broken(`no value of a vector: ${JSON.stringify(value)}`);
  return BigInt(`0x${Buffer.from(value).toString("hex")}`);
}

/** The member at a path such as `a.mu`. */
export const member = (object, path) => path.split(".").reduce((inner, name) => inner?.[name], object);

/** The members of these names as felts. */
export const felts = (object, names) => names.map((name) => felt(member(object, name)));

/** The calls of a season. */
export const calls = (season) => season.calls.flatMap((call) => felts(call, CALL));

/** Felts as a constant of Cairo. */
export const constant = (name, values) => `const ${name}: [felt252; ${values.length}] = [${values.join(", ")}];\n`;

/** Ends the process with this function's exit code: 2, with the reason, where it breaks off. */
export function ending(main) {
  try {
    process.exitCode = main(...process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Broken ? error.message : error);
    process.exitCode = 2;
  }
}
