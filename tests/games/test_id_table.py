"""Ids kept as bytes are in nothing other than ids in a list."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.games import GameLog
from tallymark.games.files.gathering import Gathered
from tallymark.games.id_table import IdTable, NumberTable
from tallymark.games.ids import compact, encode, encode_many
from tallymark.games.joining import joined
from tallymark.games.pieces import in_pieces
from tallymark.games.texts import Packed, Text

TEXTS = st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20), max_size=60)


@given(TEXTS, st.booleans(), st.integers(1, 7))
def test_a_table_is_what_the_list_is(rows: list[str], ordered: bool, at_once: int) -> None:
    column = Gathered()
    column.add(sorted(rows) if ordered else rows)
    text = column.text()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tallymark.games.ids.MANY", -1)
        patch.setattr("tallymark.games.id_table.SLICE", at_once)
        packed = Text(text.codes, Packed.of(list(text.texts)))
        codes, table = encode_many(packed) if len(packed) else (text.codes, [])
        expected, ids = encode(list(packed))
        assert codes.tolist() == expected.tolist()
        assert table == ids
        assert ids == table
        assert list(table) == ids
        assert [table[at] for at in range(-len(ids), len(ids))] == ids + ids
        assert list(table[1:3]) == ids[1:3]
        there = codes[codes % 2 == 0]
        some, left = compact([there], table)
        other, same = compact([there], ids)
        assert some[0].tolist() == other[0].tolist()
        assert left == same


def test_tables_differ_where_their_ids_do() -> None:
    table = IdTable(Packed.of(["b", "a"]), np.array([1, 0], dtype=np.int32))
    assert table != ["a", "c"]
    assert table != ["a"]
    assert table != "ab"
    assert pickle.loads(pickle.dumps(table)) == copy.copy(table) == ["a", "b"]
    with pytest.raises(IndexError):
        table[2]


def test_a_log_with_such_a_table_is_used_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [f"g{at:03}" for at in range(40)]
    shuffled = np.random.default_rng(2).permutation(40)
    game = [ids[at] for at in shuffled]
    others = [f"h{at:03}" for at in range(40)]

    def log(names: list[str], *, kept_as_bytes: bool) -> GameLog:
        packed = Text(np.arange(40, dtype=np.int32), Packed.of(names))
        monkeypatch.setattr("tallymark.games.ids.MANY", -1 if kept_as_bytes else 1000)
        monkeypatch.setattr("tallymark.games.log.cells_of", lambda values, _: values)
        found = GameLog.from_arrays(player_a=["a"] * 40, player_b=["b"] * 40, score_a=[1] * 40, game=packed)
        assert isinstance(found.games, IdTable) == kept_as_bytes
        return found

    one, two = (log(game, kept_as_bytes=way) for way in (True, False))
    assert one.games == two.games
    assert list(one.to_table().rows()) == list(two.to_table().rows())
    assert list(one.taken(np.array([3, 5])).games or ()) == list(two.taken(np.array([3, 5])).games or ())
    both = [each.followed_by(log(others, kept_as_bytes=True)) for each in (one, two)]
    assert both[0].games == both[1].games
    pieces = [[batch.column("game").to_pylist() for batch in in_pieces(each)] for each in (one, two)]
    assert pieces[0] == pieces[1]
    with pytest.raises(ValueError, match="'g000' is in both"):
        joined(one._coded(), two._coded())


@given(st.sets(st.integers(-(2**63), 2**63 - 1), max_size=30))
def test_a_table_of_numbers_is_what_the_list_is(numbers: set[int]) -> None:
    ids = sorted(numbers)
    table = NumberTable(np.array(ids, dtype=np.int64))
    assert table == ids
    assert ids == table
    assert list(table) == ids
    assert [table[at] for at in range(-len(ids), len(ids))] == ids + ids
    assert table[1:3] == NumberTable(np.array(ids[1:3], dtype=np.int64))
    assert repr(table) == repr(ids)
    for one in (*ids, 7, 2**63, -(2**63) - 1, "7", None, 7.5):
        assert (one in table) == (one in ids)
    used = np.arange(len(ids)) % 2 == 0
    assert table.kept(used) == ids[::2]
    assert table != [*ids, 7]
    assert table != "ab"
    assert pickle.loads(pickle.dumps(table)) == copy.copy(table) == ids


@given(st.lists(st.integers(0, 40), min_size=2, max_size=60), st.booleans(), st.integers(1, 7))
def test_a_log_of_very_many_numbers_is_what_one_of_few_is(ids: list[int], far: bool, at_once: int) -> None:
    a = np.array(ids[: len(ids) // 2]) * (10**15 if far else 1) - 5
    b = np.array(ids[len(ids) // 2 : 2 * (len(ids) // 2)]) * (10**15 if far else 1) - 5
    score = np.resize([1.0, 0.5, 0.0], len(a))
    few = GameLog.from_arrays(player_a=a, player_b=b, score_a=score)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tallymark.games.ids.MANY", -1)
        patch.setattr("tallymark.games.ids._AT_ONCE", at_once)
        many = GameLog.from_arrays(player_a=a, player_b=b, score_a=score)
        assert isinstance(many.players, NumberTable) or not len(few)
        assert many.players == few.players
        assert list(many.to_table().rows()) == list(few.to_table().rows())
        assert many.report.summary() == few.report.summary()
        some = np.arange(0, len(few), 2)
        assert many.taken(some).players == few.taken(some).players
        if len(few):
            both = (many.followed_by(few).players, few.followed_by(many).players)
            assert both == (few.players, few.players)
