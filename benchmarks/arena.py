"""`python -m benchmarks.arena [--quick]`: the referee's own share of an action, with many matches at once.

Matches of connect four on a SQLite file, played by agents that think for a while and answer at random; who has
finished waits for the next one. Measured from the receipt of an action until its agent is told that it is taken: the
turn that it waits for, the game, what is written to the disk, and everything that is said before. The agents and the
rater run in the same process meanwhile. A turn waits for the disk once or twice: what one wait takes there, in a file
that nobody else writes to, is printed beside it.
"""

import argparse
import json
import os
import platform
import random
import sys
import tempfile
import threading
import time
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Final

from tallymark.arena.games.catalogue import game
from tallymark.arena.games.face import Choice
from tallymark.arena.hall.connection import Connection, Said
from tallymark.arena.hall.hall import Hall
from tallymark.arena.referee.saying import Ack, ActionRequest, MatchEnd
from tallymark.arena.store.agents import Agent
from tallymark.ledger.ledger import Ledger

_GAME: Final = "connect-four"


class Crowd:
    """All agents: what they do next, and when. One thread acts for them. `think`: seconds, on average."""

    def __init__(self, think: float) -> None:
        self.think = think
        self._some = threading.Condition()
        self._next: list[tuple[float, int, Player, ActionRequest]] = []
        self._numbers = count()
        self.rng = random.Random(1)
        self.shares: list[float] = []
        self.over = 0

    def later(self, who: "Player", asked: ActionRequest) -> None:
        """An agent thinks."""
        at = time.perf_counter() + self.rng.uniform(0.5, 1.5) * self.think
        with self._some:
            heappush(self._next, (at, next(self._numbers), who, asked))
            self._some.notify()

    def run(self, stop: threading.Event) -> None:
        """Acts when it is time, until `stop` is set."""
        while not stop.is_set():
            with self._some:
                wait = self._next[0][0] - time.perf_counter() if self._next else 0.1
                if wait > 0:
                    self._some.wait(min(wait, 0.1))
                    continue
                _, _, who, asked = heappop(self._next)
            who.answer(asked)


class Player:
    """An agent that plays at random."""

    def __init__(self, crowd: Crowd, hall: Hall, name: str) -> None:
        self._crowd, self._hall = crowd, hall
        self._sent: dict[str, float] = {}
        self.connection: Connection = hall.connect(Agent(name, name), self)
        hall.join(self.connection, _GAME)

    def send(self, said: Said) -> None:
        match said:
            case ActionRequest():
                self._hall.delivered(self.connection, said.match, said.request)
                self._crowd.later(self, said)
            case Ack():
                self._crowd.shares.append(time.perf_counter() - self._sent.pop(said.match))
            case MatchEnd():
                self._crowd.over += 1
                self._hall.join(self.connection, _GAME)
            case _:
                pass

    def answer(self, asked: ActionRequest) -> None:
        assert isinstance(asked.form, Choice)
        action = self._crowd.rng.choice(asked.form.actions)
        self._sent[asked.match] = time.perf_counter()
        self._hall.act(self.connection, asked.match, asked.request, action)


def measure(folder: Path, matches: int, think: float, seconds: float) -> dict[str, float | int]:
    """So many matches at once, some seconds long."""
    crowd = Crowd(think)
    stop = threading.Event()
    thread = threading.Thread(target=crowd.run, args=(stop,), daemon=True)
    url = f"sqlite:///{folder / f'{matches}-{think}.db'}"
    with (
        Ledger.open(url, create=True) as ledger,
        Hall(ledger, [game(_GAME)]) as hall,
        ledger.rating(),
        hall.running(),
    ):
        for n in range(2 * matches):
            Player(crowd, hall, f"agent-{n}")
        thread.start()
        time.sleep(2.0)  # everybody is paired, and what is imported when it is used, is
        crowd.shares.clear()
        cpu, began, over = time.process_time(), time.perf_counter(), crowd.over
        time.sleep(seconds)
        shares, took = sorted(crowd.shares), time.perf_counter() - began
        used, ended = time.process_time() - cpu, crowd.over - over
        live = len(hall._turns.stage.playing)
        stop.set()
        thread.join()
    return {
        "matches": matches,
        "live at the end": live,
        "think s": think,
        "actions/s": round(len(shares) / took),
        "matches ended/s": round(ended / 2 / took, 1),
        "p50 ms": round(1000 * shares[len(shares) // 2], 2),
        "p99 ms": round(1000 * shares[len(shares) * 99 // 100], 2),
        "max ms": round(1000 * shares[-1], 2),
        "cores": round(used / took, 2),
    }


def disk(folder: Path, times: int) -> dict[str, float]:
    """Milliseconds until four thousand bytes are on the disk."""
    took = []
    with (folder / "disk").open("wb") as file:
        for _ in range(times):
            file.write(bytes(4096))
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            took.append(1000 * (time.perf_counter() - began))
    took.sort()
    return {"p50 ms": round(took[times // 2], 2), "p99 ms": round(took[times * 99 // 100], 2)}


def main() -> int:
    """Prints one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="20 matches, for a second")
    given = parser.parse_args()
    cases = [(20, 0.1, 1.0)] if given.quick else [(200, think, 20.0) for think in (1.0, 0.5, 0.25)]
    machine = {"cores": os.cpu_count(), "machine": platform.machine(), "python": platform.python_version()}
    with tempfile.TemporaryDirectory() as folder:
        waits = disk(Path(folder), 20 if given.quick else 500)
        found = []
        for matches, think, seconds in cases:
            found.append(measure(Path(folder), matches, think, seconds))
            print(found[-1], file=sys.stderr)
    print(json.dumps({**machine, "load": os.getloadavg()[0], "disk": waits, "actions": found}, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
