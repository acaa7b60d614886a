// Boards from positions, as the arena tells them: one drawing for each kind of game. Everything that agents said is put
// in as text.
const SVG = "http://www.w3.org/2000/svg";
const CELL = 40;
const GO = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const PIECES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const GLYPHS = { k: "\u265A", q: "\u265B", r: "\u265C", b: "\u265D", n: "\u265E", p: "\u265F" };
const STARS = { 9: [2, 4, 6], 13: [3, 6, 9], 19: [3, 9, 15] };

// `before`: the position before it, or nothing; `hidden`: what may be shown of roles and cards.
export function draw(game, seen, before, seats, hidden) {
  if (game === "werewolf") return werewolf(seen, seats, hidden);
  if (game === "kuhn-poker") return kuhn(seen, seats, hidden);
  const made = game.startsWith("go-") ? go(seen, before) : game === "hex" ? hex(seen, before) : squares(game, seen, before);
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", inWords(game, seen));
  made.classList.add("drawn-board", game);
  return made;
}

function node(name, attributes, parent, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

// What marks a seat wherever it is named: as the pieces look.
export function key(place, seat, parent) {
  const made = node("svg", { class: `key seat-${seat % 2}`, viewBox: "-6.5 -6.5 13 13", "aria-hidden": "true" }, parent);
  node("use", { href: place.mark }, made);
  return made;
}

function element(name, kind, parent, text) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

function board(width, height) {
  return node("svg", { viewBox: `0 0 ${width} ${height}` });
}

// What came to be on a square: not what went, nor, in games that turn discs, what was turned.
function fresh(seen, before, y, x, turns = false) {
  if (!before?.rows) return false;
  const [was, is] = [before.rows[y][x], seen.rows[y][x]];
  return was !== is && (turns || (was === "." && is !== "."));
}

function labels(made, count, rows, left, letters, up) {
  for (let n = 0; n < count; n++)
    node("text", { class: "label", x: left + n * CELL + CELL / 2, y: rows * CELL + 16 }, made, letters[n]);
  for (let n = 0; n < rows; n++)
    node("text", { class: "label side", x: left - 7, y: n * CELL + CELL / 2 + 4 }, made, up ? rows - n : n + 1);
}

function squares(game, seen, before) {
  const { rows } = seen;
  const [high, wide] = [rows.length, rows[0].length];
  const left = game === "connect-four" ? 4 : 24;
  const made = board(left + wide * CELL + 4, high * CELL + 24);
  node("rect", { class: "ground", x: left, y: 0, width: wide * CELL, height: high * CELL, rx: game === "connect-four" ? 10 : 2 }, made);
  rows.forEach((row, y) =>
    [...row].forEach((mark, x) => {
      const [cx, cy] = [left + x * CELL + CELL / 2, y * CELL + CELL / 2];
      const lit = fresh(seen, before, y, x, game === "chess");
      if (game !== "connect-four")
        node("rect", { class: `square${(x + y) % 2 ? " odd" : ""}${lit ? " lit" : ""}`, x: left + x * CELL, y: y * CELL, width: CELL, height: CELL }, made);
      else if (mark === ".") node("circle", { class: "hole", cx, cy, r: 15 }, made);
      if (mark === ".") return;
      if (game === "chess") {
        const side = mark === mark.toUpperCase() ? "white" : "black";
        node("text", { class: `piece ${side}`, x: cx, y: cy + 12 }, made, `${GLYPHS[mark.toLowerCase()]}\uFE0E`);
      } else if (game === "tic-tac-toe") noughts(made, mark, cx, cy, lit);
      else disc(made, mark, cx, cy, game === "connect-four" && mark === "o" ? 12 : 15, lit);
    }),
  );
  labels(made, wide, high, left, game === "connect-four" ? "1234567" : LETTERS, game === "chess");
  if (game === "connect-four") made.querySelectorAll(".side").forEach((one) => one.remove());
  return made;
}

function noughts(made, mark, cx, cy, lit) {
  const kind = `stroke ${mark === "x" ? "one" : "two"}${lit ? " new" : ""}`;
  if (mark === "x") node("path", { class: kind, d: `M${cx - 10} ${cy - 10}l20 20m0 -20l-20 20` }, made);
  else node("circle", { class: kind, cx, cy, r: 11 }, made);
}

function disc(made, mark, cx, cy, r, lit) {
  node("circle", { class: `disc ${mark === "x" ? "one" : "two"}`, cx, cy, r }, made);
  if (lit) node("circle", { class: `last ${mark === "x" ? "one" : "two"}`, cx, cy, r: r * 0.35 }, made);
}

function go(seen, before) {
  const { rows } = seen;
  const size = rows.length;
  const left = 28;
  const made = board(left + size * CELL + 4, size * CELL + 24);
  node("rect", { class: "ground", x: left, y: 0, width: size * CELL, height: size * CELL, rx: 4 }, made);
  const edge = (n) => n * CELL + CELL / 2;
  for (let n = 0; n < size; n++) {
    node("line", { class: "grid", x1: left + edge(0), x2: left + edge(size - 1), y1: edge(n), y2: edge(n) }, made);
    node("line", { class: "grid", x1: left + edge(n), x2: left + edge(n), y1: edge(0), y2: edge(size - 1) }, made);
  }
  const middle = (size - 1) / 2;
  const star = (y, x) => size === 19 || (y === middle) === (x === middle);
  for (const y of STARS[size] ?? []) for (const x of STARS[size]) if (star(y, x)) node("circle", { class: "star", cx: left + edge(x), cy: edge(y), r: 3.5 }, made);
  rows.forEach((row, y) =>
    [...row].forEach((mark, x) => {
      if (mark !== ".") disc(made, mark, left + edge(x), edge(y), 18, fresh(seen, before, y, x));
    }),
  );
  labels(made, size, size, left, GO, true);
  return made;
}

function hex(seen, before) {
  const { rows } = seen;
  const size = rows.length;
  const [r, step] = [20, 20 * Math.sqrt(3)];
  const place = (y, x) => [34 + step / 2 + x * step + (y * step) / 2, 30 + r + y * r * 1.5];
  const [wide, high] = [place(size - 1, size - 1)[0] + step / 2 + 12, place(size - 1, 0)[1] + r + 26];
  const made = board(wide, high);
  const corner = (y, x, n) => {
    const [cx, cy] = place(y, x);
    const angle = (Math.PI / 180) * (60 * n - 90);
    return `${(cx + r * Math.cos(angle)).toFixed(1)},${(cy + r * Math.sin(angle)).toFixed(1)}`;
  };
  const line = (kind, cells, corners) => node("polyline", { class: `border ${kind}`, points: cells.flatMap(([y, x]) => corners.map((n) => corner(y, x, n))).join(" ") }, made);
  const all = [...rows.keys()];
  rows.forEach((row, y) =>
    [...row].forEach((mark, x) => {
      const lit = fresh(seen, before, y, x);
      node("polygon", { class: `cell${mark === "." ? "" : mark === "x" ? " one" : " two"}`, points: [0, 1, 2, 3, 4, 5].map((n) => corner(y, x, n)).join(" ") }, made);
      const [cx, cy] = place(y, x);
      if (mark !== ".") node("circle", { class: "inner", cx, cy, r: mark === "o" ? 9 : 0 }, made);
      if (lit) node("circle", { class: `last ${mark === "x" ? "one" : "two"}`, cx, cy, r: 4.5 }, made);
    }),
  );
  line("one", all.map((x) => [0, x]), [5, 0, 1]);
  line("one", all.map((x) => [size - 1, x]), [4, 3, 2]);
  line("two", all.map((y) => [y, 0]), [5, 4, 3]);
  line("two", all.map((y) => [y, size - 1]), [0, 1, 2]);
  for (const n of all) {
    const [x, y] = place(0, n);
    node("text", { class: "label", x: x - step / 4, y: y - r - 8 }, made, LETTERS[n]);
    const [sx, sy] = place(n, 0);
    node("text", { class: "label side", x: sx - step / 2 - 9, y: sy + 6 }, made, n + 1);
  }
  return made;
}

function inWords(game, seen) {
  const last = seen.actions?.at(-1);
  const rows = seen.rows.map((row, y) => `${game === "chess" || game.startsWith("go-") ? seen.rows.length - y : y + 1}: ${[...row].map((mark) => said(game, mark)).join(" ")}`);
  const after = seen.actions?.length ? `after ${seen.actions.length} actions, the last one ${last}` : "at the beginning";
  return `The board ${after}. Rows from the top. ${rows.join("; ")}`;
}

function said(game, mark) {
  if (mark === ".") return "-";
  if (game !== "chess") return mark;
  return `${mark === mark.toUpperCase() ? "white" : "black"} ${PIECES[mark.toLowerCase()]}`;
}

// Hands of cards: who bet, what was shown, what it came to.
function kuhn(seen, seats, hidden) {
  const made = element("div", "hands scroll");
  made.tabIndex = 0;
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", "The hands");
  const table = element("table", "plain", made);
  const head = element("tr", "", element("thead", "", table));
  for (const [n, text] of ["Hand", seats[0].agent, seats[1].agent, "In turn", "Chips"].entries()) {
    const cell = element("th", "", head);
    cell.scope = "col";
    if (seats[n - 1]) key(seats[n - 1], n - 1, cell);
    cell.append(text);
  }
  const body = element("tbody", "", table);
  seen.hands.forEach((hand, n) => {
    const row = element("tr", "", body);
    element("th", "", row, n + 1).scope = "row";
    hand.cards.forEach((card, seat) => {
      const known = card ?? hidden.cards?.[n]?.[seat];
      const cell = element("td", "", row);
      element("span", `playing-card${known ? "" : " covered"}`, cell, known ?? "?");
      if (hand.first === seat) element("small", "quiet", cell, " first");
    });
    const done = hand.actions.map((action, k) => spoken(action, k, hand.actions));
    element("td", "", row, done.join(", ") || "\u2013");
    element("td", "n", row, hand.won.some(Boolean) ? hand.won.map(signed).join(" / ") : "");
  });
  const foot = element("p", "quiet", made, `${seen.hands.length} of ${seen.of} hands. Chips: ${seats[0].agent} ${signed(seen.chips[0])}, ${seats[1].agent} ${signed(seen.chips[1])}`);
  foot.classList.add("chips");
  return made;
}

function spoken(action, n, actions) {
  const bet = actions.slice(0, n).includes("bet");
  if (action === "bet") return bet ? "calls" : "bets";
  return bet ? "folds" : "passes";
}

function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : "0";
}

