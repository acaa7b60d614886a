"""The service that most tests ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from clubs import Club, opened

from tallymark.service.cases import background


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A service of its own."""
    with opened(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """One for all tests of a module, which only read, or send under ids of their own."""
    with opened(tmp_path_factory.mktemp("club")) as found:
        yield found


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine, small pools are worked out before a request is answered."""
    monkeypatch.setattr(background, "PATIENCE", 60.0)
