#!/usr/bin/env node
// Answers the vectors of `tallymark vectors` with rating.mjs: node vectors.mjs FILE names the first difference. Exit
// codes are those of the command; `--help` says them.
// Intermediates (`steps`) are not compared: rating.mjs has none to show, its functions are compared one by one instead.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

import { parsed, program, UnreadableError } from "./program.mjs";
import * as rating from "./rating.mjs";

const FORMAT_VERSION = 1n;
const INTEGER = /^(0|-?[1-9][0-9]*)$/;

/**
 * The object of a line; its integers are strings of digits: BigInt here.
 * @param {string} text
 * @param {number} line
 * @returns {Record<string, any>}
 */
export function read(text, line) {
  const found = parsed(text, line, (_, value) =>
    typeof value === "string" && INTEGER.test(value) ? BigInt(value) : value,
  );
  if (typeof found !== "object" || found === null || Array.isArray(found)) {
    throw new UnreadableError(`line ${line} is ${text.slice(0, 80)}; expected an object`);
  }
  return found;
}

/** The same the other way. @param {unknown} value */
export function written(value) {
  return JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)) ?? "nothing";
}

/** What contracts do beside rating is no matter of this package. */
export const NOT_HERE = new Set(["ticket", "season"]);

/** @type {Record<string, (given: any) => unknown>} */
export const KINDS = {
  rdiv: ({ n, d }) => rating.rdiv(n, d),
  root: ({ n }) => rating.root(n),
  exp_neg: ({ x }) => rating.expNeg(x),
  logistic: ({ z }) => rating.logistic(z),
  g: (given) => rating.g(given.var),
  rank: ({ mu }) => rating.rank(mu),
  half_life: ({ rank }) => rating.halfLife(rank),
  aged: ({ t, ...state }) => rating.aged(state, t),
  update: ({ a, b, half_points, t }) => rating.update(a, b, half_points, t),
  pack: (given) => rating.pack(given),
  unpack: ({ felt }) => rating.unpack(felt),
  sequence({ players, games }) {
    const now = [...players];
    const p = games.map((/** @type {any} */ { a, b, half_points, t }) => {
      const done = rating.update(now[a], now[b], half_points, t);
      now[a] = done.a;
      now[b] = done.b;
      return done.p;
    });
    return { players: now, p };
  },
  game({ a, b, ...result }) {
    const done = rating.rate(rating.unpack(a), rating.unpack(b), result);
    return "void" in done ? done : { a: rating.pack(done.a), b: rating.pack(done.b) };
  },
};

/**
 * The answer to a vector: `{ out }`, or `{ refused }` with the word for what is refused.
 * @param {string} kind
 * @param {unknown} given
 */
export function answer(kind, given) {
  try {
    return { out: KINDS[kind](given) };
  } catch (error) {
    if (error instanceof rating.RefusedError) return { refused: error.what };
    throw error;
  }
}

/**
 * The same for a line of a file, where a member that is missing or something else is the file's fault.
 * @param {Record<string, any>} vector
 * @param {number} line
 */
function answered({ id, kind, in: given }, line) {
  if (!Object.hasOwn(KINDS, kind)) {
    const expected = Object.keys(KINDS).join(", ");
    throw new UnreadableError(`line ${line}: kind is ${written(kind)}; expected one of ${expected}`);
  }
  try {
    return answer(kind, given);
  } catch (error) {
    throw new UnreadableError(`line ${line}: ${id} cannot be answered: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * Goes through the text of a file: how many vectors of each kind were compared, and where the first difference is.
 * `UnreadableError`, with the line, for what is no file of vectors, or is cut short.
 * @param {string} text
 */
export function check(text) {
  const lines = text.split("\n");
  const head = read(lines[0], 1);
  if (head.format !== "tallymark-vectors" || head.format_version !== FORMAT_VERSION) {
    const expected = `tallymark-vectors, version ${FORMAT_VERSION}`;
    throw new UnreadableError(`line 1 is ${lines[0].slice(0, 80)}; expected ${expected}`);
  }
  if (head.constants_version !== rating.VERSION) {
    const found = written(head.constants_version);
    throw new UnreadableError(`line 1: constants_version is ${found}; expected ${rating.VERSION}`);
  }
  if (lines.pop() !== "") throw new UnreadableError(`line ${lines.length + 1} has no end; is the file whole?`);
  const told = read(lines[lines.length - 1], lines.length).sha256;
  if (told === undefined) throw new UnreadableError(`line ${lines.length} has no sha256; is the file whole?`);
  /** @type {Record<string, number>} */
  const compared = {};
  for (let i = 1; i < lines.length - 1; i += 1) {
    const vector = read(lines[i], i + 1);
    if (NOT_HERE.has(vector.kind)) continue;
    const ours = answered(vector, i + 1);
    const theirs = "refused" in vector ? { refused: vector.refused } : { out: vector.out };
    if (!isDeepStrictEqual(ours, theirs)) {
      return { compared, difference: `line ${i + 1}, ${vector.id}: ${written(theirs)}; expected ${written(ours)}` };
    }
    compared[vector.kind] = (compared[vector.kind] ?? 0) + 1;
  }
  const hash = createHash("sha256").update(text.slice(0, text.lastIndexOf('{"sha256"'))).digest("hex");
  return { compared, difference: hash === told ? "" : `the SHA-256 is ${told}; expected ${hash}` };
}

const ABOUT = "Answers the vectors of a file by tallymark vectors with rating.mjs, and names the first difference.";

await program(import.meta.url, "FILE", ABOUT, (file) => {
  const { compared, difference } = check(readFileSync(file, "utf8"));
  const all = Object.values(compared).reduce((sum, n) => sum + n, 0);
  return { difference, summary: difference ? "" : `${all} vectors, all as computed here` };
});
