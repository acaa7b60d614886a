// Voting: two items, a choice that is held back for some seconds, and the next two meanwhile. What was sent is never
// taken back, so what can be undone was not sent yet.
const KEYS = { ArrowLeft: "left", ArrowRight: "right", s: "skip", " ": "skip", b: "both-bad", t: "tie" };
const TRIES = [500, 1500]; // milliseconds until a request is sent again that had no answer
const JSON_TYPE = { "Content-Type": "application/json" };

export function voting(root) {
  const part = (selector) => root.querySelector(selector);
  const duel = part(".duel");
  const others = part(".others");
  const undoFor = Number(root.dataset.undo) * 1000;
  const single = root.parentElement.querySelector(".single");
  let shown = null; // the ballot that is looked at; null while one is on its way, or when there is none
  let held = null; // {ballot, choice, timer}: a vote that was not sent
  let left = null; // votes of this voter today
  let busy = false; // one thing after the other
  let regretted = null; // a vote that is to be undone as soon as what goes on is done
  let retry = null;

  async function ask(method, path, body, keepalive = false) {
    const request = { method, headers: JSON_TYPE, body: JSON.stringify(body), keepalive };
    for (let n = 0; ; n++) {
      try {
        const answer = await fetch(root.dataset.vote + path, request);
        const told = await answer.json();
        if (answer.status !== 503 || n >= TRIES.length) return { ok: answer.ok, told, kind: kindOf(told) };
      } catch {
        if (n >= TRIES.length) return { ok: false, told: { detail: "There was no answer. Your vote is kept here." }, kind: "" };
      }
      await new Promise((done) => setTimeout(done, TRIES[n]));
    }
  }

  async function step(todo) {
    busy = true;
    part(".trouble").hidden = true;
    try {
      await todo();
    } finally {
      busy = false;
      if (regretted !== null && regretted === held) undo();
      regretted = null;
    }
  }

  async function next() {
    const answer = await ask("POST", "/ballots", { besides: held ? [held.ballot.id] : [] });
    if (answer.ok) {
      left = answer.told.votes_left;
      show(answer.told);
    } else if (answer.kind === "no-ballot") {
      over("That was every pair there is for you. Thank you.");
    } else if (answer.kind === "daily-cap") {
      over("You have no votes left today. They begin again at midnight UTC.");
    } else {
      trouble(answer.told.detail, next);
    }
  }

  async function choose(choice) {
    if (busy || !shown || !shown.choices.includes(choice)) return;
    await step(async () => {
      if (held && !(await send())) return;
      hold(shown, choice);
      const words = `You chose: ${inWords(held)}.`;
      if (left <= 1) {
        over("That was your last vote today. They begin again at midnight UTC.");
        say(words);
      } else {
        shown = null;
        await next();
        say(shown ? `${words} Next: ${nameOf(shown.left)}, or ${nameOf(shown.right)}?` : `${words} ${part(".over .what").textContent}`);
      }
    });
  }

  function hold(ballot, choice) {
    held = { ballot, choice, timer: setTimeout(due, undoFor) };
    part(".held .what").textContent = `You chose: ${inWords(held)}`;
    part(".held").hidden = undoFor === 0;
    remaining();
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
      part(".clock").animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], undoFor);
  }

  function due() {
    if (busy) held.timer = setTimeout(due, 100);
    else step(send);
  }

  // Sends the vote that is held. The same vote again is no second one, so that it may be sent as often as it takes.
  async function send() {
    const { ballot, choice, timer } = held;
    clearTimeout(timer);
    const answer = await ask("PUT", `/ballots/${ballot.id}/vote`, { choice });
    if (answer.ok) left = answer.told.votes_left;
    else if (answer.kind === "daily-cap") over("You have no votes left today. They begin again at midnight UTC.");
    else if (answer.kind === "ballot-over") say("That vote came too late: its time was over.");
    else if (answer.kind === "conflict") say("That pair was voted on in another window: that vote stands.");
    else {
      trouble(answer.told.detail, send);
      return false;
    }
    release();
    return true;
  }

  function release() {
    held = null;
    // Whoever stood on the button that goes away stands on the first item.
    const lost = part(".held").contains(document.activeElement);
    part(".held").hidden = true;
    if (lost) part(duel.hidden ? ".over a" : ".choice").focus();
    remaining();
  }

  function undo() {
    if (!held) return;
    clearTimeout(held.timer);
    if (busy) {
      regretted = held;
      return;
    }
    const { ballot } = held;
    show(ballot);
    release();
    say(`Undone. ${nameOf(ballot.left)}, or ${nameOf(ballot.right)}?`);
  }

  function show(ballot) {
    shown = ballot;
    for (const side of duel.querySelectorAll(".side")) {
      const { choice } = side.querySelector(".choice").dataset;
      seat(side, ballot[choice]);
    }
    duel.hidden = others.hidden = false;
    part(".over").hidden = true;
    remaining();
  }

  function over(words) {
    shown = null;
    const lost = duel.contains(document.activeElement) || others.contains(document.activeElement);
    duel.hidden = others.hidden = true;
    part(".over .what").textContent = words;
    part(".over").hidden = false;
    if (lost) part(".over a").focus();
    remaining();
    say(words);
  }

  function trouble(words, todo) {
    retry = todo;
    part(".trouble .what").textContent = words;
    part(".trouble").hidden = false;
    say(words);
  }

  function remaining() {
    const count = left === null ? null : left - (held ? 1 : 0);
    part(".remaining").textContent = count === null || count < 0 ? "" : `${count} ${count === 1 ? "vote" : "votes"} left today`;
  }

  function say(words) {
    part(".told").textContent = words;
  }

  for (const button of root.querySelectorAll("[data-choice]"))
    button.addEventListener("click", () => choose(button.dataset.choice));
  part(".undo").addEventListener("click", undo);
  part(".again").addEventListener("click", () => {
    if (!busy && retry) step(retry);
  });
  document.addEventListener("keydown", (event) => {
    if (!single.checked || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    const onSomething = event.target.closest("input, select, textarea, summary, a, button");
    if (event.key === " " && onSomething) return; // it presses what it stands on
    if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "u") undo();
    else if (Object.hasOwn(KEYS, key)) choose(KEYS[key]);
    else return;
    event.preventDefault();
  });
  // Whoever leaves has chosen: the vote goes out while the page goes away.
  addEventListener("pagehide", () => {
    if (!held) return;
    clearTimeout(held.timer);
    ask("PUT", `/ballots/${held.ballot.id}/vote`, { choice: held.choice }, true).catch(() => {});
    held = null;
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  step(next);
}

// An item on its side: its name, its text, and a link, which stands beside the button and not in it.
function seat(side, item) {
  side.querySelector(".item").textContent = nameOf(item);
  side.querySelector(".text").textContent = item.text ?? "";
  const link = side.querySelector(".leads");
  link.hidden = !item.link;
  if (!item.link) return link.removeAttribute("href");
  link.href = item.link;
  link.querySelector(".of").textContent = nameOf(item);
  link.querySelector(".host").textContent = new URL(item.link).host;
}

function kindOf(told) {
  return (told.type ?? "").split("/").pop();
}

function nameOf(side) {
  return side.name ?? String(side.id);
}

function inWords({ ballot, choice }) {
  const words = { tie: "equally good", skip: "skipped", "both-bad": "both are bad" };
  return words[choice] ?? nameOf(ballot[choice]);
}
