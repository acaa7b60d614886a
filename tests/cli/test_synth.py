"""`tallymark synth`: the file it writes is read by every command, and wrong options are told."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., "CompletedProcess[str]"]


def test_a_log_is_written_and_rated(cli: Run, tmp_path: Path) -> None:
    into = tmp_path / "made.parquet"
    done = cli("synth", "-o", into, "--games", "1_000", "--players", 20, "--go", "--ids", "long", "--days", 3)
    said = f"written: {into}: 1,000 games of 20 players, 2025-01-01 to 2025-01-03; seed 1\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    assert cli("check", into).stdout.startswith(f"{into}: 1,000 rows: 1,000 accepted, 0 held, 0 rejected; 1,000 games")
    assert cli("rate", into, "-m", "go-float").returncode == 0


def test_the_seed_decides(cli: Run, tmp_path: Path) -> None:
    written = []
    for name, seed in (("a.csv", 1), ("b.csv", 1), ("c.csv", 2)):
        assert cli("synth", "-o", tmp_path / name, "--games", 50, "--players", 5, "--seed", seed).returncode == 0
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1] != written[2]


@pytest.mark.parametrize(
    ("words", "ending", "said"),
    [
        (["-o", "made.txt"], 2, "error: --output made.txt: cannot tell the format\nhint: end the name in .parquet, "),
        (["-o", "made.csv", "--players", "1"], 2, "error: players is 1; expected a whole number from 2 to "),
        (["-o", "none/made.csv"], 3, "error: --output none/made.csv: there is no folder none\n"),
        ([], 2, "error: Missing option '--output'"),
    ],
)
def test_wrong_options(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], ending: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = cli("synth", *words)
    assert (done.returncode, done.stdout) == (ending, "")
    assert done.stderr.startswith(said)
    assert list(tmp_path.iterdir()) == []
