"""Replays in Q32.32: what the contract's own rules give, game by game and felt by felt, by every way there is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onchain_logs import contract, go_log

from tallymark import GameLog, InputError, Methodology, Rating, Replay, Snapshot, SnapshotError, methodology, replay
from tallymark.errors import MethodologyError
from tallymark.fixedpoint import ONE, Player
from tallymark.fixedpoint.constants import MU_HI, MU_LO, PHI_MAX, PHI_MIN
from tallymark.games.synthetic import synthetic
from tallymark.replay.integer_columns import as_integers
from tallymark.systems.q32 import fixed, value

from .ways import every_way

RULES = methodology("go-onchain")


def same_as_contract(r: Replay, expected: dict[int | str, Player]) -> None:
    state = r.snapshot()
    mu, phi = as_integers(np.asarray(state.state.mu), np.asarray(state.state.phi2))
    rated = {name: player for name, player in expected.items() if player.phi}
    has = np.asarray(state.state.rated) > 0
    assert sorted((x for x, y in zip(state.player, has, strict=True) if y), key=str) == sorted(rated, key=str)
    for row, name in enumerate(state.player):
        if not has[row]:
            continue
        player, of = rated[name], state.state
        assert (mu[row], phi[row], of.last[row] // 10**6) == player.state
        assert (of.wins[row], of.losses[row], of.draws[row]) == (player.wins, player.losses, player.draws)
        assert state.bands is not None
        assert (of.established[row], of.has_peak[row], state.bands[row]) == (
            player.established,
            player.has_peak,
            player.band,
        )
        assert not player.has_peak or fixed(float(of.peak[row])) == player.peak


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_a_replay_is_the_contracts(engine: str) -> None:
    log = go_log(4000, 60)
    expected = contract(log)
    assert any(player.has_peak for player in expected.values())
    assert any(player.has_peak and player.peak > player.mu - 2 * player.phi for player in expected.values())
    r = replay(log, RULES, engine=engine)  # type: ignore[call-overload]
    same_as_contract(r, expected)
    assert set(r.report.not_rated) == {"short"}


def test_every_way_gives_the_same_bits() -> None:
    every_way(go_log(3000, 200), RULES)
    every_way(go_log(2000, 5), RULES, threads=(1,))


@settings(max_examples=30)
@given(st.data())
def test_in_pieces(data: st.DataObject) -> None:
    log = go_log(data.draw(st.integers(2, 60)), data.draw(st.integers(2, 6)), data.draw(st.integers(0, 99)))
    cut = data.draw(st.integers(0, len(log)))
    first = replay(log.taken(np.arange(cut)), RULES)
    on = replay(log.taken(np.arange(cut, len(log))), RULES, start=first.snapshot())
    same_as_contract(on, contract(log))


def test_integers_ranks_and_doubts_are_shown() -> None:
    log = GameLog.from_arrays(
        player_a=["ann", "ann"], player_b=["bob", "cid"], score_a=[1, 1], played_at=["2026-01-01", "2026-01-02"]
    )
    r = replay(log, RULES, history=True, predictions=True)
    assert r.history["mu_after"].tolist()[:2] == [3976162240, -3976162240]
    assert r.history["phi_before"].tolist()[:2] == [PHI_MAX, PHI_MAX]
    assert r.predictions["p_a"].tolist()[0] * ONE == 2147483648
    top = next(iter(r.ratings.rows()))
    assert top["player"] == "ann"
    assert top["mu"] == r.history["mu_after"].tolist()[2]
    assert top["rating"] == 1500.0 + 173.7178 * value(r.ratings["mu"].tolist()[0])
    assert [row["go_rank"] for row in r.ratings.rows()] == ["3k?", "8k?", "9k?"]
    much_later = r.ratings_at("2036-01-01")
    assert set(much_later["phi"].tolist()) == {PHI_MAX}


def test_ageing_is_that_of_integers() -> None:
    """The spec's table: phi 2**31, half-life 15, first exceeds 2**32 at 5736552 s and reaches the cap at 28682760 s."""
    start = Snapshot.from_arrays(player=["ann"], rating=[600.0], deviation=[173.7178 / 2], at="2026-01-01")
    empty = GameLog.from_arrays(player_a=[], player_b=[], score_a=[])
    r = replay(empty, RULES, start)
    for dt, over, cap in (
        (5736551, False, False),
        (5736552, True, False),
        (28682759, True, False),
        (28682760, True, True),
    ):
        table = r.ratings_at(np.datetime64("2026-01-01") + np.timedelta64(dt, "s"))
        assert ((table["phi"] > ONE).item(), (table["phi"] == PHI_MAX).item()) == (over, cap)
        assert table["provisional"].tolist() == [over]
        assert table["go_rank"].tolist()[0].endswith("?") == over


def test_games_that_a_contract_does_not_take() -> None:
    log = GameLog.from_arrays(
        player_a=["ann"] * 6,
        player_b=["bob"] * 6,
        score_a=[1, 0.25, 1, 1, 1, 1],
        played_at=["2026-01-01", "2026-01-02", "1969-12-31", "2026-01-04", "2026-01-05", "2026-01-06"],
        handicap=[0, 0, 0, 2, 0, 0],
        board=[9, 13, 19, 19, 7, 19],
        komi=[7, 7.5, 7.5, 7.5, 7.5, 6.5],
    )
    rules = RULES.with_(komi={9: 7, 13: 7.5, 19: 7.5})
    r = replay(log, rules)
    assert r.report.not_rated == {"score": 1, "instant": 1, "handicap": 1, "board": 1, "komi": 1}
    assert r.ratings["games"].tolist() == [1, 1]


