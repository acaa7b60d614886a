#!/usr/bin/env node
// Recounts every player's felt from the games of a history alone: node recount.mjs HISTORY
//
// HISTORY is CSV with a header, JSON lines, or a JSON array with an object a line; a game a line, in the order in which
// they were rated. Columns: game, a, b, half_points (of a), t, steps, forfeit, queue, band_a, band_b, and felt_a,
// felt_b: both felts after the game as the history has them. Integers are digits or 0x and hexadecimal ones; in JSON
// numbers will do below 2^53, above it they are strings. Everybody begins as felt 0. The first felt that differs is
// named; exit codes are those of the command `tallymark`, and `--help` says them.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

import { parsed, program, UnreadableError } from "./program.mjs";
import { pack, rate, RefusedError, unpack } from "./rating.mjs";

/** Text, or a whole number where JSON has one. @typedef {string | number} Id */
/** @typedef {{ game: Id, a: Id, b: Id, felt_a: bigint, felt_b: bigint }} Told */
/** @typedef {import("./rating.mjs").Result & Told} Game */

/** Kinds of values: what a cell is, undefined where it is none, and what is expected then. */
const ID = {
  /** @param {unknown} cell */
  of: (cell) => (typeof cell === "string" || Number.isSafeInteger(cell) ? cell : undefined),
  expected: "text or an integer",
};
const WHOLE = {
  /** @param {unknown} cell */
  of(cell) {
    const digits = typeof cell === "string" && /^([0-9]+|0x[0-9a-f]+)$/i.test(cell);
    return digits || (typeof cell === "number" && Number.isSafeInteger(cell) && cell >= 0) ? BigInt(cell) : undefined;
  },
  expected: "an integer from 0",
};
const FLAG = {
  /** @param {unknown} cell */
  of: (cell) => (/^(true|false)$/.test(String(cell)) ? String(cell) === "true" : undefined),
  expected: "true or false",
};
const COLUMNS = Object.entries({
  ...{ game: ID, a: ID, b: ID, half_points: WHOLE, t: WHOLE, steps: WHOLE, forfeit: FLAG, queue: FLAG },
  ...{ band_a: WHOLE, band_b: WHOLE, felt_a: WHOLE, felt_b: WHOLE },
});

/**
 * A game of a line's cells by name; an error says which is missing or something else.
 * @param {Record<string, unknown>} cells
 * @param {string} where
 * @returns {Game}
 */
function gameOf(cells, where) {
  /** @type {Record<string, unknown>} */
  const game = {};
  for (const [name, { of, expected }] of COLUMNS) {
    if (!Object.hasOwn(cells, name)) throw new UnreadableError(`${where} has no ${name}`);
    const cell = cells[name];
    game[name] = of(cell);
    if (game[name] === undefined) {
      const rounded = typeof cell === "number" && Number.isInteger(cell) && !Number.isSafeInteger(cell);
      const instead = rounded ? "a string of digits, for JSON numbers are exact below 2^53 only" : expected;
      throw new UnreadableError(`${where}: ${name} is ${JSON.stringify(cell)}; expected ${instead}`);
    }
  }
  return /** @type {Game} */ (game);
}

/**
 * The games of a history's lines.
 * @param {AsyncIterable<string> | Iterable<string>} lines
 * @returns {AsyncGenerator<Game>}
 */
export async function* gamesOf(lines) {
  /** @type {string[] | undefined} */
  let header;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const where = `line ${number}`;
    if (line === "" || (header === undefined && (line === "[" || line === "]"))) continue;
    if (line.startsWith("{")) yield gameOf(parsed(line.replace(/,$/, ""), number), where);
    else if (line.includes('"')) {
      throw new UnreadableError(`${where} is neither an object nor cells without quotes: ${line.slice(0, 80)}`);
    } else if (header === undefined) header = line.split(",");
    else {
      const cells = line.split(",");
      const [found, expected] = [cells.length, header.length];
      if (found !== expected) throw new UnreadableError(`${where} has ${found} cells; expected ${expected}`);
      yield gameOf(Object.fromEntries(header.map((name, i) => [name, cells[i]])), where);
    }
  }
}

/**
 * Rates the games one after the other from nothing: each game with both felts as they are after it, whether or not
 * the history says so.
 * @param {AsyncIterable<Game> | Iterable<Game>} games
 * @returns {AsyncGenerator<{ game: Game, a: bigint, b: bigint }>}
 */
export async function* recount(games) {
  /** @type {Map<Id, bigint>} */
  const felts = new Map();
  for await (const game of games) {
    if (game.a === game.b) throw new UnreadableError(`game ${game.game}: player ${game.a} is on both sides`);
    let [a, b] = [felts.get(game.a) ?? 0n, felts.get(game.b) ?? 0n];
    const done = rated(a, b, game);
    if (!("void" in done)) [a, b] = [pack(done.a), pack(done.b)];
    felts.set(game.a, a);
    felts.set(game.b, b);
    yield { game, a, b };
  }
}

/**
 * @param {bigint} a
 * @param {bigint} b
 * @param {Game} game
 */
function rated(a, b, game) {
  try {
    return rate(unpack(a), unpack(b), game);
  } catch (error) {
    if (error instanceof RefusedError) throw new UnreadableError(`game ${game.game}: ${error.message}`);
    throw error;
  }
}

/**
 * How many games were recounted, how many players there are, and the first felt that differs.
 * @param {AsyncIterable<string> | Iterable<string>} lines
 */
export async function compare(lines) {
  const players = new Set();
  let games = 0;
  for await (const { game, a, b } of recount(gamesOf(lines))) {
    games += 1;
    players.add(game.a).add(game.b);
    for (const [who, told, ours] of /** @type {const} */ ([[game.a, game.felt_a, a], [game.b, game.felt_b, b]])) {
      if (told !== ours) {
        const difference = `game ${game.game}, player ${who}: felt ${told}; recounted ${ours}`;
        return { games, players: players.size, difference };
      }
    }
  }
  return { games, players: players.size, difference: "" };
}

const ABOUT = "Rates the games of a history from nothing, and names the first felt that is not as recounted.";

await program(import.meta.url, "HISTORY", ABOUT, async (file) => {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  const { games, players, difference } = await compare(lines);
  if (games === 0) throw new UnreadableError("there are no games");
  return { difference, summary: difference ? "" : `${games} games of ${players} players, every felt as recounted` };
});
