// The Cairo package as the one source text that `wasm-cairo` takes, and that compiler itself.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { initSync } from "wasm-cairo";

/** A file of this folder. */
export const text = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

/** All modules that src/lib.cairo names, each in its place, but for those left out. */
export function joined(...without) {
  return text("src/lib.cairo").replace(/^pub mod (\w+);$/gm, (_, name) =>
    without.includes(name) ? "" : `pub mod ${name} {\n${text(`src/${name}.cairo`).replace(/^\/\/!/gm, "//")}\n}`,
  );
}

/** Loads the compiler, once. */
export function load() {
  const wasm = createRequire(import.meta.url).resolve("wasm-cairo/wasm-cairo_bg.wasm");
  initSync({ module: readFileSync(wasm) });
}
