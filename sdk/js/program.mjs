// How recount.mjs and vectors.mjs end when they are run: exit code 0 with what they found, 1 with the first difference,
// 2 with one line on what went wrong.

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Runs `main` on the file that the command line names, where this module is what Node was given; else does nothing.
 * @param {string} module its import.meta.url
 * @param {(file: string) => Promise<{ difference: string, summary: string }>} main
 */
export async function program(module, main) {
  const [, started, ...files] = process.argv;
  if (!started || realpathSync(started) !== fileURLToPath(module)) return;
  try {
    if (files.length !== 1) throw new Error(`${files.length} files are named; expected one`);
    const { difference, summary } = await main(files[0]);
    console.log(difference || summary);
    process.exitCode = difference ? 1 : 0;
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 2;
  }
}
