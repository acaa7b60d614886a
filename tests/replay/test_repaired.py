"""Faults that a reviewer found once, each with the values that were wrong."""

from pathlib import Path

import numpy as np
import pytest

from tallymark import GameLog, Glicko2, InputError, Methodology, Rating, Snapshot, methodology, replay
from tallymark.replay import compiled


def log(a: list[str], b: list[str], score: list[float], at: list[str], **more: object) -> GameLog:
    return GameLog.from_arrays(player_a=a, player_b=b, score_a=score, played_at=at, **more)  # type: ignore[arg-type]


def shown(of: object) -> dict[object, tuple[object, object]]:
    return {row["player"]: (row["rating"], row["deviation"]) for row in of.rows()}  # type: ignore[attr-defined]


EMPTY = GameLog.from_arrays(player_a=[], player_b=[], score_a=[])


def test_newton_does_not_go_to_and_fro_at_large_tau() -> None:
    after = Glicko2(tau=6).update(Rating(1500, 50, 6.3), [(Rating(1550, 50), 0.5)] * 5)
    exact = Glicko2(tau=6, solver="illinois", tolerance=1e-13).update(
        Rating(1500, 50, 6.3), [(Rating(1550, 50), 0.5)] * 5
    )
    assert after.volatility == pytest.approx(0.59838, abs=1e-5)
    assert after.volatility == pytest.approx(exact.volatility, abs=1e-11)


@pytest.mark.parametrize("name", ["elo", "contest", "arena"])
def test_a_late_match_comes_after_the_one_that_was_settled(name: str) -> None:
    """Ledger order: a match with an id may go on, but nothing is rated before it any more."""
    with_ids, without = (
        replay(
            log(["a"], ["c"], [0.0], ["2026-01-05"], **({"match": ["m0"]} if ids else {})),
            name,
            start=replay(
                log(["a"], ["b"], [1.0], ["2026-01-10"], **({"match": ["m1"]} if ids else {})), name
            ).snapshot(),
        )
        for ids in (True, False)
    )
    assert shown(with_ids.ratings) == shown(without.ratings)


IMPORTED = Snapshot.from_arrays(
    player=["a", "b"], rating=[1600, 1500], deviation=[50, 50], volatility=[0.06, 0.06], at="2020-01-05"
)


@pytest.mark.parametrize(
    "between", [EMPTY, log(["a"], ["b"], [1.0], ["2021-01-01"], ending=["walkover"])], ids=["nothing", "a walkover"]
)
def test_imported_ratings_keep_their_instant_until_a_game_is_rated(between: GameLog, tmp_path: Path) -> None:
    game = log(["a"], ["b"], [1.0], ["2026-01-10"])
    direct = replay(game, "paper", start=IMPORTED)
    replay(between, "paper", start=IMPORTED).snapshot().save(tmp_path / "s.json")
    detour = replay(game, "paper", start=Snapshot.load(tmp_path / "s.json"))
    assert shown(direct.ratings) == shown(detour.ratings)


def test_without_an_instant_no_empty_period_lies_before_the_first_game_whatever_the_origin() -> None:
    start = Snapshot.from_arrays(player=["a", "b"], rating=[1600, 1500], deviation=[50, 50], volatility=[0.06, 0.06])
    game = log(["a"], ["b"], [1.0], ["2026-01-10"])
    plain = replay(game, "paper", start=start)
    old = replay(game, methodology("paper").with_(origin="1970-01-01"), start=start)
    assert shown(plain.ratings) == shown(old.ratings)


def test_a_game_after_the_instant_of_the_ratings_is_not_late() -> None:
    rules = methodology("paper").with_(origin="2026-01-01")
    start = Snapshot.from_arrays(player=["a", "b"], rating=[1600, 1500], deviation=[50, 50], at="2026-01-05")
    games = log(["a", "a"], ["b", "b"], [1.0, 1.0], ["2026-01-03", "2026-01-10"])
    r = replay(games, rules, start=start)
    assert (r.report.rated, r.report.not_rated) == (1, {"late": 1})


