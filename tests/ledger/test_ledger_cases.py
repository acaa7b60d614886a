"""The cases of the field that are the ledger's, by their ids."""

from pathlib import Path

import pytest
from told import Clock, bodies, game, kinds, new, rows, shown

import tallymark as tm
from tallymark.errors import ConflictError
from tallymark.ledger.telling import instant_of

A, B, C = "A", "B", "C"


def seeded(folder: Path, rules: tm.Methodology, players: dict[str, tuple[float, float, float]]):  # type: ignore[no-untyped-def]
    ledger = new(folder, rules)
    names = list(players)
    snapshot = tm.Snapshot.from_arrays(
        player=names,
        rating=[players[p][0] for p in names],
        deviation=[players[p][1] for p in names],
        volatility=[players[p][2] for p in names],
    )
    ledger.import_state(snapshot, pool="p", at="2025-12-01")
    return ledger


def near(got: tuple[float, float, float], rating: float, rd: float, sigma: float) -> None:
    assert got[0] == pytest.approx(rating, abs=1e-5)
    assert got[1] == pytest.approx(rd, abs=1e-5)
    assert got[2] == pytest.approx(sigma, abs=1e-7)


def test_svc_01_one_game_reported_three_times(tmp_path: Path) -> None:
    rules = tm.methodology("arena")
    ledger = seeded(tmp_path, rules, {A: (1500, 200, 0.06), B: (1480, 180, 0.06)})
    for _ in range(3):
        ledger.append(game("g1", A, B, 1), pool="p")
    ledger.settle()
    near(shown(ledger)[A], 1576.19276696, 179.136115124, 0.0599994394346)
    near(shown(ledger)[B], 1416.91980204, 165.177130135, 0.0599995196596)
    assert kinds(ledger).count("rated") == 1


def test_svc_03_a_game_that_ended_first_is_reported_last(tmp_path: Path) -> None:
    rules = tm.methodology("arena").with_(late="recompute")
    ledger = seeded(tmp_path, rules, {A: (1520, 90, 0.06), B: (1500, 80, 0.06), C: (1490, 70, 0.06)})
    ledger.append(game("g2", C, A, 1, "2026-01-01T10:20:00Z"), pool="p")
    ledger.settle()
    ledger.append(game("g1", A, B, 1, "2026-01-01T10:00:00Z"), pool="p")
    ledger.settle()
    near(shown(ledger)[A], 1516.68356421, 85.9006614074, 0.0600002735838)
    near(shown(ledger)[B], 1483.78873997, 78.7431214844, 0.0599995638299)
    near(shown(ledger)[C], 1505.23629268, 69.4722833743, 0.060000810388)


def test_svc_05_two_names_of_one_player(tmp_path: Path) -> None:
    rules = tm.methodology("arena").with_(late="recompute")
    ledger = seeded(tmp_path, rules, {A: (1500, 350, 0.06), "A2": (1500, 350, 0.06), B: (1600, 70, 0.06)})
    for n, (a, b) in enumerate([(A, B), ("A2", B), (B, A)]):
        ledger.append(game(n, a, b, 1, f"2026-01-0{n + 1}"), pool="p")
    ledger.settle()
    apart = shown(ledger)
    ledger.merge("A2", into=A, pool="p", id="merge", reason="two spellings")
    ledger.settle()
    near(shown(ledger)[A], 1649.76459981, 190.747751575, 0.0600019270562)
    near(shown(ledger)[B], 1598.7021217, 70.140561677, 0.0600030396911)
    ledger.part("A2", pool="p", id="part", reason="they are two")
    ledger.settle()
    assert shown(ledger) == apart


def test_svc_14_a_renamed_player_keeps_the_win(tmp_path: Path) -> None:
    ledger = new(tmp_path, "arena")
    ledger.append(game("g", 1, 2, 1, data={"name_a": "lex", "name_b": "bo"}), pool="p")
    ledger.settle()
    assert rows(ledger)[1].wins == 1
    assert "lex" not in rows(ledger)


def test_svc_20_a_game_dated_in_the_future(tmp_path: Path) -> None:
    clock = Clock(instant_of("2026-06-01T12:00"))
    rules = tm.methodology("paper").with_(period="7d")
    ledger = new(tmp_path, rules, clock=clock)
    state = tm.Snapshot.from_arrays(player=[A, B, C], rating=[1600, 1580, 1700], deviation=[60, 65, 50])
    ledger.import_state(state, pool="p", at="2026-06-01")
    ledger.append(game(1, A, B, 1, "2062-06-01"), pool="p")
    ledger.append(game(2, A, B, 1, "2026-06-01T11:00:00Z"), pool="p")
    ledger.settle()
    assert kinds(ledger)[-2:] == ["not-rated", "accepted"]
    assert b'"reason":"future"' in bodies(ledger)[-2]
    assert shown(ledger)[C][1] == pytest.approx(50, abs=1e-9)


def test_svc_20_an_archive_is_accepted(tmp_path: Path) -> None:
    ledger = new(tmp_path, "lichess")
    ledger.append(game(1, A, B, 1, "2004-01-01"), pool="p")
    ledger.settle()
    assert rows(ledger)[A].games == 1


@pytest.mark.parametrize("late", ["recompute", "next-period"])
def test_svc_21_a_late_row(tmp_path: Path, late: str) -> None:
    rules = tm.methodology("paper").with_(period="7d", late=late, origin="2026-01-05")
    players = {A: (1500.0, 150.0, 0.06), B: (1560.0, 90.0, 0.06), C: (1450.0, 110.0, 0.06)}
    ledger = new(tmp_path, rules)
    names = list(players)
    snapshot = tm.Snapshot.from_arrays(
        player=names,
        rating=[players[p][0] for p in names],
        deviation=[players[p][1] for p in names],
        volatility=[players[p][2] for p in names],
    )
    ledger.import_state(snapshot, pool="p", at="2026-01-05")
    for n, (day, a, b, s) in enumerate([("05", A, B, 1), ("12", C, A, 1), ("20", A, B, 0.5), ("21", B, C, 0)], 1):
        ledger.append(game(n, a, b, s, f"2026-01-{day}"), pool="p")
    ledger.settle()
    ledger.append(game(9, B, C, 1, "2026-01-06"), pool="p")
    ledger.settle()
    ledger.close_periods("p", "2026-01-26")
    ledger.settle()
    if late == "recompute":
        near(shown(ledger)[A], 1505.00581011, 123.94590039, 0.0599998359939)
        near(shown(ledger)[B], 1526.29380757, 82.9547658161, 0.0599949925266)
        near(shown(ledger)[C], 1499.63553141, 99.7491514786, 0.0600021587438)
    else:
        near(shown(ledger)[A], 1505.87489161, 123.689922934, 0.0599993092166)
        near(shown(ledger)[B], 1530.12824685, 82.6084387985, 0.0599935193311)
        near(shown(ledger)[C], 1495.90407242, 99.1107312452, 0.059996548805)


def test_the_same_id_with_another_content(tmp_path: Path) -> None:
    ledger = new(tmp_path, "arena")
    first = ledger.append(game("g", A, B, 1), pool="p")
    again = ledger.append(game("g", A, B, 1.0), pool="p")
    assert (again.number, again.again) == (first.number, True)
    with pytest.raises(ConflictError) as caught:
        ledger.append(game("g", B, A, 1), pool="p")
    assert '"player_a":"A"' in caught.value.first
    assert '"player_a":"B"' in caught.value.second
    assert ledger.settle() == 1
