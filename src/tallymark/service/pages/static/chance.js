// The seed of a match against what was committed to, and the seats against the seed: computed here, from what the page
// says, and by nobody else. seats.mjs is the file of the SDK for JavaScript.
import { commitment, seats } from "./seats.mjs";

export async function check(root) {
  const seed = document.getElementById("seed")?.textContent;
  if (!seed) return;
  const said = document.createElement("strong");
  root.append(" ", said);
  if (!globalThis.crypto?.subtle) {
    said.textContent = "This browser computes hashes only over HTTPS: it was not checked here.";
    return;
  }
  const agents = JSON.parse(root.dataset.agents);
  const committed = (await commitment(seed, root.dataset.match)) === document.getElementById("commitment").textContent;
  const seated = (await seats(seed, agents)).join() === agents.join();
  root.classList.add(committed && seated ? "right" : "wrong");
  if (committed && seated) said.textContent = "Checked by this browser just now: both are so.";
  else if (committed) said.textContent = "Checked by this browser just now: the seats are NOT those of the seed.";
  else said.textContent = "Checked by this browser just now: the seed is NOT the one that was committed to.";
}
