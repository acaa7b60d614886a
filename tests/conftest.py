"""Where the real game logs are: `TALLYMARK_DATA`, or the folder `shared` beside the repository."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No law depends on how fast the machine is; where CI runs, the same examples every time.
settings.register_profile(
    "laws", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=os.environ.get("CI") == "true"
)
settings.load_profile("laws")

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real game logs; skips where there is none, fails in CI."""
    chosen = os.environ.get("TALLYMARK_DATA")
    folder = Path(chosen) if chosen else REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        reason = "no game logs: neither TALLYMARK_DATA nor ../shared/data is a folder"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of faults from the field and of published values."""
    return REPOSITORY / "tests" / "vectors"
