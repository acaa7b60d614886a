"""A site on a port, and the system's Chromium: skipped with a reason where that is missing, failed where CI runs."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from clubs import Clock
from listeners import serving
from looking import Watched, Window
from playwright.sync_api import Browser, expect, sync_playwright
from pydantic import SecretStr
from showcase import UNDO, Site, built, hired

from tallymark.service.settings import Settings

expect.set_options(timeout=60_000)  # a busy machine is slow, and what is right is seen at once on an idle one
AXE: Final = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"


def missing(reason: str) -> None:
    """Skips, or fails where CI runs."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def axe() -> str:
    """What looks for what people stumble over."""
    if not AXE.exists():
        missing("no axe-core: run npm install in tests/browser")
    return AXE.read_text()


@pytest.fixture(scope="module")  # while it is there, no other test of this process can run a loop of its own
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        missing("no chromium: install that of the system")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with pools of all kinds."""
    folder = tmp_path_factory.mktemp("site")
    key = built(folder / "site.db", Clock())
    settings = Settings(
        ledger=SecretStr(str(folder / "site.db")),
        port=0,
        reads_a_minute=0,
        log_requests=False,
        undo_seconds=UNDO,
    )
    with serving(settings) as (port, _):
        yield Site(f"http://127.0.0.1:{port}", key, hired(folder / "site.db", Clock()))


@pytest.fixture
def watched(browser: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[Watched]:
    """A page in a window: parametrised by width and colours, desktop and light otherwise. Nothing may go wrong."""
    window: Window = getattr(request, "param", (1280, "light"))
    width, colours = window
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=colours, has_touch=width < 600, reduced_motion="reduce"
    )
    context.set_default_timeout(60_000)
    found = Watched(context, site)
    yield found
    context.close()
    assert found.wrong == []
