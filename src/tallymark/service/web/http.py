"""HTTP connections, as far as the server below the application leaves open what one of them may cost."""

import asyncio
from collections.abc import Sized
from typing import Final, cast

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tallymark.service.web.unsent import Unsent

STALL: Final = 30.0
"""Seconds that somebody may take nothing at all of an answer."""
PIPELINED: Final = 100
"""Requests that may come before the one ahead of them is answered."""
HEAD: Final = 1 << 16
"""Bytes of a request before its body, behind it, or between its pieces, beside those that came in one piece with what
is before or behind them."""


class _Flow(FlowControl):
    """Reads no further while requests wait that were read already: else each answer would make room for more of them
    than it answers."""

    def __init__(self, transport: asyncio.Transport, waiting: Sized) -> None:
        super().__init__(transport)
        self._waiting = waiting

    def resume_reading(self) -> None:
        if not self._waiting:
            super().resume_reading()


class Http(HttpToolsProtocol):
    """uvicorn's, which ends connections that send heads without an end, more requests than it answers, or take nothing
    of their answers."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins."""
        super().connection_made(cast(asyncio.Transport, transport))
        self.flow = _Flow(self.transport, self.pipeline)
        self._unsent = Unsent(self.transport, STALL)
        self._answered: RequestResponseCycle | None = None
        self._in_head, self._head, self._inside = True, 0, True
        """Whether the head of a request is read; bytes so far of it, or of what is no body; whether the piece at hand
        is nothing else."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends: also for whom it answers, where uvicorn tells the latest of those who wait."""
        super().connection_lost(exc)
        self._unsent.stop()
        self.pipeline.clear()
        if self._answered is not None and not self._answered.response_complete:
            self._answered.disconnected = True
            self._answered.message_event.set()

    def data_received(self, data: bytes) -> None:
        """Takes what came."""
        self._inside = True
        super().data_received(data)
        if self._inside:
            self._head += len(data)
            if self._head > HEAD and not self.transport.is_closing():
                self._unsent.tell(f"a request has more than {HEAD:,} bytes that are no body")
                if self._in_head:
                    self.send_400_response("Invalid HTTP request received.")
                else:  # perhaps it is answered already, or just now
                    self.transport.abort()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head = True
        self._other()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header; what comes behind a body is read by nobody, and not kept."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """A request has begun."""
        self._in_head = False
        self._other()
        if self.transport.is_closing():  # what came in one piece with that for which it was ended
            return
        super().on_headers_complete()
        if len(self.pipeline) > PIPELINED:
            self._unsent.tell(f"more than {PIPELINED} requests came before an answer")
            self.transport.abort()

    def on_body(self, body: bytes) -> None:
        """A piece of a body."""
        self._other()
        super().on_body(body)

    def _other(self) -> None:
        """What is counted is over."""
        self._head, self._inside = 0, False

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """A request was answered."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._unsent.watch(last=True)

    def timeout_keep_alive_handler(self) -> None:
        """Nothing came for some seconds."""
        super().timeout_keep_alive_handler()
        self._unsent.watch(last=True)

    def send_400_response(self, msg: str) -> None:
        """What came is no HTTP."""
        super().send_400_response(msg)
        self._unsent.watch(last=True)

    def pause_writing(self) -> None:
        """More waits to be sent than should."""
        super().pause_writing()
        self._unsent.watch()

    def resume_writing(self) -> None:
        """Little waits to be sent again."""
        super().resume_writing()
        self._unsent.taken()
