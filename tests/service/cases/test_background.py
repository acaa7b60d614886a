"""Work in the background: once, however often it is asked for; and evidence that takes a while."""

import threading
from concurrent.futures import Future
from pathlib import Path

import pytest
from courts import Court, opened

from tallymark.errors import LedgerError
from tallymark.ledger.matches import Json
from tallymark.service.cases import background as module
from tallymark.service.cases import showing
from tallymark.service.cases.background import Background
from tallymark.service.cases.evidence import Evidence, evidence_of
from tallymark.service.cases.watching import Watch
from tallymark.service.problems import Problem

ANNUL: Json = {"do": "annul", "matches": ["m3"]}


def test_work_is_done_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    work, go, done = Background(), threading.Event(), list[int]()

    def slow() -> int:
        assert go.wait(30)
        done.append(1)
        return len(done)

    for _ in range(3):
        with pytest.raises(Problem) as told:
            work.result("a", slow)
        assert (told.value.type.name, told.value.status) == ("computing", 503)
        assert (told.value.headers or {})["Retry-After"]
    later = work.start("b", lambda: 7)
    go.set()
    assert later.result(30) == 7
    assert work.result("a", slow) == 1
    monkeypatch.setattr(module, "PATIENCE", 30.0)
    assert work.result("a", slow) == 2  # who has had it asks anew
    work.stop()


def test_what_goes_wrong_is_told_to_who_asks_and_else_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    work = Background()

    def wrong() -> None:
        raise LedgerError("the disk is full")

    with pytest.raises(LedgerError):
        work.result("a", wrong)
    failed: Future[None] = work.start("b", wrong)
    with pytest.raises(LedgerError):
        failed.result(30)
    work.stop()
    assert "the disk is full; it is begun again" in caplog.text


def test_results_that_nobody_fetches_are_few() -> None:
    work = Background()
    for n in range(50):
        work.start(n, lambda: 1, fetched=True).result(30)
    work.stop()
    assert len(work._jobs) == len(work._fetched) <= 17


class Slow:
    """Evidence that takes as long as one likes."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.go, self.asked = threading.Event(), 0
        patch.setattr(showing, "evidence_of", self)
        patch.setattr(module, "PATIENCE", 0.0)

    def __call__(self, *asked: object) -> Evidence:
        self.asked += 1
        assert self.go.wait(30)
        return evidence_of(*asked)  # type: ignore[arg-type]


@pytest.mark.parametrize("approvers", [1, 2])
def test_evidence_is_worked_out_once_and_nobody_approves_before(
    ledger_url: str, approvers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(ledger_url, approvers=approvers) as court:
        slow, case = Slow(monkeypatch), court.reviewed()
        number = court.cases.propose(case, "rosa", "they are one person", ANNUL)
        assert court.cases.propose(case, "rosa", "they are one person", ANNUL) == number  # a double click
        found = court.cases.find(case)
        assert found.evidence_of(number) is None
        assert found.course.taken() == ["flag", "note", "dismiss", "uphold", "propose", "shown", "withdraw"]
        with pytest.raises(Problem, match="still worked out"):
            court.cases.approve(case, number, "ben", "so do I")
        assert court.corrections() == []
        job = court.cases._shown(case, number)
        slow.go.set()
        job.result(30)
        assert slow.asked == 1
        assert court.cases.find(case).evidence_of(number)["effect"] == "none"
        if approvers == 2:
            court.cases.approve(case, number, "ben", "so do I")
        assert len(court.corrections()) == 1
        assert court.cases.propose(case, "rosa", "they are one person", ANNUL) == number  # told, and the same still
        assert [one.event.action for one in court.cases.find(case).events].count("propose") == 1


def test_what_a_process_left_is_worked_out_by_another(ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(ledger_url) as court:
        case = court.reviewed()
        with monkeypatch.context() as killed:
            killed.setattr(type(court.cases), "_show", lambda *asked: None)
            number = court.cases.propose(case, "rosa", "why", ANNUL)
        other = Court(court.ledger, court.clock, 2, seed=3).cases
        watch = Watch(court.ledger, other)
        watch.look()
        other._shown(case, number).result(30)
        assert other.find(case).evidence_of(number)["players"] == 0
        watch.look()
        assert [one.event.action for one in other.find(case).events].count("shown") == 1


def test_another_proposal_is_another_one(tmp_path: Path) -> None:
    with opened(str(tmp_path / "l.db")) as court:
        case = court.reviewed()
        first = court.cases.propose(case, "rosa", "why", ANNUL)
        other: Json = {"do": "annul", "matches": ["m1"]}
        told: list[tuple[str, str, Json]] = [("ben", "why", ANNUL), ("rosa", "because", ANNUL), ("rosa", "why", other)]
        others = [court.cases.propose(case, *one) for one in told]
        assert len({first, *others}) == 4
        court.cases.withdraw(case, first, "rosa", "no")
        assert court.cases.propose(case, "rosa", "why", ANNUL) not in (first, *others)
        assert all(one.shown for one in court.cases.find(case).course.proposals.values())