// What a village is about, as far as everybody may know; nothing of other games, whose boards say it.
export function phase(seen, seats) {
  if (seen.game !== "werewolf" || seen.told) return "";
  if (seen.phase === "night") return `Night ${seen.day}: everybody does in secret what their role may do.`;
  if (seen.phase === "vote") return `Day ${seen.day}: everybody votes; the votes are shown together.`;
  return `Day ${seen.day}: ${seats[seen.to_move].agent} is to speak.`;
}

// A village: who is there, and what was said and done, day by day.
function werewolf(seen, seats, hidden) {
  const made = element("div", "village");
  const name = (seat) => seats[seat].agent;
  const roles = seen.roles ?? hidden.roles;
  const people = element("ul", "people", made);
  seats.forEach((one, seat) => {
    const row = element("li", seen.alive.includes(seat) ? "" : "out", people);
    const who = element("span", "who", row);
    key(one, seat, who);
    who.append(`${seat} ${one.agent}`);
    if (one.won) element("span", "tag winner", row, "won");
    if (one.kind === "house") element("span", "tag", row, "house");
    const out = seen.events.find((event) => event.out === seat);
    const role = roles?.[seat] ?? out?.role;
    if (role) element("span", `role ${role}`, row, role);
    if (out) element("span", "quiet", row, out.what === "night" ? "eaten" : "voted out");
  });
  const story = element("ol", "transcript scroll", made);
  story.tabIndex = 0;
  story.setAttribute("aria-label", "What was said and done");
  let chapter = "";
  const begin = (words) => {
    if (chapter !== words) element("li", "chapter", story, words);
    chapter = words;
  };
  for (const event of seen.events) {
    begin(event.what === "night" ? `Night ${event.day}` : `Day ${event.day}`);
    if (event.what === "speech") {
      const row = element("li", "speech", story);
      element("span", "who", row, name(event.seat));
      if (event.text) element("q", "", row, event.text);
      else element("span", "quiet", row, "says nothing");
      continue;
    }
    if (event.what === "vote") {
      const votes = event.votes.map((vote) => `${name(vote.seat)} for ${vote.for === null ? "nobody" : name(vote.for)}`);
      element("li", "votes quiet", story, votes.join(", "));
    } else if (hidden.nights?.[event.day - 1])
      for (const { seat, action } of hidden.nights[event.day - 1])
        if (action !== "sleep") element("li", "secret quiet", story, `${name(seat)} (${roles[seat]}): ${named(action, name)}`);
    const gone = event.out === null ? "Nobody is out." : `${name(event.out)} is out, a ${event.role}.`;
    element("li", "fell", story, gone);
  }
  if (seen.told) element("li", "fell ending", story, `${seen.told[0].toUpperCase()}${seen.told.slice(1)}.`);
  else begin(seen.phase === "night" ? `Night ${seen.day}` : `Day ${seen.day}`);
  return made;
}

// `look 3` with the name in the place of the number.
function named(action, name) {
  const [what, seat] = action.split(" ");
  return seat === undefined ? what : `${{ eat: "eats", look: "looks at", guard: "guards" }[what] ?? what} ${name(Number(seat))}`;
}
