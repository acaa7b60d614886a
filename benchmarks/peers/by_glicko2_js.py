"""glicko2.js under Node, where both are at hand: `npm install glicko2`, its folder in NODE_PATH or above this one."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.peers.peer import Peer, Run, Skipped, glicko2_by_period, periods
from tallymark import GameLog

_SCRIPT = Path(__file__).with_name("replay.cjs")


def _ready(log: GameLog, days: int) -> Callable[[], Run]:
    node = shutil.which("node")
    if node is None:
        raise Skipped("there is no node")
    asked = [node, "-e", f"require('module').createRequire({json.dumps(str(_SCRIPT))}).resolve('glicko2')"]
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        raise Skipped("node knows no package glicko2: npm install glicko2, and its node_modules in NODE_PATH")
    games = {
        "count": len(log.players),
        "period": periods(log, days).tolist(),
        "a": log.a.tolist(),
        "b": log.b.tolist(),
        "score": log.score.tolist(),
    }

    def replay() -> Run:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "games.json")
            path.write_text(json.dumps(games), encoding="utf-8")
            done = subprocess.run([node, str(_SCRIPT), str(path)], capture_output=True, check=True)
        told = json.loads(done.stdout)
        return Run(told["seconds"], np.array(told["ratings"]))

    return replay


PEER = Peer("glicko2.js", "Glicko-2 by periods, under Node", glicko2_by_period, _ready, within=0.1)
