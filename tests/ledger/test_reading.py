"""What a ledger tells: ratings as `tallymark rate` has them, now and as of any entry; what changed a player; items."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import event
from told import Clock, bodies, game, kinds, new, rows

import tallymark as tm
from tallymark.errors import BrokenChainError, InputError
from tallymark.games.times import format_instant
from tallymark.ledger.offering import offers
from tallymark.ledger.telling import instant_of
from tallymark.replay.schedule import DAY

A, B, C = "A", "B", "C"


def same(got: tm.Table, want: tm.Table) -> None:
    """All columns to the bit, but the name of the pool."""
    columns = [name for name in want.columns if name != "band" or name in got.columns]  # rows do not hold bands
    assert list(got.columns) == columns
    for name in columns[1:]:
        np.testing.assert_array_equal(got[name], want[name], err_msg=name)
        if got[name].dtype == np.float64:
            assert (np.signbit(got[name]) == np.signbit(want[name])).all(), name


def part(log: tm.GameLog, games: np.ndarray) -> tm.GameLog:
    return tm.GameLog.from_arrays(
        player_a=[log.players[n] for n in log.a[games]],
        player_b=[log.players[n] for n in log.b[games]],
        score_a=log.score[games],
        played_at=None if log.time is None else log.time[games].view("datetime64[us]"),
    )


@pytest.fixture(scope="module")
def atp(data: Path) -> tm.GameLog:
    """The first games of the tour, in their order."""
    log = tm.read_games(data / "tennis_atp_main" / "tennis_atp_main.csv.gz")
    return part(log, np.arange(3000))


@pytest.mark.parametrize("rules", ["arena", "lichess", "elo", "votes", "go-float", "contest"])
def test_ratings_are_those_of_a_replay(rules: str, atp: tm.GameLog, tmp_path: Path) -> None:
    assert atp.time is not None
    clock = Clock()
    ledger = new(tmp_path, rules, clock=clock)
    matches = [offer.match for offer in offers(atp)]
    for low in range(0, len(matches), 700):  # over several weeks, some of which are frozen then
        ledger.append_many([match for match in matches[low : low + 700] if match is not None], pool="p")
        ledger.settle()
        clock.now += 4 * DAY
    same(ledger.ratings("p"), tm.replay(atp, rules).ratings)
    days = np.unique(atp.time)
    for day in [*days[[0, 10, len(days) // 2]].tolist(), days[-1] - 1, days[-1]]:
        replay = tm.replay(part(atp, np.flatnonzero(atp.time <= day)), rules)
        same(ledger.ratings("p", format_instant(day)), replay.ratings)
    later = format_instant(int(days[-1]) + 400 * DAY)
    same(ledger.ratings("p", aged_to=later), tm.replay(atp, rules).ratings_at(later))
    assert len(ledger.ratings("p", "1900-01-01")) == 0


def test_ratings_after_any_entry(tmp_path: Path) -> None:
    clock = Clock()
    ledger = new(tmp_path, "go-float", clock=clock)
    seen = [ledger.ratings("p")]
    for n in range(12):
        ledger.append(game(n, f"p{n % 3}", f"p{(n + 1) % 3}", n % 2, f"2026-01-{n + 1:02}"), pool="p")
        ledger.settle()
        seen.append(ledger.ratings("p"))
        clock.now += 3 * DAY
    for position, table in enumerate(seen, 1):
        same(ledger.ratings("p", position), table)
    for wrong in (0, 14, -1, True):
        with pytest.raises(InputError):
            ledger.ratings("p", wrong)


@pytest.mark.parametrize("late", ["recompute", "next-period"])
def test_ratings_after_any_entry_of_a_calendar_pool(late: str, tmp_path: Path) -> None:
    clock = Clock(instant_of("2026-01-01"))
    rules = tm.methodology("paper").with_(period="7d", late=late, origin="2026-01-05")
    ledger = new(tmp_path, rules, clock=clock)
    seen = {1: ledger.ratings("p")}
    for n in range(20):
        day = instant_of("2026-01-05") + 3 * n * DAY - (20 * DAY if n in (9, 13) else 0)
        clock.now = max(clock.now, day)
        ledger.append(game(n, f"p{n % 3}", f"p{(n + 1) % 3}", n % 2, format_instant(day)), pool="p")
        if n == 11:
            ledger.annul([n - 8], pool="p", id="case", reason="it was not played")
        ledger.settle()
        seen[len(kinds(ledger))] = ledger.ratings("p")
    for position, table in seen.items():
        same(ledger.ratings("p", position), table)
    # What one item brought about counts as one: of the entries of a close, and of what came with it.
    for position, kind in enumerate(kinds(ledger), 1):
        if kind in ("closed", "restated", "states"):
            after = next(end for end in sorted(seen) if end >= position)
            same(ledger.ratings("p", position), seen[after])


def test_periods_that_are_over_are_those_of_a_replay(tmp_path: Path) -> None:
    rules = tm.methodology("paper").with_(period="7d")
    ledger = new(tmp_path, rules)
    days = [f"2026-01-{5 + n:02}" for n in range(22)]
    played = [game(n, f"p{n % 4}", f"p{(n + 1 + n % 3) % 4}", n % 2, day) for n, day in enumerate(days)]
    ledger.append_many(played, pool="p")
    ledger.settle()
    ledger.close_periods("p", "2026-01-27")
    ledger.settle()

    def replayed(count: int) -> tm.Replay:
        log = tm.GameLog.from_arrays(
            **{name: [match[name] for match in played[:count]] for name in ("player_a", "player_b", "score_a")},
            played_at=days[:count],
        )
        return tm.replay(log, rules)

    for weeks in (1, 2, 3):
        same(ledger.ratings("p", f"2026-01-{4 + 7 * weeks:02}"), replayed(7 * weeks).ratings)
    same(ledger.ratings("p", aged_to="2026-05-01"), replayed(21).ratings_at("2026-05-01"))


def test_a_time_before_the_last_match_cannot_be_aged_to(tmp_path: Path) -> None:
    ledger = new(tmp_path, "lichess")
    ledger.append(game(1, A, B, 1, "2026-01-02"), pool="p")
    ledger.settle()
    with pytest.raises(InputError, match="before the last match"):
        ledger.ratings("p", aged_to="2026-01-01")


def test_what_was_published_at_a_time(tmp_path: Path) -> None:
    clock = Clock(instant_of("2026-01-01"))
    ledger = new(tmp_path, "arena", clock=clock)
    for n in range(5):
        clock.now += DAY
        ledger.append(game(n, A, B, 1, "2025-01-01"), pool="p")
        ledger.settle()
    assert ledger.position_at("p", "2025-12-31") == 0
    assert ledger.position_at("p", "2026-01-01") == 1
    assert ledger.position_at("p", "2026-01-03T12:00") == 3
    assert ledger.position_at("p", "2030-01-01") == 6
    assert len(ledger.ratings("p", "2024-12-31")) == 0


def test_ratings_of_entries_that_do_not_follow_are_not_told(tmp_path: Path) -> None:
    from sqlalchemy import insert, text

    from tallymark.ledger.tables import ENTRY

    ledger = new(tmp_path, "arena")
    for n in range(3):
        ledger.append(game(n, A, B, 1), pool="p")
    ledger.settle()
    forged = bodies(ledger)[2].replace(b'"score_a":1', b'"score_a":0')
    with ledger._store.writing() as connection:
        for trigger in ("entry_no_delete", "entry_no_update", "entry_no_replace"):
            connection.execute(text(f"DROP TRIGGER {trigger}"))
        row = connection.execute(text("SELECT * FROM entry WHERE position = 3")).mappings().one()
        connection.execute(text("DELETE FROM entry WHERE position = 3"))
        connection.execute(insert(ENTRY), {**row, "body": forged})
    ledger.ratings("p", 2)
    with pytest.raises(BrokenChainError, match="entry 4 does not follow"):
        ledger.ratings("p", 4)


def shown(ledger: tm.Ledger, player: str) -> list[Any]:
    return [
        (one.position, one.kind, [(m.match, m.opponents, m.score) for m in one.matches], one.previous)
        for one in ledger.history(player, "p")
    ]


def test_the_history_of_a_player(tmp_path: Path) -> None:
    rules = tm.methodology("arena")
    ledger = new(tmp_path, rules)
    ledger.append(game(1, A, B, 1, "2026-01-02T03:04:05Z"), pool="p")
    ledger.append(game(2, B, C, 0.5), pool="p")
    ledger.append({"id": 3, "sides": [{"players": [C, A], "rank": 1}, {"player": B, "rank": 2}]}, pool="p")
    ledger.adjust({A: tm.Rating(1600, 90)}, pool="p", id="case", reason="a slip")
    ledger.settle()
    assert shown(ledger, A) == [
        (5, "adjusted", [], 4),
        (4, "rated", [(3, (B,), 1.0)], 2),
        (2, "rated", [(1, (B,), 1.0)], 0),
    ]
    assert shown(ledger, B)[0] == (4, "rated", [(3, (C, A), 0.0)], 3)
    last, team, first = ledger.history(A, "p")
    assert (last.after, last.before, team.before) == (tm.Rating(1600, 90), team.after, first.after)
    assert first.before == tm.Rating(1500, 350, 0.06)
    assert str(first.matches[0].played_at) == "2026-01-02 03:04:05+00:00"
    assert first.change == first.after.rating - 1500 > 0
    assert [one.position for one in ledger.history(A, "p", limit=1)] == [5]
    assert [one.position for one in ledger.history(A, "p", before=5)] == [4, 2]
    assert [one.position for one in ledger.history(A, "p", before=4)] == [2]
    assert [one.position for one in ledger.history(A, "p", before=3)] == [2]
    assert ledger.history(A, "p", before=2) == ledger.history(A, "p", before=-7) == []
    with pytest.raises(InputError, match="'nobody' has no rating"):
        ledger.history("nobody", "p")


@pytest.mark.parametrize("name", ["votes", "go-onchain", "lichess", "elo"])
def test_histories_are_those_of_a_replay(name: str, tmp_path: Path) -> None:
    ledger = new(tmp_path, name)
    played = [game(n, n % 3, (n + 1) % 3, (n + 1) % 2, f"2026-01-{n + 1:02}") for n in range(20)]
    ledger.append_many(played, pool="p")
    ledger.settle()
    log = tm.GameLog.from_arrays(
        **{key: [match[key] for match in played] for key in ("player_a", "player_b", "score_a", "played_at")}
    )
    table = tm.replay(log, name, history=True).history
    for player in range(3):
        mine = table["player"] == player
        told = ledger.history(player, "p")[::-1]
        for column, values in (
            ("rating_after", [one.after.rating for one in told]),
            ("deviation_after", [one.after.deviation for one in told]),
            ("volatility_after", [one.after.volatility for one in told]),
            ("rating_before", [one.before.rating for one in told]),
            ("score", [one.matches[0].score for one in told]),
            ("opponent", [one.matches[0].opponents[0] for one in told]),
            ("clamped", ["+".join(one.clamped) for one in told]),
            ("converged", [one.converged for one in told]),
        ):
            assert table[column][mine].tolist() == values, column


def test_the_history_of_calendar_periods(tmp_path: Path) -> None:
    rules = tm.methodology("paper").with_(period="7d", late="next-period")
    ledger = new(tmp_path, rules)
    days = ["2026-01-05", "2026-01-06", "2026-01-06", "2026-01-13", "2026-01-07", "2026-01-28"]
    pairs = [(A, B), (B, C), (C, A), (A, C), (B, A), (A, B)]
    for n, (day, (a, b)) in enumerate(zip(days, pairs, strict=True)):
        ledger.append(game(n, a, b, 1, day), pool="p")
    ledger.annul([2], pool="p", id="case", reason="too late: its period is over")
    ledger.settle()
    second, first = shown(ledger, A)
    assert first[1:] == ("states", [(0, (B,), 1.0), (2, (C,), 0.0)], 0)
    assert second[1:] == ("states", [(3, (C,), 1.0), (4, (B,), 0.0)], first[0])


def test_an_imported_player_has_a_history(tmp_path: Path) -> None:
    ledger = new(tmp_path, "arena")
    state = tm.Snapshot.from_arrays(player=[A, B], rating=[1600, 1580], deviation=[60, 65])
    ledger.import_state(state, pool="p", at="2026-01-01")
    ledger.append(game(1, A, B, 1), pool="p")
    ledger.settle()
    last, first = ledger.history(A, "p")
    assert (first.kind, last.before) == ("imported", first.after)
    assert first.after.rating == pytest.approx(1600)


def test_felts_hold_starting_bands(tmp_path: Path) -> None:
    ledger = new(tmp_path, "go-onchain")
    ledger.append(game(1, A, B, 1, "2026-01-02", band_a=1), pool="p")
    ledger.settle()
    for table in (ledger.ratings("p"), ledger.ratings("p", 2), ledger.board("p").table):
        assert dict(zip(table["player"], table["band"], strict=True)) == {A: 1, B: 3}


def test_what_became_of_an_item(tmp_path: Path) -> None:
    ledger = new(tmp_path, "votes")
    ledger.append(game(1, A, B, 1), pool="p")
    ledger.append(game("1", A, B, 0.5), pool="p")
    receipt = ledger.append(game(2, A, B, None), pool="p")
    assert ledger.receipt("p", 2)[:3] == ("p", 2, receipt.number)
    assert ledger.receipt("p", 2)[4:] == ("waiting", None, None, None)
    ledger.settle()
    assert ledger.receipt("p", 1)[4:] == ("rated", 2, None, 2)
    assert ledger.receipt("p", "1")[4:] == ("not-rated", 3, "draw", 3)
    assert ledger.receipt("p", 2)[4:] == ("not-rated", 4, "no-result", 4)
    with pytest.raises(InputError, match="received nothing with the id '2'"):
        ledger.receipt("p", "2")


def test_pools_and_entries(tmp_path: Path) -> None:
    ledger = new(tmp_path, "votes")
    ledger.open_pool("q", "elo")
    ledger.append(game(1, A, B, 1), pool="p")
    ledger.append(game(2, A, B, 1), pool="p")
    ledger.settle()
    ledger.append(game(3, A, B, 1), pool="p")
    p, q = ledger.pools()
    assert (p.pool, p.methodology, p.position, p.players, p.waiting) == ("p", tm.methodology("votes").id, 3, 2, 1)
    assert (q.pool, q.methodology, q.position, q.players, q.waiting) == ("q", tm.methodology("elo").id, 1, 0, 0)
    entry = ledger.entry("p", 3)
    assert (entry.position, entry.body, entry.hash.hex()) == (3, bodies(ledger)[2], p.hash)
    with pytest.raises(InputError, match="from 1 to 3"):
        ledger.entry("p", 4)
    assert rows(ledger)[A].settled == 3


def test_pools_are_listed_without_a_look_at_their_players(tmp_path: Path) -> None:
    ledger = new(tmp_path, "votes")
    asked: list[str] = []

    def heard(connection: Any, cursor: Any, statement: str, *more: Any) -> None:
        asked.append(statement)

    ledger.append(game(1, "ann", "bob", 1), pool="p")
    ledger.settle()
    event.listen(ledger.store.reads, "before_cursor_execute", heard)
    assert [one.players for one in ledger.pools()] == [2]
    assert asked
    assert not any("rating" in statement for statement in asked)
