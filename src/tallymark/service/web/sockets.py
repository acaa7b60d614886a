"""WebSocket connections, as far as the server below the application leaves open what one of them may cost."""

from asyncio.transports import BaseTransport
from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from tallymark.arena.hall.connection import Limits
from tallymark.service.web.buckets import Buckets
from tallymark.service.web.unsent import Unsent

STALL: Final = 10.0
"""Seconds that somebody may take nothing at all of what waits for it, where more waits than should or where it is to
go."""
_PIECE: Final = 4096
"""Bytes that are looked at together: what they make the server say is counted before more of them are."""
_POLICY: Final = 1008
_SPEED: Final = Limits()


class WebSocket(WebSocketsSansIOProtocol):
    """uvicorn's, with a limit to frames that are no messages: pings, each of which is answered whether or not the
    answers are read; pongs; pieces of a message. As many of them may come as messages; beyond that the connection is
    ended. So it is where it is to be closed and what waits for it is not taken."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Begins."""
        super().connection_made(transport)
        self._unsent = Unsent(self.transport, STALL)
        self._frames = Buckets(60 * _SPEED.a_second, _SPEED.burst)

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends."""
        super().connection_lost(exc)
        self._unsent.stop()

    def shutdown(self) -> None:
        """The server stops. Who is about to be gone is told nothing more: or nothing else would be stopped."""
        if not self.transport.is_closing():
            super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Takes what came."""
        for begin in range(0, len(data), _PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[begin : begin + _PIECE])

    def handle_ping(self) -> None:
        """Answers a ping."""
        if self._taken():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Takes an answer to a ping."""
        if self._taken():
            super().handle_pong(event)

    def handle_text(self, event: Frame) -> None:
        """Takes a message, or its beginning."""
        if event.fin or self._taken():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Takes a message, or its beginning."""
        if event.fin or self._taken():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Takes a piece of a message."""
        if self._taken():
            super().handle_cont(event)

    def keepalive_timeout(self) -> None:
        """No answer came to a ping."""
        super().keepalive_timeout()
        self._unsent.watch(last=True)

    def pause_writing(self) -> None:
        """More waits to be sent than should."""
        super().pause_writing()
        self._unsent.watch()

    async def run_asgi(self) -> None:
        """Answers, until the application has done with it."""
        await super().run_asgi()
        self._unsent.watch(last=True)

    def resume_writing(self) -> None:
        """Little waits to be sent again."""
        super().resume_writing()
        self._unsent.taken()

    def _taken(self) -> bool:
        """Counts a frame that is no message; whether it is to be looked at."""
        if self.transport.is_closing():
            return False
        left = self._frames.take("", self.loop.time())
        if left.wait:
            told = f"more than {_SPEED.burst} frames that are no messages, or {_SPEED.a_second} a second"
            self._unsent.tell(told)
            self.conn.fail(_POLICY, told)
            if self.conn.close_sent is None:  # nobody was let in yet
                self.transport.abort()
            else:
                self.handle_parser_exception()
                self._unsent.watch(last=True)
        return not left.wait
