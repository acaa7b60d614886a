// node build.mjs > ratings.json: compiles the whole package and writes the contract's class. Exit code 1 with what the
// compiler says where it does not compile, a warning included.

import { compileStarknetContract } from "wasm-cairo";
import { joined, load } from "./package.mjs";

load();
const said = compileStarknetContract(joined(), false, false);
try {
  JSON.parse(said);
  process.stdout.write(said);
} catch {
  console.error(said);
  process.exitCode = 1;
}
