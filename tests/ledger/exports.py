"""Ledgers with something in them, their exports, and exports that somebody has tampered with."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tallymark.ledger.entries import GENESIS, chained
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Given

PEOPLE = ("ann", "bob", "cid", 4, "4", "été")


def ticking(start: int = 1_780_000_000_000_000) -> Callable[[], int]:
    """A clock that goes on by a second each time that it is asked."""
    now = [start]

    def clock() -> int:
        now[0] += 1_000_000
        return now[0]

    return clock


def some_matches(count: int = 12, first: int = 0) -> list[Given]:
    """Matches as different as they come: plain ones, one without a result, several sides, a client's own data."""
    out: list[Given] = []
    for n in range(first, first + count):
        a, b = PEOPLE[n % 6], PEOPLE[(n * 5 + 1 + n // 6) % 6]
        if a == b:
            b = "dee"
        match: dict[str, object] = {"id": f"m{n}", "player_a": a, "player_b": b, "score_a": (1, 0.5, 0)[n % 3]}
        if n % 4 == 1:
            match["played_at"] = f"2026-01-{n % 28 + 1:02}T18:30:00Z"
        if n % 6 == 3:
            match["score_a"] = None
        if n % 6 == 4:
            sides = [{"players": [a, "eve"], "rank": 1}, {"player": b, "rank": 2}, {"player": "fay", "rank": 2}]
            match = {"id": n, "sides": sides}
        if n % 6 == 5:
            match["data"] = {"match": {"after": [1, '],"after":[']}, "reason": '","reason":"x'}
            match["ending"] = "resignation"
        out.append(match)  # type: ignore[arg-type]
    return out


def filled(where: str | Path, pools: Sequence[tuple[str, str]] = (("p", "arena"),), count: int = 12) -> Ledger:
    """A ledger of some pools, (name, methodology), each with matches that are rated."""
    ledger = Ledger.open(where, create=True, clock=ticking())
    for name, rules in pools:
        ledger.open_pool(name, rules)
        ledger.append_many(some_matches(count), pool=name)
    ledger.settle()
    return ledger


def chained_again(lines: Sequence[bytes]) -> bytes:
    """The entries of these lines, of one pool, with hashes as if nothing had happened, and an end."""
    link, out = GENESIS, b""
    for line in lines:
        body = line[65:]
        link = chained(link, body)
        out += b"%b %b\n" % (link.hex().encode(), body)
    return out + b"end %d %b\n" % (len(lines), link.hex().encode())
