"""ING-17: names are data. What is written reads back as it was; for spreadsheets there is an option."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def names(cases: Path) -> list[str]:
    everything = json.loads((cases / "cases.json").read_text(encoding="utf-8"))
    found: list[str] = next(case for case in everything if case["id"] == "ING-17")["input"]["names"]
    return found


@pytest.fixture
def log(names: list[str]) -> tm.GameLog:
    return tm.GameLog.from_arrays(
        player_a=names, player_b=names[1:] + names[:1], score_a=[1] * len(names), played_at=["2026-01-01"] * len(names)
    )


def test_ING_17_stored_unchanged_and_read_back(log: tm.GameLog, names: list[str], tmp_path: Path) -> None:
    assert log.players == sorted(names)
    for suffix in ("csv", "json", "parquet"):
        log.to_table().write(tmp_path / f"log.{suffix}")
        back = tm.read_games(tmp_path / f"log.{suffix}")
        assert back.players == log.players
        assert (back.a.tolist(), back.b.tolist()) == (log.a.tolist(), log.b.tolist())
        ratings = tm.replay(log, "paper").ratings
        ratings.write(tmp_path / f"ratings.{suffix}")
        assert tm.read_ratings(tmp_path / f"ratings.{suffix}").start.player == ratings["player"].tolist()


def test_ING_17_for_spreadsheets(cli: Run, log: tm.GameLog, names: list[str], tmp_path: Path) -> None:
    file, out, rejects = tmp_path / "log.csv", tmp_path / "ratings.csv", tmp_path / "rejects.json"
    log.to_table().write(file)

    def players(*words: str) -> set[str]:
        assert cli("rate", file, "-o", out, *words).returncode == 0
        with out.open(newline="", encoding="utf-8") as written:
            return {row["player"] for row in csv.DictReader(written)}

    assert players() == set(names)
    assert players("--for-spreadsheets") == {f"'{name}" if name[0] in "=@-" else name for name in names}
    assert players("--for-spreadsheets", "--rejects", str(rejects)) != set(names)
    assert json.loads(rejects.read_text()) == []


def test_for_spreadsheets_without_such_a_file(cli: Run, games: Path, tmp_path: Path) -> None:
    done = cli("rate", games, "-o", tmp_path / "r.json", "--for-spreadsheets")
    assert done.returncode == 2
    assert done.stderr.startswith("error: --for-spreadsheets and no .csv is written\n")
