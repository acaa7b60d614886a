"""Files in other encodings: refused with what the bytes could be, read when somebody chose, never mangled."""

import json
from pathlib import Path

import pytest

from tallymark import InputError, ReadError, read_games

TEXT = "player_a,player_b,result\nBj\u00f8rn,M\u00fcller,1\nM\u00fcller,Bj\u00f8rn,0\n"


def test_latin_1_is_refused_with_line_byte_and_suggestion_and_read_when_chosen(tmp_path: Path, cases: Path) -> None:
    """ING-03"""
    found = json.loads((cases / "cases.json").read_text(encoding="utf-8"))
    content = bytes.fromhex(next(one for one in found if one["id"] == "ING-03")["input"]["bytes_hex"])
    file = tmp_path / "latin.csv"
    file.write_bytes(content)
    with pytest.raises(ReadError, match=r"line 2: the bytes f8 are not UTF-8") as error:
        read_games(file)
    assert error.value.hint is not None
    assert "encoding='cp1252'" in error.value.hint
    assert "'Bj\u00f8rn,M\u00fcller,1' in cp1252" in error.value.hint
    assert read_games(file, encoding="cp1252").players == ["Bj\u00f8rn", "M\u00fcller"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16", "utf-16-le", "utf-32"])
def test_every_encoding_that_was_chosen(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "g.csv").write_bytes(TEXT.encode(encoding))
    log = read_games(tmp_path / "g.csv", encoding="utf-8" if encoding == "utf-8-sig" else encoding)
    assert log.players == ["Bj\u00f8rn", "M\u00fcller"]
    assert len(log) == 2


def test_utf_16_is_told_by_its_mark(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_bytes(TEXT.encode("utf-16"))
    with pytest.raises(ReadError, match="line 1: the bytes ff") as error:
        read_games(tmp_path / "g.csv")
    assert error.value.hint == "the file begins as utf-16 does: encoding='utf-16'"


@pytest.mark.parametrize(
    ("encoding", "content"), [("utf-16", b"\xff\xfea\x00\x00\xd8"), ("cp1252", b"player_a\n\x81\n")]
)
def test_bytes_that_the_chosen_encoding_does_not_have(tmp_path: Path, encoding: str, content: bytes) -> None:
    (tmp_path / "g.csv").write_bytes(content)
    with pytest.raises(ReadError, match=f"are not {encoding.upper()}"):
        read_games(tmp_path / "g.csv", encoding=encoding)


@pytest.mark.parametrize("encoding", ["klingon", "base64", "", "rot13"])
def test_what_is_no_encoding_of_text(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "g.csv").write_text(TEXT, encoding="utf-8")
    with pytest.raises(InputError, match="which is none that is known"):
        read_games(tmp_path / "g.csv", encoding=encoding)


def test_a_tab_separates_the_cells_of_a_tsv_file(tmp_path: Path) -> None:
    (tmp_path / "g.tsv").write_text(TEXT.replace(",", "\t"), encoding="utf-8")
    assert len(read_games(tmp_path / "g.tsv")) == 2
    (tmp_path / "comma.tsv").write_text(TEXT, encoding="utf-8")
    assert len(read_games(tmp_path / "comma.tsv", delimiter=",")) == 2


@pytest.mark.parametrize("chosen", ["cp1252", "latin-1", "cp1251"])
@pytest.mark.parametrize("written", ["utf-8", "utf-8-sig"])
def test_a_file_that_is_utf_8_is_read_so_whatever_was_chosen_for_others(
    tmp_path: Path, chosen: str, written: str
) -> None:
    (tmp_path / "g.csv").write_bytes((TEXT + "Bj\u00f8rn,,1\n").encode(written))
    log = read_games(tmp_path / "g.csv", encoding=chosen)
    assert log.players == ["Bj\u00f8rn", "M\u00fcller"]
    assert "UTF-8, as its bytes show, and read so: " in log.report.notes[0]
    assert log.report.problems["text"].tolist() == ["Bj\u00f8rn,,1"]


def test_files_of_two_encodings_together(tmp_path: Path) -> None:
    """One option is enough: it is for the files that are not UTF-8."""
    text = '[Event "E"]\n[White "{}"]\n[Black "Wei\u00df"]\n[Result "1-0"]\n\n1-0\n\n'
    (tmp_path / "u.pgn").write_bytes(text.format("J\u00f6rg").encode())
    (tmp_path / "l.pgn").write_bytes(text.format("Ann").encode("latin-1"))
    log = read_games([tmp_path / "u.pgn", tmp_path / "l.pgn"], encoding="latin-1")
    assert log.players == ["Ann", "J\u00f6rg", "Wei\u00df"]
    assert any(note.startswith(f"{tmp_path / 'u.pgn'}: UTF-8") for note in log.report.notes)


def test_pure_ascii_needs_no_word_about_its_encoding(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("player_a,player_b,score_a\nann,bob,1\n", encoding="ascii")
    assert not any("UTF-8" in note for note in read_games(tmp_path / "g.csv", encoding="cp1252").report.notes)


def test_a_file_in_two_bytes_a_character_is_read_as_chosen(tmp_path: Path) -> None:
    """Its bytes may be UTF-8 by chance: those of the second file are."""
    content = "player_a,player_b,score_a\n\u8054\u901a,bob,1\n".encode("gb18030")
    (tmp_path / "g.csv").write_bytes(content)
    assert read_games(tmp_path / "g.csv", encoding="gb18030").players == ["bob", "\u8054\u901a"]
    chance = "\u77f3\u53f2"
    (tmp_path / "h.csv").write_bytes(f"player_a,player_b,score_a\n{chance},bob,1\n".encode("gb18030"))
    assert read_games(tmp_path / "h.csv", encoding="gb18030").players == ["bob", chance]


def test_the_hint_shows_what_is_around_the_wrong_byte_on_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_bytes(b"played_at,player_a,player_b,Geb\xfchr\n2026-01-01,Bob,Cid,1\n")
    with pytest.raises(ReadError, match="line 1: the bytes fc") as error:
        read_games(tmp_path / "e.csv")
    assert "Geb\u00fchr' in cp1252" in (error.value.hint or "")
    assert "2026" not in (error.value.hint or "")
