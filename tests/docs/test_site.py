"""The pages as they are built: a fault fails the build, and examples of docstrings are code."""

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

from pages import REPOSITORY


def build(repository: Path, site: Path) -> "CompletedProcess[str]":
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        command, cwd=repository, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=False
    )


def test_examples_of_docstrings_are_code(tmp_path: Path) -> None:
    done = build(REPOSITORY, tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "reference" / "python" / "index.html").read_text(encoding="utf-8")
    assert "<blockquote" not in page
    blocks = [
        html.unescape(re.sub(r"<[^>]+>", "", block)) for block in re.findall(r"<code>.*?</code>", page, re.DOTALL)
    ]
    shown = [block for block in blocks if ">>> " in block]
    assert len(shown) > 30
    assert any(
        ">>> str(InputError(" in block and "\n'score_a is 1.5; scores lie from 0 to 1'" in block for block in shown
    )
    assert page.count("# doctest:") == 0


def test_a_broken_link_fails_the_build(tmp_path: Path) -> None:
    for name in ("docs", "src"):
        shutil.copytree(REPOSITORY / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / "mkdocs.yml", tmp_path)
    with (tmp_path / "docs" / "index.md").open("a", encoding="utf-8") as page:
        page.write("\n[nowhere](nowhere.md)\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode == 1
    assert "nowhere.md" in done.stderr


def test_continuous_integration_builds_so_that_a_fault_fails() -> None:
    lines = [line for line in (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8").splitlines() if "mkdocs" in line]
    assert len(lines) == 1
    assert "--strict" in lines[0]
    assert "--quiet" not in lines[0]  # mkdocs counts warnings as it prints them: unprinted, none fails the build
