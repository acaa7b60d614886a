"""How long it takes from the acknowledgement of a match until a listener of the stream has its entry.

Matches are sent singly over 16 connections at a given pace, while a hundred listen. One process
sends and listens, so that one clock measures both ends; all but one of the listeners read and look at nothing.
"""

import asyncio
import json
import random
import subprocess
import sys
from typing import Final

PATH: Final = "/v1/pools/chess/matches"
LISTENERS: Final = 100
_CONNECTIONS: Final = 16
_PATIENCE: Final = 30.0


class Live:
    """A run: matches by their ids, when each was acknowledged and when the stream told of it."""

    def __init__(self, port: int, key: str, name: str) -> None:
        self._port, self._key, self._name = port, key, name
        self.acknowledged: dict[str, float] = {}
        self.told: dict[str, float] = {}
        self._rng = random.Random(name)

    async def run(self, pace: float, count: int, listeners: int) -> list[float]:
        """Seconds from acknowledged to told, the shortest first. `pace`: matches a second."""
        loop = asyncio.get_running_loop()
        ready = [asyncio.create_task(self._listen()) for _ in range(listeners)]
        streams = await asyncio.gather(*ready)
        reading = [asyncio.create_task(self._read(reader, n == 0)) for n, (reader, _) in enumerate(streams)]
        began = loop.time()
        share = count // _CONNECTIONS
        await asyncio.gather(*(self._send(number, share, pace, began) for number in range(_CONNECTIONS)))
        async with asyncio.timeout(_PATIENCE):
            while len(self.told) < share * _CONNECTIONS:
                await asyncio.sleep(0.01)
        for task in reading:
            task.cancel()
        for _, writer in streams:
            writer.close()
        return sorted(self.told[one] - self.acknowledged[one] for one in self.told)

    async def _listen(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        writer.write(b"GET /v1/pools/chess/stream HTTP/1.1\r\nHost: x\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        return reader, writer

    async def _read(self, reader: asyncio.StreamReader, looks: bool) -> None:
        loop = asyncio.get_running_loop()
        if not looks:
            while await reader.read(1 << 16):
                pass
            return
        while True:
            line = await reader.readline()  # events are lines, and the frames of HTTP are lines of their own
            if line.startswith(b"data: "):
                self.told[json.loads(line[6:])["match"]["id"]] = loop.time()

    async def _send(self, number: int, count: int, pace: float, began: float) -> None:
        loop = asyncio.get_running_loop()
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        for n in range(count):
            due = began + (n * _CONNECTIONS + number) / pace
            await asyncio.sleep(max(0.0, due - loop.time()))
            a, b = self._rng.sample(range(1000), 2)
            name = f"{self._name}-{number}-{n}"
            text = json.dumps({"player_a": f"p{a}", "player_b": f"p{b}", "score_a": self._rng.choice([0, 0.5, 1])})
            head = (
                f"PUT {PATH}/{name} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self._key}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
            )
            writer.write((head + text).encode())
            answer = await reader.readuntil(b"\r\n\r\n")
            self.acknowledged[name] = loop.time()
            assert answer.startswith(b"HTTP/1.1 201"), answer
            length = int(answer.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
            await reader.readexactly(length)
        writer.close()


def live(port: int, key: str, pace: float, count: int, name: str) -> dict[str, object]:
    """In a process of its own: the median and the longest but one in a hundred, in milliseconds."""
    words = [sys.executable, "-m", "benchmarks.service_live", str(port), key, str(pace), str(count), name]
    found: dict[str, object] = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return found


def main() -> None:
    """What that process does."""
    port, key, pace, count, name = sys.argv[1:]
    run = Live(int(port), key, name)
    seconds = asyncio.run(run.run(float(pace), int(count), LISTENERS))
    document = {
        "a_second": round(float(pace)),
        "listeners": LISTENERS,
        "median_ms": round(1000 * seconds[len(seconds) // 2], 1),
        "p99_ms": round(1000 * seconds[len(seconds) * 99 // 100], 1),
        "longest_ms": round(1000 * seconds[-1], 1),
    }
    print(json.dumps(document))


if __name__ == "__main__":
    main()