def test_boards_share_a_rating() -> None:
    plain = go_log(300, 8)
    table = {name: plain.to_table()[name] for name in plain.to_table().columns if name not in ("row", "pool")}
    boards = GameLog.from_arrays(**table, board=np.random.default_rng(1).choice([9, 13, 19], len(plain)))
    same_as_contract(replay(boards, RULES), contract(plain))


def test_games_of_a_match_are_rated_one_by_one() -> None:
    columns = {"player_a": ["ann"] * 3, "player_b": ["bob"] * 3, "score_a": [1, 0, 1], "played_at": ["2026-01-01"] * 3}
    order = [0, 1, 2]
    alone = replay(GameLog.from_arrays(**columns, order=order), RULES, history=True)  # type: ignore[arg-type]
    r = replay(GameLog.from_arrays(**columns, order=order, match=[1] * 3), RULES, history=True)  # type: ignore[arg-type]
    assert r.history["mu_after"].tolist() == alone.history["mu_after"].tolist()
    assert (r.report.units, r.report.unit_kind) == (3, "game")


def test_states_without_an_instant_or_off_the_grid_are_refused() -> None:
    log = go_log(10, 3)
    with pytest.raises(InputError, match="no instant"):
        replay(log, RULES, Snapshot.from_arrays(player=[0], rating=[1500]))
    state = replay(log, RULES).snapshot()
    np.asarray(state.state.mu)[0] += 2.0**-40
    with pytest.raises(SnapshotError, match=r"no multiples of 2\*\*-32"):
        replay(log, RULES, state)


def test_imported_ratings_are_the_nearest_on_the_grid() -> None:
    start = Snapshot.from_arrays(player=["ann"], rating=[1700.1], deviation=[100.3], at="2026-01-01")
    r = replay(GameLog.from_arrays(player_a=[], player_b=[], score_a=[]), RULES, start)
    assert r.ratings["mu"].tolist() == [round(200.1 / 173.7178 * 2**32)]
    assert r.ratings["phi"].tolist() == [round(100.3 / 173.7178 * 2**32)]


def test_one_player_at_a_time() -> None:
    log = go_log(2, 2, seed=3)
    r = replay(log, RULES, history=True)
    h = r.history
    before = [Rating(x, d, 0.0) for x, d in zip(h["rating_before"], h["deviation_before"], strict=True)]
    for row in range(2):
        after = RULES.update(before[row], [(before[1 - row], h["score"][row])], elapsed=0.0)
        assert (after.rating, after.deviation) == (h["rating_after"][row], h["deviation_after"][row])
    new = RULES.initial()
    assert fixed((RULES.update(new, [(new, 1.0)]).rating - 1500) / 173.7178) in range(3976162239, 3976162242)
    assert RULES.expected(before[2], before[3]) + RULES.expected(before[3], before[2]) == 1.0
    assert RULES.age(Rating(1500, 173.7178, 0.0), 10**6).deviation == 347.4356
    with pytest.raises(InputError, match="update of its own"):
        RULES.update(new, [(new, 1.0), (new, 0.0)])
    with pytest.raises(InputError, match="score is"):
        RULES.update(new, [(new, 0.25)])
    step = RULES.step(Rating(3500, 347.4356, 0), [(Rating(3500, 1.8, 0), 1.0)])
    assert step.clamped == ("rating",)


def test_the_float_model_is_near() -> None:
    log = synthetic(20_000, 400, seed=1)
    exact = replay(log, RULES, predictions=True).predictions["p_a"]
    floats = replay(log, "go-float", predictions=True).predictions["p_a"]
    assert 0.0 < np.abs(exact - floats).max() < 1e-7


def test_the_rules_constants_are_the_contracts() -> None:
    newcomer = RULES.entered(RULES.initial())
    assert (fixed(newcomer.mu), fixed(np.sqrt(newcomer.phi2))) == (0, PHI_MAX)
    limits = RULES.limits
    assert [round(x * ONE) for x in (limits.mu_low, limits.mu_high)] == [MU_LO, MU_HI]
    assert [round(np.sqrt(x) * ONE) for x in (limits.phi2_low, limits.phi2_high)] == [PHI_MIN, PHI_MAX]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"system.drift": 1.2}, "system.drift"),
        ({"system.rank_from": 15.0}, "system.rank_from"),
        ({"bounds.rating_max": 3000.0}, "bounds.rating_max"),
        ({"bounds.change_max": 100.0}, "bounds.change_max"),
        ({"ageing.whole": True}, "ageing.whole"),
        ({"rated.teams": "pairwise"}, "rated.teams"),
        ({"numbers.rounding": "half-up"}, "numbers.rounding"),
    ],
)
def test_what_integers_cannot_do(changes: dict[str, float | str | bool], field: str) -> None:
    with pytest.raises(MethodologyError, match=field.replace(".", r"\.")):
        RULES.with_(changes)


def test_other_systems_have_no_integers() -> None:
    paper: Methodology = methodology("paper")
    with pytest.raises(MethodologyError, match=r"system\.kind"):
        paper.with_({"numbers.format": "q32.32"})
