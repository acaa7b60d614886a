// The replay with the npm package `glicko2` (glicko2.js): a file of games in, seconds and ratings out.
// The second of two replays counts, for by then Node has compiled it.
const fs = require("node:fs");
const { Glicko2 } = require("glicko2");

const { count, period, a, b, score } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));

function replay() {
  const system = new Glicko2({ tau: 0.5, rating: 1500, rd: 350, vol: 0.06 });
  const players = new Array(count);
  const known = [];
  const player = (one) => {
    if (players[one] === undefined) known.push((players[one] = system.makePlayer()));
    return players[one];
  };
  let at = 0;
  for (let now = 0; now <= period[period.length - 1]; now++) {
    const matches = [];
    for (; at < period.length && period[at] === now; at++) matches.push([player(a[at]), player(b[at]), score[at]]);
    system.updateRatings(matches);
    for (const one of known) if (one.getRd() > 350) one.setRd(350); // as everybody else does
  }
  return players.map((one) => one.getRating());
}

replay();
const start = process.hrtime.bigint();
const ratings = replay();
console.log(JSON.stringify({ seconds: Number(process.hrtime.bigint() - start) / 1e9, ratings }));
