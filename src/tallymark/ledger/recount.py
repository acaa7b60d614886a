"""A pool's stream recounted, entry by entry, from nothing but itself.

Each entry that is about something received holds that as it was received; folded again, it has to give the very bytes
that stand in the stream, and what the fold writes of its own accord has to stand there too. The first entry that does
not follow is named.
"""

import re
from array import array
from binascii import hexlify
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, NoReturn

import numpy as np
from orjson import loads

from tallymark.errors import BrokenChainError, InputError, LedgerError, TallymarkError
from tallymark.games.ids import Id
from tallymark.ledger.bundle import BODY, body_of, end_line
from tallymark.ledger.closer import Closer, Closing
from tallymark.ledger.entries import FORMAT, GENESIS, Entry, chained, opened
from tallymark.ledger.fold.folding import fold
from tallymark.ledger.fold.items import Received, commands
from tallymark.ledger.fold.rows import Row
from tallymark.ledger.fold.seats import ArraySeats, ListSeats
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.items import item_of, items_of
from tallymark.ledger.known import Known
from tallymark.ledger.rules import rules_in
from tallymark.ledger.uncollected import uncollected
from tallymark.ledger.windows import EARLIEST, LATEST, together
from tallymark.methodology import Methodology
from tallymark.replay.engines import Engine

_HASH: Final = re.compile(rb"[0-9a-f]{64} ")
_OPENED: Final = b'{"n":1,"kind":"opened",'
_SHOWN: Final = 60


class Followed(NamedTuple):
    """Entries that follow, and for each what it is about, as it was received; None where it is about nothing."""

    entries: list[Entry]
    items: list[Received | None]


