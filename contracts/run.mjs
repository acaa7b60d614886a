// node run.mjs FILE: answers the vectors of a file (of `tallymark vectors`) with the Cairo package, compiled and run by
// `wasm-cairo`, and tells every value that differs, a JSON object a line; then how many vectors there were. Exit codes
// are those of the command `tallymark`: 4 where a vector differs, or the program does not compile or run.

import { readFileSync } from "node:fs";
import { runCairoProgram } from "wasm-cairo";
import { program, UnreadableError } from "../sdk/js/program.mjs";
import { joined, load, text } from "./package.mjs";
import { PRIME, RESULT, STATE, calls, constant, felt, felts, member, vectors } from "./vectors.mjs";

const REFUSED = PRIME - 1n;

/** Kinds: the members given, in the order in which answers.cairo takes them, and those of the answer. */
const SIDES = ["a", "b"].flatMap((side) => STATE.map((name) => `${side}.${name}`));
const FIELDS = ["mu", "phi", "last", "band", "established", "has_peak", "version", "wins", "losses", "draws", "peak"];
const KINDS = {
  rdiv: [["n", "d"]],
  root: [["n"]],
  exp_neg: [["x"]],
  logistic: [["z"]],
  g: [["var"]],
  rank: [["mu"]],
  half_life: [["rank"]],
  aged: [[...STATE, "t"]],
  update: [[...SIDES, "half_points", "t"], [...SIDES, "p"]],
  pack: [FIELDS],
  unpack: [["felt"], FIELDS],
  game: [["a", "b", ...RESULT]],
  ticket: [["ticket", "action", "reason"], ["ticket"]],
  sequence: [],
  season: [],
};
function given(kind, value) {
  if (kind === "sequence") {
    const players = value.players.flatMap((player) => felts(player, STATE));
    const games = value.games.flatMap((game) => felts(game, ["a", "b", "half_points", "t"]));
    return [BigInt(value.players.length), ...players, ...games];
  }
  if (kind === "season") return calls(value);
  if (!Object.hasOwn(KINDS, kind)) throw new Error(`kind is ${kind}; expected one of ${Object.keys(KINDS).join(", ")}`);
  return felts(value, KINDS[kind][0]);
}

/** What the program is asked for a vector: the kind, how many felts are given, and these. */
function question({ kind, in: value, id, line }) {
  try {
    const told = given(kind, value);
    return [felt(kind), BigInt(told.length), ...told];
  } catch (error) {
    throw new UnreadableError(`line ${line}: ${id} cannot be asked: ${error.message}`);
  }
}

/** The members of an answer by name: of a vector's `out`. */
function expected({ kind, out, refused }) {
  if (refused !== undefined) return new Map([["refused", felt(refused)]]);
  if (kind === "game") {
    return new Map((out.void === undefined ? ["a", "b"] : ["void"]).map((name) => [name, felt(out[name])]));
  }
  if (kind === "sequence") {
    return new Map([
      ...out.players.flatMap((player, i) => STATE.map((name) => [`players.${i}.${name}`, felt(player[name])])),
      ...out.p.map((p, i) => [`p.${i}`, felt(p)]),
    ]);
  }
  if (kind === "season") {
    const slots = ["players", "tickets"].flatMap((name) =>
      Object.entries(out[name]).map(([key, value]) => [`${name}.${key}`, felt(value)]),
    );
    return new Map(slots.filter(([, value]) => value !== 0n)); // the chain cannot tell 0 from never written
  }
  return new Map((KINDS[kind][1] ?? ["out"]).map((name) => [name, felt(name === "out" ? out : member(out, name))]));
}

/** The same of what the program said. */
function found({ kind, in: asked, out }, said) {
  if (said.refused !== undefined) return new Map([["refused", said.refused]]);
  const values = said.values;
  if (kind === "game") {
    return new Map(values.length === 1 ? [["void", values[0]]] : [["a", values[1]], ["b", values[2]]]);
  }
  if (kind === "sequence") {
    const count = asked.players.length;
    return new Map(
      values.map((value, i) =>
        i < 3 * count ? [`players.${Math.floor(i / 3)}.${STATE[i % 3]}`, value] : [`p.${i - 3 * count}`, value],
      ),
    );
  }
  if (kind === "season") {
    const slots = new Map();
    asked.calls.forEach((call, i) => {
      slots.set(`tickets.${call.ticket}`, values[3 * i]);
      if (call.action === "rate") {
        slots.set(`players.${call.a}`, values[3 * i + 1]).set(`players.${call.b}`, values[3 * i + 2]);
      }
    });
    return new Map([...slots].filter(([, value]) => value !== 0n));
  }
  const names = KINDS[kind][1] ?? ["out"];
  return new Map(values.map((value, i) => [names[i] ?? `more.${i}`, value]));
}

/**
 * What the program answers to each vector; it is asked the same question once. Undefined where it did not come to an
 * end: standard error has why. Modules without the contract: the runner has no storage.
 */
function answers(asked) {
  const questions = asked.map(question);
  const different = new Map(questions.map((question) => [question.join(), question]));
  const source = joined("contract") + text("answers.cairo") + constant("VECTORS", [...different.values()].flat());
  const said = runCairoProgram(source, undefined, true, false, false, false);
  // "Run panicked with [0x2a ('*')0x7, ...": hexadecimal, and beside it what it would be as text.
  const felts = said.matchAll(/0x([0-9a-f]+)(?: \('.*?'\))?(?=0x|, |\])/gs);
  const values = [...felts].map(([, digits]) => BigInt(`0x${digits}`));
  if (values.shift() !== felt("answers")) {
    console.error(said);
    return undefined;
  }
  const found = new Map();
  for (const question of different.keys()) {
    const count = values.shift();
    found.set(question, count === REFUSED ? { refused: values.shift() } : { values: values.splice(0, Number(count)) });
  }
  return questions.map((question) => found.get(question.join()));
}

function shown(value, name) {
  if (value === undefined) return null;
  if (name === "refused") return Buffer.from(value.toString(16), "hex").toString("ascii");
  return String(value > PRIME / 2n ? value - PRIME : value);
}

const ABOUT = "Answers the vectors of a file with the Cairo package, and tells every value that differs.";

await program(import.meta.url, "FILE", ABOUT, (path) => {
  const asked = vectors(readFileSync(path));
  load();
  const ours = answers(asked);
  if (ours === undefined) return { difference: "the program does not compile or run: see above", summary: "" };
  let different = 0;
  ours.forEach((said, i) => {
    const [right, cairo] = [expected(asked[i]), found(asked[i], said)];
    const all = new Set([...right.keys(), ...cairo.keys()]);
    const names = [...all].filter((name) => right.get(name) !== cairo.get(name));
    different += names.length ? 1 : 0;
    for (const name of names) {
      const values = { file: shown(right.get(name), name), cairo: shown(cairo.get(name), name) };
      console.log(JSON.stringify({ id: asked[i].id, member: name, ...values }));
    }
  });
  const summary = JSON.stringify({ vectors: asked.length, different });
  return { difference: different ? `${different} of ${asked.length} vectors differ` : "", summary };
});
