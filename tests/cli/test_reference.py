"""The reference of the command line: it knows every command and option, and every example of a `--help` runs."""

import gzip
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import typer
from refereed import played
from sqlalchemy import insert
from typer.core import TyperGroup
from typer.testing import CliRunner

import tallymark as tm
from tallymark.arena.games.catalogue import game
from tallymark.cli.program import app
from tallymark.cli.reference import commands, reference
from tallymark.fixedpoint.vectors import lines
from tallymark.service import schema, serving
from tallymark.service.tables import KEY

Run = Callable[..., "CompletedProcess[str]"]

EXAMPLES = [(command.words, example) for command in commands() for example in command.examples]


def leaves(group: TyperGroup, words: str = "tallymark") -> list[str]:
    found: list[str] = []
    for name, command in group.commands.items():
        inner = f"{words} {name}"
        found += leaves(command, inner) if isinstance(command, TyperGroup) else [inner]
    return found


def test_every_command_and_option_is_on_the_page() -> None:
    page = reference()
    program = typer.main.get_command(app)
    assert isinstance(program, TyperGroup)
    for words in leaves(program):
        section = page.partition(f"\n## {words}\n")[2].partition("\n## ")[0]
        assert section, words
        wide = {"COLUMNS": "300", "NO_COLOR": "1"}  # so that no name is cut
        shown = CliRunner().invoke(app, [*words.split()[1:], "--help"], env=wide).stdout
        for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", shown)) - {"--help"}:
            assert option in section, (words, option)


def test_defaults_choices_and_names_with_bars_are_in_cells_of_their_own() -> None:
    page = reference()
    assert "| `--points W-D-L` | What a win, a draw and a loss are worth: 3-1-0. | `1-1/2-0` |" in page
    assert r"`--engine auto\|interpreted\|compiled`" in page
    tables = [line for line in page.splitlines() if line.startswith("| ")]
    assert {len(re.split(r"(?<!\\)\|", line)) for line in tables} == {4, 5}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ledgers, and an export."""
    folder = tmp_path_factory.mktemp("kept")
    for name, rules in (("club.db", "lichess"), ("arena.db", "arena")):
        with tm.Ledger.open(folder / name, create=True) as ledger:
            ledger.open_pool("ladder", rules)
            ledger.append({"id": 1, "player_a": "ann", "player_b": "bob", "score_a": 1}, pool="ladder")
            ledger.settle()
            ledger.export(folder / "club.tally.zst")
            schema.upgraded(ledger.store)
            with ledger.store.writing() as connection:
                row = {"id": "1f2e3d4c5b6a", "name": "x", "digest": b"", "scopes": "append", "made": 0}
                connection.execute(insert(KEY), row)
    return folder


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: Path) -> Path:
    """A folder with the files that examples speak of."""
    monkeypatch.chdir(tmp_path)
    games = "played_at,player_a,player_b,score_a\n2026-01-01,ann,bob,1\n2026-01-02,bob,cid,0.5\n2026-02-01,cid,ann,0\n"
    Path("games.csv").write_text(games)
    Path("fixtures.csv").write_text("played_at,player_a,player_b\n2026-03-01,ann,bob\n,bob,cid\n")
    Path("plan.csv").write_text("Heim,Gast\nann,bob\n")
    Path("club.csv").write_text("Date,White,player_b,score_a\n2026-01-01,ann,bob,1\n2026-01-08,bob,cid,0.5\n")
    Path("federation.csv").write_text("id,std,name\nann,2104,Ann\nbob,1500,Bob\n")
    Path("seasons").mkdir()
    # As both `tallymark rate 'seasons/*.csv'` and `tallymark check ... --columns played_at=Date` speak of them.
    Path("seasons", "2026.csv").write_text(
        games.replace("played_at", "Date,played_at", 1).replace("\n2026", "\n2026-01-01,2026")
    )
    with gzip.open("games.csv.gz", "wt") as packed:
        packed.write(games)
    tm.read_games("games.csv").to_table().write("log.parquet")
    tm.replay(tm.read_games("games.csv"), "paper").snapshot().save("ladder.snapshot")
    Path("tic-tac-toe-1.jsonl").write_bytes(b"\n".join(played(game("tic-tac-toe"), 1)))
    Path("joins.csv").write_text("joined_at,agent,rating,deviation\n0,ann,1500,80\n900,bob,1590,80\n5000,cid,1500,80\n")
    Path("theirs.jsonl").write_text("".join(lines(1, 1, 0, 0)))
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    # A server that runs does not end: tests of the service have one.
    monkeypatch.setattr(serving, "run", lambda settings, listening: listening(f"http://{settings.host}"))
    return tmp_path


@pytest.mark.parametrize("example", [example for _, example in EXAMPLES])
def test_examples_of_help_run(cli: Run, desk: Path, example: str) -> None:
    said = shlex.split(example)
    assert any(" ".join(said[: len(command.words.split())]) == command.words for command in commands())
    done = cli(*said[1:])
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout


def test_commands_about_games_have_examples() -> None:
    with_examples = {words.split()[1] for words, _ in EXAMPLES}
    assert {"rate", "check", "predict", "standings"} <= with_examples
