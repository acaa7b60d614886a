"""Cases: private until an adjustment has its approvers, and then told once."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from courts import MATCHES, POOL, Court, opened

import tallymark as tm
from tallymark.errors import InputError, LedgerError, UnknownError
from tallymark.ledger.fold.reasons import Refusal
from tallymark.ledger.matches import Json
from tallymark.service.cases import adjustments
from tallymark.service.cases.cases import Cases
from tallymark.service.cases.docket import LONGEST, told_id
from tallymark.service.cases.opening import MOST
from tallymark.service.problems import Problem

ANNUL: Json = {"do": "annul", "matches": ["m3"]}


def test_a_flag_changes_nothing_public(ledger_url: str) -> None:
    with opened(ledger_url) as court:
        before = list(court.ledger.ratings(POOL).rows()), court.ledger.head(POOL)
        case = court.cases.flag(POOL, "somebody", "they know each other", match="m3")
        court.cases.act(case, "review", "rosa", "I look at it")
        court.cases.propose(case, "rosa", "they are one person", ANNUL)
        court.ledger.settle()
        assert (list(court.ledger.ratings(POOL).rows()), court.ledger.head(POOL)) == before
        found = court.cases.find(case)
        assert (found.kind, found.match, found.course.state) == ("flag", "m3", "under-review")
        assert found.record["entry"]["match"]["id"] == "m3"
        assert found.record["hash"] == court.ledger.entry(POOL, 4).hash.hex()
        assert [one.event.action for one in found.events] == ["open", "review", "propose", "shown"]


def test_flags_of_one_thing_are_one_case_while_it_is_open(ledger_url: str) -> None:
    with opened(ledger_url) as court:
        first = court.cases.flag(POOL, "somebody", "once", match="m3")
        assert court.cases.flag(POOL, "ann", "twice", match="m3") == first
        assert court.cases.flag(POOL, "ann", "another", match="m1") != first
        assert court.cases.flag(POOL, "ann", "a player", player="ann") != first
        court.cases.act(first, "dismiss", "rosa", "it is nothing")
        again = court.cases.flag(POOL, "ann", "I say it once more", match="m3")
        assert again != first
        assert [one.state for one in court.cases.all()] == [
            "dismissed" if one.id == first else "open" for one in court.cases.all()
        ]
        assert [one.id for one in court.cases.all(POOL, "dismissed")] == [first]
        ids = [one.id for one in court.cases.all()]
        assert ids == sorted(ids)
        assert [one.id for one in court.cases.all(after=ids[1], limit=1)] == ids[2:3]


def test_flags_and_notes_at_once_are_all_kept(ledger_url: str) -> None:
    with opened(ledger_url) as court:
        case = court.reviewed()
        ready = threading.Barrier(8)
        wrong: list[BaseException] = []

        def go(n: int) -> None:
            ready.wait(30)
            try:
                for k in range(4):
                    if n % 2:
                        assert court.cases.flag(POOL, f"f{n}", f"flag {k}", match="m3") == case
                    else:
                        court.cases.act(case, "note", f"r{n}", f"note {k}")
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=go, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert wrong == []
        events = [one.event for one in court.cases.find(case).events]
        assert [one.n for one in events] == list(range(1, 2 + 32 + 1))
        assert len({(one.by, one.why) for one in events[2:]}) == 32


def test_first_flags_at_once_are_one_case(ledger_url: str) -> None:
    with opened(ledger_url) as court:
        ready, found = threading.Barrier(6), list[str]()

        def flag(n: int) -> None:
            ready.wait(30)
            found.append(court.cases.flag(POOL, f"f{n}", "look", match="m2"))

        threads = [threading.Thread(target=flag, args=(n,)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert (len(found), len(set(found))) == (6, 1)


def test_nobody_buries_a_case_under_flags(ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST >= 100
    monkeypatch.setattr("tallymark.service.cases.opening.MOST", 5)
    with opened(ledger_url) as court:
        for n in range(9):
            case = court.cases.flag(POOL, "somebody", f"flag {n}", match="m3")
        assert len(court.cases.find(case).events) == 5
        court.cases.act(case, "review", "rosa", "enough")


def test_two_stand_for_an_adjustment_and_then_it_is_an_entry(ledger_url: str) -> None:
    with opened(ledger_url) as court:
        case = court.reviewed()
        proposal = court.cases.propose(case, "rosa", "they are one person", ANNUL)
        court.cases.approve(case, proposal, "rosa", "I still think so")  # counts once
        assert court.corrections() == []
        court.cases.approve(case, proposal, "ben", "so do I")
        (entry,) = court.corrections()
        item = orjson.loads(entry)["item"]
        assert item["matches"] == ["m3"]
        assert (item["case"], item["reason"], item["approvers"]) == (case, "they are one person", ["rosa", "ben"])
        course = court.cases.find(case).course
        assert (course.state, course.proposals[proposal].state) == ("upheld", "told")
        court.cases.approve(case, proposal, "ben", "I said so")  # sent again: nothing happens again
        with pytest.raises(Problem, match="is told"):
            court.cases.approve(case, proposal, "cleo", "me too")
        assert len(court.corrections()) == 1


def test_an_adjustment_whose_id_stands_for_something_else_fails_in_the_open(tmp_path: Path) -> None:
    with opened(str(tmp_path / "go.db")) as court:
        case = court.reviewed()
        proposal = court.cases.propose(case, "rosa", "they are one person", ANNUL)
        game: dict[str, Json] = {"id": told_id(case, proposal), "player_a": "ann", "player_b": "bob", "score_a": 1}
        court.ledger.append(game, pool=POOL)
        court.cases.approve(case, proposal, "ben", "so do I")
        assert court.corrections() == []
        assert court.cases.find(case).course.proposals[proposal].state == "failed"


def test_where_one_person_runs_the_site_one_is_enough(ledger_url: str) -> None:
    with opened(ledger_url, approvers=1) as court:
        case = court.reviewed()
        court.cases.propose(case, "rosa", "they are one person", ANNUL)
        assert len(court.corrections()) == 1
        assert court.cases.find(case).course.state == "upheld"


def test_three_of_three(ledger_url: str) -> None:
    with opened(ledger_url, approvers=3) as court:
        case = court.reviewed()
        proposal = court.cases.propose(case, "rosa", "why", ANNUL)
        court.cases.approve(case, proposal, "ben", "yes")
        assert court.corrections() == []
        court.cases.approve(case, proposal, "cleo", "yes")
        assert len(court.corrections()) == 1


def test_approvers_at_once(ledger_url: str) -> None:
    with opened(ledger_url) as court:
        case = court.reviewed()
        proposal = court.cases.propose(case, "rosa", "why", ANNUL)
        ready = threading.Barrier(8)
        refused: list[str] = []

        def approve(name: str) -> None:
            ready.wait(30)
            try:
                court.cases.approve(case, proposal, name, "yes")
            except Problem as problem:
                refused.append(problem.type.name)

        threads = [threading.Thread(target=approve, args=(f"r{n % 4}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        (entry,) = court.corrections()
        approvers = orjson.loads(entry)["item"]["approvers"]
        assert len(approvers) == 2
        assert refused == ["not-now"] * 6
        actions = [one.event.action for one in court.cases.find(case).events]
        assert actions == ["open", "review", "propose", "shown", "approve", "told"]


class Killed(BaseException):
    """As a process is."""


@pytest.mark.parametrize("where", ["before", "after"])
def test_killed_between_approving_and_telling(ledger_url: str, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(ledger_url) as court:
        case = court.reviewed()
        proposal = court.cases.propose(case, "rosa", "why", ANNUL)
        tell: Callable[..., None] = adjustments.tell

        def killed(*told: Any) -> None:
            if where == "after":
                tell(*told)
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(adjustments, "tell", killed)
            with pytest.raises(Killed):
                court.cases.approve(case, proposal, "ben", "yes")
        assert len(court.entered()) == (where == "after")
        assert court.cases.find(case).course.due is not None
        for action in ("dismiss", "uphold"):
            with pytest.raises(Problem, match="being told"):
                court.cases.act(case, action, "rosa", "now?")
        for other in (Court(court.ledger, court.clock, 2), court):  # whoever starts next
            other.cases.finish()
            assert len(court.corrections()) == 1
            assert court.cases.find(case).course.state == "upheld"


def test_what_the_ledger_does_not_take_is_said_and_may_be_mended(ledger_url: str) -> None:
    with opened(ledger_url, approvers=1) as court:
        case = court.reviewed()
        match: dict[str, Json] = {"id": "m3", "player_a": "cid", "player_b": "ann", "score_a": 1}
        other: Json = {"do": "change", "match": match}
        played: Json = {**match, "played_at": "2026-01-01T00:00:00Z"}
        with pytest.raises(InputError, match="played at another time"):
            court.cases.propose(case, "rosa", "a typo", {"do": "change", "match": played})
        assert court.cases.find(case).course.proposals == {}
        right = court.cases.propose(case, "rosa", "a typo", other)
        assert court.cases.find(case).course.proposals[right].state == "due"  # the ledger has not said anything yet
        assert len(court.corrections()) == 1
        assert court.cases.find(case).course.proposals[right].state == "told"


def test_the_same_is_proposed_again_where_the_first_is_decided(ledger_url: str) -> None:
    with opened(ledger_url, approvers=1) as court:
        case = court.reviewed()
        first = court.cases.propose(case, "rosa", "why", ANNUL)
        assert court.cases.propose(case, "rosa", "why", ANNUL) == first  # it is due
        assert len(court.corrections()) == 1
        assert court.cases.propose(case, "rosa", "why", ANNUL) == first  # a request that was sent twice
        court.clock.at += 60_000_000
        with pytest.raises(Problem, match="a case that is upheld takes no propose"):
            court.cases.propose(case, "rosa", "why", ANNUL)
        court.cases.act(case, "review", "rosa", "once more")
        for again in range(2, 4):
            assert court.cases.propose(case, "rosa", "why", ANNUL) != first
            assert len(court.corrections()) == again
            court.cases.act(case, "review", "rosa", "once more")  # in the same moment, and the case is open again


def test_the_same_is_proposed_again_where_the_first_was_taken_off(tmp_path: Path) -> None:
    with opened(str(tmp_path / "l.db")) as court:
        case = court.reviewed()
        first = court.cases.propose(case, "rosa", "why", ANNUL)
        court.cases.withdraw(case, first, "ben", "no")
        assert court.cases.propose(case, "rosa", "why", ANNUL) != first


REFUSING = tm.methodology("arena-v0").with_({"period.late": "refuse"})
RECOMPUTING = tm.methodology("arena-v0").with_({"period.late": "recompute"})
ADJUST: Json = {"do": "adjust", "ratings": [{"player": "ann", "rating": 1600, "deviation": 80, "volatility": 0.06}]}


@pytest.mark.parametrize(
    ("rules", "given", "why"),
    [(REFUSING, ANNUL, "late"), (RECOMPUTING, ADJUST, "recomputed-pool")],
    ids=["late", "recomputed-pool"],
)
def test_what_the_ledger_would_refuse_is_not_proposed(
    ledger_url: str, rules: tm.Methodology, given: Json, why: str
) -> None:
    with opened(ledger_url, approvers=2, rules=rules) as court:
        case = court.reviewed()
        with pytest.raises(InputError, match=rf"the ledger would refuse this: .* \({why}\)"):
            court.cases.propose(case, "rosa", "why", given)
        assert court.cases.tried(case, given).effect == "refused"  # to look is no harm
        assert court.cases.find(case).course.proposals == {}


@pytest.mark.parametrize("approvers", [1, 2])
def test_what_the_ledger_refuses_after_all_failed_and_the_case_is_open(ledger_url: str, approvers: int) -> None:
    with opened(ledger_url, approvers=approvers) as court:
        case = court.reviewed()
        # Other rules wait, and are in force when its turn comes.
        court.ledger.change_rules(POOL, REFUSING, id="r1")
        number = court.cases.propose(case, "rosa", "why", ANNUL)
        if approvers == 2:
            court.cases.approve(case, number, "ben", "so do I")
        assert court.cases.find(case).course.proposals[number].state == "due"
        court.ledger.settle()
        court.cases.decided(case)
        found = court.cases.find(case)
        assert (found.course.state, found.course.proposals[number].state) == ("under-review", "failed")
        assert found.events[-1].event.why.startswith("the ledger refused it: it is about what is settled")
        with pytest.raises(InputError, match="would refuse"):
            court.cases.propose(case, "rosa", "why", ANNUL)
        with pytest.raises(Problem, match="is failed"):
            court.cases.approve(case, number, "cleo", "me too")


def test_why_the_ledger_refuses_is_told_in_words() -> None:
    others = {one.value for one in Refusal if one.value.startswith(("other-", "pool-", "player-", "no-methodology"))}
    assert set(adjustments.REFUSED) == {one.value for one in Refusal} - others


EVERY: list[Json] = [
    ANNUL,
    {"do": "restore", "matches": ["m3"]},
    {"do": "change", "match": {"id": "m2", "player_a": "bob", "player_b": "cid", "score_a": 0}},
    {"do": "merge", "player": "dan", "into": "bob"},
    {"do": "part", "player": "dan"},
    {"do": "void", "voter": "v-1"},
    {"do": "adjust", "ratings": [{"player": "ann", "rating": 1600, "deviation": 80, "volatility": 0.06}]},
]


def test_adjustments_of_every_kind_are_told(ledger_url: str) -> None:
    with opened(ledger_url, approvers=1) as court:
        court.ledger.append(
            {"id": "v1", "player_a": "x", "player_b": "y", "score_a": 1, "data": {"voter": "v-1"}}, pool=POOL
        )
        court.ledger.settle()
        for n, adjustment in enumerate(EVERY, 1):
            court.clock.at += 1_000_000
            case = court.reviewed("m4")
            assert court.cases.tried(case, adjustment).will.position == court.ledger.head(POOL).position
            proposal = court.cases.propose(case, "rosa", "why", adjustment)
            assert len(court.corrections()) == n
            assert court.cases.find(case).course.proposals[proposal].state == "told"
        kinds = {orjson.loads(body)["kind"] for body in court.corrections()}
        assert "refused" not in kinds
        assert court.ledger.history("ann", POOL, limit=1)[0].after.rating == pytest.approx(1600)


def replayed(*matches: tuple[str, str, str, float]) -> dict[Any, Any]:
    """Where everybody stands after these matches and no others."""
    _, a, b, score = (list(column) for column in zip(*matches, strict=True))
    log = tm.GameLog.from_arrays(player_a=a, player_b=b, score_a=score)
    return {row["player"]: row["rating"] for row in tm.replay(log, "arena-v0").ratings.rows()}


M1, M2, M3, M4 = MATCHES
RECOMPUTED = tm.methodology("arena-v0").with_({"period.late": "recompute"})


@pytest.mark.parametrize(
    ("given", "then"),
    [
        (ANNUL, (M1, M2, M4)),
        ({"do": "annul", "matches": ["m1", "m4"]}, (M2, M3)),
        ({"do": "void", "voter": "v-1"}, (M2, M3, M4)),
        (
            {"do": "change", "match": {"id": "m2", "player_a": "bob", "player_b": "cid", "score_a": 0}},
            (M1, ("m2", "bob", "cid", 0), M3, M4),
        ),
        ({"do": "merge", "player": "dan", "into": "bob"}, (M1, M2, M3, ("m4", "ann", "bob", 0.5))),
        ({"do": "merge", "player": "bob", "into": "ann"}, (("m2", "ann", "cid", 1), M3, M4)),
        ({"do": "adjust", "ratings": [{"player": "a", "rating": 1, "deviation": 1, "volatility": 1}]}, (M1, M2, M3)),
    ],
)
def test_evidence_is_a_replay_of_what_would_have_been(
    tmp_path: Path, given: Any, then: tuple[tuple[str, str, str, float], ...]
) -> None:
    with opened(str(tmp_path / "l.db")) as court:
        before = replayed(*MATCHES)
        found = court.cases.tried(court.reviewed("m4"), given).from_the_beginning
        after = replayed(*then)
        expected = {one: after.get(one) for one in {**before, **after} if before.get(one) != after.get(one)}
        assert {move.player: move.rating_then for move in found.moves} == pytest.approx(expected)
        assert {move.player: move.rating for move in found.moves} == pytest.approx(
            {one: before.get(one) for one in expected}
        )
        both = [one for one in found.moves if one.rating is not None and one.rating_then is not None]
        gaps = [abs((one.rating or 0) - (one.rating_then or 0)) for one in both]
        assert (found.position, found.players, gaps) == (5, len(expected), sorted(gaps, reverse=True))
        assert found.moves[: len(both)] == both  # who would have none, or has none, behind them
        assert court.corrections() == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (ANNUL, {"do": "restore", "matches": ["m3"]}),
        ({"do": "merge", "player": "dan", "into": "bob"}, {"do": "part", "player": "dan"}),
    ],
)
def test_evidence_of_taking_back_is_as_if_nothing_had_been(tmp_path: Path, first: Any, second: Any) -> None:
    """Under a methodology that computes everything again for a correction, so that there is something to see."""
    with opened(str(tmp_path / "l.db"), approvers=1, rules=RECOMPUTED) as court:
        case = court.reviewed()
        there = {row["player"]: row["rating"] for row in court.ledger.ratings(POOL).rows()}
        court.cases.propose(case, "rosa", "why", first)
        court.ledger.settle()
        told = court.cases.tried(case, second)
        found = told.from_the_beginning
        assert found == told.will
        assert found.moves
        assert {move.player: move.rating_then for move in found.moves}.items() <= there.items()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (None, "adjustment"),
        ({"do": "delete"}, "adjustment.do"),
        ({"do": "annul"}, "adjustment.matches"),
        ({"do": "annul", "matches": []}, "adjustment.matches"),
        ({"do": "annul", "matches": ["m1"], "player": "x"}, "adjustment.player"),
        ({"do": "merge", "player": "ann"}, "adjustment.into"),
        ({"do": "adjust", "ratings": [{"player": "ann", "rating": 1600}]}, "adjustment.ratings[0]"),
        ({"do": "change", "match": "m1"}, "adjustment.match"),
    ],
)
def test_what_is_no_adjustment(given: Any, field: str) -> None:
    with pytest.raises(InputError) as refused:
        adjustments.checked(given)
    assert refused.value.field == field


def test_what_is_not_there(ledger_url: str) -> None:
    with opened(ledger_url) as court:
        with pytest.raises(UnknownError):
            court.cases.flag(POOL, "somebody", "why", match="m99")
        with pytest.raises(InputError):
            court.cases.flag(POOL, "somebody", "why", player="nobody")
        with pytest.raises(InputError, match="a match or about a player"):
            court.cases.flag(POOL, "somebody", "why")
        for why in ("", " \n", "x" * (LONGEST + 1), "\x00"):
            with pytest.raises(InputError, match="why is"):
                court.cases.flag(POOL, "somebody", why, match="m1")
        with pytest.raises(Problem, match="no case"):
            court.cases.act("case-0", "review", "rosa", "why")
        case = court.reviewed()
        with pytest.raises(UnknownError):
            court.cases.propose(case, "rosa", "why", {"do": "annul", "matches": ["m99"]})
        with pytest.raises(UnknownError):
            court.cases.propose(case, "rosa", "why", {"do": "void", "voter": "v-none"})
        with pytest.raises(InputError, match="the case has none"):
            court.cases.approve(case, 3, "rosa", "why")
        assert len(court.cases.find(case).events) == 2


def test_another_process_goes_on_with_a_case(ledger_url: str) -> None:
    with opened(ledger_url) as court:
        case = court.reviewed()
        other: Cases = Court(court.ledger, court.clock, 2, seed=9).cases
        proposal = other.propose(case, "ben", "why", ANNUL)
        court.cases.withdraw(case, proposal, "rosa", "not like that")
        with pytest.raises(Problem, match="withdrawn"):
            other.withdraw(case, proposal, "ben", "why")
        with pytest.raises(Problem, match="withdrawn"):
            other.approve(case, proposal, "cleo", "why")
        again = other.propose(case, "ben", "why", ANNUL)
        court.cases.approve(case, again, "rosa", "better")
        assert len(court.corrections()) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE case_event SET by = 'somebody else'",
        "DELETE FROM case_event WHERE n = 2",
        "UPDATE review_case SET pool = 2",
        "DELETE FROM review_case",
    ],
)
def test_the_database_keeps_what_happened(ledger_url: str, statement: str) -> None:
    with opened(ledger_url) as court:
        case = court.reviewed()
        before = court.cases.find(case)
        with pytest.raises(LedgerError, match="never changed"), court.ledger.beside() as own:
            own.connection.exec_driver_sql(statement)
        assert court.cases.find(case) == before


def test_nothing_is_put_in_the_place_of_an_event(tmp_path: Path) -> None:
    with opened(str(tmp_path / "l.db")) as court:
        case = court.reviewed()
        replaced = f"INSERT OR REPLACE INTO case_event SELECT * FROM case_event WHERE case_id = '{case}'"
        with pytest.raises(LedgerError, match="never changed"), court.ledger.beside() as own:
            own.connection.exec_driver_sql(replaced)


def test_nobody_stands_for_what_is_overtaken(tmp_path: Path) -> None:
    with opened(str(tmp_path / "l.db")) as court:

        def play(id: str, a: str, b: str) -> None:
            court.ledger.append({"id": id, "player_a": a, "player_b": b, "score_a": 1}, pool=POOL)
            court.ledger.settle()

        def overtaken() -> bool:
            found = court.cases.find(case)
            return court.cases.overtaken(found, found.course.proposals[number])

        case = court.reviewed()
        number = court.cases.propose(case, "rosa", "by hand", ADJUST)
        play("n1", "cleo", "bob")  # ann is not concerned
        before = court.cases.find(case).evidence_of(number)
        assert not overtaken()
        play("n2", "ann", "cleo")
        assert overtaken()
        with pytest.raises(Problem, match="has moved on since entry 5") as told:
            court.cases.approve(case, number, "ben", "so do I", before["position"])
        assert told.value.type.name == "not-now"
        found = court.cases.find(case)
        after = found.evidence_of(number)
        assert (after["position"], overtaken()) == (court.ledger.head(POOL).position, False)
        assert "ann was " in found.events[-1].event.why
        play("n3", "ann", "bob")  # a busy pool
        with pytest.raises(Problem, match=f"as of entry {after['position']} now"):
            court.cases.approve(case, number, "ben", "so do I", before["position"])
        assert court.corrections() == []
        court.clock.at += 600_000_000
        with pytest.raises(Problem, match="has moved on since"):  # that was seen long ago
            court.cases.approve(case, number, "ben", "so do I", after["position"])
        n = len(court.cases.find(case).events)
        for id in ("n4", "n5", "n6"):
            play(id, "ann", "bob")
            with pytest.raises(Problem, match="has moved on since") as told:
                court.cases.approve(case, number, "ben", "so do I")
            last = court.cases.find(case).evidence_of(number)
            assert f"approve with `position` {last['position']}" in (told.value.hint or "")
            assert told.value.document()["position"] == last["position"]
        assert len(court.cases.find(case).events) == n, "it was worked out anew a moment ago"
        last = court.cases.find(case).evidence_of(number)
        court.cases.approve(case, number, "ben", "so do I", last["position"])  # has just seen it
        assert len(court.corrections()) == 1
        course = court.cases.find(case).course
        assert (course.state, course.proposals[number].state) == ("upheld", "told")


def test_other_rules_overtake_too_and_nobody_stands_for_what_would_be_refused(tmp_path: Path) -> None:
    with opened(str(tmp_path / "l.db")) as court:
        case = court.reviewed()
        number = court.cases.propose(case, "rosa", "why", ANNUL)
        court.ledger.change_rules(POOL, REFUSING, id="r1")
        court.ledger.settle()
        for match in ("has moved on", r"would refuse it \(late\)"):
            with pytest.raises(Problem, match=match):
                court.cases.approve(case, number, "ben", "so do I")
        assert court.cases.find(case).course.proposals[number].state == "waiting"
        assert court.corrections() == [court.ledger.entry(POOL, court.ledger.head(POOL).position).body]  # the rules
