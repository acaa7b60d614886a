"""Where the real game logs are: `TALLYMARK_DATA`, or the folder `shared` beside the repository."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster import Cluster, programs
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


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL server; skips where none is installed, fails in CI."""
    found = programs()
    if found is None:
        reason = "no PostgreSQL: neither /usr/lib/postgresql nor the path has initdb"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with Cluster(found) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a ledger can be made, on each store in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.db'}"
    server = request.getfixturevalue("postgres")
    assert isinstance(server, Cluster)
    return server.schema()
