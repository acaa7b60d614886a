// The seed of a match against what was committed to, and the seats against the seed: computed here, from what the page
// says, and by nobody else.
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

export async function checked(seed, match, agents) {
  const text = new TextEncoder();
  const commitment = hex(await crypto.subtle.digest("SHA-256", new Uint8Array([...bytes(seed), ...text.encode(match)])));
  const key = await crypto.subtle.importKey("raw", bytes(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const drawn = await Promise.all(
    agents.map(async (agent) => [hex(await crypto.subtle.sign("HMAC", key, text.encode(`seat:${agent}`))), agent]),
  );
  drawn.sort(([a], [b]) => (a < b ? -1 : 1));
  return { commitment, seats: drawn.map(([, agent]) => agent) };
}

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
  const found = await checked(seed, root.dataset.match, agents);
  const committed = found.commitment === document.getElementById("commitment").textContent;
  const seated = found.seats.join() === agents.join();
  root.classList.add(committed && seated ? "right" : "wrong");
  if (committed && seated) said.textContent = "Checked by this browser just now: both are so.";
  else if (committed) said.textContent = "Checked by this browser just now: the seats are NOT those of the seed.";
  else said.textContent = "Checked by this browser just now: the seed is NOT the one that was committed to.";
}
