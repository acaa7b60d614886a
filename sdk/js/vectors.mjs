#!/usr/bin/env node
// Answers the vectors of `tallymark vectors` with rating.mjs: node vectors.mjs FILE names the first difference.
// Intermediates (`steps`) are not compared: rating.mjs has none to show, its functions are compared one by one instead.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

import { program } from "./program.mjs";
import * as rating from "./rating.mjs";

const FORMAT_VERSION = 1n;
const INTEGER = /^(0|-?[1-9][0-9]*)$/;

/** JSON whose integers are strings of digits: BigInt here. @param {string} text @returns {any} */
export function read(text) {
  return JSON.parse(text, (_, value) => (typeof value === "string" && INTEGER.test(value) ? BigInt(value) : value));
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
 * Goes through the text of a file: how many vectors of each kind were compared, and where the first difference is.
 * @param {string} text
 */
export function check(text) {
  const lines = text.split("\n");
  const head = read(lines[0]);
  if (head.format !== "tallymark-vectors" || head.format_version !== FORMAT_VERSION) {
    throw new Error(`the first line is ${lines[0].slice(0, 100)}; expected format version ${FORMAT_VERSION}`);
  }
  if (head.constants_version !== rating.VERSION) {
    throw new Error(`constants_version is ${head.constants_version}; expected ${rating.VERSION}`);
  }
  if (lines.pop() !== "") throw new Error("the last line has no end; is the file whole?");
  const told = read(lines[lines.length - 1]).sha256;
  if (told === undefined) throw new Error("the file ends without its SHA-256; is it whole?");
  /** @type {Record<string, number>} */
  const compared = {};
  for (let i = 1; i < lines.length - 1; i += 1) {
    const vector = read(lines[i]);
    if (NOT_HERE.has(vector.kind)) continue;
    if (!(vector.kind in KINDS)) throw new Error(`line ${i + 1}: kind is ${vector.kind}; expected another`);
    const ours = answer(vector.kind, vector.in);
    const theirs = "refused" in vector ? { refused: vector.refused } : { out: vector.out };
    if (!isDeepStrictEqual(ours, theirs)) {
      return { compared, difference: `line ${i + 1}, ${vector.id}: ${written(theirs)}; expected ${written(ours)}` };
    }
    compared[vector.kind] = (compared[vector.kind] ?? 0) + 1;
  }
  const hash = createHash("sha256").update(text.slice(0, text.lastIndexOf('{"sha256"'))).digest("hex");
  return { compared, difference: hash === told ? "" : `the SHA-256 is ${told}; expected ${hash}` };
}

await program(import.meta.url, async (file) => {
  const { compared, difference } = check(readFileSync(file, "utf8"));
  const all = Object.values(compared).reduce((sum, n) => sum + n, 0);
  return { difference, summary: `${all} vectors, all as computed here` };
});
