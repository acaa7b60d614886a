from pathlib import Path

import pytest

from tallymark.errors import ReadError
from tallymark.games import GameLog, read_games
from tallymark.games.files.dialect import Dialect, dialect_of

ROWS = ["player_a,player_b,score_a\n", "ann,bob,1\n", "bob,cid,0.5\n"]


def separated(by: str, rows: list[str] = ROWS) -> list[str]:
    return [row.replace(",", by) for row in rows]


def read(directory: Path, lines: list[str], name: str = "games.csv", delimiter: str | None = None) -> GameLog:
    path = directory / name
    path.write_text("".join(lines), encoding="utf-8", newline="")
    return read_games(path, delimiter=delimiter)


@pytest.mark.parametrize(("delimiter", "word"), [(";", "semicolons"), ("\t", "tabs"), ("|", "bars")])
def test_what_fits_alone_is_taken_and_announced(delimiter: str, word: str, tmp_path: Path) -> None:
    log = read(tmp_path, separated(delimiter))
    assert log.players == ["ann", "bob", "cid"]
    assert f"cells are separated by {word}" in log.report.notes


def test_what_is_usual_is_not_announced(tmp_path: Path) -> None:
    said = "cells are separated by"
    assert not any(said in note for note in read(tmp_path, ROWS).report.notes)
    assert not any(said in note for note in read(tmp_path, separated("\t"), "games.tsv").report.notes)
    assert "cells are separated by commas" in read(tmp_path, ROWS, "games.tsv").report.notes
    assert not any(said in note for note in read(tmp_path, separated(";"), delimiter=";").report.notes)


def test_decimal_commas_do_not_hide_semicolons() -> None:
    lines = ["player_a;player_b;score_a\n", "ann;bob;0,5\n", "bob;cid;1,0\n"]
    assert dialect_of(lines, "games.csv", None).delimiter == ";"


def test_quoted_cells_are_cells() -> None:
    lines = ["player_a;player_b;note\n", 'ann;bob;"a, b"\n', 'ann;bob;"c; d"\n', 'ann;bob;"e\n', 'f"\n']
    assert dialect_of(lines, "games.csv", None).delimiter == ";"


def test_a_ragged_file_has_what_its_first_row_has() -> None:
    assert dialect_of([*separated(";"), "ann;bob\n"], "games.csv", None).delimiter == ";"
    assert dialect_of([*ROWS, "ann,bob\n"], "games.csv", None) == Dialect(",")
    assert dialect_of(["player_a;b,player_b\n", "ann;bob\n", "ann,bob,1\n"], "games.csv", None) == Dialect(",")


def test_a_cut_row_does_not_count() -> None:
    many = [*separated(";"), *["ann;bob;1\n"] * 300]
    many[255] = 'ann;bob;"1\n'
    assert dialect_of(many[:256], "games.csv", None).delimiter == ";"


def test_several_that_fit_are_an_error_with_the_choices(tmp_path: Path) -> None:
    lines = ["player_a;x,player_b\n", "ann;1,bob\n", "bob;2,cid\n"]
    with pytest.raises(ReadError) as caught:
        read(tmp_path, lines)
    assert caught.value.message.endswith("games.csv could be separated by commas or semicolons")
    assert caught.value.hint == "delimiter=',' (2 cells a row) or delimiter=';' (2 cells a row)"


def test_a_single_column_has_no_delimiter(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no column 'player_a'"):
        read(tmp_path, ["player\n", "ann\n"])


def test_what_a_spreadsheet_says_is_no_row_and_keeps_its_line(tmp_path: Path) -> None:
    lines = ["sep=;\n", *separated(";"), "ann;bob\n", 'ann;"bob\n"\n', "ann;ann;1\n"]
    for delimiter in (None, ";"):
        log = read(tmp_path, lines, delimiter=delimiter)
        assert [row["line"] for row in log.report.problems.rows()] == [5, 6, 8]
        assert len(log) == 2
    with pytest.raises(ReadError, match=r"line 6: a quotation mark opens .* goes on to line 7"):
        read(tmp_path, [*lines[:5], 'ann;"\n', "bob;1\n"])
    with pytest.raises(ReadError, match="no column 'player_a'"):
        read(tmp_path, ["sep=;\n", *separated(";")], delimiter=",")


@pytest.mark.parametrize(
    ("rows", "opens", "ends"),
    [
        (['"cid,bob,0\n', "ann,cid,1\n", "dan,bob,1\n"], 3, 5),
        (["\n", '"a\nb",cid,1\n', '"cid,bob,0\n', *["ann,cid,1\n"] * 9000], 6, 9006),
    ],
)
def test_a_quotation_mark_left_open_is_named_where_it_opens(
    tmp_path: Path, rows: list[str], opens: int, ends: int
) -> None:
    said = f"line {opens}: a quotation mark opens a cell and does not close it; the row goes on to line {ends}"
    with pytest.raises(ReadError, match=said) as error:
        read(tmp_path, ["player_a,player_b,score_a\n", "ann,bob,1\n", *rows], delimiter=",")
    assert error.value.hint == f"close it on line {opens}, or take it away"


@pytest.mark.parametrize(
    "rows", [['"cid,bob,0\n', "ann,cid,1\n", '"dan",bob,1\n', "ann,dan,1\n"], ['"ci\n', "\n", 'd"x,bob,1\n']]
)
def test_a_quotation_mark_that_is_closed_somewhere_is_told_with_its_row(tmp_path: Path, rows: list[str]) -> None:
    said = "line 5: ',' expected after '\"', in the row that begins on line 3"
    with pytest.raises(ReadError, match=said) as error:
        read(tmp_path, ["player_a,player_b,score_a\n", "ann,bob,1\n", *rows], delimiter=",")
    assert error.value.hint == "is a quotation mark left open on line 3 or not doubled?"
