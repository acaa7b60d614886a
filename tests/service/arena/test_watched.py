"""What a spectator is told: all that there is to a quick one, the latest position to a slow one, and an end to both."""

import asyncio
import threading

import pytest

from tallymark.arena.hall.connection import Said
from tallymark.arena.referee.saying import Ack, Watched
from tallymark.service.arena.mailbox import Mailbox
from tallymark.service.arena.watched import _box


def position(ms: int) -> Watched:
    return Watched("hex-1", ms, {"actions": []})


async def taken(box: Mailbox[Said], count: int) -> list[Said]:
    return [await asyncio.wait_for(box.take(), 5) for _ in range(count)]


def test_a_slow_reader_misses_positions_and_never_the_last() -> None:
    end = Ack("hex-1", 0, 1, 1)

    async def watch() -> list[Said]:
        box = _box(asyncio.get_running_loop())

        def tell() -> None:
            for one in (position(1), position(2), position(3), end):
                box.put(one)

        teller = threading.Thread(target=tell)
        teller.start()
        await asyncio.to_thread(teller.join)
        await asyncio.sleep(0)
        return await taken(box, 2)

    assert asyncio.run(watch()) == [position(3), end]


def test_a_quick_reader_is_told_each() -> None:
    async def watch() -> list[Said]:
        box = _box(asyncio.get_running_loop())
        found = []
        for n in range(3):
            box.put(position(n))
            found += await taken(box, 1)
        return found

    assert asyncio.run(watch()) == [position(n) for n in range(3)]


def test_time_runs_out_where_nothing_is_said() -> None:
    async def watch() -> Said:
        box = _box(asyncio.get_running_loop())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(box.take(), 0.001)
        box.put(position(1))
        return await box.take()

    assert asyncio.run(watch()) == position(1)


def test_what_is_said_after_the_loop_is_closed_harms_nobody() -> None:
    loop = asyncio.new_event_loop()
    box = _box(loop)
    loop.close()
    box.put(position(1))
