// Files of vectors as `tallymark vectors` writes them, and their values as felts.

import { createHash } from "node:crypto";
import { parsed, UnreadableError } from "../sdk/js/program.mjs";
import { text } from "./package.mjs";

export const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Members of a state, of a result, and of a season's call, in the order in which Cairo takes them. */
export const STATE = ["mu", "phi", "last"];
export const RESULT = ["half_points", "t", "steps", "forfeit", "queue", "band_a", "band_b"];
const CALL = ["action", "ticket", "reason", "a", "b", ...RESULT];

/** The vectors of a file that is whole. */
export function vectors(bytes) {
  const lines = bytes.toString("ascii").split("\n");
  const head = parsed(lines[0], 1);
  if (head?.format !== "tallymark-vectors" || head.format_version !== "1") {
    throw new UnreadableError(`line 1 is ${lines[0].slice(0, 80)}; expected tallymark-vectors, version 1`);
  }
  const version = /VERSION: i128 = (\d+);/.exec(text("src/constants.cairo"))[1];
  if (head.constants_version !== version) {
    throw new UnreadableError(`line 1: constants_version is ${head.constants_version}; expected ${version}`);
  }
  const vectors = lines.slice(1, -2).map((line, i) => vector(line, i + 2));
  const end = bytes.lastIndexOf('{"sha256"');
  const hash = createHash("sha256").update(bytes.subarray(0, Math.max(end, 0))).digest("hex");
  if (end < 0) throw new UnreadableError("the file ends without its SHA-256; is it whole?");
  const told = parsed(lines.at(-2), lines.length - 1)?.sha256;
  if (told !== hash) throw new UnreadableError(`the SHA-256 is ${told}; expected ${hash}`);
  return vectors;
}

/** The vector of a line, with its number beside the members that the file has. */
function vector(text, line) {
  const found = parsed(text, line);
  if (typeof found?.kind !== "string" || typeof found.in !== "object") {
    throw new UnreadableError(`line ${line} is ${text.slice(0, 80)}; expected a vector`);
  }
  return { ...found, line };
}

/** A value of a vector as a felt: digits, true or false, or a word; 0 where a member is not there. */
export function felt(value) {
  if (value === undefined || typeof value === "boolean") return value ? 1n : 0n;
  if (/^-?\d+$/.test(value)) return ((BigInt(value) % PRIME) + PRIME) % PRIME;
  if (!/^[a-z_.]{1,31}$/.test(value)) throw new UnreadableError(`${JSON.stringify(value)} is no value of a vector`);
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
