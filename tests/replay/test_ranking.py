"""The order of a table is that of sorting by all its columns, however many rows are equal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tallymark as tm
from tallymark.replay import kinds, ranking
from tallymark.replay.ranking import best_first

VALUES = st.sampled_from([0.0, -0.0, 1500.0, 1500.0000000000002, 1600.0, -3.5])


def by_all(rating: np.ndarray, deviation: np.ndarray, games: np.ndarray) -> list[int]:
    order: list[int] = np.lexsort((-games, deviation, -rating)).tolist()
    return order


@given(st.lists(st.tuples(VALUES, st.sampled_from([0.0, -0.0, 60.0, 350.0]), st.integers(0, 3)), max_size=80))
def test_few_kinds(rows: list[tuple[float, float, int]]) -> None:
    columns = (
        np.array([row[0] for row in rows], np.float64),
        np.array([row[1] for row in rows], np.float64),
        np.array([row[2] for row in rows], np.int64),
    )
    expected = by_all(*columns)
    assert best_first(*columns).tolist() == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "_FEW", 0)
        patch.setattr(kinds, "_AT_ONCE", 7)
        assert best_first(*columns).tolist() == expected


@pytest.mark.parametrize("many", [1, 40, 3_000, 40_000])
@pytest.mark.parametrize("others", [0, 30_000])
def test_many_rows(many: int, others: int) -> None:
    chance = np.random.default_rng(many + others)
    of = chance.integers(0, many, 40_000)
    rating = np.concatenate([chance.integers(0, 30, many)[of] * 10.0, chance.random(others) * 300.0])
    deviation = np.concatenate([chance.random(many)[of] * 50.0, np.full(others, 60.0)])
    games = np.concatenate([chance.integers(0, 9, many)[of], chance.integers(0, 9, others)])
    mixed = chance.permutation(len(rating))
    columns = rating[mixed], deviation[mixed], games[mixed]
    assert best_first(*columns).tolist() == by_all(*columns)


@pytest.mark.parametrize(("bits", "found"), [(3, False), (5, True)])
def test_kinds_that_fall_together(bits: int, found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few are looked at again; too many, and rows are sorted by all columns."""
    monkeypatch.setattr(kinds, "_BITS", bits)
    rating = np.resize(np.arange(50.0), 10_000)
    columns = rating, np.ones(10_000), np.ones(10_000, np.int64)
    assert (ranking._by_kind(*columns) is not None) == found
    assert best_first(*columns).tolist() == by_all(*columns)


def test_more_kinds_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "_MOST", 49)
    columns = np.resize(np.arange(50.0), 10_000), np.ones(10_000), np.ones(10_000, np.int64)
    assert ranking._by_kind(*columns) is None
    assert best_first(*columns).tolist() == by_all(*columns)


def test_a_kind_has_room_for_any_number_of_rows() -> None:
    n = 1 << 21
    rating = np.resize(np.arange(2_000.0), n)
    columns = rating, np.ones(n), np.ones(n, np.int64)
    found = ranking._by_kind(*columns)  # 11 bits and 22 bits: more than 32
    assert found is not None
    assert found.tolist() == by_all(*columns)


def test_pools_and_who_is_not_rated() -> None:
    games = [("b", "ann", "bob"), ("a", "cid", "ann"), ("a", "bob", "dan"), ("b", "eva", "ann")]
    log = tm.GameLog.from_arrays(
        player_a=[one for _, one, _ in games],
        player_b=[other for _, _, other in games],
        score_a=[1.0, 0.5, 1.0, 0.0],
        pool=[pool for pool, _, _ in games],
        ending=["normal", "normal", "normal", "walkover"],
    )
    table = tm.replay(log, "elo").ratings
    assert list(zip(table["pool"].tolist(), table["player"].tolist(), strict=True)) == [
        ("a", "bob"), ("a", "ann"), ("a", "cid"), ("a", "dan"), ("b", "ann"), ("b", "bob"),
    ]  # fmt: skip
    assert table.games.tolist() == [1] * 6
