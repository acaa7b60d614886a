"""Feeds and streams where the ledger cannot be read, or nobody reads what is sent."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import cast

import pytest
from starlette.types import Message

from tallymark.errors import LedgerError
from tallymark.ledger.ledger import Ledger
from tallymark.service.live import feed as feeds
from tallymark.service.live import stream as streams
from tallymark.service.live.feed import BACK, Feed
from tallymark.service.live.live import Live
from tallymark.service.live.stream import Stream

Send = Callable[[Message], Awaitable[None]]


def event(position: int) -> bytes:
    return b"id: %d\n\n" % position


async def told(feed: Feed, position: int, last: int) -> list[bytes]:
    """What a reader has when it has come that far."""
    found: list[bytes] = []
    while position + len(found) < last:
        some = feed.after(position + len(found))
        found += some
        if not some:
            assert await feed.news(5.0)
    return found


def test_a_feed_goes_on_when_the_ledger_is_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(feeds, "_PATIENCE", 0.01)
    calls: list[int] = []

    async def read(pool: str, after: int) -> Sequence[bytes]:
        calls.append(after)
        if len(calls) in (2, 3):
            raise LedgerError("gone")
        return [event(n) for n in range(after + 1, after + 3)]

    async def main() -> list[bytes]:
        feed = Feed("p", 0, read, 1000)
        feed.move(6)
        found = await told(feed, 0, 6)
        feed.stop()
        return found

    assert asyncio.run(main()) == [event(n) for n in range(1, 7)]
    assert calls == [0, 2, 2, 2, 4]
    assert [record.levelname for record in caplog.records] == ["WARNING"]  # once, however long it lasts


def test_what_is_kept_is_bounded_and_what_is_new_is_kept() -> None:
    size = 100

    async def read(pool: str, after: int) -> Sequence[bytes]:
        return [b"x" * 100] * size

    async def main() -> None:
        feed = Feed("p", BACK, read, 1000)
        reader = 0
        for n in range(1, 4):
            feed.move(BACK + n)
            await told(feed, reader, n * size)
            reader = n * size
        # The last page is there whole, though it is larger than what is to be kept; the others are gone.
        assert [feed.has(position) for position in (2 * size - 1, 2 * size, 3 * size)] == [False, True, True]
        assert len(feed.after(2 * size)) == size
        feed.stop()

    asyncio.run(main())


class _Broken:
    """A ledger that cannot be read."""

    def effects(self, pool: str, after: int, limit: int) -> list[object]:
        raise LedgerError("gone")


async def _streamed(live: Live, send: Send, head: int) -> None:
    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    await Stream(live, "p", 0, head)({"type": "http", "http_version": "1.1", "client": ("1.2.3.4", 5)}, receive, send)


def test_a_reader_who_is_far_behind_is_sent_away_where_the_ledger_cannot_be_read() -> None:
    sent: list[Message] = []

    async def main() -> None:
        live = Live(cast(Ledger, _Broken()), beat=5.0, kept=1000, each=1, most=100)

        async def send(message: Message) -> None:
            sent.append(message)

        await _streamed(live, send, BACK + 1)
        assert live.readers == 0

    asyncio.run(main())
    assert sent[0]["status"] == 200
    assert b'event: end\ndata: {"why":"unavailable","last":0' in sent[-1]["body"]
    assert sent[-1]["more_body"] is False


def test_a_reader_who_takes_nothing_at_all_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_STALL", 0.01)

    async def main() -> None:
        live = Live(cast(Ledger, _Broken()), beat=5.0, kept=1000, each=1, most=100)

        async def send(message: Message) -> None:
            if message["type"] == "http.response.body":
                await asyncio.Event().wait()

        async with asyncio.timeout(5):
            await _streamed(live, send, 0)
        assert live.readers == 0

    asyncio.run(main())
