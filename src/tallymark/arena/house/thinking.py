"""Where house agents think: in processes of their own, so that neither the referee nor anybody else waits for them."""

import multiprocessing
import os
import secrets
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, Self

from tallymark.arena.chance import SEED_BYTES
from tallymark.arena.games.face import Action
from tallymark.arena.house.mind import Mind
from tallymark.arena.referee.saying import ActionRequest

_PROCESSES: Final = max(1, min(4, (os.cpu_count() or 1) - 1))
"""One core is left to the rest."""
_WAITING: Final = 64
"""Requests that wait for a process at once."""
_KILLED: Final = 3
"""Times that a mind is asked again whose process was killed: one that kills its process itself has to stop once."""


class Thinking:
    """Processes in which minds act. They are begun when somebody is asked first."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_WAITING, "tallymark house")
        self._lock = threading.Lock()
        self._processes: ProcessPoolExecutor | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._closed = True
            processes = self._processes
        self._threads.shutdown(wait=False, cancel_futures=True)
        if processes is not None:
            processes.shutdown(cancel_futures=True)
        self._threads.shutdown()

    def run(self, task: Callable[[], None]) -> None:
        """Runs something that waits for a mind. Nothing is run any more once this is closed."""
        with self._lock:
            if not self._closed:
                self._threads.submit(task)

    def act(self, mind: Mind, asked: ActionRequest) -> Action:
        """What a mind does, with chance that nobody knows. A process that was killed is replaced, and asked again."""
        chance = secrets.token_bytes(SEED_BYTES)
        processes = self._instead(None)
        for _ in range(_KILLED):
            try:
                return processes.submit(_act, mind, asked, chance).result()
            except BrokenProcessPool:
                processes = self._instead(processes)
        return processes.submit(_act, mind, asked, chance).result()

    def _instead(self, broken: ProcessPoolExecutor | None) -> ProcessPoolExecutor:
        """The processes that are there: others than those that are broken, which somebody else may have seen first."""
        with self._lock:
            found = self._processes
            if found is None or found is broken:
                # A fork would take over the locks of threads that are not there any more.
                context = multiprocessing.get_context("spawn")
                found = self._processes = ProcessPoolExecutor(_PROCESSES, context, _alone)
            return found


def _act(mind: Mind, asked: ActionRequest, chance: bytes) -> Action:
    return mind.act(asked, chance)


def _alone() -> None:
    """In the new process: Ctrl-C is for the one that began it, and without that one this is over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
