"""The reference says what the package does: generated pages are fresh, and lists of words are whole."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pages import REPOSITORY

import tallymark as tm
from tallymark import errors
from tallymark.cli.endings import Ending
from tallymark.fixedpoint.rules import VoidReason
from tallymark.games.report import Reason
from tallymark.games.shapes.names import COLUMNS
from tallymark.ledger.fold.reasons import Refusal, Unrated
from tallymark.methodology.limits import CLAMPS
from tallymark.replay.columns import Players
from tallymark.replay.eligibility import NotRated

REFERENCE = REPOSITORY / "docs" / "reference"


def words(page: str, column: int) -> list[str]:
    """Everything in backquotes in that column of the page's tables."""
    rows = [line for line in (REFERENCE / page).read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row.split(" | ")[column])]


def generated() -> dict[str, str]:
    spec = importlib.util.spec_from_file_location("generate", REPOSITORY / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pages: dict[str, str] = module.pages()
    return pages


@pytest.mark.parametrize("name", ["cli.md", "fields.md", "methodologies.md", "service.md"])
def test_generated_pages_are_fresh(name: str) -> None:
    pages = generated()
    assert name in pages
    assert (REFERENCE / name).read_text(encoding="utf-8") == pages[name], "run: python docs/generate.py"


def test_every_reason_and_error_is_listed() -> None:
    listed = words("reasons.md", 0)
    for word in (*Reason, *NotRated, *Unrated, *Refusal, *(why.name.lower() for why in VoidReason)):
        assert str(word) in listed
    for name in vars(errors):
        if name.endswith("Error") and name != "TallymarkError":
            assert name in listed
    prose = (REFERENCE / "reasons.md").read_text(encoding="utf-8")
    assert all(f"`{word}`" in prose for _, word in CLAMPS)


def test_every_exit_code_is_listed() -> None:
    prose = (REFERENCE / "reasons.md").read_text(encoding="utf-8")
    listed = [int(code) for code in re.findall(r"^\| (\d+) \|", prose, re.MULTILINE)]
    assert listed == [int(ending) for ending in Ending]


def test_every_column_is_listed() -> None:
    listed = words("columns.md", 0)
    assert set(COLUMNS) <= set(listed)
    assert set(listed) <= {*COLUMNS, "game_id"}
    prose = (REFERENCE / "columns.md").read_text(encoding="utf-8")
    assert all(f"`{member.value}`" in prose for kind in (tm.Ending, tm.Source) for member in kind)


def test_columns_of_results_are_listed() -> None:
    log = tm.GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1], played_at=["2026-01-01"])
    r = tm.replay(log, "go-float", history=True, predictions=True)
    prose = " ".join((REFERENCE / "columns.md").read_text(encoding="utf-8").split())
    columns = ", ".join(tm.replay(log, "paper").ratings.columns)
    assert f"`ratings`: {columns};" in prose
    assert f"`predictions`: {', '.join(r.predictions.columns)}." in prose
    assert f"`predict`: {', '.join(tm.predict(r, 1, 2).columns)}." in prose
    plain = tm.standings(log).columns
    broken = tm.standings(log, "paper", tie_breaks=list(tm.TieBreak)).columns
    breaks, beside = broken[len(plain) : -3], broken[-3:]
    told = f"a column each tie-break ({', '.join(breaks)}); with a methodology {', '.join(beside)}."
    assert f"`standings`: {', '.join(plain)}; {told}" in prose
    assert set(r.history.columns) <= set(re.findall(r"\w+", prose))


def test_every_column_of_a_snapshot_is_listed() -> None:
    assert set(Players._fields) <= set(words("snapshot.md", 0))


def test_every_public_name_is_documented() -> None:
    page = (REFERENCE / "python.md").read_text(encoding="utf-8")
    whole_modules = {name for name in tm.__all__ if name.endswith("Error")} | {"votes", "errors"}
    documented = set(re.findall(r"^::: [\w.]+\.(\w+)$", page, re.MULTILINE))
    assert set(tm.__all__) - whole_modules <= documented
    assert {"votes", "errors"} <= documented


def test_every_option_is_listed() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "tallymark", "rate", "--help"], capture_output=True, encoding="utf-8", check=True
    ).stdout
    page = (REFERENCE / "command-line.md").read_text(encoding="utf-8")
    for option in set(re.findall(r"--[a-z]+", shown)) - {"--help"}:
        assert f"`{option}" in page, option


def test_pages_are_in_the_navigation() -> None:
    navigation = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8")
    docs = REPOSITORY / "docs"
    for page in docs.rglob("*.md"):
        assert f": {Path(page).relative_to(docs)}\n" in navigation
