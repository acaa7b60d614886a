import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import InputError
from tallymark.games.ids import compact, encode, encode_integers, rank_order

exact = st.one_of(st.integers(-(2**63), 2**63 - 1), st.text(st.characters(exclude_categories=["Cs"]), min_size=1))


@given(st.lists(st.one_of(exact, st.none())))
def test_codes_give_the_ids_back_and_sort_as_they_do(values: list[str | int | None]) -> None:
    codes, table = encode(values)
    assert [table[code] if code >= 0 else None for code in codes.tolist()] == values
    integers = [item for item in table if isinstance(item, int)]
    strings = [item for item in table if isinstance(item, str)]
    assert table == [*sorted(integers), *sorted(strings)]
    assert len(set(table)) == len(table)


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_integer_arrays_code_like_lists(values: list[int]) -> None:
    codes, table = encode(np.array(values, dtype=np.int64))
    other, same = encode(values)
    assert codes.tolist() == other.tolist()
    assert table == same
    assert all(type(item) is int for item in table)


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2", ">i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("span", [3, 200, 10**7])
def test_integers_of_any_type_code_like_lists(kind: str, span: int) -> None:
    whole = np.iinfo(kind)
    low, high = int(whole.min), min(int(whole.max), 2**63 - 1)
    for least in (low, max(low, -2), max(0, high - span)):
        values = np.random.default_rng(1).integers(least, min(least + span, high), 60, endpoint=True, dtype=np.int64)
        column = values.astype(kind)
        two, table = encode_integers([column[:25], column[25:]], "player")
        codes, same = encode(column.tolist())
        assert np.concatenate(two).tolist() == codes.tolist()
        assert table == same
        assert set(map(type, table)) == {int}


def test_a_number_and_its_digits_are_two_ids() -> None:
    assert rank_order({"1", 1, "01"}) == [1, "01", "1"]


def test_numpy_scalars_become_python_values() -> None:
    _, table = encode([np.int64(3), np.str_("x"), float("nan"), pd.NA, ""])
    assert table == [3, "x"]
    assert [type(item) for item in table] == [int, str]


@pytest.mark.parametrize("values", [[1.0], [1, True], [(1, 2)], np.array([1.5]), np.array([True]), ["a", np.bool_(1)]])
def test_what_is_no_exact_id_is_refused(values: list[object]) -> None:
    with pytest.raises(InputError, match="player_a"):
        encode(values, "player_a")


def test_a_float_is_refused_with_the_way_out() -> None:
    with pytest.raises(InputError) as caught:
        encode(np.array([1.0, np.nan]))
    assert "Int64" in str(caught.value.hint)


def test_integers_beyond_64_bits_and_broken_text_are_refused() -> None:
    with pytest.raises(InputError, match="beyond 64-bit"):
        encode([2**63])
    with pytest.raises(InputError, match="beyond 64-bit"):
        encode(np.array([2**63], dtype=np.uint64))
    with pytest.raises(InputError, match="Unicode"):
        encode(["ok", "\ud800"])


def test_compact_keeps_the_order_of_what_is_used() -> None:
    (codes,), table = compact([np.array([4, 4, 1, -1], dtype=np.int32)], ["a", "b", "c", "d", "e"])
    assert codes.tolist() == [1, 1, 0, -1]
    assert table == ["b", "e"]
