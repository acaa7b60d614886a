"""kill -9 of servers and clients at random moments: what was answered is kept, and listeners miss nothing."""

from pathlib import Path

import pytest
from cluster import Cluster
from crowd import killed, sends
from sites import Listening, Site, heard


def test_killed_at_random_while_clients_come_back(
    ledger_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    shares = sends(1800, 4, seed=2)
    restarts = []
    servers = 1
    if "postgresql" in ledger_url:
        server = request.getfixturevalue("postgres")
        assert isinstance(server, Cluster)
        servers, restarts = 2, [lambda: server.restart("fast"), lambda: server.restart("immediate")]
    site = Site(ledger_url, tmp_path, shares, [1, 30, 1, 7], servers)
    for n in range(servers):
        site.start_rater(n)
    listeners = [Listening(site.ports, seed) for seed in range(3)]
    for n in range(4):
        site.start_writer(n)
    died = killed(site, 10, 3, restarts, patience=10.0)  # a server has to start first
    site.sent()
    for one in listeners:
        one.finish(1201)
    site.finish()
    assert sum(died.values()) >= 9  # a client may end in the very moment
    assert min(died.values()) > 0
    assert heard(ledger_url, tmp_path, site, shares, listeners).distinct == 1200
    assert all(one.connections > 1 for one in listeners)
