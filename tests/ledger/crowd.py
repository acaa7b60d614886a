"""Many at once on one ledger: writers that send twice, raters, whoever is killed; and what must be true afterwards."""

import json
import multiprocessing as mp
import os
import random
import resource
import signal
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import orjson
from sqlalchemy import event
from told import Clock, bodies, rows

from tallymark.errors import LedgerError
from tallymark.ledger.entries import GENESIS, chained, item_in, prefix
from tallymark.ledger.inbox import Receipt
from tallymark.ledger.ledger import Ledger

POOL = "p"
PLAYERS = [f"p{n:02}" for n in range(20)]
Match = dict[str, Any]

# A server that has loaded everything forks each process: 0.02 s instead of 1 s.
PROCESSES = mp.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    ["tallymark.ledger.ledger", "sqlalchemy.dialects.sqlite", "psycopg", "tallymark.service.serving"]
)


Answer = tuple[str, float, int | None, bool]
"""Id, score, the receipt where it was told, and whether it was received (or else in conflict)."""


class Told(Protocol):
    """Writers that are done."""

    def answers(self) -> list[Answer]:
        """What they were told."""
        ...


def sends(count: int, writers: int, seed: int) -> list[list[Match]]:
    """What each writer sends: of all that is sent a third was sent before, by anybody, an eighth of that with another
    content."""
    rng = random.Random(seed)
    distinct = [_match(f"m{n}", rng) for n in range(count - count // 3)]
    again = [rng.choice(distinct) for _ in range(count // 3)]
    changed = [_match(one["id"], rng) if rng.random() < 1 / 8 else one for one in again]
    mixed = distinct + changed
    rng.shuffle(mixed)
    return [mixed[n::writers] for n in range(writers)]


def _match(name: str, rng: random.Random) -> Match:
    a, b = rng.sample(PLAYERS, 2)
    return {"id": name, "player_a": a, "player_b": b, "score_a": rng.choice([0, 0.5, 1])}


def write(url: str, mine: list[Match], told: str, batch: int) -> None:
    """Sends from where it stopped, in batches; notes each answer when it has it; sends again what failed."""
    path = Path(told)
    done = path.read_bytes().count(b"\n") if path.exists() else 0
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    ledger = _opened(url)
    while done < len(mine):
        some = mine[done : done + batch]
        try:
            found = ledger.append_many(some, pool=POOL)
        except LedgerError as error:
            _pause(error)
            continue
        lines = [
            orjson.dumps([one["id"], one["score_a"], answer.number, isinstance(answer, Receipt)])
            for one, answer in zip(some, found, strict=True)
        ]
        # One write, so that a kill leaves whole lines.
        os.write(descriptor, b"".join(line + b"\n" for line in lines))
        done += len(some)
    os.close(descriptor)
    ledger.close()


def rate(url: str, stop: str) -> None:
    """Rates what comes, and the rest when it is told to stop: by a file, for a lock dies with whoever holds it."""
    ledger = _opened(url)
    while True:
        last = Path(stop).exists()
        try:
            if not ledger.settle() and last:
                break
        except LedgerError as error:
            _pause(error)
        _wait(0.002)
    ledger.close()


def settle_all(url: str, count: int, ready: Barrier) -> None:
    """Rates in small batches, against others who do, until `ann` has so many games."""
    with Ledger.open(url) as ledger:
        ready.wait(60)
        while (found := rows(ledger, POOL).get("ann")) is None or found.games < count:
            ledger.settle(most=7)


def fill(url: str, largest: int, told: str) -> None:
    """Appends until the disk is full, or the file as large as it may be; notes what was acknowledged, and the error."""
    if largest:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    path = Path(told)
    with Ledger.open(url) as ledger:
        for n in count():
            try:
                ledger.append(_match(f"full{n}", random.Random(n)), pool=POOL)
            except LedgerError as error:
                path.write_text(json.dumps([n, str(error), error.hint]))
                break


class Act(NamedTuple):
    """Something that is killed in the middle: what it appends, or None: it rates."""

    matches: list[Match] | None


def doomed(url: str, act: Act, step: int, told: str) -> None:
    """Does it, and dies at a step: before or after a statement or a commit. Each step is noted before it is taken."""
    descriptor = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    ledger = Ledger.open(url)
    taken = count(1)
    wrote = False

    def reach(when: str, what: str) -> None:
        nonlocal wrote
        wrote |= what.startswith(("INSERT", "UPDATE", "DELETE"))
        os.write(descriptor, f"{when} {' '.join(what.split()[:3])}\n".encode())
        if next(taken) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    engine = ledger._store.writes
    event.listen(engine, "before_cursor_execute", lambda c, cursor, what, *rest: reach("before", what))
    event.listen(engine, "after_cursor_execute", lambda c, cursor, what, *rest: reach("after", what))
    commit = engine.dialect.do_commit

    def do_commit(connection: Any) -> None:
        nonlocal wrote
        name = "COMMIT" if wrote else "COMMIT of reading"
        reach("before", name)
        commit(connection)
        reach("after", name)
        wrote = False

    setattr(engine.dialect, "do_commit", do_commit)  # noqa: B010
    if act.matches is None:
        ledger.settle()
    else:
        ledger.append_many(act.matches, pool=POOL)
    ledger.close()


def _opened(url: str) -> Ledger:
    while True:
        try:
            return Ledger.open(url)
        except LedgerError as error:
            _pause(error)


def _pause(error: LedgerError) -> None:
    """A database that is gone may come back; anything else is the defect that this looks for."""
    gone = ("onnection", "shutting down", "starting up", "terminating", "recovery mode")
    if not any(word in str(error) for word in gone):
        raise error
    _wait(0.02)


def _wait(seconds: float) -> None:
    threading.Event().wait(seconds)


class Crowd:
    """Writers and raters on one ledger, each a process."""

    def __init__(self, url: str, folder: Path, shares: Sequence[list[Match]], batches: Sequence[int]) -> None:
        with Ledger.open(url, create=True) as ledger:
            ledger.open_pool(POOL, "arena")
        self._url, self._folder, self._shares, self._batches = url, folder, shares, batches
        self._stop = folder / "stop"
        self.writers: dict[int, ForkServerProcess] = {}
        self.raters: dict[int, ForkServerProcess] = {}

    def start_writer(self, n: int) -> None:
        """Starts one, again where it stopped."""
        batch = self._batches[n % len(self._batches)]
        told = str(self._folder / f"told{n}")
        self.writers[n] = PROCESSES.Process(target=write, args=(self._url, self._shares[n], told, batch), daemon=True)
        self.writers[n].start()

    def start_rater(self, n: int) -> None:
        """Starts one."""
        self.raters[n] = PROCESSES.Process(target=rate, args=(self._url, str(self._stop)), daemon=True)
        self.raters[n].start()

    def answered(self) -> int:
        """Bytes of answers that writers have noted: a measure of how far they are."""
        return sum(path.stat().st_size for path in self._folder.glob("told*")) // 20

    def finish(self) -> None:
        """Waits for all; nobody may have had an error."""
        for process in self.writers.values():
            process.join(300)
        self._stop.touch()
        for process in self.raters.values():
            process.join(300)
        codes = [process.exitcode for process in (*self.writers.values(), *self.raters.values())]
        assert codes == [0] * len(codes)

    def answers(self) -> list[Answer]:
        """What the writers were told."""
        lines = [line for n in self.writers for line in (self._folder / f"told{n}").read_text().splitlines()]
        return [tuple(json.loads(line)) for line in lines]


def killed(
    crowd: Crowd, kills: int, seed: int, restarts: Sequence[Callable[[], None]] = (), patience: float = 0.3
) -> dict[str, int]:
    """Kills processes at random moments, of writing and of rating, and starts them again; between kills the database
    is restarted. How many of each kind died of it: who had finished is not counted. `patience`: seconds that answers
    may not come before the next kill."""
    rng = random.Random(seed)
    again = {kills * (n + 1) // (len(restarts) + 1): restart for n, restart in enumerate(restarts)}
    died = {"writers": 0, "raters": 0}
    for n in range(kills):
        if n in again:
            again[n]()
        goal = crowd.answered() + rng.randrange(60)  # so many answers later, if they come
        limit = rng.uniform(0.0, patience)
        while limit > 0 and crowd.answered() < goal:
            _wait(0.002)
            limit -= 0.002
        writing = [one for one, process in sorted(crowd.writers.items()) if process.is_alive()]
        if writing and rng.random() < 0.5:
            kind, processes, victim, start = "writers", crowd.writers, rng.choice(writing), crowd.start_writer
        else:
            kind, processes, victim, start = "raters", crowd.raters, rng.choice(sorted(crowd.raters)), crowd.start_rater
        processes[victim].kill()
        processes[victim].join(60)
        died[kind] += processes[victim].exitcode == -9
        start(victim)
    return died


class Counted(NamedTuple):
    """What a ledger has in the end."""

    distinct: int
    conflicts: int


def checked(url: str, folder: Path, crowd: Told, shares: Sequence[list[Match]]) -> Counted:
    """Everything that must be true when all is sent and rated, or an AssertionError."""
    answers = crowd.answers()
    assert len(answers) == sum(map(len, shares))  # every send has its answer
    with Ledger.open(url) as ledger:
        assert ledger.settle() == 0
        stream = bodies(ledger, POOL)
        standing = rows(ledger, POOL)
        numbers = _receipts(ledger)
    matches = [orjson.loads(item_in(body, "rated") or b"") for body in stream[1:]]
    # Each distinct match rated once, and nothing else.
    assert sorted(match["id"] for match in matches) == sorted({one["id"] for share in shares for one in share})
    # The receipt of an id is one for ever, and its content is what was acknowledged under it.
    by_id = {match["id"]: (numbers[n], match["score_a"]) for n, match in enumerate(matches)}
    for name, score, number, received in answers:
        assert number in (by_id[name][0], None)
        assert not received or score == by_id[name][1]
    # No update is lost: everybody's games are those of the stream.
    played = Counter(player for match in matches for player in (match["player_a"], match["player_b"]))
    assert {player: row.games for player, row in standing.items()} == dict(played)
    # The chain holds, and a recount, its batches cut elsewhere, gives the same bytes and the same rows.
    assert _heads(stream)[-1] == _last_hash(url)
    again, rows_again = recounted(stream, folder)
    assert again == stream
    assert rows_again == standing
    return Counted(len(matches), sum(not received for *_, received in answers))


def recounted(stream: Sequence[bytes], folder: Path) -> tuple[list[bytes], dict[Any, Any]]:
    """The stream and the rows of a new ledger that is told the same at the same times."""
    clock = Clock(prefix(stream[0]).at)
    path = folder / "again.db"
    with Ledger.open(path, create=True, clock=clock) as ledger:
        ledger.open_pool(POOL, "arena")
        start = 1
        while start < len(stream):
            clock.now = prefix(stream[start]).at
            end = start + 1
            while end < len(stream) and prefix(stream[end]).at == clock.now:
                end += 1
            ledger.append_many([item_in(body, "rated") or b"" for body in stream[start:end]], pool=POOL)
            start = end
        ledger.settle(most=777)
        found = bodies(ledger, POOL), rows(ledger, POOL)
    path.unlink()
    return found


def _heads(stream: Sequence[bytes]) -> list[bytes]:
    links = [GENESIS]
    for body in stream:
        links.append(chained(links[-1], body))
    return links


def _last_hash(url: str) -> bytes:
    from sqlalchemy import text

    from tallymark.ledger.store import open_store

    store = open_store(url)
    with store.reading() as connection:
        entry = connection.scalar(text("SELECT hash FROM entry ORDER BY position DESC LIMIT 1"))
        head = connection.scalar(text("SELECT hash FROM head"))
    store.close()
    assert entry == head
    return bytes(entry)


def _receipts(ledger: Ledger) -> list[int]:
    from sqlalchemy import text

    with ledger._store.reading() as connection:
        found = connection.scalars(text("SELECT receipt FROM entry WHERE receipt IS NOT NULL ORDER BY position"))
        return list(found)