def test_the_winner_of_a_short_game_ages_in_full() -> None:
    rules = methodology("paper").with_(minimum_steps=20, short_loss=["timeout"])
    full = log(["w"], ["x"], [1.0], ["2026-01-05"], steps=[100], ending=["normal"])
    both = log(
        ["w", "w", "y"],
        ["x", "z", "z"],
        [1.0, 1.0, 1.0],
        ["2026-01-05", "2026-03-10", "2026-03-11"],
        steps=[100, 3, 100],
        ending=["normal", "timeout", "normal"],
    )
    without = replay(full, rules).ratings_at("2026-03-20")
    # Period 0 has the full game, period 2 the short one; both boards are read at the end of period 2.
    closed = replay(full, rules).ratings_at("2026-04-10")
    assert shown(replay(both, rules).ratings)["w"] == shown(closed)["w"]
    assert shown(without)["w"] != shown(closed)["w"]


def test_the_grid_of_elo_leaks_nothing() -> None:
    with pytest.raises(ValueError, match="expected a multiple of the quantum"):
        methodology("elo").with_(quantum=1000.0)
    start = Snapshot.from_arrays(player=["a", "b"], rating=[1500.4, 1499.6])
    r = replay(log(["a"], ["b"], [0.5], ["2026-01-01"]), methodology("elo").with_(quantum=1.0), start=start)
    assert r.ratings.rating.tolist() == [1500.0, 1500.0]


def test_equal_boards_of_stored_integers_give_equal_next_ones() -> None:
    boards = []
    for rating in (1500.0, 1500.0041):
        start = Snapshot.from_arrays(player=["a", "b"], rating=[rating, 1500.0], deviation=[100, 100])
        r = replay(log(["a"], ["b"], [1.0], ["2026-01-01"]), "votes", start=start)
        boards.append(shown(r.ratings))
        assert (
            methodology("votes").update(Rating(rating, 100), [(Rating(1500.0, 100), 1.0)]).rating == boards[-1]["a"][0]
        )
    assert boards[0] == boards[1]


def test_no_games_change_nothing_but_the_deviation_whatever_the_floor() -> None:
    games: list[tuple[Rating, float]] = []
    for no_games in (games, iter(games)):
        after = Glicko2(minimum_information=1.0).update(Rating(1500, 200), no_games)
        assert (after.rating, after.volatility) == (1500.0, 0.06)
        assert after.deviation == pytest.approx(200.2714, abs=1e-4)
        votes = methodology("votes").update(Rating(1500, 200), no_games)
        assert votes == Rating(1500, 200.27, 0.06)


def test_finite_in_finite_out_at_the_door() -> None:
    with pytest.raises(InputError, match="is too large"):
        Glicko2().update(Rating(1500, 1e200), [(Rating(1500), 1.0)])
    with pytest.raises(InputError, match="is too large"):
        replay(EMPTY, "arena", start=Snapshot.from_arrays(player=["a"], rating=[1500], deviation=[1e200]))
    with pytest.raises(ValueError, match="deviation is 1e"):
        methodology("arena").with_(deviation=1e160)


@pytest.mark.parametrize("days", [7, 49, 103, 161])
@pytest.mark.parametrize("periods", [1, 2, 3, 7])
def test_whole_periods_at_exact_multiples_are_whole(days: int, periods: int) -> None:
    rules = methodology("glicko").with_(period=f"{days}d").with_(period="game", whole=True)
    second = str(np.datetime64("2026-01-01") + np.timedelta64(days * periods, "D"))
    r = replay(log(["a", "a"], ["b", "b"], [1.0, 0.0], ["2026-01-01", second]), rules, history=True)
    once = rules.update(rules.initial(), [(rules.initial(), 1.0)])
    assert r.history.deviation_before[2] == pytest.approx(rules.age(once, periods).deviation, abs=1e-9)


def test_a_snapshot_with_pools_does_not_meet_a_log_without() -> None:
    snapshot = replay(log(["a"], ["b"], [1.0], ["2026-01-01"], pool=["x"]), "paper").snapshot()
    with pytest.raises(InputError, match="of pool 'x', which the log does not have: its pools are ''"):
        replay(log(["a"], ["b"], [1.0], ["2026-02-01"]), "paper", start=snapshot)
    other = replay(log(["a"], ["b"], [1.0], ["2026-02-01"], pool=["y"]), "paper", start=snapshot)
    assert sorted(other.ratings.pool) == ["x", "x", "y", "y"]


def test_stray_types_are_refused_by_name() -> None:
    one = log(["a"], ["b"], [1.0], ["2026-01-01"])
    with pytest.raises(InputError, match="start is a str; expected a Snapshot"):
        replay(one, "paper", start="ladder.json")  # type: ignore[call-overload]
    with pytest.raises(InputError, match="is no Rating"):
        Glicko2().update(Rating(1500), [((1400, 30), 1.0)])  # type: ignore[list-item]
    with pytest.raises(InputError, match="a whole number of more than 400 digits"):
        Rating(10**400)


