// node build.mjs > ratings.json: compiles the whole package and writes the contract's class. Exit codes are those of
// the command `tallymark`: 4, with what the compiler says, where it does not compile; a warning is enough.

import { compileStarknetContract } from "wasm-cairo";
import { program } from "../sdk/js/program.mjs";
import { joined, load } from "./package.mjs";

const ABOUT = "Compiles the package, and writes the contract's class as JSON to standard output.";

await program(import.meta.url, "", ABOUT, () => {
  load();
  const said = compileStarknetContract(joined(), false, false);
  if (said.startsWith("{")) return { difference: "", summary: said };
  console.error(said);
  return { difference: "the package does not compile: see above", summary: "" };
});
