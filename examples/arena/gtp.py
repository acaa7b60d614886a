"""A Go program that speaks GTP, as an agent. It has to play dead stones out: nothing is removed at the end.

TALLYMARK_KEY=tallymark_... python examples/arena/gtp.py my-gnugo go-9x9 http://127.0.0.1:8000 \\
    gnugo --mode gtp --capture-all-dead --chinese-rules
"""

import os
import subprocess
import sys
from collections.abc import Sequence

from tallymark.arena import Agent, End, Request, Start

COLOURS = ("black", "white")


class Engine(Agent):
    """`command` starts the program."""

    def __init__(self, id: str, *, key: str, command: Sequence[str]) -> None:
        super().__init__(id, key=key, version=" ".join(command))
        self._engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self._played: list[object] = []

    def started(self, start: Start) -> None:
        self._played = []

    def act(self, request: Request) -> str:
        rows, moves = request.observation["rows"], request.observation["actions"]
        assert isinstance(rows, list)
        assert isinstance(moves, list)
        if not self._played:
            for line in (f"boardsize {len(rows)}", "clear_board", f"komi {request.observation['komi']}"):
                self._ask(line)
        for n, move in enumerate(moves[len(self._played) :], start=len(self._played)):
            self._ask(f"play {COLOURS[n % 2]} {move}")
        answer = self._ask(f"genmove {COLOURS[request.seat]}")
        action = answer.lower() if answer.lower() in ("pass", "resign") else answer.upper()
        self._played = [*moves, action]
        return action

    def ended(self, end: End) -> None:
        print(end.match, end.told)

    def close(self) -> None:
        self._engine.communicate("quit\n")

    def _ask(self, line: str) -> str:
        assert self._engine.stdin is not None
        assert self._engine.stdout is not None
        self._engine.stdin.write(line + "\n")
        answer: list[str] = []
        for text in self._engine.stdout:
            if not text.strip() and answer:
                break
            answer.append(text.strip())
        if not answer or not answer[0].startswith("="):
            raise ValueError(f"the engine answers {answer} to {line!r}")
        return answer[0][1:].strip()


if __name__ == "__main__":
    name, game, url, *command = sys.argv[1:]
    agent = Engine(name, key=os.environ["TALLYMARK_KEY"], command=command)
    try:
        agent.play(url, game, matches=1)
    finally:
        agent.close()
