"""Threads that wait for one another: all begin or none, and what one raises is told."""

import threading

import pytest

from tallymark import GameLog, replay
from tallymark.replay.threads import together


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_all_shares_at_once(threads: int) -> None:
    meeting = threading.Barrier(threads)
    seen: list[int] = []

    def share(number: int) -> None:
        meeting.wait(timeout=60)
        seen.append(number)

    together(share, threads)
    assert sorted(seen) == list(range(threads))


@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), KeyboardInterrupt()])
def test_no_share_begins_unless_all_can(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Those that had been started would wait for the others for ever, and take the processor's time for it."""
    started: list[threading.Thread] = []
    start = threading.Thread.start

    def failing(thread: threading.Thread) -> None:
        if len(started) == 2:
            raise error
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", failing)
    log = GameLog.from_arrays(player_a=[1, 3], player_b=[2, 1], score_a=[1, 0])
    with pytest.raises(type(error)):
        replay(log, "contest", engine="compiled", threads=4)
    for thread in started:
        thread.join(timeout=60)
    assert len(started) == 2
    assert not any(thread.is_alive() for thread in started)


def test_what_a_share_raises_is_raised() -> None:
    def share(number: int) -> None:
        if number == 1:
            raise MemoryError("no room")

    with pytest.raises(MemoryError, match="no room"):
        together(share, 3)