def test_a_spoiled_folder_of_compiled_code_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    compiled.cache_folder.cache_clear()
    try:
        first = compiled.compiled(_half)
        assert first(3.0) == 1.5
        files = [path for path in tmp_path.rglob("*") if path.suffix in (".nbi", ".nbc")]
        assert files
        for path in files:
            path.write_bytes(path.read_bytes()[:20])
        assert compiled.compiled(_half)(5.0) == 2.5
    finally:
        compiled.cache_folder.cache_clear()


def _half(x: float) -> float:
    return 0.5 * x


AT = Snapshot.from_arrays(
    player=["ann", "bob"], rating=[1600, 1500], deviation=[60, 60], volatility=[0.06, 0.06], at="2026-01-15"
)
DAYS = ["2026-01-01", "2026-01-10", "2026-01-20", "2026-02-16"]


@pytest.mark.parametrize(
    "rules", [methodology("paper"), methodology("paper").with_(origin="2026-01-01"), methodology("glicko")]
)
@pytest.mark.parametrize("cut", range(5))
def test_imported_ratings_split_anywhere(rules: Methodology, cut: int) -> None:
    """What was played before the instant of the ratings is in them, whichever part of a log tells it."""

    def part(low: int, high: int) -> GameLog:
        n = high - low
        return log(["ann"] * n, ["bob"] * n, [1.0] * n, DAYS[low:high])

    whole = replay(part(0, 4), rules, start=AT)
    assert (whole.report.rated, whole.report.not_rated) == (2, {"late": 2})
    first = replay(part(0, cut), rules, start=AT)
    assert shown(replay(part(cut, 4), rules, start=first.snapshot()).ratings) == shown(whole.ratings)


def test_a_game_that_is_refused_does_not_move_the_origin() -> None:
    games = [log(["ann", "ann"], ["bob", "bob"], [1.0, 1.0], DAYS[2:])]
    games.append(log(["ann"] * 3, ["bob"] * 3, [0.0, 1.0, 1.0], ["2025-06-01", *DAYS[2:]]))
    boards = [replay(one, "paper", start=AT) for one in games]
    assert shown(boards[0].ratings) == shown(boards[1].ratings)
    assert boards[1].report.not_rated == {"late": 1}


def test_ratings_of_a_pool_without_games_age_from_their_instant() -> None:
    read = replay(EMPTY, "paper", start=AT).ratings_at("2026-07-15")
    assert shown(read)["ann"][1] == pytest.approx(methodology("paper").age(Rating(1600, 60), 6).deviation, abs=1e-12)


def test_a_pool_that_has_no_games_in_this_part_is_no_mistake() -> None:
    start = Snapshot.from_arrays(player=["ann"], rating=[1700], deviation=[60], pool="q")
    first = replay(log(["x"], ["y"], [1.0], ["2026-01-01"], pool=["z"]), "paper", start=start)
    second = replay(log(["ann"], ["x"], [1.0], ["2026-01-02"], pool=["q"]), "paper", start=first.snapshot())
    assert second.ratings.rating.max() > 1700


def test_doors_of_imported_ratings() -> None:
    with pytest.raises(InputError, match="pool is missing in row 1"):
        Snapshot.from_arrays(player=["a", "b"], rating=[1, 2], pool=["x", None])
    with pytest.raises(InputError, match="expected a finite number"):
        Snapshot.from_arrays(player=["a"], rating=[1e305])
    with pytest.raises(InputError, match="rating is"):
        Rating(np.bool_(True))  # type: ignore[arg-type]
    seconds = Snapshot.from_arrays(player=["a"], rating=[1500], at=1_767_225_600)
    dated = Snapshot.from_arrays(player=["a"], rating=[1500], at="2026-01-01")
    assert seconds.heads == dated.heads


def test_a_game_before_imported_ratings_can_be_rated_in_their_period() -> None:
    rules = methodology("paper").with_(late="next-period")
    early = replay(log(["ann"], ["bob"], [1.0], ["2026-01-10"]), rules, start=AT)
    then = replay(log(["ann"], ["bob"], [1.0], ["2026-01-15"]), rules, start=AT)
    assert (early.report.late, shown(early.ratings)) == (1, shown(then.ratings))
