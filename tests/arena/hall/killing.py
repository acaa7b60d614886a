"""A process that plays a match from hello to settlement, and is killed at a step of it: before or after a commit."""

import os
import signal
from itertools import count
from typing import Any

import orjson
from halls import Player, Time, first, made
from small_games import NoughtsGame
from sqlalchemy import event

from tallymark.arena.hall.connection import Said
from tallymark.arena.hall.hall import Hall
from tallymark.arena.referee.saying import Ack, ActionRequest, MatchEnd, MatchStart
from tallymark.ledger.ledger import Ledger


class Witness(Player):
    """An agent that notes what it is told where a kill cannot take it away."""

    def __init__(self, hall: Hall, name: str, descriptor: int) -> None:
        self._descriptor = descriptor
        super().__init__(hall, name)

    def send(self, said: Said) -> None:
        match said:
            case MatchStart():
                self._note("start", said.match, 0)
            case Ack():
                self._note("ack", said.match, said.request)
            case MatchEnd():
                self._note("end", said.match, said.position)
            case _:
                pass
        super().send(said)

    def _note(self, what: str, match: str, number: int | None) -> None:
        os.write(self._descriptor, orjson.dumps([what, match, self.name, number]) + b"\n")


def doomed(url: str, step: int, ms: int, told: str, steps: str) -> None:
    """Plays, and dies before or after the commit of that number; notes each step before it is taken."""
    time = Time()
    time.ms = ms
    ledger = Ledger.open(url, clock=time.utc)
    taken, wrote = count(1), False
    noted = os.open(steps, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

    def reach(name: str) -> None:
        os.write(noted, name.encode() + b"\n")
        if next(taken) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def execute(connection: Any, cursor: Any, what: str, *rest: Any) -> None:
        nonlocal wrote
        wrote |= what.lstrip().startswith(("INSERT", "UPDATE", "DELETE"))

    engine = ledger.store.writes
    event.listen(engine, "before_cursor_execute", execute)
    dialect: Any = engine.dialect
    commit = dialect.do_commit

    def do_commit(connection: Any) -> None:
        nonlocal wrote
        if wrote:
            reach("before")
        commit(connection)
        if wrote:
            wrote = False
            reach("after")

    dialect.do_commit = do_commit
    descriptor = os.open(told, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    hall = made(ledger, time, [NoughtsGame()], seed=1000 * step + ms)
    ann, bob = Witness(hall, "ann", descriptor), Witness(hall, "bob", descriptor)
    for one in (ann, bob):
        one.join()
    hall.turn()
    if not ann.all(MatchStart):
        time.ms += 3_600_000  # however far apart earlier matches have left them
        hall.turn()
    mover, other = (ann, bob) if ann.all(ActionRequest) else (bob, ann)
    mover.answer(first(mover.last(ActionRequest)))
    hall.turn()
    other.answer("nonsense")
    hall.turn()
    ledger.settle()
    hall.turn()
    hall.close()
    ledger.close()
