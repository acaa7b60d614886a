"""A match that is played to its end: what is recorded and what is said, to whom."""

from small_games import NoughtsGame, ParlourGame

from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.events import Acted, Delivered
from tallymark.arena.referee.finished import Settlement
from tallymark.arena.referee.match import Match
from tallymark.arena.referee.record import Opening
from tallymark.arena.referee.saying import Change, Entrant, MatchEnd

SEED = bytes(range(32))


def test_a_match_from_its_announcement_to_its_settlement() -> None:
    opening = Opening("noughts-1", SEED, (Entrant("ann"), Entrant("bob")), at=1_800_000_000_000_000)
    match, step = Match.announced(NoughtsGame(), opening, ms=5000)
    lines = list(step.records)
    assert [type(say.what).__name__ for say in step.says] == [*["MatchStart"] * 3, "Watched", "ActionRequest"]
    assert match.due == 6001
    assert match.take(Delivered(5010, 0, 1)).records
    assert match.state.value == "playing"
    for n, cell in enumerate("03142"):
        step = match.take(Acted(5100 + n, n % 2, 1 + n // 2, cell))
        lines += step.records
    assert step.verdict is not None
    assert match.finished is not None
    assert step.verdict.reason is Reason.FINISHED
    assert str(match.state) == "over"
    assert not any(isinstance(say.what, MatchEnd) for say in step.says), "not before it was rated"
    assert match.finished.for_ledger(2 * 10**15)["score_a"] == 1
    settled = match.finished.settled(Settlement(1_800_000_001_000_000, 7, (Change(1500, 350, 1662, 290), None)))
    assert len(settled.records) == 1
    assert [say.to for say in settled.says] == [0, 1, None]


def test_a_parlour_game() -> None:
    opening = Opening("parlour-1", SEED, tuple(Entrant(name) for name in ("ann", "bob", "cyd")), at=0)
    match, _ = Match.announced(ParlourGame(), opening, ms=0)
    while match.finished is None:
        for seat in range(3):
            asked = match.asked(seat)
            if asked is not None:
                match.take(Acted(1, seat, asked.request, "2" if seat != 2 else "1"))
    assert match.finished.for_ledger(2 * 10**15)["sides"] == [
        {"players": [match.entrants[0].agent, match.entrants[1].agent], "rank": 1},
        {"players": [match.entrants[2].agent], "rank": 2},
    ]
