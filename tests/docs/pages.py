"""Reads the examples out of a Markdown page and runs them as a reader would: in order, in one folder, one session.

A fence with `title="NAME"` is a file that is written. A `python` fence is run, and a `text` fence right after it is
what it printed, exactly. A `console` fence holds commands after `$ ` and lines that their output has, in this order;
`...` stands for any lines; `$ echo $?` gives the exit code of the command before it, which otherwise is 0.
"""

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from typer.testing import CliRunner

from tallymark.cli.program import app

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]

_FENCE = re.compile(r"^```(?P<kind>\w+)(?P<options>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([^"]+)"')


class Fence(NamedTuple):
    """One fenced block: its language, the file it stands for, its text, the line it starts on."""

    kind: str
    title: str | None
    body: str
    line: int


class Command(NamedTuple):
    """A command of a console block, the lines its output must have, and its exit code."""

    words: list[str]
    output: list[str]
    code: int


def fences(page: str) -> Iterator[Fence]:
    """The fenced blocks of a page that stand at the left margin."""
    for match in _FENCE.finditer(page):
        title = _TITLE.search(match["options"])
        yield Fence(match["kind"], title[1] if title else None, match["body"], page.count("\n", 0, match.start()) + 1)


def commands(body: str) -> Iterator[Command]:
    """The commands of a console block."""
    blocks: list[tuple[str, list[str]]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            blocks.append((line[2:], []))
        else:
            blocks[-1][1].append(line)
    for at, (command, output) in enumerate(blocks):
        if command == "echo $?":
            continue
        told = at + 1 < len(blocks) and blocks[at + 1][0] == "echo $?"
        yield Command(shlex.split(command), output, int(blocks[at + 1][1][0]) if told else 0)


def run(page: Path, folder: Path) -> int:
    """Runs every example of a page in `folder`, the working directory; AssertionError names the line. How many ran."""
    names: dict[str, object] = {"__name__": "__main__"}
    printed: str | None = None
    count = 0
    for fence in fences(page.read_text(encoding="utf-8")):
        where = f"{page.relative_to(REPOSITORY)}, line {fence.line}"
        before, printed = printed, None
        if fence.title is not None:
            (folder / fence.title).write_text(fence.body, encoding="utf-8")
        elif fence.kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(fence.body, where, "exec"), names)
            printed = out.getvalue()
            count += 1
        elif fence.kind == "text" and before is not None:
            assert before == fence.body, f"{where}: printed was\n{before}"
        elif fence.kind == "console":
            for command in commands(fence.body):
                _check(command, folder, where)
                count += 1
    return count


def _check(command: Command, folder: Path, where: str) -> None:
    assert command.words[0] == "tallymark", f"{where}: {command.words[0]} is not the command of this project"
    # In this process: half of the time of a command of its own is Python's start, and tests of the command have those.
    with contextlib.chdir(folder):
        done = CliRunner().invoke(app, command.words[1:], env={"COLUMNS": "100", "NO_COLOR": "1"})
    shown = done.stdout + done.stderr
    assert done.exit_code == command.code, f"{where}: exit code {done.exit_code} of {command.words}\n{shown}"
    rest = iter(shown.splitlines())
    for line in command.output:
        if line.strip() and line.strip() != "...":
            found = any(line.rstrip() == other.rstrip() for other in rest)
            assert found, f"{where}: no line {line!r} in the output of {command.words}\n{shown}"
