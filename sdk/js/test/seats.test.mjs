// What tests/sdk/test_js_seats.py holds to 10,000 seeds of the Python package, at a few of them by themselves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { commitment, seats } from "../seats.mjs";

const SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

test("the commitment is SHA-256 of the seed's bytes and the match's id", async () => {
  const zero = "00".repeat(32);
  assert.equal((await commitment(zero, "tic-tac-toe-1")).slice(0, 16), "35beb2153deb5cf1");
});

test("seats do not depend on the order in which agents are named", async () => {
  const found = await seats(SEED, ["ann", "bob", "cyd", "dan"]);
  assert.deepEqual(await seats(SEED, ["dan", "cyd", "bob", "ann"]), found);
  assert.deepEqual([...found].sort(), ["ann", "bob", "cyd", "dan"]);
});

test("a seed that is none is refused", async () => {
  for (const seed of ["", "00", `${SEED}00`, SEED.toUpperCase(), `${SEED.slice(1)}x`]) {
    await assert.rejects(seats(seed, ["ann"]), /seed is .*; expected 64 hexadecimal digits/);
    await assert.rejects(commitment(seed, "hex-1"), RangeError);
  }
});
