"""Shell completion: what is offered, that bash takes it, and that a shell nobody knows is told so in one line."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tallymark.cli.completion import tie_break_names
from tallymark.games.shapes.names import COLUMNS
from tallymark.standings import TieBreak

Run = Callable[..., "CompletedProcess[str]"]


def offered(line: str, tmp_path: Path) -> list[str]:
    """What is offered for the last word of the line, as bash asks for it."""
    words = line.split(" ")
    environment = {
        **os.environ,
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TALLYMARK_COMPLETE": "complete_bash",
    }
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tallymark"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_commands_options_and_methodologies_are_offered(tmp_path: Path) -> None:
    assert offered("tallymark st", tmp_path) == ["standings"]
    assert offered("tallymark standings --tie", tmp_path) == ["--tie-breaks"]
    assert offered("tallymark rate -m lich", tmp_path) == ["lichess", "lichess-1"]
    assert offered("tallymark methodology show pap", tmp_path) == ["paper", "paper-1"]


def test_columns_are_offered_by_their_canonical_names(tmp_path: Path) -> None:
    assert offered("tallymark rate --columns ", tmp_path) == [f"{name}=" for name in COLUMNS]


def test_nothing_of_a_file_is_ever_offered(tmp_path: Path) -> None:
    (tmp_path / "$(touch hit).csv").write_text("player_a,player_b,score_a\n$(touch hit),bob,1\n")
    assert offered("tallymark predict ", tmp_path) == []
    assert offered("tallymark rate ", tmp_path) == []


@pytest.mark.parametrize(
    ("shell", "answer"),
    [
        ("fish", "paper\tGlicko-2 as in the paper\npaper-1\tGlicko-2 as in the paper\n"),
        ("zsh", """_arguments '*: :(("paper":"Glicko-2 as in the paper"\n"paper-1":"Glicko-2 as in the paper"))'\n"""),
    ],
)
def test_other_shells_are_told_what_each_offer_means(shell: str, answer: str) -> None:
    environment = {
        **os.environ,
        "_TYPER_COMPLETE_ARGS": "tallymark rate -m pap",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TALLYMARK_COMPLETE": f"complete_{shell}",
    }
    command = [sys.executable, "-W", "error", "-m", "tallymark"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, answer, "")


def test_a_list_of_tie_breaks_goes_on() -> None:
    assert tie_break_names("") == list(TieBreak)
    assert tie_break_names("wins,") == ["wins,direct", "wins,sonneborn-berger", "wins,buchholz"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes(tmp_path: Path) -> None:
    script = tmp_path / "tallymark.sh"
    program = tmp_path / "tallymark"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tallymark "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    # Several commands, so that the shell itself stays and is the parent that is found.
    command = f"tallymark --show-completion > {script}; code=$?; exit $code"
    assert subprocess.run(["bash", "-c", command], env=environment, timeout=60, check=False).returncode == 0
    asked = (
        f"source {script}; COMP_WORDS=(tallymark pred); COMP_CWORD=1; _tallymark_completion tallymark; "
        'echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", asked], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("predict", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_is_set_up_for_completion(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path)}
    command = f'"{sys.executable}" -m tallymark --install-completion; exit $?'
    done = subprocess.run(
        ["bash", "-c", command], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert ".bash_completions" in (tmp_path / ".bashrc").read_text()


def test_a_shell_that_cannot_be_told_is_an_error_with_a_hint(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import shellingham

    def nobody() -> tuple[str, str]:
        raise shellingham.ShellDetectionFailure

    monkeypatch.setattr(shellingham, "detect_shell", nobody)
    done = cli("--show-completion")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: cannot tell which shell this is\nhint: run it in bash, zsh or fish itself\n"
    monkeypatch.setattr(shellingham, "detect_shell", lambda: ("tcsh", "/bin/tcsh"))
    assert cli("--install-completion").returncode == 2
