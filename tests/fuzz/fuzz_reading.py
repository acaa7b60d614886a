"""The commands that read games, driven in this process over damaged files: `python tests/fuzz/fuzz_reading.py`.

What must hold for every file and every options: the command ends in a documented way and not in a bug; an error is
one line and a hint, and leaves no file; the counts of a report add up; every row that was left out has a reason, and
its text where it has a line; no input is touched, and a log that was prepared reads back as the files did.
"""

import argparse
import csv
import json
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fuzz_files import damaged, sound, tables
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from tallymark.cli.program import app
from tallymark.games.report import Reason

COMMANDS: Final = ("check", "check", "check", "prepare", "rate", "standings", "predict")
ENDINGS: Final = (0, 1, 2, 3, 4)
NEAREST: Final = Path(__file__).resolve().parents[3] / "shared" / "data" / "messy"
OPTIONS: Final[tuple[tuple[str, ...], ...]] = (
    ("--dedupe",),
    ("--since", "2026-01-10"),
    ("--until", "2026-01-15"),
    ("--since", "2020-01-01", "--until", "2020-01-02"),
    ("--encoding", "cp1252"),
    ("--encoding", "utf-16"),
    ("--delimiter", ";"),
    ("--delimiter", "tab"),
    ("--times", "DD.MM.YYYY"),
    ("--times", "MM/DD/YYYY"),
    ("--times", "days"),
    ("--zone", "Europe/Berlin"),
    ("--aliases", "aliases.txt"),
    ("--pool", "pool"),
    ("--pool", "Round"),
    ("--results", "bothbad=draw"),
    ("--results", "2=loss"),
    ("--columns", "player_a=#1,player_b=#2,score_a=#3"),
    ("--columns", "white=#3,black=#6,result=#9"),
    ("--columns", "preference=preference"),
    ("--columns", "player_a=white,player_b=black,result=result"),
    ("--columns", "match=match,player=player,rank=rank"),
    ("--columns", "winner_side=winner"),
    ("--columns", "order=steps"),
    ("--columns", "player=player,opponent=opponent,wins=wins,losses=losses"),
)
OF_COMMAND: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "check": (("--rejects", "rejects.csv"), ("--rejects", "rejects.json"), ("--rejects", "rejects.parquet")),
    "prepare": (("--rejects", "rejects.json"),),
    "rate": (
        ("-m", "elo"),
        ("-m", "lichess", "-o", "ratings.csv"),
        ("--set", "period=match", "--history", "history.json", "--predictions", "predictions.parquet"),
        ("--save", "snapshot.json"),
        ("--initial", "list.csv"),
        ("--initial", "input0"),
        ("--rejects", "rejects.json"),
        ("--top", "1"),
    ),
    "standings": (("-m", "elo", "-o", "table.json"), ("--html", "table.html"), ("--tie-breaks", "direct,buchholz")),
    "predict": (("-m", "elo"), ("-o", "expected.json"), ("--set", "period=match")),
}


@dataclass(frozen=True)
class Case:
    """Files, by content and ending, and how they are called."""

    command: str
    files: tuple[tuple[bytes, str], ...]
    options: tuple[tuple[str, ...], ...]
    piped: bool


def cases(folder: Path | None) -> st.SearchStrategy[Case]:
    """Cases over the sound files made here, and those of the folder."""
    seeds = sound(folder)
    file = st.one_of(damaged(seeds), tables())

    @st.composite
    def case(draw: st.DrawFn) -> Case:
        command = draw(st.sampled_from(COMMANDS))
        files = draw(st.lists(file, min_size=1, max_size=2 if draw(st.integers(0, 3)) == 0 else 1))
        drawn = draw(st.lists(st.sampled_from(OPTIONS), max_size=2, unique_by=lambda option: option[0]))
        own = draw(st.lists(st.sampled_from(OF_COMMAND[command]), max_size=2, unique_by=lambda option: option[0]))
        return Case(command, tuple(files), (*drawn, *own), draw(st.integers(0, 9)) == 0)

    return case()


