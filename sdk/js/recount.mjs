#!/usr/bin/env node
// Recounts every player's felt from the games of a history alone: node recount.mjs HISTORY
//
// HISTORY is JSON lines or CSV with a header, a game a line in the order in which they were rated. Columns: game, a, b,
// half_points (of a), t, steps, forfeit, queue, band_a, band_b, and felt_a, felt_b: both felts after the game as the
// history has them. Integers are digits or 0x and hexadecimal ones (in JSON as strings), true and false themselves.
// Everybody begins as felt 0. The first felt that differs is named, and the exit code is 1.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

import { program } from "./program.mjs";
import { pack, rate, unpack } from "./rating.mjs";

/** @typedef {{ game: string, a: string, b: string, felt_a: bigint, felt_b: bigint }} Told */
/** @typedef {import("./rating.mjs").Result & Told} Game */

const TEXTS = ["game", "a", "b"];
const WHOLE = ["half_points", "t", "steps", "band_a", "band_b", "felt_a", "felt_b"];
const FLAGS = ["forfeit", "queue"];

/**
 * A game of a line's cells by name; an Error says which is missing or something else.
 * @param {Record<string, unknown>} cells
 * @param {string} where
 * @returns {Game}
 */
function gameOf(cells, where) {
  /** @type {Record<string, unknown>} */
  const game = {};
  for (const name of [...TEXTS, ...WHOLE, ...FLAGS]) {
    const cell = cells[name];
    if (cell === undefined) throw new Error(`${where} has no ${name}`);
    const text = String(cell);
    if (TEXTS.includes(name)) game[name] = text;
    else if (FLAGS.includes(name) && /^(true|false)$/.test(text)) game[name] = text === "true";
    else if (WHOLE.includes(name) && typeof cell === "string" && /^([0-9]+|0x[0-9a-f]+)$/i.test(text)) {
      game[name] = BigInt(text);
    } else throw new Error(`${where}: ${name} is ${JSON.stringify(cell)}; expected another kind of value`);
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
    if (line === "") continue;
    if (line.startsWith("{")) yield gameOf(JSON.parse(line), where);
    else if (line.includes('"')) throw new Error(`${where} has a quoted cell; expected ids without commas and quotes`);
    else if (header === undefined) header = line.split(",");
    else {
      const cells = line.split(",");
      const [found, expected] = [cells.length, header.length];
      if (found !== expected) throw new Error(`${where} has ${found} cells; expected ${expected}`);
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
  /** @type {Map<string, bigint>} */
  const felts = new Map();
  for await (const game of games) {
    if (game.a === game.b) throw new Error(`game ${game.game}: player ${game.a} is on both sides`);
    let [a, b] = [felts.get(game.a) ?? 0n, felts.get(game.b) ?? 0n];
    const done = rate(unpack(a), unpack(b), game);
    if (!("void" in done)) [a, b] = [pack(done.a), pack(done.b)];
    felts.set(game.a, a);
    felts.set(game.b, b);
    yield { game, a, b };
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

await program(import.meta.url, async (file) => {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  const { games, players, difference } = await compare(lines);
  if (games === 0) throw new Error(`${file} has no games`);
  return { difference, summary: `${games} games of ${players} players, every felt as recounted` };
});
