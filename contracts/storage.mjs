// node storage.mjs FILE [NAME]: deploys the contract under the runner of Cairo's tests, as `wasm-cairo` has it, and runs
// the tests of storage.cairo (those whose names have NAME in them), with the seasons of a file of vectors. The runner
// counts those that fail and names none: NAME finds it. Exit codes are those of the command `tallymark`: 4 where one
// fails, or nothing could be run.

import { readFileSync } from "node:fs";
import { runTests } from "wasm-cairo";
import { program } from "../sdk/js/program.mjs";
import { joined, load, text } from "./package.mjs";
import { calls, constant, felt, vectors } from "./vectors.mjs";

const counted = (part) => [BigInt(part.length), ...part];

/** A season's calls, and each slot after them. */
function season({ in: asked, out }) {
  const slots = ["players", "tickets"].flatMap((name, isTicket) =>
    Object.entries(out[name]).flatMap(([key, value]) => [BigInt(isTicket), felt(key), felt(value)]),
  );
  return [...counted(calls(asked)), ...counted(slots)];
}

const ABOUT = "Plays the seasons of a file of vectors on the contract, and runs its tests whose names have NAME in them.";

await program(import.meta.url, "FILE [NAME]", ABOUT, (path, name = "") => {
  const seasons = vectors(readFileSync(path)).filter(({ kind, out }) => kind === "season" && out !== undefined);
  const source = joined() + text("storage.cairo") + constant("SEASONS", seasons.flatMap(season));
  load();
  const said = runTests(source, true, name, false, false, true, "", false, false); // without gas it cannot run them
  const counts = /test result: \w+\. (\d+) passed; (\d+) failed; 0 ignored/.exec(said);
  if (counts === null) {
    console.error(said);
    return { difference: "the tests do not compile or run: see above", summary: "" };
  }
  const [passed, failed] = counts.slice(1).map(Number);
  const summary = JSON.stringify({ seasons: seasons.length, passed, failed });
  if (failed) return { difference: `${failed} of ${passed + failed} tests failed`, summary };
  return { difference: passed ? "" : `no test has ${name} in its name`, summary };
});
