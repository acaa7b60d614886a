"""What a case says that an adjustment will change is what it changes, under every `late` that there is."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from clubs import Clock

import tallymark as tm
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.fold.rows import displayed
from tallymark.ledger.matches import Json
from tallymark.service import schema
from tallymark.service.cases.adjustments import Public, checked, tell
from tallymark.service.cases.cases import Cases

POOL = "go"
DAY = 86_400_000_000
GAMES = [
    ("m1", "ann", "bob", 1, 1), ("m2", "bob", "cid", 1, 2), ("m3", "ann", "dan", 0.5, 3), ("m4", "cid", "dan", 0, 8),
    ("m5", "ann", "cid", 1, 9), ("m6", "bob", "dan", 1, 15), ("m7", "dan", "ann", 1, 16),
]  # fmt: skip
BY_MATCH = tm.methodology("arena-v0")
BY_WEEK = tm.methodology("paper").with_(period="7d")
RULES = {
    "ledger-order": BY_MATCH,
    "refuse": BY_MATCH.with_({"period.late": "refuse"}),
    "recompute": BY_MATCH.with_({"period.late": "recompute"}),
    "weeks, refuse": BY_WEEK,
    "weeks, next-period": BY_WEEK.with_({"period.late": "next-period"}),
    "weeks, recompute": BY_WEEK.with_({"period.late": "recompute"}),
}
CHANGE: Json = {"do": "change", "match": {"id": "m7", "player_a": "dan", "player_b": "ann", "score_a": 0,
                                          "played_at": "2026-03-17T12:00:00Z"}}  # fmt: skip
ADJUSTMENTS: dict[str, Json] = {
    "an old match": {"do": "annul", "matches": ["m2"]},
    "a match of the open week": {"do": "annul", "matches": ["m6"]},
    "a result of the open week": CHANGE,
    "one person": {"do": "merge", "player": "dan", "into": "bob"},
    "by hand": {"do": "adjust", "ratings": [{"player": "ann", "rating": 1600, "deviation": 80, "volatility": 0.06}]},
}
EFFECTS = {
    "ledger-order": ["none", "none", "none", "none", "set"],
    "refuse": ["refused", "refused", "refused", "refused", "set"],
    "recompute": ["recompute", "recompute", "recompute", "recompute", "refused"],
    "weeks, refuse": ["refused", "open-period", "open-period", "refused", "set"],
    "weeks, next-period": ["none", "open-period", "open-period", "none", "set"],
    "weeks, recompute": ["recompute", "recompute", "recompute", "recompute", "refused"],
}


@contextmanager
def played(path: Path, rules: tm.Methodology) -> Iterator[tuple[tm.Ledger, Cases]]:
    """A pool whose first two weeks are over, and its cases, where one stands for an adjustment."""
    clock = Clock()
    with tm.Ledger.open(path, create=True, clock=clock) as ledger:
        ledger.open_pool(POOL, rules)
        schema.upgraded(ledger.store)
        for id, a, b, score, day in GAMES:
            at = f"2026-03-{day + 1:02}T12:00:00Z"
            ledger.append({"id": id, "player_a": a, "player_b": b, "score_a": score, "played_at": at}, pool=POOL)
        ledger.settle()
        yield ledger, Cases(ledger, clock, random.Random(1), approvers=1)


def numbers(ledger: tm.Ledger) -> dict[Id, tuple[float, float]]:
    """As the last entry of each has them: nobody ages by waiting."""
    now = ledger.moved(POOL)
    return {player: displayed(row, now.rules)[:2] for player, row in now.rows.items() if row.rated}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("what", ADJUSTMENTS)
def test_what_is_told_is_what_happens(tmp_path: Path, rules: str, what: str) -> None:
    given = ADJUSTMENTS[what]
    with played(tmp_path / "l.db", RULES[rules]) as (ledger, cases), played(tmp_path / "o.db", RULES[rules]) as other:
        before = numbers(ledger)
        case = cases.flag(POOL, "somebody", "look", player="ann")
        cases.act(case, "review", "rosa", "I look at it")
        tried = cases.tried(case, given)
        if tried.effect == "refused":
            with pytest.raises(InputError, match="would refuse"):
                cases.propose(case, "rosa", "so it was", given)
            tell(ledger, POOL, "told all the same", checked(given), Public(case, "so it was", ("rosa",)))
        else:
            number = cases.propose(case, "rosa", "so it was", given)
            shown: dict[str, Any] = cases.find(case).evidence_of(number)
            assert shown == tried.as_json()
        ledger.settle()
        entry = next(one for one in ledger.entries(POOL, 1, 100) if b'"command"' in one.body)
        assert tried.effect == EFFECTS[rules][list(ADJUSTMENTS).index(what)]
        kept = {"refused": b'"kind":"refused"', "set": b'"kind":"adjusted"'}
        assert kept.get(tried.effect, b'"effect":"%b"' % tried.effect.encode()) in entry.body
        stays = tried.effect in ("none", "refused")
        assert (tried.will.moves == []) == stays
        assert ("no published number" in tried.note or "stay as they are:" in tried.note) == stays
        if stays or ("weeks" in rules and tried.effect != "set"):  # else what it does waits for the period to close
            assert numbers(ledger) == before
        for one in (ledger, other[0]):
            if tried.effect != "set":
                one.close_periods(POOL, "2026-03-23")
                one.settle()
        now, without = numbers(ledger), numbers(other[0])
        nothing = (None, None)
        assert {one.player: (one[1:3], one[3:]) for one in tried.will.moves} == {
            player: (without.get(player, nothing), now.get(player, nothing))
            for player in {*without, *now}
            if without.get(player) != now.get(player)
        }
        # What a replay would have otherwise is another thing, and told too.
        assert tried.from_the_beginning.moves or what not in ("an old match", "one person")


def test_under_rules_that_compute_anew_both_are_one(tmp_path: Path) -> None:
    with played(tmp_path / "l.db", RULES["recompute"]) as (_, cases):
        case = cases.flag(POOL, "somebody", "look", match="m2")
        tried = cases.tried(case, ADJUSTMENTS["an old match"])
        assert tried.will == tried.from_the_beginning
