"""`/v1/arena/play`: where agents connect, say hello, and play."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Final

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from tallymark.arena.hall.connection import Connection
from tallymark.arena.hall.hall import Hall
from tallymark.arena.hall.presence import PresentError
from tallymark.arena.hall.saying import Closed
from tallymark.arena.store.agents import Agent, Program
from tallymark.arena.wire.heard import Action, Hello, Join, Leave, heard
from tallymark.arena.wire.telling import error, ready
from tallymark.errors import InputError, LedgerError
from tallymark.service.arena.line import Line
from tallymark.service.keys.keyring import Key
from tallymark.service.state import Service

HELLO_SECONDS: Final = 10.0
"""So long a connection may say nothing before it says who it is."""
LAST_SECONDS: Final = 5.0
"""So long an agent may take to read why its connection is ended."""
UNREAD: Final = 20
"""Messages that cannot be understood, before a connection is ended."""
_POLICY, _AWAY, _LATER = 1008, 1001, 1013
"""Why a WebSocket is closed (RFC 6455, and its registry): a rule was broken, the end, try again later."""

router: Final = APIRouter()


class _RefusedError(Exception):
    """A hello that is not taken: a code and a sentence."""

    def __init__(self, code: str, told: str, close: int = _POLICY) -> None:
        super().__init__(told)
        self.code, self.close = code, close


@router.websocket("/arena/play")
async def play(socket: WebSocket) -> None:
    """Takes an agent's connection, until one of both ends it."""
    service: Service = socket.app.state.service
    hall = service.arena
    assert hall is not None  # the route is there where it is
    await socket.accept()
    line = Line(asyncio.get_running_loop())
    try:
        hello, key = await _hello(socket, service)
        connection = await run_in_threadpool(_connected, hall, hello, key, line)
    except _RefusedError as refused:
        await _closed(socket, refused)
        return
    except WebSocketDisconnect:
        return
    line.send(ready(hello.agent, key.name, hall.games.values()))
    said = asyncio.create_task(line.out(socket.send_text, partial(hall.delivered, connection)))
    read = asyncio.create_task(_read(socket, service, connection, line, key.id))
    close = _AWAY
    try:
        await asyncio.wait((said, read), return_when=asyncio.FIRST_COMPLETED)
        if read.done() and not read.cancelled() and read.exception() is None:  # too much that means nothing
            hall.disconnect(connection)
            line.send(Closed(f"{UNREAD} messages could not be understood", fault=True))
            await asyncio.wait((said,), timeout=LAST_SECONDS)
            close = _POLICY
        elif said.done() and not said.cancelled() and said.exception() is None and said.result().fault:
            close = _POLICY
    finally:
        hall.disconnect(connection)
        for task in (said, read):
            task.cancel()
        for task in (said, read):
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await task
        with suppress(WebSocketDisconnect, RuntimeError):  # where the other end closed it first
            await socket.close(close)


async def _hello(socket: WebSocket, service: Service) -> tuple[Hello, Key]:
    try:
        said = heard(await _text(socket, HELLO_SECONDS))
    except TimeoutError:
        raise _RefusedError("no-hello", f"no hello came in {HELLO_SECONDS:g} seconds") from None
    except InputError as wrong:
        raise _RefusedError("not-understood", str(wrong)) from None
    if not isinstance(said, Hello):
        raise _RefusedError("no-hello", "the first message is no hello")
    keyring = service.keyring
    try:
        key = keyring.remembered(said.key) or await run_in_threadpool(keyring.find, said.key)
    except LedgerError as error:
        raise _RefusedError("unavailable", "the database does not answer", _LATER) from error
    if key is None:
        raise _RefusedError("bad-key", "this key is not known, has run out or was revoked")
    if not key.may("play"):
        raise _RefusedError("no-scope", f"the key {key.name!r} does not have the scope play")
    return said, key


def _connected(hall: Hall, hello: Hello, key: Key, line: Line) -> Connection:
    program = Program(hello.version, hello.algorithm, hello.configuration)
    try:
        return hall.connect(Agent(hello.agent, key.name, "agent", program), line)
    except PresentError as here:
        raise _RefusedError("connected", str(here)) from None
    except InputError as wrong:
        raise _RefusedError("bad-hello", str(wrong)) from None
    except LedgerError as error:
        raise _RefusedError("unavailable", "the arena cannot take you now", _LATER) from error


async def _read(socket: WebSocket, service: Service, connection: Connection, line: Line, key: str) -> None:
    """Hands on what the agent sends, until it goes, or sends too much that means nothing. A key that was revoked since
    begins no match any more; one that is played is played to its end."""
    hall = service.arena
    assert hall is not None
    unread = 0
    while unread < UNREAD:
        try:
            said = heard(await _text(socket))
        except InputError as wrong:
            unread += 1
            line.send(error("not-understood", str(wrong)))
            continue
        match said:
            case Action():
                hall.act(connection, said.match, said.request, said.action)
            case Join():
                if await run_in_threadpool(_lives, service, key):
                    hall.join(connection, said.game)
                else:
                    line.send(error("bad-key", "your key has run out or was revoked", about=said.game))
            case Leave():
                hall.leave(connection, said.game)
            case Hello():
                line.send(error("not-understood", "you said hello already"))


def _lives(service: Service, key: str) -> bool:
    try:
        return service.keyring.living(key) is not None
    except LedgerError:  # the database is gone: the hall says so to everybody
        return True


async def _text(socket: WebSocket, seconds: float | None = None) -> str | bytes:
    async with asyncio.timeout(seconds):
        message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", _AWAY))
    text: str | bytes | None = message.get("text")
    return text if text is not None else bytes(message["bytes"])


async def _closed(socket: WebSocket, refused: _RefusedError) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_json(error(refused.code, str(refused)))
        await socket.close(refused.close)
