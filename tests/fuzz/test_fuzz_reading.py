"""A short run of the fuzzing of everything that reads games; `TALLYMARK_FUZZ_MINUTES=10` makes it a long one."""

import os
from pathlib import Path

import pytest
from fuzz_files import CSV, GOALS
from fuzz_reading import Case, fuzz, verify

_SECONDS = 60.0 * float(os.environ.get("TALLYMARK_FUZZ_MINUTES", "0.1"))


def test_damaged_files_are_read_or_refused(data: Path) -> None:
    assert fuzz(_SECONDS, 0, data / "messy") > 5


@pytest.mark.parametrize("content", [CSV, GOALS, "", "player_a,player_b,score_a\n", "\0"])
@pytest.mark.parametrize("command", ["check", "prepare", "rate", "standings", "predict"])
@pytest.mark.parametrize("piped", [False, True])
def test_plain_cases(command: str, content: str, piped: bool) -> None:
    verify(Case(command, ((content.encode(), ".csv"),), (), piped))


def test_a_broken_promise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("tallymark.games.report.Findings.reject", careless)
    with pytest.raises(AssertionError, match="this is a bug"):
        verify(Case("check", ((CSV.encode(), ".csv"),), (), False))
