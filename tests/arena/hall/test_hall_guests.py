"""An arena full of agents of mixed manners, in small: `python tests/soak/arena.py` does it in full."""

from guests import Simulation, checked
from halls import GAMES, Time

from tallymark.ledger.ledger import Ledger


def test_agents_of_mixed_manners_and_restarts(ledger_url: str) -> None:
    time = Time()
    with Ledger.open(ledger_url, create=True, clock=time.utc) as ledger:
        sim = Simulation(ledger, time, GAMES, guests=24, seed=5)
        sim.run(120_000, restarts=3)
        counts = checked(sim, ledger_url)
    assert counts.matches > 30
    assert {"finished", "timeout", "illegal", "disconnect", "restart"} <= set(counts.reasons)
