// A match of the arena: live, as the server tells it, or stepped through, position by position. What is drawn follows
// from positions alone; nothing is worked out here that the referee has not said.
import { draw, key, phase } from "./boards.js";
import { check } from "./chance.js";

const AGAIN = 3000; // milliseconds from a lost connection, or a refusal, to the next try
const LOST = "Connection lost, trying again.";
const PACE = 700; // from one position to the next, while a match is played back

export function view(root) {
  const seats = JSON.parse(root.dataset.seats).map((one) => ({ ...one, mark: `${root.dataset.shapes}#${one.shape}` }));
  const live = Boolean(root.dataset.watch);
  const gone = new AbortController(); // this page has another view now
  const stage = root.querySelector(".table");
  const told = root.querySelector(".told");
  const list = root.querySelector(".moves");
  const states = []; // positions, each whole: {seen, seat, action, row}; row: actions before it
  let at = -1;
  let open = false; // whether what was hidden is shown before the end
  let hidden = {}; // what was hidden: roles, cards

  function show(n, say = true) {
    at = Math.max(0, Math.min(n, states.length - 1));
    settle();
    const now = states[at];
    const last = at === states.length - 1;
    const before = states[at - 1]?.seen;
    const scroll = stage.querySelector(".transcript")?.scrollTop;
    stage.replaceChildren(draw(now.seen.game, now.seen, before, seats, open || over(at) ? hidden : {}));
    const transcript = stage.querySelector(".transcript");
    if (transcript) transcript.scrollTop = last ? transcript.scrollHeight : (scroll ?? 0);
    for (const one of root.querySelectorAll(".players li")) {
      const awaited = now.seen.to_move === Number(one.dataset.seat) && !over(at);
      one.classList.toggle("awaited", awaited);
      one.querySelector(".awaits").textContent = awaited ? "to move" : "";
    }
    if (say) {
      told.setAttribute("aria-live", "polite");
      told.textContent = words(at);
    }
    mark();
  }

  function words(n) {
    const { seat, action, seen, row } = states[n];
    const goes = seen.told ? `${seen.told[0].toUpperCase()}${seen.told.slice(1)}.` : over(n) ? "" : phase(seen, seats);
    const end = goes && ` ${goes}`;
    const of = states.at(-1).row;
    if (action === null || action === undefined) return row ? `Position ${row} of ${of}.${end}` : `The beginning.${end}`;
    return `${row} of ${of}: ${seats[seat].agent}, ${action || "says nothing"}.${end}`;
  }

  // Whether a position is one of which nothing more can come.
  function over(n) {
    return n === states.length - 1 && !live;
  }

  function mark() {
    const rows = list ? [...list.children] : [];
    const current = states[at].row;
    rows.forEach((row, n) => row.classList.toggle("here", n + 1 === current));
    const here = rows[current - 1];
    if (here) list.scrollTop = here.offsetTop - list.clientHeight / 2;
    else if (list) list.scrollTop = 0;
    document.querySelectorAll(".latency [data-n]").forEach((dot) => dot.classList.toggle("here", Number(dot.dataset.n) === current));
  }

  const controls = root.querySelector(".steps-through");
  const [first, back, play, on, last] = controls?.querySelectorAll("button") ?? [];
  const slider = controls?.querySelector("input[type=range]");
  let running = null; // the match is played back

  // The buttons as they have to be at this position.
  function settle() {
    controls.hidden = states.length < 2; // of one position there is nothing to step through
    slider.max = states.length - 1;
    slider.value = at;
    slider.setAttribute("aria-valuetext", words(at));
    for (const [button, off] of [[first, at === 0], [back, at === 0], [on, at === states.length - 1], [last, at === states.length - 1]])
      button.setAttribute("aria-disabled", String(off));
  }

  function go(n) {
    show(n);
    if (finished && at === states.length - 1) renew();
  }

  function stop() {
    clearInterval(running);
    running = null;
    play.setAttribute("aria-label", "Play");
    play.querySelector("use").setAttribute("href", play.dataset.play);
  }

  function start() {
    if (at === states.length - 1) go(0);
    play.setAttribute("aria-label", "Pause");
    play.querySelector("use").setAttribute("href", play.dataset.pause);
    running = setInterval(() => {
      go(at + 1);
      if (at === states.length - 1) stop();
    }, PACE);
  }

  function move(n) {
    if (running) stop();
    go(n);
  }

  // Makes the controls work, and the keys.
  function control() {
    first.addEventListener("click", () => move(0));
    back.addEventListener("click", () => move(at - 1));
    on.addEventListener("click", () => move(at + 1));
    last.addEventListener("click", () => move(states.length - 1));
    play.addEventListener("click", () => (running ? stop() : start()));
    slider.addEventListener("input", () => move(Number(slider.value)));
    list?.addEventListener("click", (event) => {
      const row = event.target.closest("button")?.closest("li");
      if (row) move(states.findIndex((one) => one.row === [...list.children].indexOf(row) + 1));
    });
    const keys = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => states.length - 1 };
    const pressed = (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !Object.hasOwn(keys, event.key)) return;
      const within = root.contains(event.target);
      if (event.target.closest("input, select, textarea, pre, .scroll") || !(within || event.target === document.body)) return;
      move(keys[event.key]());
      event.preventDefault();
    };
    document.addEventListener("keydown", pressed, { signal: gone.signal });
  }

  // Every position up to now that the server tells, each whole; none where something is hidden while it is played.
  async function positions() {
    const answer = await fetch(root.dataset.positions);
    if (!answer.ok) return [];
    const found = await answer.json();
    hidden = found.revealed;
    let seen = {};
    return found.steps.map((one, row) => {
      seen = { ...seen, ...one.set };
      for (const [name, more] of Object.entries(one.add)) seen[name] = [...seen[name], ...more];
      return { ...one, seen, row };
    });
  }

  async function step() {
    states.push(...(await positions()));
    if (!states.length) return;
    const peek = root.querySelector(".peek");
    if (peek && Object.keys(hidden).length) {
      peek.hidden = false;
      peek.querySelector("input").addEventListener("change", (event) => {
        open = event.target.checked;
        show(at, false);
      });
    }
    for (const row of list?.children ?? []) press(row);
    control();
    go(states.length - 1);
  }

  // A row of the list leads to its position.
  function press(row) {
    const text = row.querySelector("span.action");
    if (!text) return; // what was never done has none, and others lead there already
    const button = document.createElement("button");
    button.type = "button";
    button.className = "action";
    button.textContent = text.textContent;
    text.replaceWith(button);
  }

  const outcome = document.getElementById("outcome");
  const played = outcome?.textContent;
  let since = Date.now();
  let finished = false; // the match is over, and who watches has stepped back
  let lost = false; // the connection: what goes on now is not known

  function lose() {
    lost = true;
    outcome.textContent = LOST;
    think();
  }

  function listen() {
    if (gone.signal.aborted) return;
    const stream = new EventSource(root.dataset.watch);
    const later = () => {
      stream.close();
      lose();
      setTimeout(listen, AGAIN);
    };
    stream.addEventListener("open", () => {
      lost = false;
      outcome.textContent = played;
    });
    stream.addEventListener("position", (event) => came(JSON.parse(event.data).seen));
    stream.addEventListener("end", (event) => {
      if (JSON.parse(event.data).reason === null) return later(); // it was cut off
      stream.close();
      if (at === states.length - 1) return renew();
      finished = true;
      think();
      outcome.textContent = "It is over. Its end is shown when you are at the last position.";
    });
    stream.addEventListener("error", later);
    addEventListener("pagehide", () => stream.close(), { signal: gone.signal });
  }

  // Positions from before this page was opened, or while its connection was lost: those that everybody could see.
  async function fill() {
    const found = await positions().catch(() => []);
    const known = new Set(states.map((one) => one.row));
    const here = states[at];
    states.push(...found.filter((one) => one.row < states.at(-1).row && !known.has(one.row)));
    states.sort((a, b) => a.row - b.row);
    at = states.indexOf(here);
    for (const { row } of states) if (row) press(list.children[row - 1]);
    settle();
  }

  // What is told after a connection was lost may be what was told before.
  function came(seen) {
    if (JSON.stringify(seen) === JSON.stringify(states.at(-1)?.seen)) return;
    const follows = at === states.length - 1;
    const acted = seen.actions?.length ?? 0;
    const one = acted ? { seat: turn(seen, acted - 1), action: seen.actions.at(-1) } : { action: null };
    if (!states.length) control();
    const missed = acted > (states.at(-1)?.row ?? -1) + 1;
    states.push({ ...one, seen, row: seen.actions ? acted : states.length });
    note(seen);
    if (missed && root.dataset.positions) fill();
    since = Date.now();
    if (!follows) {
      told.setAttribute("aria-live", "off"); // the count grows; that is not worth an interruption each time
      told.textContent = words(at);
      return settle();
    }
    told.setAttribute("aria-live", "polite");
    show(states.length - 1, false);
    told.textContent = one.action === null ? (seen.told ?? phase(seen, seats)) : words(at);
  }

  // Whose an action is, in games where everybody sees them: seats take turns there. At the end nobody is to move.
  function turn(seen, n) {
    const first = states.find((one) => typeof one.seen.to_move === "number")?.seen ?? seen;
    const mover = first.to_move ?? 0;
    return (mover + n + seats.length * first.actions.length - first.actions.length) % seats.length;
  }

  // It is over: what there is to say of it, the server says, as soon as it answers. All of the record is public now.
  async function renew() {
    finished = false;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("[data-arena]");
      if (fresh.dataset.watch) return setTimeout(listen, AGAIN); // it is not over after all
      gone.abort();
      clearInterval(thinking);
      document.querySelector("main").replaceWith(page.querySelector("main"));
      const now = document.querySelector("[data-arena]");
      if (now.dataset.positions) view(now);
      const seed = document.getElementById("seed-check");
      if (seed) check(seed);
    } catch {
      lose();
      setTimeout(renew, AGAIN);
    }
  }

  function think() {
    const now = states.at(-1)?.seen;
    const clock = root.querySelector(".clock-told");
    if (!clock || !now) return;
    const seconds = Math.round((Date.now() - since) / 1000);
    const who = seats[now.to_move]?.agent;
    const goes = now.told ? now.told : `${who ?? "the match"} ${who ? "thinks" : "goes on"}, ${seconds}\u00A0s of at most ${Math.round(root.dataset.limit / 1000)}\u00A0s`;
    clock.textContent = lost || finished ? "" : `Now: ${goes}`;
  }

  // Actions while it is played, where everybody may see them. Those whose positions are here lead to them.
  function note({ actions, ...seen }) {
    if (!list || !actions) return;
    while (list.children.length < actions.length) {
      const n = list.children.length;
      const row = document.createElement("li");
      const action = document.createElement("span");
      action.className = "action";
      action.textContent = actions[n];
      const seat = turn({ ...seen, actions }, n);
      const who = document.createElement("span");
      who.className = "unseen";
      who.textContent = `${seats[seat].agent} `;
      row.append(key(seats[seat], seat), who, action);
      list.append(row);
      if (n + 1 === actions.length) press(row);
    }
  }

  let thinking = null;
  if (!live) step();
  else {
    listen();
    thinking = setInterval(think, 1000);
  }
}

// Asks for this page again and again, and shows what is other in its parts; a part that somebody stands in stays.
export function again(root) {
  const part = (of) => of.querySelectorAll("[data-part]");
  setInterval(async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const one of part(root)) {
        const now = fresh.querySelector(`[data-part="${CSS.escape(one.dataset.part)}"]`);
        if (now && now.innerHTML !== one.innerHTML && !one.contains(document.activeElement)) one.replaceChildren(...now.childNodes);
      }
    } catch {
      // The next look finds it.
    }
  }, Number(root.dataset.again));
}
