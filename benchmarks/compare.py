"""Every peer on one log beside ours: how many times as long it takes, and how far its ratings lie from ours."""

import time
from collections.abc import Iterator
from statistics import median
from typing import TypedDict

import numpy as np

import tallymark as tm
from benchmarks.logs import NamedLog, plain
from benchmarks.peers import PEERS, Peer, Ratings, Skipped
from tallymark.replay.engines import Engine

MOST = 200_000
"""So many games of a log are replayed at most: some peers are slow."""
_AT_LEAST = 0.2
"""Short replays of ours are repeated for so many seconds."""
_TWICE = 2
"""So often a peer runs, and its quickest run counts; of ours it is the median."""


class Beside(TypedDict, total=False):
    """A peer on a log: its seconds over ours, compiled and interpreted; or why it was skipped."""

    does: str
    ours: str
    compiled: float
    interpreted: float
    apart: float
    """How far its ratings lie from ours at most, in points; missing where it computes something else."""
    skipped: str


class Compared(TypedDict):
    """A log and the peers on it."""

    games: int
    players: int
    days: int
    peers: dict[str, Beside]


def compare(of: NamedLog, runs: int, most: int = MOST) -> Compared:
    """Replays the head of a log with every peer. AssertionError where ratings lie further from ours than they may."""
    log = plain(of.read(), most)
    peers = dict(_compared(log, of.days, runs))
    return Compared(games=len(log), players=len(log.players), days=of.days, peers=peers)


def _compared(log: tm.GameLog, days: int, runs: int) -> Iterator[tuple[str, Beside]]:
    known: dict[str, tuple[float, float, Ratings]] = {}
    for peer in PEERS:
        rules = peer.ours(days)
        found = Beside(does=peer.does, ours=rules.id)
        try:
            run = peer.ready(log, days)
        except Skipped as why:
            yield peer.name, Beside(**found, skipped=str(why))
            continue
        if rules.id not in known:
            interpreted, _ = _ours(log, rules, "interpreted", 1)
            compiled, ratings = _ours(log, rules, "compiled", runs)
            known[rules.id] = compiled, interpreted, ratings
        compiled, interpreted, ratings = known[rules.id]
        seconds, theirs = min((run() for _ in range(min(runs, _TWICE))), key=lambda one: one.seconds)
        found |= {"compiled": round(seconds / compiled, 2), "interpreted": round(seconds / interpreted, 2)}
        if peer.within is not None:
            found["apart"] = _apart(peer, theirs, ratings)
        yield peer.name, found


def _apart(peer: Peer, theirs: Ratings | None, ours: Ratings) -> float:
    assert theirs is not None
    assert peer.within is not None
    assert theirs.shape == ours.shape
    apart = float(np.abs(theirs - ours).max())
    assert apart <= peer.within, f"{peer.name} lies {apart} points away, more than {peer.within}"
    return apart


def _ours(log: tm.GameLog, rules: tm.Methodology, engine: Engine, runs: int) -> tuple[float, Ratings]:
    """The median of the seconds of a replay to its table of ratings, the first of which is not counted, and these."""
    taken: list[float] = []
    warm = engine == "interpreted"
    while len(taken) < runs or sum(taken) < _AT_LEAST:
        start = time.perf_counter()
        ratings = tm.replay(log, rules, engine=engine, threads=1).ratings
        if warm:
            taken.append(time.perf_counter() - start)
        warm = True
    by_player = dict(zip(ratings["player"].tolist(), ratings["rating"].tolist(), strict=True))
    return median(taken), np.array([by_player[player] for player in log.players])
