"""Eight clients at once over HTTP: every distinct match is rated once, and whoever listens hears of each once."""

from pathlib import Path

from crowd import sends
from sites import Listening, Site, heard


def test_clients_that_send_twice(ledger_url: str, tmp_path: Path) -> None:
    shares = sends(2400, 8, seed=1)
    servers = 2 if "postgresql" in ledger_url else 1
    site = Site(ledger_url, tmp_path, shares, [1, 100, 1, 10], servers)
    for n in range(servers):
        site.start_rater(n)
    listeners = [Listening(site.ports, seed) for seed in range(3)]
    for n in range(8):
        site.start_writer(n)
    site.sent()
    for one in listeners:
        one.finish(1601)
    site.finish()
    counted = heard(ledger_url, tmp_path, site, shares, listeners)
    assert counted.distinct == 1600
    assert counted.conflicts > 30  # or the test has tested nothing
    assert site.errors() == []
