"""What draws charts is there before somebody asks for one."""

import sys
import threading
import urllib.request

import pytest
from clubs import Club
from listeners import serving

from tallymark.service import serving as service
from tallymark.service.pages.charts import beforehand, drawn
from tallymark.service.pages.charts.spec import _form
from tallymark.service.settings import Settings


@pytest.fixture(autouse=True)
def nothing_drawn() -> None:
    drawn.svg.cache_clear()
    _form.cache_clear()


def test_one_chart_is_drawn() -> None:
    beforehand.draw_one()
    assert drawn.svg.cache_info().currsize == 1
    assert "altair" in sys.modules


def test_nothing_happens_where_nothing_can_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    beforehand.draw_one()
    assert drawn.svg.cache_info().currsize == 0


def test_a_server_draws_it_when_it_has_started(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    called = threading.Event()
    monkeypatch.setattr(service, "draw_one", called.set)
    monkeypatch.setattr(service, "_LATER", 0.0)
    with serving(Settings(ledger=str(club.path), log_requests=False)):  # type: ignore[arg-type]
        assert called.wait(20)


def test_a_server_that_has_stopped_draws_nothing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    called = threading.Event()
    monkeypatch.setattr(service, "draw_one", called.set)
    monkeypatch.setattr(service, "_LATER", 600.0)
    with serving(Settings(ledger=str(club.path), log_requests=False)) as (port, server):  # type: ignore[arg-type]
        urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20).close()  # it has started
    assert isinstance(server, service.Server)
    server.beforehand.join(20)
    assert not server.beforehand.is_alive()
    assert not called.is_set()
