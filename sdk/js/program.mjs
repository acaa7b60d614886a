// How programs of this repository end when Node runs them: as the Python command does, by its exit codes, with one line
// and a hint on standard error where something is wrong.

import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/** Exit codes. */
export const ENDING = Object.freeze({ done: 0, usage: 2, unreadable: 3, checkFailed: 4, bug: 70 });

/** What a file is not, and what was expected, with its line: a program that reads it ends with exit code 3. */
export class UnreadableError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "UnreadableError";
  }
}

/**
 * JSON of a line. @param {string} text @param {number} line
 * @param {(this: any, key: string, value: any) => any} [reviver]
 */
export function parsed(text, line, reviver) {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    throw new UnreadableError(`line ${line}: this is no JSON: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * Runs `main` with the words of the command line, where this module is what Node was given; else does nothing. Prints
 * what was found, and the difference if there is one: then a check failed.
 * @param {string} module its import.meta.url
 * @param {string} words what is expected: names of files, those that may be missing in brackets
 * @param {string} about what the program does, a sentence
 * @param {(...words: string[]) => Promise<Found> | Found} main
 * @typedef {{ difference: string, summary: string }} Found
 */
export async function program(module, words, about, main) {
  const [, started, ...given] = process.argv;
  if (!started || realpathSync(started) !== fileURLToPath(module)) return;
  const usage = ["usage: node", basename(started), words].join(" ").trimEnd();
  const known = words.split(" ").filter(Boolean);
  const least = known.filter((word) => !word.startsWith("[")).length;
  const option = given.find((word) => word.startsWith("-"));
  if (option === "--help") {
    console.log(`${usage}\n\n${about}\n\nExit codes: 0 done; 2 usage; 3 cannot read or write; 4 a check failed.`);
  } else if (option !== undefined) {
    told(ENDING.usage, `No such option: ${option}`, usage);
  } else if (given.length < least || given.length > known.length) {
    told(ENDING.usage, `${given.length} words are given; expected ${words || "none"}`, usage);
  } else {
    await ended(() => main(...given), given);
  }
}

/**
 * @param {() => Promise<Found> | Found} main
 * @param {string[]} given
 */
async function ended(main, [file]) {
  const where = file === undefined ? "" : `${file}: `;
  try {
    const { difference, summary } = await main();
    if (summary) console.log(summary);
    if (difference) told(ENDING.checkFailed, where + difference, "what comes before it is as it should be");
  } catch (error) {
    const { name, message, code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (error instanceof UnreadableError) told(ENDING.unreadable, where + message, "--help says what is expected");
    else if (code !== undefined) told(ENDING.unreadable, where + message, "is the name right?");
    else told(ENDING.bug, `this is a bug: ${name}: ${message}`, "please report it with what was given");
  }
}

/**
 * One line and a hint, and the exit code.
 * @param {number} ending
 * @param {string} message
 * @param {string} hint
 */
function told(ending, message, hint) {
  console.error(`error: ${message.replaceAll("\n", "\\n")}\nhint: ${hint}`);
  process.exitCode = ending;
}
