"""What people use instead: one module a package, and the table of what each is used for."""

from benchmarks.peers import by_elote, by_glicko2, by_glicko2_js, by_openskill, by_riix
from benchmarks.peers.peer import Peer, Ratings, Run, Skipped

PEERS: tuple[Peer, ...] = (
    *by_riix.PEERS,
    by_glicko2.PEER,
    by_glicko2_js.PEER,
    by_elote.PEER,
    by_openskill.PEER,
)

__all__ = ["PEERS", "Peer", "Ratings", "Run", "Skipped"]
