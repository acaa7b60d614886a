#!/usr/bin/env node
// Recounts every player's felt from the games of a history alone: node recount.mjs HISTORY
//
// HISTORY is CSV with a header, JSON lines, or a JSON array with an object a line; a game a line, in the order in which
// they were rated. Columns: game, a, b, half_points (of a), t, steps, forfeit, queue, band_a, band_b, and felt_a,
// felt_b: both felts after the game as the history has them. Integers are digits or 0x and hexadecimal ones; JSON numbers
// are read exactly, however large. Cells of CSV may be in quotes, doubled within; none goes over the end of a line.
// Everybody begins as felt 0. The first felt that differs is named; exit codes are those of the command `tallymark`, and
// `--help` says them.

import { createReadStream } from "node:fs";

import { BAND_MU } from "./constants.mjs";
import { TIME_MAX } from "./formulas.mjs";
import { parsed, program, UnreadableError } from "./program.mjs";
import { pack, rate, RefusedError, unpack } from "./rating.mjs";

/** Text, or a whole number where JSON has one: BigInt where Number would round it. @typedef {string | number | bigint} Id */
/** @typedef {{ line: number, game: Id, a: Id, b: Id, felt_a: bigint, felt_b: bigint }} Told */
/** @typedef {import("./rating.mjs").Result & Told} Game */

/** Kinds of values: what a cell is, undefined where it is none, and what is expected then. */
const ID = {
  /** @param {unknown} cell */
  of: (cell) => (typeof cell === "string" || typeof cell === "bigint" || Number.isSafeInteger(cell) ? cell : undefined),
  expected: "text or an integer",
};
const PLAYER = {
  /** @param {unknown} cell */
  of: (cell) => (cell === "" ? undefined : ID.of(cell)),
  expected: "the id of a player, text or an integer",
};
const FLAG = {
  /** @param {unknown} cell */
  of: (cell) => (/^(true|false)$/.test(String(cell)) ? String(cell) === "true" : undefined),
  expected: "true or false",
};
const [BAND, FELT] = [whole(BigInt(BAND_MU.length)), whole()];
const COLUMNS = Object.entries({
  ...{ game: ID, a: PLAYER, b: PLAYER, half_points: whole(2n), t: whole(TIME_MAX), steps: whole((1n << 32n) - 1n) },
  ...{ forfeit: FLAG, queue: FLAG, band_a: BAND, band_b: BAND, felt_a: FELT, felt_b: FELT },
});

/** Integers from 0, to `most` if there is one. @param {bigint} [most] */
function whole(most) {
  return {
    /** @param {unknown} cell */
    of(cell) {
      const digits = typeof cell === "string" && /^([0-9]+|0x[0-9a-f]+)$/i.test(cell);
      if (!digits && typeof cell !== "bigint" && !Number.isSafeInteger(cell)) return undefined;
      const value = BigInt(/** @type {string | number | bigint} */ (cell));
      return value >= 0n && (most === undefined || value <= most) ? value : undefined;
    },
    expected: `an integer from 0${most === undefined ? "" : ` to ${most}`}`,
  };
}

/**
 * A game of a line's cells by name; an error says which is missing or something else.
 * @param {Record<string, unknown>} cells
 * @param {number} line
 * @returns {Game}
 */
function gameOf(cells, line) {
  /** @type {Record<string, unknown>} */
  const game = { line };
  for (const [name, { of, expected }] of COLUMNS) {
    if (!Object.hasOwn(cells, name)) throw new UnreadableError(`line ${line} has no ${name}`);
    const cell = cells[name];
    game[name] = of(cell);
    if (game[name] === undefined) {
      const found = typeof cell === "bigint" ? String(cell) : JSON.stringify(cell);
      throw new UnreadableError(`line ${line}: ${name} is ${found}; expected ${expected}`);
    }
  }
  if (game.a === game.b) throw new UnreadableError(`line ${line}: player ${game.a} is on both sides`);
  return /** @type {Game} */ (game);
}

/** What has no name twice. @param {string[]} names @param {number} line */
function once(names, line) {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UnreadableError(`line ${line} has ${JSON.stringify(twice)} twice; expected once`);
  return names;
}

