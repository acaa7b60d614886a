"""What is said to an agent: in order, and no more than it may leave unread."""

import asyncio
import json

import pytest

from tallymark.arena.hall.saying import Closed
from tallymark.arena.referee.saying import Ack
from tallymark.service.arena import line
from tallymark.service.arena.line import Line


def heard(count: int) -> list[str]:
    """What an agent hears of so many messages that were said before it began to read."""
    told: list[str] = []

    async def send(text: str) -> None:
        told.append(text)

    async def read() -> None:
        to = Line(asyncio.get_running_loop())
        for n in range(count):
            to.send(Ack("hex-1", 0, n, 1))
        to.send(Closed("that is all"))
        await asyncio.wait_for(to.out(send, lambda match, request: None), 5)

    asyncio.run(read())
    return told


def test_everything_is_said_in_order_and_an_end_ends_it() -> None:
    *acks, end = map(json.loads, heard(3))
    assert [one["request"] for one in acks] == [0, 1, 2]
    assert (end["code"], end["message"]) == ("closed", "that is all")


def test_who_does_not_read_is_told_what_waited_and_why_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "MOST", 5)
    *acks, end = map(json.loads, heard(9))
    assert [one["request"] for one in acks] == [0, 1, 2, 3, 4]
    assert (end["code"], end["message"]) == ("closed", "5 messages were not read in time")