def run(words: Sequence[str], given_in: bytes | None = None) -> Result:
    """A command in this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return CliRunner().invoke(app, list(words), input=given_in, env={"COLUMNS": "80", "NO_COLOR": "1"})


def verify(case: Case) -> None:
    """Runs a case in a folder of its own, and holds what must hold."""
    with tempfile.TemporaryDirectory() as name, chdir(name):
        inputs = {f"input{at}{suffix}": content for at, (content, suffix) in enumerate(case.files)}
        for file, content in inputs.items():
            Path(file).write_bytes(content)
        others = {"aliases.txt": b"bob = ann\nRobert = bob\n", "list.csv": b"player,rating\nann,1700\nbob,0\n"}
        for file, content in others.items():
            Path(file).write_bytes(content)
        piped = case.piped and len(inputs) == 1
        names = ["-"] if piped else list(inputs)
        words = [word for option in case.options for word in option]
        done = run(_called(case.command, names, words), next(iter(inputs.values())) if piped else None)
        there = {path.name for path in Path().iterdir()} - set(inputs) - set(others)
        _ended_well(done)
        assert all(Path(file).read_bytes() == content for file, content in (inputs | others).items())
        assert there <= {word for word in [*words, "log.parquet"] if "." in word}, there
        if done.exit_code > 1:
            assert not there, f"exit code {done.exit_code}, and written: {there}"
            return
        if case.command in ("check", "prepare"):
            document = json.loads(done.stdout)
            _adds_up(document["report"], done.exit_code)
            _rejects_tell(document["report"])
        if case.command == "prepare":
            again = run(["check", "log.parquet", "--json"])
            assert again.exit_code == done.exit_code, again.output
            report = json.loads(again.stdout)["report"]
            assert {**report, "notes": []} == {**document["report"], "notes": []}


def _called(command: str, names: Sequence[str], words: Sequence[str]) -> list[str]:
    if command == "predict":
        return ["predict", "ann", "bob", *(word for name in names for word in ("--games", name)), *words]
    extra = {"check": ["--json"], "prepare": ["--json", "-o", "log.parquet"]}.get(command, [])
    return [command, *names, *words, *extra]


def _ended_well(done: Result) -> None:
    """A documented ending; an error is a line and a hint, and nothing else."""
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert done.exit_code in ENDINGS, (done.exit_code, done.stderr)
    assert "Traceback" not in done.output
    if done.exit_code > 1:
        lines = done.stderr.split("\n")
        assert len(lines) == 3, done.stderr
        assert lines[0].startswith("error: "), done.stderr
        assert lines[1].startswith("hint: "), done.stderr
        assert len(lines[1]) > len("hint: "), done.stderr
        assert lines[2] == "", done.stderr
        assert done.stdout == "", done.stdout
    else:
        assert done.stderr == "", done.stderr


def _adds_up(report: dict[str, object], code: int) -> None:
    rows, accepted, held, rejected = (report[name] for name in ("rows", "accepted", "held", "rejected"))
    assert isinstance(accepted, int), report
    assert isinstance(held, int), report
    assert isinstance(rejected, int), report
    assert rows == accepted + held + rejected, report
    assert min(accepted, held, rejected) >= 0, report
    assert code == (1 if held or rejected else 0), report
    problems = report["problems"]
    assert isinstance(problems, list), report
    kinds = [problem["kind"] for problem in problems]
    assert (kinds.count("held"), kinds.count("rejected")) == (held, rejected)
    assert len(kinds) == held + rejected
    assert len({problem["row"] for problem in problems}) == len(problems), "a row is told twice"
    for problem in problems:
        assert problem["reason"] in set(Reason), problem
        assert problem["message"], problem
        if problem.get("line", -1) != -1:
            assert problem["line"] >= 1, problem
            assert problem["text"] is not None, problem


def _rejects_tell(report: dict[str, object]) -> None:
    """The file of rejects has what the report has."""
    problems = report["problems"]
    assert isinstance(problems, list)
    if Path("rejects.json").exists():
        assert len(json.loads(Path("rejects.json").read_text())) == len(problems)
    if Path("rejects.csv").exists():
        with Path("rejects.csv").open(newline="", encoding="utf-8") as file:
            before = csv.field_size_limit(sys.maxsize)  # one for the whole process, and the reader's own
            try:
                assert len(list(csv.DictReader(file))) == len(problems)
            finally:
                csv.field_size_limit(before)


def fuzz(seconds: float, first: int, folder: Path | None) -> int:
    """Runs cases for so many seconds, five hundred a seed from `first` on; how many there were."""
    found = cases(folder)
    end = time.monotonic() + seconds
    count = 0

    def one(case: Case) -> None:
        nonlocal count
        if time.monotonic() < end:
            count += 1
            verify(case)

    number = first
    while time.monotonic() < end:
        bounded = settings(
            max_examples=500,
            deadline=None,
            database=None,
            print_blob=False,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        bounded(seed(number)(given(found)(one)))()
        number += 1
    return count


def main() -> None:
    """Fuzzes for ten minutes, or as long as is said."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0, help="the first one; another finds other things")
    chosen = parser.parse_args()
    folder = NEAREST if NEAREST.is_dir() else None
    begun = time.monotonic()
    count = fuzz(60.0 * chosen.minutes, chosen.seed, folder)
    raw = "with" if folder else "without"
    print(f"{count:,} cases in {time.monotonic() - begun:.0f} s, {raw} files from the field: all held")


if __name__ == "__main__":
    main()