/**
 * The object of a line. JSON.parse would round large integers and take the last of several members of one name, so
 * the text is looked through: such integers become objects of one member without a name, and those BigInt.
 * @param {string} text
 * @param {number} line
 * @returns {Record<string, unknown>}
 */
function objectOf(text, line) {
  /** @type {string[]} */
  const names = [];
  let depth = 0;
  const exact = text.replace(/("(?:[^"\\]|\\.)*")(\s*:)?|-?[0-9][0-9.eE+-]*|[{}[\]]/g, (token, quoted, colon) => {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (quoted && colon && depth === 1) names.push(parsed(quoted, line));
    return /^-?[1-9][0-9]{15,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `{"":"${token}"}` : token;
  });
  const found = parsed(exact, line, (_, value) => {
    const large = typeof value === "object" && value !== null && Object.hasOwn(value, "") ? value[""] : undefined;
    return typeof large === "string" && /^-?[0-9]+$/.test(large) ? BigInt(large) : value;
  });
  once(names, line);
  return found;
}

/**
 * The cells of a line of CSV (RFC 4180).
 * @param {string} text
 * @param {number} line
 */
function cellsOf(text, line) {
  const cells = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let more = true; more; ) {
    const from = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) {
      const rest = JSON.stringify(text.slice(from, from + 80));
      throw new UnreadableError(`line ${line}: ${rest} is no cell; expected quotes around all of it, on one line`);
    }
    cells.push(found[1] === undefined ? found[2] : found[1].replaceAll('""', '"'));
    more = found[3] === ",";
  }
  return cells;
}

/**
 * The games of a history's lines.
 * @param {AsyncIterable<string> | Iterable<string>} lines
 * @returns {AsyncGenerator<Game>}
 */
export async function* gamesOf(lines) {
  /** @type {string[]} */
  let header = [];
  let [form, number, ended] = ["", 0, false];
  /** Whether the object before ends in one; undefined before the first. @type {boolean | undefined} */
  let comma;
  for await (const one of lines) {
    number += 1;
    const line = number === 1 ? one.replace(/^\uFEFF/, "") : one;
    const text = line.trim();
    if (text === "") continue;
    const first = form === "";
    if (first) form = text.startsWith("[") ? "array" : text.startsWith("{") ? "lines" : "csv";
    if (form === "csv" && first) {
      header = once(cellsOf(line, number), number);
      const missing = COLUMNS.find(([name]) => !header.includes(name));
      if (missing) throw new UnreadableError(`line ${number} has no ${missing[0]}; expected a header, or JSON`);
    } else if (form === "csv") {
      const cells = cellsOf(line, number);
      const [found, expected] = [cells.length, header.length];
      if (found !== expected) throw new UnreadableError(`line ${number} has ${found} cells; expected ${expected}`);
      yield gameOf(Object.fromEntries(header.map((name, i) => [name, cells[i]])), number);
    } else if (form === "array" && first && text === "[") {
      continue;
    } else if (form === "array" && text === "]" && !ended && !comma) {
      ended = true;
    } else if (!text.startsWith("{") || ended || comma === false) {
      const expected = ended ? "nothing after the array" : comma === false ? "] or a comma before" : "an object";
      throw new UnreadableError(`line ${number} is ${text.slice(0, 80)}; expected ${expected}`);
    } else {
      if (form === "array") comma = text.endsWith(",");
      yield gameOf(objectOf(form === "array" ? text.replace(/,$/, "") : text, number), number);
    }
  }
  if (form === "array" && !ended) throw new UnreadableError(`line ${number}: the array has no ]; is the file whole?`);
}

/**
 * The lines of a file, which end in LF or CR LF; other ends of lines that Node knows may be part of an id.
 * @param {string} file
 */
async function* linesOf(file) {
  let rest = "";
  for await (const piece of createReadStream(file, "utf8")) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  if (rest) yield rest.replace(/\r$/, "");
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
    if (error instanceof RefusedError) throw new UnreadableError(`line ${game.line}: ${error.message}`);
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
  const { games, players, difference } = await compare(linesOf(file));
  if (games === 0) throw new UnreadableError("there are no games");
  return { difference, summary: difference ? "" : `${games} games of ${players} players, every felt as recounted` };
});
