from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tallymark as tm
from tallymark.errors import InputError, ReadError
from tallymark.games.columns import Cells
from tallymark.games.identity.aliases import checked_aliases, renamed
from tallymark.games.ids import Id
from tallymark.games.report import Findings

GAMES = "player_a,player_b,score_a\nann,bob,1\nbob,cid,0.5\ncid,ann,0\ncid,dora,0\n"


def file(folder: Path, text: str, name: str = "games.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_old_ids_are_read_as_new_ones_before_anything_is_checked(tmp_path: Path) -> None:
    log = tm.read_games(file(tmp_path, GAMES), aliases={"ann": "bob", "zoe": "bob"})
    assert log.players == ["bob", "cid", "dora"]
    assert [(row["line"], row["reason"]) for row in log.report.problems.rows()] == [(2, "self-play")]
    assert log.report.aliases == {"ann": "bob"}
    assert "aliases: 2 rows with 1 old id" in log.report.notes
    assert "aliases: 1 of 2 in no row: 'zoe'" in log.report.notes


def test_entries_have_aliases_too(tmp_path: Path) -> None:
    log = tm.read_games(
        file(tmp_path, "match,player,rank\n1,ann,1\n1,bob,2\n1,cid,3\n"), aliases={"cid": "dora", "bob": "eve"}
    )
    assert log.players == ["ann", "dora", "eve"]
    assert "aliases: 2 rows with 2 old ids" in log.report.notes


@pytest.mark.parametrize(
    "text",
    [
        "ann = bob\n\ncid = dora\n",
        "ann=bob\r\ncid=dora\r\n",
        "\ufeffold,new\nann,bob\ncid,dora\n",
        'new,old\n"bob",ann\ndora,"cid"\n',
        "  ann =  bob \ncid = dora",
    ],
)
def test_a_file_of_aliases(tmp_path: Path, text: str) -> None:
    path = file(tmp_path, text, "aliases.txt")
    assert checked_aliases(path) == checked_aliases(str(path)) == {"ann": "bob", "cid": "dora"}
    assert tm.read_games(file(tmp_path, GAMES), aliases=path).players == ["bob", "dora"]


def test_ids_with_the_signs_of_the_file(tmp_path: Path) -> None:
    assert checked_aliases(file(tmp_path, "a=b = c\n")) == {"a=b": "c"}
    assert checked_aliases(file(tmp_path, 'old,new\n"a, b","c ""d"" = e"\n')) == {"a, b": 'c "d" = e'}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ann\n", "line 1: 'ann' is no alias"),
        ("ann = bob\nann = \n", "line 2"),
        ("a = b = c\n", "line 1"),
        ("old,new\nann\n", "line 2: expected an old and a new id"),
        ("old,new\nann,\n", "line 2: expected an old and a new id"),
        ('old,new\n"ann,bob\n', "line 2"),
    ],
)
def test_lines_that_are_no_aliases_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ReadError, match=message) as refused:
        checked_aliases(file(tmp_path, text))
    assert "old = new" in str(refused.value.hint)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for name in ("none", ".", "a\0b"):
        with pytest.raises(ReadError, match="cannot be read as aliases"):
            checked_aliases(tmp_path / name)


@pytest.mark.parametrize(
    ("aliases", "message"),
    [
        ({"a": "b", "b": "c"}, "'a' for 'b' and that for 'c'"),
        ({"a": "b", "b": "a"}, "'a' for 'b' and that for 'a'"),
        ({"a": "a"}, "for itself"),
        ({7: "b", "7": "c"}, "'7' for 'b' and for 'c'"),
        ({"a": ""}, "ids are strings or integers"),
        ({"a": True}, "ids are strings or integers"),
        ({1.5: "a"}, "ids are strings or integers"),
        (["a", "b"], "expected a mapping"),
    ],
)
def test_chains_circles_and_contradictions_are_refused(aliases: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        checked_aliases(aliases)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("column", "aliases", "result"),
    [
        ([7, 8], {"7": "9"}, [9, 8]),  # integers stay integers
        ([7, 8], {"7": "8"}, [8, 8]),
        ([7, 8], {"07": "9", "7.0": "9"}, [7, 8]),  # only exact digits are an integer
        ([7, 8], {"7": "ann"}, ["ann", 8]),
        (["7", "8"], {"7": "8"}, ["8", "8"]),
        ([7, "7"], {"7": "8"}, ["8", "8"]),  # one alias, one player
        (["ann", 8], {"ann": "8"}, [8, 8]),  # the one player 8 there is
        (["ann", 8, "8"], {"ann": "8"}, ["8", 8, "8"]),
        (["ann", None, ""], {"ann": "bob"}, ["bob", None, ""]),
    ],
)
def test_integers_are_meant_by_their_digits(
    column: list[object], aliases: dict[str, str], result: list[object]
) -> None:
    found = renamed({"player_a": column}, aliases, Findings(len(column)))["player_a"]
    assert list(found) == result
    assert list(map(type, found)) == list(map(type, result))


IDS: st.SearchStrategy[Id] = st.sampled_from(["ann", "bob", "cid", "7", 7, 8, 9])


@given(st.lists(st.tuples(IDS, IDS)), st.dictionaries(IDS, st.sampled_from(["x", "y", "11"])))
def test_what_was_renamed_can_be_shown_with_its_old_names(rows: list[tuple[Id, Id]], wanted: dict[Id, str]) -> None:
    aliases = {str(old): new for old, new in wanted.items()}
    cells: dict[str, Cells] = {"player_a": [a for a, _ in rows], "player_b": [b for _, b in rows]}
    findings = Findings(len(rows))
    after = renamed(cells, aliases, findings)
    old_of: dict[Id, set[Id]] = {}
    for old, new in findings.aliases.items():
        old_of.setdefault(new, set()).add(old)
    for name in cells:
        for old, new in zip(cells[name], after[name], strict=True):
            assert old in old_of[new] if old != new else old not in findings.aliases
    # With one old id for each new one there is a way back.
    if len(set(findings.aliases.values())) == len(findings.aliases):
        back = {str(new): str(old) for old, new in findings.aliases.items()}
        again = renamed(after, back, Findings(len(rows)))
        assert [list(map(str, again[name])) for name in cells] == [list(map(str, cells[name])) for name in cells]


def test_a_file_that_is_not_utf_8_is_read_in_the_encoding_that_was_chosen(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_bytes("player_a,player_b,score_a\nJ\u00f6rg,bob,1\n".encode("cp1252"))
    (tmp_path / "a.csv").write_bytes("old,new\r\nJ\u00f6rg,J\u00f6rg M\r\n".encode("cp1252"))
    log = tm.read_games(tmp_path / "g.csv", aliases=tmp_path / "a.csv", encoding="cp1252")
    assert log.players == ["J\u00f6rg M", "bob"]
    with pytest.raises(ReadError, match=r"a\.csv, line 2: the bytes f6 are not UTF-8") as error:
        tm.read_games(tmp_path / "g.csv", aliases=tmp_path / "a.csv")
    assert "'J\u00f6rg,J\u00f6rg M' in cp1252" in (error.value.hint or "")
    (tmp_path / "a.csv").write_bytes("old,new\r\nJ\u00f6rg,J\u00f6rg M\r\n".encode())
    assert tm.read_games(tmp_path / "g.csv", aliases=tmp_path / "a.csv", encoding="cp1252").players == log.players
