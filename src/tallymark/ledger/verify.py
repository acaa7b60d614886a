"""Verify: the chain and a full recount, of an export from itself alone, or of a ledger and what it shows."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, get_args

from tallymark.checked import shortened
from tallymark.errors import BrokenChainError, InputError, LedgerError
from tallymark.games.progress import Progress, silent
from tallymark.ledger.bundle import END, Bundle
from tallymark.ledger.recount import Followed, Recount, Stretch
from tallymark.replay.engines import Engine


class Pool(NamedTuple):
    """A pool whose stream follows: its name, its last entry, that one's hash (in hex), and how many players it has."""

    pool: str
    position: int
    hash: str
    players: int


class Verified(NamedTuple):
    """What was recounted, pool by pool."""

    pools: list[Pool]

    @property
    def entries(self) -> int:
        """Entries of all pools."""
        return sum(pool.position for pool in self.pools)


_AT_ONCE: Final = 1 << 16
"""Bytes of a file read at once: what is made of them stays near the processor."""
_LARGE: Final = 256 * 1024 * 1024
"""Bytes of a file from which on compiled code pays, which takes seconds to load."""


def verify(
    where: str | os.PathLike[str],
    head: str | Iterable[str] = (),
    engine: Engine = "auto",
    progress: Progress = silent,
) -> Verified:
    """Recounts an export, or a ledger by its file or URL, whose projections are compared with the recount then.

    `BrokenChainError` names the first entry that does not follow; `LedgerError` where a file is no export or is cut
    short, and where a projection is not what its entries say (`tallymark ledger rebuild` puts that right).

    `head`: `POSITION:HASH` as noted from a ledger before, one or several: the streams have to go through those entries.
    Without one, a stream that was cut and ended anew looks like one that was never longer.

    `engine`: interpreted, compiled, or by the size of the file; all give the same. Memory grows with players, and by
    eight bytes an entry.

    >>> import os, tempfile
    >>> from tallymark.ledger.ledger import Ledger
    >>> folder = tempfile.mkdtemp()
    >>> with Ledger.open(os.path.join(folder, "club.db"), create=True) as ledger:
    ...     ledger.open_pool("ladder", "arena")
    ...     receipt = ledger.append({"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 1}, pool="ladder")
    ...     settled = ledger.settle()
    ...     exported = ledger.export(os.path.join(folder, "club.tally"))
    >>> verify(os.path.join(folder, "club.tally")).entries
    2
    """
    if engine not in get_args(Engine):
        raise InputError(f"engine is {shortened(engine)}; expected auto, interpreted or compiled")
    heads = Heads([head] if isinstance(head, str) else head)
    pools: list[Pool] = []
    found = of_ledger(where, engine, progress) if is_ledger(where) else stretches(Path(where), engine, progress)
    for stretch in found:
        heads.look(stretch)
        if stretch.over:
            pools.append(told_of(stretch.recount))
    heads.settle(pools)
    return Verified(pools)


_SQLITE: Final = b"SQLite format 3\0"


def is_ledger(where: str | os.PathLike[str]) -> bool:
    """Whether it is a database rather than an export: a URL, or a file that begins as those of SQLite do."""
    text = os.fspath(where)
    if "://" in text:
        return True
    try:
        if not Path(text).is_file():  # what a pipe has can be read only once
            return False
        with Path(text).open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except (OSError, ValueError):  # said where it is read
        return False


def of_ledger(where: str | os.PathLike[str], engine: Engine, progress: Progress) -> Iterator[Stretch]:
    """A ledger recounted, and its projections compared."""
    from tallymark.ledger.live import recounted  # an export is verified without a database

    return recounted(where, engine, progress)


def told_of(recount: Recount) -> Pool:
    """What there is to tell of a pool."""
    return Pool(recount.pool, recount.position, recount.hash.hex(), recount.player_count)


def stretches(path: Path, engine: Engine, progress: Progress, closing: bool = False) -> Iterator[Stretch]:
    """An export recounted from the first entry to the last; `closing`: windows are closed on the way."""
    bundle = Bundle(path)
    if engine == "auto":
        engine = "compiled" if bundle.size > _LARGE and not closing else "interpreted"
    recount: Recount | None = None
    pools: list[str] = []
    for lines in bundle.blocks(_AT_ONCE, progress):
        if recount is None:
            recount = Recount(lines[0], engine, partial(bundle.entries, len(pools)), closing)
            if recount.pool in pools:
                raise LedgerError(f"{path} has the pool {recount.pool!r} twice", hint="they are of two ledgers")
            yield Stretch(recount, recount.first)
            lines = lines[1:]
        if lines and lines[0].startswith(END):
            recount.finish()
            recount.end(lines[0])
            yield Stretch(recount, Followed([], []), over=True)
            pools.append(recount.pool)
            recount = None
        elif lines:
            yield Stretch(recount, recount.follow(lines))
    if recount is not None:
        recount.finish()
        raise LedgerError(
            f"{path} is cut short behind entry {recount.position:,} of {recount.pool!r}: the line that ends a pool is "
            "missing",
            hint="export it again",
        )
    if not pools:
        raise LedgerError(f"{path} is empty; expected an export of a ledger", hint="tallymark export writes those")


class Heads:
    """Heads noted before, which the streams have to go through.

    >>> Heads(["7:" + "0" * 64]).settle([])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tallymark.errors.BrokenChainError: no stream goes through entry 7 with the hash ...
    hint: the stream was cut and ended anew, or it is of another ledger
    """

    def __init__(self, noted: Iterable[str]) -> None:
        self._noted = [_noted(text) for text in noted]
        self._met: set[tuple[int, bytes]] = set()

    def look(self, stretch: Stretch) -> None:
        """Takes note of those that these entries are."""
        entries = stretch.done.entries
        for position, link in self._noted:
            place = position - entries[0].position if entries else -1
            if 0 <= place < len(entries) and entries[place].hash == link:
                self._met.add((position, link))

    def settle(self, pools: Sequence[Pool]) -> None:
        """`BrokenChainError` for one that no stream goes through."""
        for position, link in self._noted:
            if (position, link) in self._met:
                continue
            longest = max((pool.position for pool in pools), default=0)
            short = f", the longest ends with entry {longest:,}" if longest < position else ""
            raise BrokenChainError(
                f"no stream goes through entry {position:,} with the hash {link.hex()[:16]}...{short}",
                position=min(position, longest + 1),
                hint="the stream was cut and ended anew, or it is of another ledger",
            )


def _noted(text: str) -> tuple[int, bytes]:
    found = re.fullmatch(r"([1-9][0-9]{0,17}):([0-9a-f]{64})", text)
    if found is None:
        raise InputError(f"head is {shortened(text)}; expected POSITION:HASH, as an export's end line has them")
    return int(found[1]), bytes.fromhex(found[2])
