"""Every metric of the service, in the form that Prometheus reads."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from tallymark.arena.hall.measuring import Turned
from tallymark.arena.store import matches, tickets
from tallymark.errors import LedgerError
from tallymark.ledger import entries
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.ledger import Ledger

CONTENT: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_PAGE: Final = 1000
_AT_ONCE: Final = 100 * _PAGE
"""Entries that are read for one look at the metrics: a service that begins on a long ledger counts on, look by look."""


class Metrics:
    """The metrics of one service."""

    def __init__(self, ledger: Ledger, *, arena: bool = False) -> None:
        self._registry = CollectorRegistry()
        self._requests = Histogram(
            "tallymark_request_seconds",
            "Time that requests took, by operation and status.",
            ["operation", "status"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._received = Counter(
            "tallymark_received",
            "Matches that were sent here, by what they were: new, replayed (here before) or conflict.",
            ["pool", "outcome"],
            registry=self._registry,
        )
        self._settled = Histogram(
            "tallymark_settle_seconds",
            "From acknowledged to rated: of one match a second, and of all that somebody waits for.",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._streams = Gauge("tallymark_streams", "Streams that are open.", registry=self._registry)
        self._registry.register(_Pools(ledger))
        self._arena = _Arena(self._registry) if arena else None
        if arena:
            self._registry.register(_Lobby(ledger))

    def answered(self, operation: str, status: int, seconds: float) -> None:
        """A request is done."""
        self._requests.labels(operation, str(status)).observe(seconds)

    def streams(self, readers: Callable[[], int]) -> None:
        """What tells how many streams are open."""
        self._streams.set_function(readers)

    def received(self, pool: str, found: Iterable[Receipt | Conflict]) -> None:
        """Matches came."""
        count = {"new": 0, "replayed": 0, "conflict": 0}
        for one in found:
            count["conflict" if isinstance(one, Conflict) else "replayed" if one.again else "new"] += 1
        for outcome, n in count.items():
            if n:
                self._received.labels(pool, outcome).inc(n)

    def conflict(self, pool: str) -> None:
        """An id came again with another content."""
        self._received.labels(pool, "conflict").inc()

    def settled(self, seconds: float) -> None:
        """A match was rated so long after it was acknowledged."""
        self._settled.observe(seconds)

    def turned(self, turn: Turned) -> None:
        """A turn of the arena is written and said."""
        if self._arena is not None:
            self._arena.turned(turn)

    def text(self) -> bytes:
        """All of them, as they are read."""
        return generate_latest(self._registry)


class _Arena:
    """What is counted as the arena takes its turns."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._turns = Counter("tallymark_arena_turns", "Turns of the arena.", registry=registry)
        self._share = Histogram(
            "tallymark_arena_share_seconds",
            "The referee's own share of an action: from its receipt until all that comes of it is written and said.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._ended = Counter(
            "tallymark_arena_ended", "Matches that are over, by game and reason.", ["game", "reason"], registry=registry
        )

    def turned(self, turn: Turned) -> None:
        """A turn."""
        self._turns.inc()
        for ms in turn.shares:
            self._share.observe(ms / 1000)
        for game, reason in turn.ended:
            self._ended.labels(game, reason).inc()


class _Lobby(Collector):
    """Who waits and who plays, in all processes, when somebody looks."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        waiting = GaugeMetricFamily("tallymark_arena_waiting", "Agents in the queue of a game.", labels=["game"])
        live = GaugeMetricFamily("tallymark_arena_playing", "Matches that are played now.", labels=["game"])
        with suppress(LedgerError), self._ledger.store.reading() as connection:
            for game, (count, _) in tickets.lengths(connection).items():
                waiting.add_metric([game], count)
            for game, count in matches.playing(connection).items():
                live.add_metric([game], count)
        yield from (waiting, live)


class _Pools(Collector):
    """What is asked of the ledger when somebody looks."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._seen: dict[str, int] = {}
        self._kinds: dict[tuple[str, str], int] = {}
        self._reasons: dict[tuple[str, str], int] = {}

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        head = GaugeMetricFamily("tallymark_head", "Position of the last entry.", labels=["pool"])
        backlog = GaugeMetricFamily("tallymark_backlog", "Received, and not yet rated.", labels=["pool"])
        age = GaugeMetricFamily(
            "tallymark_backlog_seconds", "How long the oldest of what waits has done so.", labels=["pool"]
        )
        behind = GaugeMetricFamily(
            "tallymark_clock_behind_seconds",
            "How far the clock is behind the time of the last entry: far, where it was wrong now or then.",
            labels=["pool"],
        )
        up = GaugeMetricFamily("tallymark_ledger_up", "1 where the ledger can be read, 0 where it cannot.")
        now = self._ledger.now()
        try:
            for pool in self._ledger.backlogs():
                head.add_metric([pool.pool], pool.position)
                backlog.add_metric([pool.pool], pool.waiting)
                since = now if pool.waiting_since is None else pool.waiting_since
                age.add_metric([pool.pool], max(0, now - since) / 1e6)
                behind.add_metric([pool.pool], max(0, pool.settled - now) / 1e6)
                self._count(pool.pool, pool.position)
        except LedgerError:  # what was counted before is still true
            up.add_metric([], 0)
        else:
            up.add_metric([], 1)
        kinds = CounterMetricFamily("tallymark_entries", "Entries by their kind.", labels=["pool", "kind"])
        for (name, kind), count in sorted(self._kinds.items()):
            kinds.add_metric([name, kind], count)
        reasons = CounterMetricFamily(
            "tallymark_not_rated", "Matches that are not rated, by reason.", labels=["pool", "reason"]
        )
        for (name, reason), count in sorted(self._reasons.items()):
            reasons.add_metric([name, reason], count)
        yield from (up, head, backlog, age, behind, kinds, reasons)

    def _count(self, pool: str, head: int) -> None:
        """Counts entries on from where the last look ended."""
        end = min(head, self._seen.get(pool, 0) + _AT_ONCE)
        while self._seen.get(pool, 0) < end:
            some = self._ledger.entries(pool, self._seen.get(pool, 0), _PAGE)
            if not some:
                return
            for entry in some:
                kind = entries.prefix(entry.body).kind
                self._kinds[pool, kind] = self._kinds.get((pool, kind), 0) + 1
                if kind == "not-rated":
                    reason = entries.reason_in(entry.body)
                    self._reasons[pool, reason] = self._reasons.get((pool, reason), 0) + 1
            self._seen[pool] = some[-1].position
