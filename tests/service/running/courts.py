"""A site with cases for tests: a ledger with the pool `go`, some matches in it, and a clock moved by hand."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from clubs import Clock

import tallymark as tm
from tallymark.service import schema
from tallymark.service.cases.cases import Cases

POOL = "go"
MATCHES = [("m1", "ann", "bob", 1), ("m2", "bob", "cid", 1), ("m3", "cid", "ann", 0), ("m4", "ann", "dan", 0.5)]


class Court:
    """Cases of one ledger."""

    def __init__(self, ledger: tm.Ledger, clock: Clock, approvers: int, seed: int = 1) -> None:
        self.ledger, self.clock = ledger, clock
        self.cases = Cases(ledger, clock, random.Random(seed), approvers=approvers)

    def reviewed(self, match: str = "m3") -> str:
        """A case about a match that is under review."""
        case = self.cases.flag(POOL, "somebody", "they know each other", match=match)
        self.cases.act(case, "review", "rosa", "I look at it")
        return case

    def corrections(self) -> list[bytes]:
        """The entries that are no matches, but the first, when the cases know of them."""
        self.ledger.settle()
        self.cases.finish()
        return self.entered()

    def entered(self) -> list[bytes]:
        """The same, and the cases need not know of it yet."""
        self.ledger.settle()
        entries = self.ledger.entries(POOL, 1, 1000)
        return [entry.body for entry in entries if b'"command":"' in entry.body]


@contextmanager
def opened(url: str, approvers: int = 2, rules: tm.Methodology | str = "arena-v0") -> Iterator[Court]:
    """A court on a new ledger."""
    clock = Clock()
    with tm.Ledger.open(url, create=True, clock=clock) as ledger:
        ledger.open_pool(POOL, rules)
        schema.upgraded(ledger.store)
        for match, a, b, score in MATCHES:
            told = {"voter": "v-1"} if match == "m1" else {}
            ledger.append({"id": match, "player_a": a, "player_b": b, "score_a": score, "data": told}, pool=POOL)
        ledger.settle()
        court = Court(ledger, clock, approvers)
        yield court
        court.cases.background.stop()
