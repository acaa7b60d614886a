"""What is compiled: one kernel for rules that share their formulas and their way of rating, whatever the log."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tallymark import GameLog, Methodology, Replay, Snapshot, methodology, replay
from tallymark.replay import compiled, engines, passes


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[compiled.Compiled]]:
    """The kernels that are called from here on."""
    found: list[compiled.Compiled] = []

    class Noted(compiled.Compiled):
        def __call__(self, *arguments: object) -> object:
            found.append(self)
            return super().__call__(*arguments)

    makers = (passes._waves, passes._sheets, passes._latest, engines.compiled_loops)
    monkeypatch.setattr(compiled, "Compiled", Noted)
    for maker in makers:
        maker.cache_clear()
    yield found
    for maker in makers:
        maker.cache_clear()


def log_of(games: int, played_at: bool = True, walkovers: bool = False, pools: int = 1) -> GameLog:
    chance = np.random.default_rng(20261130)
    a = chance.integers(0, 9, games)
    return GameLog.from_arrays(
        player_a=a,
        player_b=(a + chance.integers(1, 9, games)) % 9,
        score_a=chance.choice([0.0, 0.5, 1.0], games),
        played_at=np.sort(chance.integers(0, 90 * 86_400, games)) if played_at else None,
        ending=np.where(chance.random(games) < 0.1, "walkover", "normal") if walkovers else None,
        pool=chance.integers(0, pools, games).astype(str) if pools > 1 else None,
    )


def kept(log: GameLog, rules: Methodology, start: Snapshot | None = None, threads: int | None = None) -> Replay:
    """With all that can be kept, as most tests have it: the kernels are those of theirs."""
    return replay(log, rules, start, history=True, predictions=True, engine="compiled", threads=threads)


@pytest.mark.parametrize(
    "rules",
    [
        (methodology("paper"), methodology("paper").with_(period="7d", tau=0.3)),
        (methodology("contest"), methodology("arena"), methodology("paper").with_({"period": "match"})),
        (methodology("elo"), methodology("elo").with_(k=32.0)),
    ],
    ids=["periods", "games", "elo"],
)
def test_a_family_has_one_kernel(rules: tuple[Methodology, ...], kernels: list[compiled.Compiled]) -> None:
    """Logs that are schedules as they stand, others, with and without times, and from a snapshot."""
    whole = log_of(9000)
    start = kept(whole.taken(np.arange(4000)), rules[0]).snapshot()
    for one in rules:
        logs = [whole, log_of(4000, walkovers=True), log_of(4000, pools=3)]
        if one.period.kind == "match":
            logs.append(log_of(4000, played_at=False))
        for log in logs:
            kept(log, one, threads=2)
    kept(whole.taken(np.arange(4000, 9000)), rules[0], start)
    names = {kernel._function.__qualname__ for kernel in kernels}
    assert len({name for name in names if name != "latest"}) == 1
    assert {len(kernel.kernel.signatures) for kernel in kernels} == {1}  # type: ignore[attr-defined]


IN_A_PROCESS = """
import importlib, sys
from numba.core import event
from tallymark import GameLog, methodology, replay

class Compiles(event.Listener):
    def on_start(self, one): print(one.data["dispatcher"].py_func.__name__)
    def on_end(self, one): pass

event.register("numba:compile", Compiles())
passes = importlib.import_module("tallymark.replay.passes")
passes.passable = lambda *_: False
r = replay(GameLog.from_arrays(player_a=[1, 1], player_b=[2, 3], score_a=[1, 0]), "elo", engine="compiled")
assert r.report.rated == 2
"""


def test_what_one_process_compiled_another_finds(tmp_path: Path) -> None:
    """Whether it parsed the modules itself, as the first one does after an installation, or read their bytecode."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode"), "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    command = [sys.executable, "-c", IN_A_PROCESS]
    said = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout for _ in range(2)
    ]
    assert "fold" in said[0].split()
    assert said[1] == ""


def _half(x: float) -> float:
    return 0.5 * x


def test_where_nothing_can_be_kept_code_is_compiled_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    compiled.cache_folder.cache_clear()
    try:
        assert compiled.cache_folder(__name__) is None
        assert compiled.compiled(_half)(3.0) == 1.5
    finally:
        compiled.cache_folder.cache_clear()


def test_the_folder_is_the_first_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    try:
        for name, folder in (
            ("NUMBA_CACHE_DIR", tmp_path / "NUMBA_CACHE_DIR"),
            ("XDG_CACHE_HOME", tmp_path / "XDG_CACHE_HOME"),
            ("HOME", tmp_path / "home" / ".cache"),
        ):
            compiled.cache_folder.cache_clear()
            found = compiled.cache_folder(__name__)
            assert found is not None
            assert found.parent == folder / "tallymark"
            monkeypatch.delenv(name, raising=False)
    finally:
        compiled.cache_folder.cache_clear()
