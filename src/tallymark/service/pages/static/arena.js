// A match of the arena: live, as the server tells it, or stepped through, position by position. What is drawn follows
// from positions alone; nothing is worked out here that the referee has not said.
import { draw } from "./boards.js";

const AGAIN = 10000; // milliseconds from a refusal to the next try
const PACE = 700; // from one position to the next, while a match is played back

export function view(root) {
  const seats = JSON.parse(root.dataset.seats);
  const stage = root.querySelector(".table");
  const told = root.querySelector(".told");
  const list = root.querySelector(".moves");
  const states = []; // positions, each whole: {seen, seat, action, latency, default}
  let at = -1;
  let open = false; // whether what was hidden is shown before the end
  let hidden = {}; // what was hidden: roles, cards

  function show(n, say = true) {
    at = Math.max(0, Math.min(n, states.length - 1));
    const now = states[at];
    const last = at === states.length - 1;
    const before = states[at - 1]?.seen;
    const scroll = stage.querySelector(".transcript")?.scrollTop;
    stage.replaceChildren(draw(now.seen.game, now.seen, before, seats, open || (last && root.dataset.positions) ? hidden : {}));
    const transcript = stage.querySelector(".transcript");
    if (transcript) transcript.scrollTop = last ? transcript.scrollHeight : (scroll ?? 0);
    for (const one of root.querySelectorAll(".players li")) {
      const awaited = now.seen.to_move === Number(one.dataset.seat) && !(last && root.dataset.positions);
      one.classList.toggle("awaited", awaited);
      one.querySelector(".awaits").textContent = awaited ? "to move" : "";
    }
    if (say) told.textContent = words(at);
    mark();
  }

  function words(n) {
    const { seat, action, seen } = states[n];
    const end = seen.told ? ` ${seen.told[0].toUpperCase()}${seen.told.slice(1)}.` : "";
    if (action === null || action === undefined) return n ? `Position ${n}.${end}` : `The beginning.${end}`;
    return `${n} of ${states.length - 1}: ${seats[seat].agent}, ${action || "says nothing"}.${end}`;
  }

  function mark() {
    const rows = list ? [...list.children] : [];
    rows.forEach((row, n) => row.classList.toggle("here", n + 1 === at));
    const here = rows[at - 1];
    if (here) list.scrollTop = here.offsetTop - list.clientHeight / 2;
    else if (list) list.scrollTop = 0;
    document.querySelectorAll(".latency circle").forEach((dot) => dot.classList.toggle("here", Number(dot.dataset.n) === at));
  }

  async function step() {
    const controls = root.querySelector(".steps-through");
    const [first, back, play, on, last] = controls.querySelectorAll("button");
    const slider = controls.querySelector("input[type=range]");
    const answer = await fetch(root.dataset.positions);
    if (!answer.ok) return;
    const found = await answer.json();
    hidden = found.revealed;
    let seen = {};
    for (const one of found.steps) {
      seen = { ...seen, ...one.set };
      for (const [name, more] of Object.entries(one.add)) seen[name] = [...seen[name], ...more];
      states.push({ ...one, seen });
    }
    slider.max = states.length - 1;
    let running = null;

    function go(n) {
      show(n);
      slider.value = at;
      slider.setAttribute("aria-valuetext", told.textContent);
      for (const [button, off] of [[first, at === 0], [back, at === 0], [on, at === states.length - 1], [last, at === states.length - 1]])
        button.setAttribute("aria-disabled", String(off));
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

    first.addEventListener("click", () => move(0));
    back.addEventListener("click", () => move(at - 1));
    on.addEventListener("click", () => move(at + 1));
    last.addEventListener("click", () => move(states.length - 1));
    play.addEventListener("click", () => (running ? stop() : start()));
    slider.addEventListener("input", () => move(Number(slider.value)));
    list?.addEventListener("click", (event) => {
      const row = event.target.closest("button")?.closest("li");
      if (row) move([...list.children].indexOf(row) + 1);
    });
    const peek = root.querySelector(".peek");
    if (peek && Object.keys(hidden).length) {
      peek.hidden = false;
      peek.querySelector("input").addEventListener("change", (event) => {
        open = event.target.checked;
        show(at, false);
      });
    }
    const keys = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => states.length - 1 };
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !Object.hasOwn(keys, event.key)) return;
      const within = root.contains(event.target);
      if (event.target.closest("input, select, textarea, pre, .scroll") || !(within || event.target === document.body)) return;
      move(keys[event.key]());
      event.preventDefault();
    });
    for (const row of list?.children ?? []) {
      const text = row.querySelector(".action");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "action";
      button.textContent = text.textContent;
      text.replaceWith(button);
    }
    controls.hidden = false;
    go(states.length - 1);
  }

  function listen() {
    const stream = new EventSource(root.dataset.watch);
    stream.addEventListener("position", (event) => {
      const { seen } = JSON.parse(event.data);
      const before = states.at(-1)?.seen;
      const actions = seen.actions?.slice(before?.actions?.length ?? 0) ?? [];
      const one = actions.length === 1 && before ? { seat: before.to_move, action: actions[0] } : { action: null };
      states.push({ ...one, seen });
      show(states.length - 1, false);
      since = Date.now();
      told.textContent = one.action === null ? (seen.told ?? "") : `${seats[one.seat].agent}, ${one.action}. ${seen.told ?? ""}`;
      note(seen.actions ?? []);
    });
    stream.addEventListener("end", (event) => {
      stream.close();
      // What there is to say of it, the server says: all of the record is public now.
      if (JSON.parse(event.data).reason !== null) location.reload();
      else setTimeout(listen, AGAIN);
    });
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN);
    });
    addEventListener("pagehide", () => stream.close());
  }

  let since = Date.now();

  function think() {
    const now = states.at(-1)?.seen;
    const clock = root.querySelector(".clock-told");
    if (!clock || !now) return;
    const seconds = Math.round((Date.now() - since) / 1000);
    const who = seats[now.to_move]?.agent;
    clock.textContent = now.told ? now.told : `${who ?? "The match"} ${who ? "thinks" : "goes on"}, ${seconds} s of at most ${Math.round(root.dataset.limit / 1000)} s`;
  }

  // Actions while it is played, where everybody may see them.
  function note(actions) {
    while (list && list.children.length < actions.length) {
      const row = document.createElement("li");
      const action = document.createElement("span");
      action.className = "action";
      action.textContent = actions[list.children.length];
      row.append(action);
      list.append(row);
    }
    if (list) list.scrollTop = list.scrollHeight;
  }

  if (root.dataset.positions) step();
  else {
    listen();
    setInterval(think, 1000);
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
