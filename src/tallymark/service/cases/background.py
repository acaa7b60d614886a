"""Work that no request does itself: in a thread, one after the other, each once however often it is asked for."""

import logging
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from typing import Any, Final, TypeVar

from tallymark.service.problems import Problem

T = TypeVar("T")
PATIENCE: Final = 5.0
"""Seconds that a request waits for work before it is told that it is under way."""
_LATER: Final = "5"
_GRACE: Final = 10.0
"""Seconds that work under way is waited for, when the service stops."""
_KEPT: Final = 16
"""Results that nobody has come back for, at most."""
_LOG: Final = logging.getLogger("tallymark.service")


def waited(job: "Future[Any]") -> bool:
    """Waits for some work as long as a request does; whether it is done."""
    return bool(wait([job], PATIENCE).done)


class Background:
    """A thread that is there while there is work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[Hashable, Future[Any]] = {}
        self._waiting: dict[Hashable, Callable[[], Any]] = {}
        self._fetched: dict[Hashable, None] = {}
        """What somebody comes back for, in its order."""
        self._thread: threading.Thread | None = None

    def start(self, key: Hashable, work: Callable[[], T], fetched: bool = False) -> "Future[T]":
        """Begins some work, unless it is begun; `fetched`: its result is kept until somebody has it."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                job = self._jobs[key] = Future()
                self._waiting[key] = work
                if fetched:
                    self._fetched[key] = None
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="tallymark works out", daemon=True)
                    self._thread.start()
        return job

    def result(self, key: Hashable, work: Callable[[], T]) -> T:
        """The result, to whoever asks until it is there; then it is forgotten. The problem `computing` where that takes
        more than a few seconds: it goes on, and who asks again gets it."""
        job = self.start(key, work, fetched=True)
        if not waited(job):
            raise Problem("computing", "the pool is large, and this takes a while", headers={"Retry-After": _LATER})
        with self._lock:
            if self._jobs.get(key) is job:
                self._forget(key)
        return job.result()

    def stop(self) -> None:
        """Begins nothing more; what is under way is waited for some seconds, and then left behind."""
        with self._lock:
            for key in list(self._waiting):
                self._jobs[key].cancel()
                self._forget(key)
            self._waiting.clear()
            thread = self._thread
        if thread is not None:
            thread.join(_GRACE)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                key = next(iter(self._waiting))
                work, job = self._waiting.pop(key), self._jobs[key]
            try:
                job.set_result(work())
            except Exception as error:  # whoever waits for the result is told it
                job.set_exception(error)
            with self._lock:
                if key not in self._fetched:
                    if job.exception() is not None:
                        _LOG.warning("%s: %s; it is begun again", key, job.exception())
                    self._forget(key)
                else:
                    done = [one for one in self._fetched if self._jobs[one].done()]
                    for one in done[:-_KEPT]:
                        self._forget(one)

    def _forget(self, key: Hashable) -> None:
        del self._jobs[key]
        self._fetched.pop(key, None)