class Recount:
    """One pool, from its first entry on. `LedgerError` where that is of another format or program.

    `history`: the entries from a position to another, of those that were handed in; the fold may ask for them again.
    """

    def __init__(
        self, first: bytes, engine: Engine, history: Callable[[int, int], Iterable[Entry]], closing: bool = False
    ) -> None:
        self._engine = engine
        self._closer = Closer() if closing else None
        self._known = Known(history)
        self._lines: list[bytes] = []  # read, and not yet composed again
        self._items: list[Received | None] = []  # what they are about
        self._ahead: list[Entry] = []  # composed again, and not yet read
        self._ids = array("q")  # hashes of the ids of all items: eight bytes an entry are all that grows with a stream
        self.position, self.hash = 0, GENESIS
        self.pool, self.methodology, at = self._opened(first)
        self.position, self.hash = 1, chained(GENESIS, body_of(first))
        self.stand = Stand(1, self.hash, 1, at)
        self._seats: type[ListSeats | ArraySeats] | None = None
        if not closing:
            self._seats = ArraySeats if engine == "compiled" else ListSeats
        if self._seats is not None:
            self._known.sit(self.methodology, self._seats)
        self.first = Followed([Entry(1, self.hash, body_of(first))], [None])

    @property
    def players(self) -> dict[Id, Row]:
        """Where everybody stands, in a recount that closes windows."""
        return self._known.players

    @property
    def player_count(self) -> int:
        """How many players there are."""
        return self._known.count

    def follow(self, lines: Sequence[bytes]) -> Followed:
        """Recounts the entries of the next lines, and gives those that are done with. `BrokenChainError` names the
        first that does not follow."""
        with uncollected():
            items = items_of(lines)
            self._lines += lines
            self._items += items
            self._fold([item for item in items if item is not None])
            return self._compared()

    def closings(self) -> list[Closing]:
        """The windows that are over since this was asked last, where the recount was told to close them."""
        return [] if self._closer is None else self._closer.taken()

    def finish(self) -> None:
        """Says that the stream ends here."""
        if self._lines:
            self._refuse(None)
        if self._ahead:
            raise self._broken(f"is missing; a recount has {_excerpt(self._ahead[0].body, 0)}")
        twice = self._twice()
        if twice is not None:
            raise twice

    def end(self, line: bytes) -> None:
        """Looks at the line that stands behind the last entry."""
        expected = end_line(self.position, self.hash)
        if line != expected:
            told = line[: len(expected)].decode("utf-8", "backslashreplace")
            raise self._broken(f"does not begin where the stream ends: {told!r}; expected {expected.decode()!r}")

    def _opened(self, first: bytes) -> tuple[str, Methodology, int]:
        body = body_of(first)
        if not (_HASH.match(first) or body.startswith(_OPENED)):
            raise LedgerError(f"this begins with {_excerpt(first.rstrip(), 0)}", hint=_NO_EXPORT)
        self._refuse_hash(first)
        try:
            told = loads(body)
            form, pool, at, text = told["format"], str(told["pool"]), int(told["at"]), str(told["text"])
        except (KeyError, TypeError, ValueError):
            raise LedgerError(f"this begins with {_excerpt(body, 0)}", hint=_NO_EXPORT) from None
        if form != FORMAT:
            raise LedgerError(f"this is of the format {form!r}; expected {FORMAT!r}", hint="a newer tallymark reads it")
        try:
            rules = rules_in(body, 1)
        except TallymarkError as error:
            raise self._broken(f"brings no methodology: {error}", error.hint) from None
        if not EARLIEST <= at <= LATEST:
            raise self._broken(f"is settled at {at}, which is no time")
        again = opened(at, pool, rules, text)
        if again != body:
            raise self._broken(_difference(body, again))
        return pool, rules, at

    def _fold(self, items: Sequence[Received]) -> None:
        while items:
            count = self._together(items)
            some, items = items[:count], items[count:]
            try:
                folded = fold(self.stand, self.methodology, self._known, some, self._engine, self._known.seats)
                if folded.stand.at > LATEST:  # it never falls
                    raise InputError(f"it is settled at {folded.stand.at}, which is no time")
            except (MemoryError, OSError):
                raise
            except Exception as error:  # whatever bytes from elsewhere make of it
                if count > 1:
                    self._fold(some[: count // 2])
                    self._fold(some[count // 2 :])
                    continue
                self._compared()
                self._cannot(error)
            if self._closer is not None:
                self._closer.look(self.stand, self.methodology, self.players, folded)
            self._known.take(folded.rows)
            if self._seats is not None and folded.rules is not self.methodology:
                self._known.sit(folded.rules, self._seats)
            self.stand, self.methodology = folded.stand, folded.rules
            self._ahead += folded.entries

    def _together(self, items: Sequence[Received]) -> int:
        """How many items are folded at once: up to the end of a window that is to be closed; and in front of seats, a
        command alone, for players who were rated there are not put back where something behind them cannot be folded.
        """
        if self._closer is not None:
            return together(self.stand.at, [item.received for item in items])
        if self._known.seats is not None:
            first = next(iter(commands(items)), len(items))
            return first or 1
        return len(items)

    def _compared(self) -> Followed:
        done = 0
        for line, (position, link, body, _) in zip(self._lines, self._ahead, strict=False):
            if line != b"%b %b\n" % (hexlify(link), body):
                del self._lines[:done]
                self._refuse(body)
            self.position, self.hash = position, link
            done += 1
        followed = Followed(self._ahead[:done], self._items[:done])
        self._ids.extend([hash(item.key) for item in followed.items if item is not None])
        for rows in (self._lines, self._items, self._ahead):
            del rows[:done]
        return followed

    def _cannot(self, error: Exception) -> NoReturn:
        """Names the entry of the first item that waits: it cannot be folded."""
        for line, item in zip(self._lines, self._items, strict=True):
            self._refuse_hash(line)
            if item is not None:
                break
            self.position, self.hash = self.position + 1, chained(self.hash, body_of(line))
        if isinstance(error, LedgerError):  # of another version, not broken
            raise LedgerError(f"{self._entry()}: {error}", hint=error.hint) from None
        told = str(error) if isinstance(error, TallymarkError) else repr(error)
        raise self._broken(f"cannot be recounted: {told}") from error

    def _refuse(self, again: bytes | None) -> NoReturn:
        """Names the entry that waits: a recount has other bytes there, or None."""
        line = self._lines[0]
        if not line.endswith(b"\n"):
            raise self._broken("is cut short: its line has no end", hint="export it again")
        self._refuse_hash(line)
        if again is None:
            raise self._broken(f"follows from nothing that was received: {_excerpt(body_of(line), 0)}")
        raise self._broken(_difference(body_of(line), again))

    def _refuse_hash(self, line: bytes) -> None:
        """Names the next entry where its hash is not that of its bytes and those before."""
        link = hexlify(chained(self.hash, body_of(line))) + b" "
        if line[:BODY] != link:
            found, expected = (_excerpt(one, 0) for one in (line[:BODY], link))
            raise self._broken(f"has the hash {found!r}; of its bytes and the hash before it is {expected!r}")

    def _twice(self) -> BrokenChainError | None:
        """What says that something was taken in twice, each time as if it were new."""
        ids = np.frombuffer(self._ids, np.int64)
        ids.sort()
        again = set(ids[1:][ids[1:] == ids[:-1]].tolist())
        if not again:
            return None
        first: dict[object, int] = {}
        for entry in self._known.entries(1, self.position):
            item = item_of(entry.body)
            if item is not None and hash(item.key) in again:
                before = first.setdefault(item.id, entry.position)
                if before != entry.position:
                    return BrokenChainError(
                        f"entry {entry.position:,} of {self.pool!r} is about {item.id!r} again: entry {before:,} was",
                        position=entry.position,
                    )
        return None

    def _broken(self, message: str, hint: str | None = None) -> BrokenChainError:
        twice = self._twice() if self.position else None
        if twice is not None:
            return twice
        return BrokenChainError(f"{self._entry()} {message}", position=self.position + 1, hint=hint)

    def _entry(self) -> str:
        return f"entry {self.position + 1:,}" + (f" of {self.pool!r}" if self.position else "")


class Stretch(NamedTuple):
    """Entries of a pool that follow, in their order; `over`: the pool has no more."""

    recount: Recount
    done: Followed
    over: bool = False


_NO_EXPORT: Final = "it is no export of a ledger; `tallymark export` writes those"


def _difference(told: bytes, again: bytes) -> str:
    at = next((n for n, (x, y) in enumerate(zip(told, again, strict=False)) if x != y), min(len(told), len(again)))
    begin = max(0, at - _SHOWN // 3)
    return f"does not follow: it has {_excerpt(told, begin)}, where a recount has {_excerpt(again, begin)}"


def _excerpt(text: bytes, begin: int) -> str:
    some = text[begin : begin + _SHOWN].decode("utf-8", "backslashreplace")
    return ("..." if begin else "") + repr(some)[1:-1] + ("..." if begin + _SHOWN < len(text) else "")
