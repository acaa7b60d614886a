// Reads lines of JSON, {seed, match, agents, count}, and writes for each its commitment, its seats, the order of seven
// roles, and two draws, below 3 and below the count.

import { below, commitment, seats, sorted } from "../../sdk/js/seats.mjs";

let text = "";
for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
for (const line of text.trim().split("\n")) {
  const { seed, match, agents, count } = JSON.parse(line);
  const draws = [await below(seed, `hand:${match}`, 3), await below(seed, "prey:1", count)];
  const roles = await sorted(seed, [0, 1, 2, 3, 4, 5, 6], (seat) => `role:${seat}`);
  const told = { commitment: await commitment(seed, match), seats: await seats(seed, agents), draws, roles };
  console.log(JSON.stringify(told));
}
