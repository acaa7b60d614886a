"""What every command reads: several files, patterns, standard input, and the options that say how."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., "CompletedProcess[str]"]
COMMANDS = ["rate", "check", "prepare"]


@pytest.fixture
def words(tmp_path: Path) -> Callable[[str], list[object]]:
    """A command with the options that it cannot do without."""
    return lambda command: [command, *(["-o", tmp_path / "log.parquet"] if command == "prepare" else [])]


@pytest.fixture
def seasons(tmp_path: Path) -> Path:
    """A folder of two seasons."""
    folder = tmp_path / "seasons"
    folder.mkdir()
    header = "played_at,player_a,player_b,score_a\n"
    (folder / "2025.csv").write_text(header + "2025-03-01,ann,bob,1\n2025-04-01,bob,cid,?\n")
    (folder / "2026.csv").write_text(header + "2026-03-01,cid,ann,0\n")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_several_files_and_a_pattern_are_one_log(
    cli: Run, words: Callable[[str], list[object]], seasons: Path, command: str
) -> None:
    files = sorted(seasons.iterdir())
    named, fitted = cli(*words(command), *files), cli(*words(command), seasons / "*.csv")
    assert named.returncode == fitted.returncode == 1
    assert named.stdout == fitted.stdout
    assert named.stdout.startswith("2 files: 3 rows: 2 accepted, 0 held, 1 rejected; 2 games\n")
    assert f"({seasons / '2025.csv'}, line 3: " in named.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_standard_input(words: Callable[[str], list[object]], seasons: Path, command: str) -> None:
    program = [sys.executable, "-m", "tallymark", *map(str, words(command)), "-"]
    content = (seasons / "2026.csv").read_bytes()
    done = subprocess.run(program, input=content, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"standard input: 1 row: 1 accepted")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("names", "code", "error", "hint"),
    [
        (["2025.csv", "2027.csv"], 3, "2027.csv cannot be read: No such file or directory", "did you mean"),
        (["2025.csv", "2025.csv"], 3, "2025.csv is named twice", "its games would count twice"),
        (["*.tsv"], 3, "*.tsv fits no file", "is the folder right?"),
        (["."], 3, "is a directory", "name a file, or a pattern"),
        ([], 2, "Missing argument", "--help shows what is expected"),
    ],
)
def test_what_cannot_be_read(
    cli: Run,
    words: Callable[[str], list[object]],
    seasons: Path,
    command: str,
    names: list[str],
    code: int,
    error: str,
    hint: str,
) -> None:
    done = cli(*words(command), *(seasons / name for name in names))
    said, advice = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (code, "")
    assert error in said
    assert hint in advice


def test_the_neighbour_is_that_of_the_missing_file(cli: Run, seasons: Path) -> None:
    done = cli("check", seasons / "2025.csv", seasons / "2036.csv")
    assert f"hint: did you mean {seasons / '2026.csv'}?\n" in done.stderr
    aliases = seasons / "aliases.txt"
    aliases.write_text("a = b\n")
    done = cli("check", seasons / "2025.csv", "--aliases", seasons / "alias.txt")
    assert f"hint: did you mean {aliases}?\n" in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_column_that_is_not_there_is_a_wrong_call(
    cli: Run, words: Callable[[str], list[object]], seasons: Path, command: str
) -> None:
    for option in (["--columns", "score_a=points"], ["--pool", "rink"]):
        done = cli(*words(command), seasons / "2026.csv", *option)
        assert done.returncode == 2
        assert f"error: {seasons / '2026.csv'} has no column '{option[1].rpartition('=')[2]}'" in done.stderr


def test_every_option_reaches_the_library(cli: Run, tmp_path: Path) -> None:
    file, aliases = tmp_path / "g.csv", tmp_path / "aliases.txt"
    file.write_bytes(
        "Wann;Wer;Wen;Wie;Wo\n"
        "01.02.2026 10:00;Jos\xe9;bob;bothbad;A\n"
        "02.02.2026 10:00;robert;cid;win;B\n"
        "02.02.2026 10:00;robert;cid;win;B\n"
        "03.02.2026 10:00;cid;Jos\xe9;loss;A\n"
        "01.01.2025 10:00;cid;Jos\xe9;loss;A\n"
        "01.01.2027 10:00;cid;Jos\xe9;loss;A\n".encode("cp1252")
    )
    aliases.write_text("robert = bob\n")
    options = {
        "--columns": "played_at=Wann,player_a=Wer,player_b=Wen,result=Wie",
        "--pool": "Wo",
        "--results": "bothbad=draw",
        "--times": "DD.MM.YYYY hh:mm",
        "--zone": "Europe/Vienna",
        "--aliases": str(aliases),
        "--since": "2026-01-01",
        "--until": "2027-01-01",
        "--delimiter": ";",
        "--encoding": "cp1252",
    }
    given = [word for pair in options.items() for word in pair]
    facts = json.loads(cli("check", file, *given, "--dedupe", "--json").stdout)
    assert facts["pools"] == {"A": 2, "B": 1}
    assert facts["players"] == 3
    assert (facts["first"], facts["last"]) == ("2026-02-01T09:00:00Z", "2026-02-03T09:00:00Z")
    assert [(row["line"], row["kind"]) for row in facts["report"]["problems"]] == [
        (4, "rejected"),
        (6, "rejected"),
        (7, "rejected"),
    ]


def test_pool_is_named_once(cli: Run, games: Path) -> None:
    done = cli("check", games, "--pool", "a", "--columns", "pool=b")
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        2,
        "error: --pool and --columns both name the column of pools",
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches(cli: Run, command: str) -> None:
    shown = cli(command, "--help").stdout
    assert shown.count(f"$ tallymark {command}") >= 1
    assert shown.count("$ tallymark") >= 2
    for panel in ("Reading", "Results", *(("Rules", "Start") if command == "rate" else ())):
        assert f"─ {panel} ─" in shown


def test_a_range_that_is_no_time_is_asked_for_as_an_option(cli: Run, seasons: Path) -> None:
    done = cli("check", seasons / "2025.csv", "--since", "01.02.2026")
    assert (done.returncode, done.stderr.splitlines()[1]) == (2, "hint: for example --since 2026-01-31")
