"""Where the shared game results are: beside the repository, or in the directory named by TALLYMARK_DATA."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def game_data() -> Path:
    """Directory of the shared data sets. Skips where there are none, except in CI, where that is a failure."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    named = os.environ.get("TALLYMARK_DATA")
    directory = Path(named) if named else beside
    if not directory.is_dir():
        message = f"no shared data sets at {directory}; name their directory in TALLYMARK_DATA"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return directory
