"""What draws charts is there before somebody asks for one."""

import subprocess
import sys
import threading
import urllib.request
from subprocess import CalledProcessError, CompletedProcess

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


def test_the_script_of_charts_is_made_once_and_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[list[str]] = []

    def run(command: list[str], **_: object) -> CompletedProcess[bytes]:
        runs.append(command)
        return CompletedProcess(command, 0, b"vega")

    monkeypatch.setattr(subprocess, "run", run)
    drawn._bundle.cache_clear()
    both = [threading.Thread(target=beforehand.make_bundle) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join(20)
    assert len(runs) == 1
    assert drawn.bundle().plain == b"vega"
    drawn._bundle.cache_clear()


def test_a_script_that_cannot_be_made_is_no_failure_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(command: list[str], **_: object) -> CompletedProcess[bytes]:
        raise CalledProcessError(-15, command)

    monkeypatch.setattr(subprocess, "run", stopped)
    drawn._bundle.cache_clear()
    beforehand.make_bundle()
    with pytest.raises(CalledProcessError):
        drawn.bundle()


def test_a_server_makes_both_when_it_has_started(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    for what, when in (("draw_one", "_LATER"), ("make_bundle", "_LATER_STILL")):
        called = threading.Event()
        monkeypatch.setattr(service, what, called.set)
        monkeypatch.setattr(service, when, 0.0)
        with serving(Settings(ledger=str(club.path), log_requests=False)):  # type: ignore[arg-type]
            assert called.wait(20)
        monkeypatch.setattr(service, when, 600.0)


def test_a_server_that_has_stopped_makes_nothing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    called = threading.Event()
    for what, when in (("draw_one", "_LATER"), ("make_bundle", "_LATER_STILL")):
        monkeypatch.setattr(service, what, called.set)
        monkeypatch.setattr(service, when, 600.0)
    with serving(Settings(ledger=str(club.path), log_requests=False)) as (port, server):  # type: ignore[arg-type]
        urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20).close()  # it has started
    assert isinstance(server, service.Server)
    for one in server.beforehand:
        one.join(20)
        assert not one.is_alive()
    assert not called.is_set()
