"""The game rules, sentence by sentence of the spec."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.fixedpoint import NEVER_RATED, Player, RefusedError, State, aged, pack, unpack, update
from tallymark.fixedpoint.constants import DAY, KNOTS, MU_HI, MU_LO, PHI_MAX, PHI_MIN, VERSION
from tallymark.fixedpoint.felt import COUNTER_MAX
from tallymark.fixedpoint.rules import Rated, Result, VoidReason, aged_phi, rate
from tallymark.fixedpoint.units import HALF, ONE

NOW = 1700000000
ANN = Player(KNOTS[20], HALF, NOW - DAY, 2, True, True, VERSION, 12, 7, 1, -(1 << 38))
BOB = Player(KNOTS[21], HALF, NOW - 2 * DAY, 3, True, False, VERSION, 6, 4, 0, 0)
WON = Result(2, NOW, 200, queue=True)
GIVEN_UP = Result(2, NOW, 19, forfeit=True, queue=True)


def rated(a: Player, b: Player, result: Result) -> Rated:
    done = rate(a, b, result)
    assert isinstance(done, Rated)
    return done


def opposite(result: Result) -> Result:
    return result._replace(half_points=2 - result.half_points, band_a=result.band_b, band_b=result.band_a)


players = st.just(NEVER_RATED) | st.builds(
    lambda mu, phi, since, band, established, wins, losses, draws: Player(
        mu, phi, NOW - since, band, established, False, VERSION, wins, losses, draws, 0
    ),
    st.integers(MU_LO, MU_HI),
    st.integers(PHI_MIN, PHI_MAX) | st.integers(PHI_MIN, ONE),
    st.integers(-DAY, 400 * DAY),
    st.integers(1, 4),
    st.booleans(),
    *[st.integers(0, 12) | st.integers(COUNTER_MAX - 1, COUNTER_MAX)] * 3,
)
results = st.builds(
    Result,
    st.integers(0, 2),
    st.just(NOW),
    st.integers(17, 22) | st.integers(0, 400),
    st.booleans(),
    st.booleans(),
    st.integers(0, 4),
    st.integers(0, 4),
)


@pytest.mark.parametrize(("band", "mu"), [(1, KNOTS[7]), (2, KNOTS[13]), (3, 0), (4, KNOTS[29]), (0, 0)])
def test_starting_bands(band: int, mu: int) -> None:
    done = rated(NEVER_RATED, BOB, WON._replace(band_a=band))
    assert done.a.state == update(State(mu, 0, 0), BOB.state, 2, NOW).a
    assert done.b.state == update(State(mu, 0, 0), BOB.state, 2, NOW).b
    assert done.a.band == (band or 3)
    assert rated(ANN, BOB, WON._replace(band_a=band, band_b=band)) == rated(ANN, BOB, WON)


def test_there_is_no_band_5() -> None:
    with pytest.raises(RefusedError, match=r"^band is 5; expected a whole number from 0 to 4$"):
        rate(ANN, BOB, WON._replace(band_a=5))


def test_steps_are_not_negative() -> None:
    with pytest.raises(RefusedError, match=r"^steps is -1;"):
        rate(ANN, BOB, WON._replace(steps=-1))


@given(players, players, results)
def test_a_full_game_is_one_update(a: Player, b: Player, result: Result) -> None:
    done = rated(a, b, result._replace(steps=20))
    starts = [KNOTS[7], KNOTS[13], 0, KNOTS[29]]
    before = [
        player.state if player.phi else State(starts[(band or 3) - 1], 0, 0)
        for player, band in ((a, result.band_a), (b, result.band_b))
    ]
    assert (done.a.state, done.b.state) == update(before[0], before[1], result.half_points, NOW)[:2]
    assert done.a.version == done.b.version == VERSION


@given(players, players, results)
def test_sides_are_alike(a: Player, b: Player, result: Result) -> None:
    done, other = rate(a, b, result), rate(b, a, opposite(result))
    assert isinstance(done, VoidReason) == isinstance(other, VoidReason)
    if isinstance(done, Rated) and isinstance(other, Rated):
        assert (done.a, done.b) == (other.b, other.a)


@given(players, players, results)
def test_a_felt_holds_what_comes_out(a: Player, b: Player, result: Result) -> None:
    done = rate(a, b, result)
    if isinstance(done, Rated):
        for player in (done.a, done.b):
            assert unpack(pack(player)) == player


@given(players, players, results)
def test_counters(a: Player, b: Player, result: Result) -> None:
    done = rated(a, b, result._replace(steps=20))
    for name, half_points in (("losses", 0), ("draws", 1), ("wins", 2)):
        more = int(result.half_points == half_points)
        assert getattr(done.a, name) == min(getattr(a, name) + more, COUNTER_MAX)


@pytest.mark.parametrize("half_points", [0, 1, 2])
def test_19_steps_are_short_and_20_are_not(half_points: int) -> None:
    result = WON._replace(half_points=half_points)
    assert rate(ANN, BOB, result._replace(steps=19)) is VoidReason.SHORT
    assert rate(ANN, BOB, result._replace(steps=0)) is VoidReason.SHORT
    assert rated(ANN, BOB, result._replace(steps=20)) == rated(ANN, BOB, result)


def test_a_short_draw_is_void() -> None:
    assert rate(ANN, BOB, GIVEN_UP._replace(half_points=1)) is VoidReason.SHORT


@given(players, players, st.integers(0, 19), st.booleans())
def test_a_short_game_given_up(winner: Player, loser: Player, steps: int, queue: bool) -> None:
    result = GIVEN_UP._replace(steps=steps, queue=queue)
    done, full = rated(winner, loser, result), rated(winner, loser, WON._replace(queue=False))
    assert done.b == full.b
    if winner == NEVER_RATED:
        assert done.a == NEVER_RATED
        return
    phi = aged_phi(aged(*winner.state, NOW))
    assert done.a == winner._replace(phi=phi, last=max(winner.last, NOW), version=VERSION)
    assert phi >= winner.phi


def test_the_longest_short_game_is_not_a_forfeit_of_20() -> None:
    assert rated(ANN, BOB, GIVEN_UP._replace(steps=20)) == rated(ANN, BOB, WON)


@pytest.mark.parametrize(
    ("before", "half_points", "is_established"),
    [
        (ANN._replace(established=False), 2, True),
        (ANN._replace(established=False, losses=0), 2, False),
        (ANN._replace(established=False, losses=0), 1, False),
        (ANN._replace(established=False, losses=0), 0, True),
        (ANN._replace(established=False, wins=0), 0, False),
        (ANN._replace(established=False, wins=0), 2, True),
        (ANN._replace(established=False, phi=PHI_MAX), 2, False),
        (ANN._replace(established=True, phi=PHI_MAX), 2, True),
    ],
)
def test_established(before: Player, half_points: int, is_established: bool) -> None:
    assert rated(before, BOB, WON._replace(half_points=half_points)).a.established is is_established


def test_established_at_1_exactly() -> None:
    """phi before the game, found so that it is 2**32 after it, and one more."""
    new = Player(0, ONE, NOW, 3, False, False, VERSION, 3, 3, 0, 0)
    low, high = PHI_MIN, PHI_MAX
    while low < high:
        middle = (low + high + 1) // 2
        fits = rated(new._replace(phi=middle), BOB, WON).a.phi <= ONE
        low, high = (middle, high) if fits else (low, middle - 1)
    at, above = (rated(new._replace(phi=phi), BOB, WON).a for phi in (low, low + 1))
    assert (at.phi, at.established) == (ONE, True)
    assert (above.phi > ONE, above.established) == (True, False)


def test_a_peak_is_the_best_mu_minus_2_phi() -> None:
    first = rated(ANN._replace(has_peak=False, peak=0), BOB, WON).a
    assert (first.has_peak, first.peak) == (True, first.mu - 2 * first.phi)
    lost = rated(first, BOB, WON._replace(half_points=0, t=NOW + 5)).a
    assert lost.mu - 2 * lost.phi < first.peak == lost.peak
    won = rated(first, BOB, WON._replace(t=NOW + 5)).a
    assert won.peak == won.mu - 2 * won.phi > first.peak


PLAIN = ANN._replace(has_peak=False, peak=0)


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        (PLAIN, BOB, WON._replace(queue=False)),
        (PLAIN._replace(wins=2), BOB._replace(wins=5), WON),
        (PLAIN._replace(wins=1), BOB, WON),
        (PLAIN._replace(phi=ONE + 1), BOB, WON),
        (PLAIN, BOB._replace(phi=ONE + 1), WON),
        (PLAIN, BOB, WON._replace(t=NOW + 900 * DAY)),
        (PLAIN, NEVER_RATED, WON),
        (PLAIN._replace(established=False, losses=0), BOB, WON),
        (PLAIN, BOB, GIVEN_UP),
        (PLAIN, BOB, GIVEN_UP._replace(half_points=0)),
    ],
    ids=[
        "no queue",
        "9 of b",
        "9 of a",
        "unsure a",
        "unsure b",
        "long away",
        "newcomer",
        "not established",
        "won",
        "lost",
    ],
)
def test_a_peak_stays_where_it_is(a: Player, b: Player, result: Result) -> None:
    assert rated(PLAIN, BOB, WON).a.has_peak
    done = rated(a, b, result)
    assert (done.a.has_peak, done.a.peak) == (False, 0)


def test_settled_counts_the_games_before_this_one() -> None:
    nine, ten = (PLAIN._replace(wins=wins, losses=3, draws=2) for wins in (4, 5))
    assert (nine.games, ten.games) == (9, 10)
    assert not rated(nine, BOB, WON).a.has_peak
    assert rated(ten, BOB, WON).a.has_peak


@pytest.mark.parametrize(("phi", "settled"), [(ONE, True), (ONE + 1, False)])
def test_settled_at_1_exactly(phi: int, settled: bool) -> None:
    """In the second of the last game nothing ages."""
    sure = PLAIN._replace(phi=phi, last=NOW)
    assert rated(sure, BOB, WON).a.has_peak is settled
    assert rated(PLAIN, sure._replace(mu=BOB.mu), WON).a.has_peak is settled


def test_a_game_that_establishes_may_move_the_peak() -> None:
    new = PLAIN._replace(established=False, losses=0)
    done = rated(new, BOB, WON._replace(half_points=0)).a
    assert (done.established, done.has_peak) == (True, True)


def test_the_clock_only_moves_forward() -> None:
    early = WON._replace(t=NOW - 30 * DAY)
    for result in (early, GIVEN_UP._replace(t=NOW - 30 * DAY)):
        done = rated(ANN, BOB, result)
        assert (done.a.last, done.b.last) == (ANN.last, BOB.last)
