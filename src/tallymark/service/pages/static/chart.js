// A chart to explore: drawn by Vega in the place of the picture that the server drew. Its expressions are interpreted
// (ast), so that nothing needs to be evaluated as code.
const loaded = new Map();

function load(path) {
  if (!loaded.has(path)) {
    loaded.set(
      path,
      new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = path;
        script.onload = () => done(window.vegaEmbed);
        script.onerror = () => failed(new Error(path));
        document.head.append(script);
      }),
    );
  }
  return loaded.get(path);
}

function theme() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function explorable(figure) {
  const button = figure.querySelector(".explore");
  const canvas = figure.querySelector(".canvas");
  const told = figure.querySelector("output");
  let drawn = null;

  async function draw() {
    const size = matchMedia("(max-width: 40rem)").matches ? "narrow" : "wide";
    const [embed, answer] = await Promise.all([
      load(figure.dataset.script),
      fetch(`${figure.dataset.chart}?theme=${theme()}&size=${size}`),
    ]);
    if (!answer.ok) throw new Error(answer.statusText);
    drawn?.finalize();
    drawn = await embed(canvas, await answer.json(), {
      mode: "vega",
      ast: true,
      actions: false,
      defaultStyle: false,
      renderer: "canvas",
      width: canvas.clientWidth,
      tooltip: (handler, event, item, value) => {
        // The nearest point is found by cells, which have the point in them.
        const datum = value && (item.datum.datum ?? item.datum);
        if (datum) told.textContent = `${datum.when}: ${datum.shown}, ${datum.interval}`;
      },
    });
    for (const picture of figure.querySelectorAll("picture")) picture.hidden = true;
    canvas.hidden = false;
  }

  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    told.textContent = "Drawing it …";
    try {
      canvas.hidden = false;
      await draw();
      told.textContent = matchMedia("(hover: none)").matches ? "Touch the line; drag it." : "Point at the line; drag it; zoom with the wheel.";
      button.hidden = true;
    } catch {
      canvas.hidden = true;
      told.textContent = "It cannot be drawn just now.";
      button.disabled = false;
    }
  });
  const again = () => drawn && draw().catch(() => {});
  document.addEventListener("theme", again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
}
