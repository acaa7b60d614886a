"""The page about JSON documents has every key that the commands print, and no other."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pages import REPOSITORY
from typer.testing import CliRunner

from tallymark.cli.program import app

PAGE = (REPOSITORY / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
OPTIONAL = {"file"}
"""Keys of a problem that are there only where several files were read."""


def listed(title: str) -> set[str]:
    """The keys in the table below a heading."""
    text = re.split(r"^#+ ", PAGE.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row)}


def said(text: str) -> set[str]:
    """The words of a sentence of the page that stand in backquotes."""
    assert text in PAGE
    return set(re.findall(r"`([^`]+)`", text))


@pytest.fixture
def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """The document of a command, in a folder with games, a list and games to come."""
    monkeypatch.chdir(tmp_path)
    Path("games.csv").write_text("played_at,player_a,player_b,score_a\n2026-01-01,ann,bob,1\n2026-01-02,ann,bob,\n")
    Path("list.csv").write_text("player,rating\nann,1600\nzoe,1500\n")

    def run(command: str) -> Any:
        done = CliRunner().invoke(app, [*command.split(), "--json"])
        assert done.exit_code in (0, 1), done.output
        return json.loads(done.stdout)

    return run


def test_every_command(printed: Callable[[str], Any]) -> None:
    rated = printed("rate games.csv --initial list.csv")
    assert set(rated) == listed("tallymark rate")
    assert set(rated["methodology"]) == listed("Rules")
    assert set(rated["report"]) == listed("A report") | listed("A report of a replay")
    assert set(rated["score"]) == listed("A score")
    assert set(rated["initial"]) == listed("A list of ratings")
    assert set(rated["initial"]["report"]) == listed("A report") - {"games"}
    (problem,) = rated["report"]["problems"]
    row = next(line for line in PAGE.splitlines() if line.startswith("| `problems`"))
    assert set(problem) | OPTIONAL == said(row) - {"problems"}
    compared = printed("rate games.csv -m paper -m elo")
    assert set(compared) == {"report", "initial", "written", "methodologies"}
    assert [set(one) for one in compared["methodologies"]] == [{"methodology", "score"}] * 2
    checked = printed("check games.csv")
    assert set(checked) == listed("tallymark check") == set(printed("prepare games.csv -o log.parquet"))
    assert set(checked["report"]) == listed("A report")
    assert checked["first"] == rated["ratings"][0]["last_played"] == "2026-01-01T00:00:00Z"
    predicted = printed("predict ann bob --games games.csv")
    assert set(predicted) == listed("tallymark predict")
    assert set(predicted["games"]) == listed("A report")
    table = printed("standings games.csv -m paper")
    assert set(table) == listed("tallymark standings")
    (row,) = (line for line in PAGE.splitlines() if line.startswith("| `standings`"))
    assert set(table["standings"][0]) == said(row) - {"standings", "-m"}


def test_of_methodologies(printed: Callable[[str], Any]) -> None:
    part = PAGE.split("## tallymark methodology\n")[1].split("## ")[0]
    words = re.findall(r"`(\w+)`", part)
    shown, differing = printed("methodology show paper"), printed("methodology diff arena arena-v1-draft")
    for document in (printed("methodology list")[0], shown, shown["fields"][0], differing, differing["differences"][0]):
        assert set(document) <= set(words)


def test_of_exactness(printed: Callable[[str], Any]) -> None:
    document = printed("exactness games.csv --checkpoints 1")
    assert set(document) == listed("tallymark exactness")
    difference = listed("A difference")
    assert set(document["half_even"]) == set(document["truncating"]) == difference
    for key, parts in (("checkpoints", difference), ("scores", listed("A score"))):
        (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| `{key}`"))
        assert set(document[key][0]) == (said(row) - {key}) | parts


def test_of_simulations(printed: Callable[[str], Any]) -> None:
    document = printed("arena simulate --agents 9 --joins 40")
    assert set(document) == listed("tallymark arena simulate")
    assert set(document["waits"]) == set(document["established"]) == listed("Numbers and how they are spread")
    (row,) = (line for line in PAGE.splitlines() if line.startswith("| `deviations`"))
    assert set(document["deviations"][0]) == said(row) - {"deviations"}


def test_of_the_demo(printed: Callable[[str], Any]) -> None:
    found: Mapping[str, object] = printed("demo")
    assert set(found) == listed("tallymark rate") - {"from", "initial", "written"} | {"source"}


def test_of_ledgers(printed: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLYMARK_LEDGER", "club.db")
    assert CliRunner().invoke(app, ["ledger", "init", "--pool", "club", "-m", "elo"]).exit_code == 0
    Path("ids.csv").write_text("game,player_a,player_b,score_a\n1,ann,bob,1\n")
    printed("ledger append ids.csv")
    Path("ids.csv").write_text("game,match,player_a,player_b,score_a\n1,,ann,bob,0\n,x,ann,bob,0\n,x,ann,bob,1\n")
    appended = printed("ledger append ids.csv")
    assert set(appended) == listed("tallymark ledger append")
    for key in ("pools", "conflicts", "refused"):
        assert set(appended[key][0]) | {key} == row_of("tallymark ledger append", key), key
    rated = printed("ledger rate")
    assert set(rated) == listed("tallymark ledger rate")
    assert set(rated["pools"][0]) == {"pool", "methodology", "ratings"}
    status = printed("ledger status")
    assert set(status) == listed("tallymark ledger status")
    assert set(status["pools"][0]) | {"pools"} == row_of("tallymark ledger status", "pools")
    without = printed("ledger without 1")
    assert set(without) == listed("tallymark ledger without")
    assert set(without["moves"][0]) | {"moves"} == row_of("tallymark ledger without", "moves")
    rebuilt = printed("ledger rebuild")
    sentence = "`pools`, each with `pool`, `entries`, `players` and `differed`"
    assert sentence in PAGE
    assert {"pools", *rebuilt["pools"][0]} == set(re.findall(r"`(\w+)`", sentence))
    documents = [
        printed("export club.tally"),
        printed("verify club.tally"),
        printed("import club.tally --ledger new.db"),
    ]
    assert set().union(*documents) == listed("tallymark export, import and verify")
    assert set(documents[1]["pools"][0]) | {"pools", "verify"} == row_of("tallymark export, import and verify", "pools")
    tried = printed("methodology try arena")
    part = PAGE.split("`try` has `pool`")[1].split("## ")[0]
    words = {"pool", *re.findall(r"`(\w+)`", part)}
    assert {*tried, *tried["new"], *tried["moves"][0]} == words


def row_of(title: str, key: str) -> set[str]:
    """The words in backquotes of a key's row in the table below a heading."""
    text = re.split(r"^#+ ", PAGE.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    (row,) = (line for line in text.splitlines() if line.startswith(f"| `{key}`"))
    return set(re.findall(r"`([^`]+)`", row))
