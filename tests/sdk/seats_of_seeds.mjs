// Reads lines of JSON, {seed, match, agents}, and writes for each its commitment and its seats.

import { commitment, seats } from "../../sdk/js/seats.mjs";

let text = "";
for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
for (const line of text.trim().split("\n")) {
  const { seed, match, agents } = JSON.parse(line);
  console.log(JSON.stringify({ commitment: await commitment(seed, match), seats: await seats(seed, agents) }));
}
