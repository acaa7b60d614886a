"""Every example in README and docs runs, and prints what the page says it prints."""

import re
from pathlib import Path

import pytest
from pages import PAGES, REPOSITORY, commands, fences, run


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(page, tmp_path)


def test_there_are_examples() -> None:
    kinds = [fence.kind for page in PAGES for fence in fences(page.read_text(encoding="utf-8"))]
    assert kinds.count("python") > 15
    assert kinds.count("console") > 5


def test_readme_has_the_two_lines() -> None:
    lines = re.findall(r"^pip install uv.*$", (REPOSITORY / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) == 2
    assert lines[0].endswith("tallymark demo")
    assert "pytest" in lines[1]


def test_a_wrong_output_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.REPOSITORY", tmp_path)
    page = tmp_path / "wrong.md"
    page.write_text("```python\nprint(1)\n```\n\n```text\n2\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="printed was"):
        run(page, tmp_path)


def test_console_blocks_are_understood() -> None:
    body = "$ tallymark rate 'a b.csv'\nerror: no\n$ echo $?\n3\n$ tallymark demo\n...\n"
    first, second = commands(body)
    assert first == (["tallymark", "rate", "a b.csv"], ["error: no"], 3)
    assert second == (["tallymark", "demo"], ["..."], 0)
