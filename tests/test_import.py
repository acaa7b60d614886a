"""What `import tallymark` loads, and that its names are right whatever is imported first. Fresh processes each."""

import subprocess
import sys

import pytest

import tallymark

HEAVY = "numba duckdb typer rich polars pandas pyarrow arro3"

ORDERS = [
    "import tallymark as tm",
    "import tallymark.replay; import tallymark as tm",
    "import tallymark.methodology; import tallymark as tm",
    "import tallymark as tm; import tallymark.replay, tallymark.methodology",
    "import tallymark as tm; tm.replay; tm.methodology; import tallymark.methodology.loader, tallymark.replay.snapshot",
    "from tallymark.replay import Snapshot; from tallymark.methodology import Methodology; import tallymark as tm",
    "from tallymark.replay.snapshot import Snapshot; import tallymark as tm",
    "import tallymark.evidence.score; import tallymark as tm",
    "from tallymark import *; import tallymark as tm",
    "import tallymark.cli.program; import tallymark as tm",
    "from tallymark import replay, methodology; import tallymark as tm",
    "import importlib; importlib.import_module('tallymark.replay.fold'); tm = importlib.import_module('tallymark')",
]


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def loaded_of(names: str) -> str:
    return f"import sys; print(*[name for name in '{names}'.split() if name in sys.modules])"


def test_the_package_loads_nothing_heavy() -> None:
    assert run(f"import tallymark; {loaded_of(HEAVY + ' numpy')}") == ""


def test_a_scalar_update_needs_no_numpy() -> None:
    update = "tm.Glicko2().update(tm.Rating(1500, 200), [(tm.Rating(1400, 30), 1.0)])"
    assert run(f"import tallymark as tm; {update}; {loaded_of(HEAVY + ' numpy')}") == ""


def test_no_name_of_the_package_loads_anything_heavy() -> None:
    assert run(f"from tallymark import *; {loaded_of(HEAVY)}") == ""


@pytest.mark.parametrize("first", ORDERS)
def test_functions_stay_functions_whatever_is_imported_first(first: str) -> None:
    use = """
import inspect
assert inspect.isfunction(tm.replay) and inspect.isfunction(tm.methodology) and inspect.isfunction(tm.score)
m = tm.methodology("paper")
log = tm.GameLog.from_arrays(player_a=["a"], player_b=["b"], score_a=[1], played_at=["2026-01-01"])
r = tm.replay(log, m, predictions=True)
tm.score(r.predictions)
import tallymark.replay
from tallymark.replay import Snapshot
from tallymark.methodology import Methodology
assert Snapshot is tm.Snapshot and Methodology is tm.Methodology
print(len(r.ratings))
"""
    assert run(f"{first}\n{use}") == "2"


def test_every_public_name_is_there() -> None:
    assert sorted(tallymark.__all__) == tallymark.__all__
    for name in tallymark.__all__:
        assert getattr(tallymark, name) is not None
    assert set(tallymark.__all__) <= set(dir(tallymark))


def test_an_unknown_name_is_refused_as_everywhere() -> None:
    with pytest.raises(AttributeError, match="module 'tallymark' has no attribute 'Glicko3'"):
        tallymark.Glicko3  # noqa: B018


def test_pickles_find_their_classes() -> None:
    code = "import pickle, tallymark as tm; print(pickle.loads(pickle.dumps((tm.Rating(1, 2), tm.replay)))[0].rating)"
    assert run(code) == "1.0"


def test_the_command_line_begins_without_the_service() -> None:
    libraries = "fastapi starlette uvicorn pydantic structlog prometheus_client jinja2 sqlalchemy"
    assert run(f"import tallymark.cli.program; {loaded_of(libraries)}") == ""
