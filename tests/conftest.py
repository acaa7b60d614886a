"""Where the real game logs are: `TALLYMARK_DATA`, or the folder `shared` beside the repository."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


def _shared(name: str, variable: str) -> Path:
    chosen = os.environ.get(variable)
    folder = Path(chosen) if chosen else REPOSITORY.parent / "shared" / name
    if not folder.is_dir():
        reason = f"no game logs: neither {variable} nor ../shared/{name} is a folder"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real game logs; skips where there is none, fails in CI."""
    return _shared("data", "TALLYMARK_DATA")


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of faults from the field; skips where there is none, fails in CI."""
    return _shared("cases", "TALLYMARK_CASES")
