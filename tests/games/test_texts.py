"""Columns of coded text say what columns of Python's texts say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import InputError
from tallymark.games import ids
from tallymark.games.columns import numbers, words
from tallymark.games.files import gathering
from tallymark.games.files.gathering import Gathered, GatheredBytes
from tallymark.games.sorting import ordered
from tallymark.games.texts import Packed, Text
from tallymark.games.times import parse_times

TEXT = st.text(st.sampled_from("ab\u00e9\U0001f600"), max_size=20)
LONG = st.builds(lambda start, rest: start + rest, st.sampled_from(["", "prefix__", "prefix__prefix__"]), TEXT)
TIMES = st.one_of(
    st.datetimes().map(lambda moment: moment.isoformat(timespec="seconds")),
    st.datetimes().map(lambda moment: moment.isoformat(" ", timespec="minutes") + "Z"),
    st.dates().map(str),
    st.from_regex(
        r"(?:0000|1900|2000|2023)-[01][0-9]-[0-3][0-9](?:T[0-2][0-9]:[0-6][0-9](?::[0-6][0-9])?Z?)?", fullmatch=True
    ),
    st.sampled_from(
        ["", "1970-01-01T00:00:00.5Z", "1970-01-01T01:00+01:00", "1970-01-01X00:00", "soon", "\u0661970-01-01"]
    ),
)


def packed(texts: list[str]) -> Text:
    """The column in two pieces, each row with a text of its own."""
    half = len(texts) // 2
    pieces = Packed.joined([Packed.of(texts[:half]), Packed.of(texts[half:])])
    return Text(np.arange(len(texts), dtype=np.int32), pieces)


@given(st.lists(st.lists(TEXT, max_size=40), max_size=5), st.sampled_from([0, 30, 1 << 40]))
def test_both_ways_of_gathering_give_the_same_column(pieces: list[list[str]], enough: int) -> None:
    rows = [text for piece in pieces for text in piece]
    exact, fast = Gathered(), GatheredBytes(len(rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "_ENOUGH_TO_TELL", enough)
        patch.setattr(gathering, "_BLOCK", 64)
        for piece in pieces:
            exact.add(piece)
            fast.add(Packed.of(piece))
    for column in (exact.text(), fast.text()):
        assert list(column) == rows
        assert list(dict.fromkeys(column.texts)) == list(dict.fromkeys(rows))
        assert list(Text.joined([column, Text.empty(2), column])) == [*rows, "", "", *rows]


def test_texts_that_want_one_slot_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "_mixed", lambda _, count: np.zeros(count, dtype=np.uint64))
    column = GatheredBytes(8)
    for piece in (["a", "b", "a"], ["c", "c"], ["b", "b", "d"]):
        column.add(Packed.of(piece))
    assert list(column.text()) == ["a", "b", "a", "c", "c", "b", "b", "d"]


def test_texts_without_bytes_are_gathered_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "_ENOUGH_TO_TELL", 1)
    column = Gathered()
    pieces = [["a", "b"], ["c", "d"], ["\ud800", "e"], ["f"]]
    for piece in pieces:
        column.add(piece)
    assert list(column.text()) == [text for piece in pieces for text in piece]
    with pytest.raises(InputError, match="not valid Unicode"):
        ids.encode(column.text())


@given(st.lists(LONG, min_size=1, max_size=60), st.booleans(), st.sampled_from([0, 1 << 40]))
def test_ids_have_the_same_codes(texts: list[str], in_order: bool, many: int) -> None:
    given = sorted(texts) if in_order else texts
    codes, table = ids.encode(given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ids, "MANY", many)
        found, found_table = ids.encode(packed(given))
    assert found_table == table
    assert found.tolist() == codes.tolist()


@given(st.lists(st.sampled_from(["1", "0.5", "", " 2", "x", "1e400", "-0"]), max_size=20))
def test_numbers_and_words_are_the_same(texts: list[str]) -> None:
    for column in (packed(texts), Text(np.arange(len(texts), dtype=np.int32), texts)):
        (values, wrong), (expected, expected_wrong) = numbers(column), numbers(list(texts))
        np.testing.assert_array_equal(values, expected)
        assert wrong == expected_wrong
        assert words(column, "ending") == words(list(texts), "ending")


@given(st.lists(TIMES, max_size=40))
def test_times_are_the_same(texts: list[str]) -> None:
    instants, wrong = parse_times(packed(texts))
    expected, expected_wrong = parse_times(texts)
    assert instants.tolist() == expected.tolist()
    assert wrong == expected_wrong


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=30), st.integers(0, 3), st.booleans())
def test_rows_are_ordered_as_a_full_sort_would(cells: list[tuple[int, ...]], keys: int, in_order: bool) -> None:
    if in_order:
        cells = sorted(cells, key=lambda row: row[keys - 1])
    columns = [np.array([row[at] for row in cells], dtype=np.int64) for at in range(keys)]
    rows = np.flatnonzero([row != (0, 0, 0) for row in cells])
    expected = rows[np.lexsort([column[rows] for column in columns])] if columns else rows
    found = ordered(rows, columns)
    assert found is not None
    assert found.tolist() == expected.tolist()
    whole, everything = ordered(None, columns), np.arange(len(cells))
    expected = np.lexsort(columns) if columns else everything
    assert (everything if whole is None else whole).tolist() == expected.tolist()


@given(st.lists(st.lists(st.text("ab\u00e9", max_size=3), max_size=4), max_size=4), st.data())
def test_texts_in_pieces_are_taken_from_each(parts: list[list[str]], data: st.DataObject) -> None:
    texts = [text for part in parts for text in part]
    column = Packed.joined(list(map(Packed.of, parts)))
    positions = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=6)) if texts else []
    assert column.taken(np.array(positions, dtype=np.int64)) == [texts[at] for at in positions]
    assert [column[at] for at in range(-len(texts), len(texts))] == texts * 2


def test_a_part_of_a_column_and_one_cell() -> None:
    column = packed(["a", "", "\u00e9", "b"])
    assert (column[2], column[-1], list(column[1:3])) == ("\u00e9", "b", ["", "\u00e9"])
    assert list(Packed.of(["a", "b", "c"])[1:]) == ["b", "c"]
    with pytest.raises(ValueError, match="steps of 1"):
        Packed.of(["a", "b"])[::2]
