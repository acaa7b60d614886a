"""Where the real game logs are: `TALLYMARK_DATA`, or the folder `shared` beside the repository."""

import os
import shutil
import sys
import tempfile
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


def pytest_configure(config: pytest.Config) -> None:
    """Where no bytecode may be written beside sources, it goes to a folder of this run, for all processes in it.

    Tests start hundreds of processes, and one that has no bytecode of what it imports takes a second more to start.
    """
    if sys.dont_write_bytecode:  # workers and programs inherit it from the first process, which clears it away
        folder = tempfile.mkdtemp(prefix="tallymark-bytecode-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        sys.pycache_prefix, sys.dont_write_bytecode = folder, False
        del os.environ["PYTHONDONTWRITEBYTECODE"]
        os.environ["PYTHONPYCACHEPREFIX"] = folder


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
