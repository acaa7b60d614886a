"""A chess engine that speaks UCI, as an agent.

TALLYMARK_KEY=tallymark_... python examples/arena/uci.py my-stockfish http://127.0.0.1:8000 stockfish
"""

import os
import subprocess
import sys
from collections.abc import Sequence

from tallymark.arena import Agent, End, Request

THINKS_MS = 200


class Engine(Agent):
    """`command` starts the engine, which thinks `ms` milliseconds about each move."""

    def __init__(self, id: str, *, key: str, command: Sequence[str], ms: int = THINKS_MS) -> None:
        super().__init__(id, key=key, version=" ".join(command))
        self._ms = ms
        self._engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self._ask("uci", "uciok")
        self._ask("isready", "readyok")

    def act(self, request: Request) -> str:
        moves = request.observation["actions"]
        assert isinstance(moves, list)
        self._say(" ".join(["position startpos moves", *map(str, moves)]) if moves else "position startpos")
        ms = min(self._ms, request.deadline_ms // 2)
        return self._ask(f"go movetime {ms}", "bestmove").split()[1]

    def ended(self, end: End) -> None:
        print(end.match, end.told)
        self._say("ucinewgame")

    def close(self) -> None:
        self._engine.communicate("quit\n")

    def _say(self, line: str) -> None:
        assert self._engine.stdin is not None
        self._engine.stdin.write(line + "\n")

    def _ask(self, line: str, until: str) -> str:
        self._say(line)
        assert self._engine.stdout is not None
        for answer in self._engine.stdout:
            if answer.startswith(until):
                return answer
        raise EOFError(f"the engine ended instead of answering {line!r}")


if __name__ == "__main__":
    name, url, *command = sys.argv[1:]
    agent = Engine(name, key=os.environ["TALLYMARK_KEY"], command=command)
    try:
        agent.play(url, "chess", matches=1)
    finally:
        agent.close()
