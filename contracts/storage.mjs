// node storage.mjs FILE [NAME]: deploys the contract under the runner of Cairo's tests, as `wasm-cairo` has it, and runs
// the tests of storage.cairo (those whose names have NAME in them), with the seasons of a file of vectors. Exit code 1
// where one fails, 2 where the file is none or nothing could be run. The runner counts and names none: NAME finds it.

import { readFileSync } from "node:fs";
import { runTests } from "wasm-cairo";
import { joined, load, text } from "./package.mjs";
import { Broken, calls, constant, ending, felt, vectors } from "./vectors.mjs";

const counted = (part) => [BigInt(part.length), ...part];

/** A season's calls, and each slot after them. */
function season({ in: asked, out }) {
  const slots = ["players", "tickets"].flatMap((name, isTicket) =>
    Object.entries(out[name]).flatMap(([key, value]) => [BigInt(isTicket), felt(key), felt(value)]),
  );
  return [...counted(calls(asked)), ...counted(slots)];
}

ending((path, name = "") => {
  const seasons = vectors(readFileSync(path)).filter(({ kind, out }) => kind === "season" && out !== undefined);
  const source = joined() + text("storage.cairo") + constant("SEASONS", seasons.flatMap(season));
  load();
  const said = runTests(source, true, name, false, false, true, "", false, false); // without gas it cannot run them
  const counts = /test result: \w+\. (\d+) passed; (\d+) failed; 0 ignored/.exec(said);
  if (counts === null) throw new Broken(said);
  const [passed, failed] = counts.slice(1).map(Number);
  console.log(JSON.stringify({ seasons: seasons.length, passed, failed }));
  return failed || !passed ? 1 : 0;
});
