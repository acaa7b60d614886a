// A board that follows its pool. The stream says that something happened; what to show then, the server says: this
// page is fetched again, so that no number is ever made here.
const PAUSE = 2000; // milliseconds from one look to the next, however much happens
const SHOWN = 6000; // so long a change stands beside a rating
const AGAIN = 10000; // from a refusal to the next try: a browser gives up for good then

export function follow(board, status) {
  let stream = listen();
  let waiting = null;
  let last = 0;

  function listen() {
    const made = new EventSource(board.dataset.stream);
    made.addEventListener("entry", soon);
    made.addEventListener("error", () => {
      if (made.readyState !== EventSource.CLOSED) return;
      setTimeout(() => {
        stream = listen();
        soon(); // what came meanwhile
      }, AGAIN);
    });
    return made;
  }

  function soon() {
    if (waiting !== null) return;
    waiting = setTimeout(look, Math.max(0, last + PAUSE - Date.now()));
  }

  async function look() {
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // The next entry tries again.
    }
    last = Date.now();
    waiting = null;
  }

  function show(fresh) {
    const now = fresh.getElementById("board");
    if (!now) return;
    const before = ratings(board);
    const focused = board.contains(document.activeElement)
      ? document.activeElement.closest("[data-player]")?.dataset.player
      : undefined;
    board.replaceChildren(...now.childNodes);
    document.getElementById("as-of")?.replaceWith(fresh.getElementById("as-of"));
    const moved = [];
    for (const [player, row] of rows(board)) {
      const rating = rated(row);
      const change = before.has(player) ? rating - before.get(player) : 0;
      if (change) moved.push(`${row.querySelector(".player").textContent} ${rating}`);
      if (change || !before.has(player)) mark(row, change);
      if (player === focused) row.querySelector(".player").focus();
    }
    if (moved.length) status.textContent = `Now: ${moved.slice(0, 5).join(", ")}`;
  }

  addEventListener("pagehide", () => stream.close());
}

function rows(board) {
  return [...board.querySelectorAll("tr[data-player]")].map((row) => [row.dataset.player, row]);
}

function rated(row) {
  return Number(row.querySelector("data.rating").textContent.replace("\u2212", "-"));
}

function ratings(board) {
  return new Map(rows(board).map(([player, row]) => [player, rated(row)]));
}

// The difference of the two numbers that were shown.
function mark(row, change) {
  row.classList.add("changed");
  const chip = document.createElement("span");
  chip.className = "chip";
  chip.setAttribute("aria-hidden", "true");
  chip.textContent = change ? `${change > 0 ? "+" : "\u2212"}${Math.abs(change)}` : "";
  row.querySelector("data.rating").before(chip);
  setTimeout(() => {
    row.classList.remove("changed");
    chip.remove();
  }, SHOWN);
}
