from pathlib import Path

import pytest

from tallymark.games import read_games
from tallymark.games.files import csv_file, fast_csv

ROWS = "player_a,player_b,score_a\n" + "ann,bob,1\n" * 30_000


@pytest.mark.parametrize("least", [0, 1 << 60])
def test_progress_grows_to_all_rows_and_the_whole(least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_csv, "LEAST_BYTES", least)
    monkeypatch.setattr(csv_file, "_CHUNK", 1000)
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    for path in paths:
        path.write_text(ROWS, encoding="utf-8")
    seen: list[tuple[int, float | None]] = []
    read_games(paths, progress=lambda rows, share: seen.append((rows, share)))
    assert seen == sorted(seen)
    assert seen[-1] == (60_000, 1.0)
    assert (30_000, 0.5) in seen


def test_the_share_of_a_pipe_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text(ROWS, encoding="utf-8")
    seen: list[tuple[int, float | None]] = []
    with monkeypatch.context() as patch:
        patch.setattr("tallymark.games.files.opening.stat.S_ISREG", lambda _: False)
        read_games(path, progress=lambda rows, share: seen.append((rows, share)))
    assert seen[-1] == (30_000, None)
