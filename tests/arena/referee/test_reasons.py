"""The closed list of reasons: each has a sentence, which the guide has too."""

from pathlib import Path

import pytest

from tallymark.arena.referee.endings import ABORTS, FORFEITS, REASONS, Reason
from tallymark.arena.referee.events import Aborted

PAGE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "arena-rules.md"


def test_the_guide_has_every_reason_and_no_other() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("\n## Reasons\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    assert [(word.strip("`"), told) for word, told, _ in rows] == [(reason.value, reason.told) for reason in Reason]
    unrated = {Reason(word.strip("`")) for word, _, rated in rows if rated == "no"}
    assert unrated == {*ABORTS, Reason.EXHIBITION, Reason.RULES, Reason.ID_TAKEN}


def test_words_are_never_renamed() -> None:
    words = "finished resigned timeout illegal disconnect undelivered restart lease defect exhibition rules id-taken"
    assert [reason.value for reason in Reason][:12] == words.split()
    assert set(REASONS) == set(Reason)
    assert not set(FORFEITS) & set(ABORTS)


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.FINISHED, Reason.UNDELIVERED, Reason.EXHIBITION])
def test_nobody_aborts_a_match_for_what_an_agent_did(reason: Reason) -> None:
    with pytest.raises(ValueError, match="expected one of restart, lease, defect"):
        Aborted(0, reason)
