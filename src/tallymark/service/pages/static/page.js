// What every page has: the switch between light and dark, and whatever its parts ask for.
const WORDS = { system: "as the system has them", light: "light", dark: "dark" };
const ORDER = ["system", "light", "dark"];

function stored() {
  try {
    return localStorage.getItem("theme") ?? "system";
  } catch {
    return "system";
  }
}

function choose(theme) {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // It holds for this page, then.
  }
  document.dispatchEvent(new CustomEvent("theme"));
}

function label(button) {
  const words = `Colours: ${WORDS[stored()] ?? WORDS.system}`;
  button.setAttribute("aria-label", words);
  button.title = words;
}

for (const button of document.querySelectorAll("button.theme")) {
  button.hidden = false;
  label(button);
  button.addEventListener("click", () => {
    choose(ORDER[(ORDER.indexOf(stored()) + 1) % ORDER.length]);
    label(button);
  });
}

const board = document.querySelector("[data-stream]");
if (board) {
  const { follow } = await import("./live.js");
  follow(board, document.getElementById("live"));
}

const viewer = document.querySelector("[data-arena]:is([data-positions], [data-watch])"); // others only say how it ended
if (viewer) {
  const { view } = await import("./arena.js");
  view(viewer);
}

const seed = document.getElementById("seed-check");
if (seed) {
  const { check } = await import("./chance.js");
  check(seed);
}

const repeated = document.querySelector("[data-again]");
if (repeated) {
  const { again } = await import("./arena.js");
  again(repeated);
}

const vote = document.querySelector("[data-vote]");
if (vote) {
  const { voting } = await import("./vote.js");
  voting(vote);
}

const charts = document.querySelectorAll("[data-chart]");
if (charts.length) {
  const { explorable } = await import("./chart.js");
  charts.forEach(explorable);
}
