"""Which reader a file gets: by its name, by its beginning where the name does not say, and what is not read."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark import ReadError, TallymarkError, read_games
from tallymark.games.files.formats import Format, told_by

PGN = '[Event "x"]\n[White "ann"]\n[Black "bob"]\n[Result "1-0"]\n\n1. e4 1-0\n'
SGF = "(;GM[1]PB[ann]PW[bob]RE[B+R])"
JSON = '{"player_a": "ann", "player_b": "bob", "score_a": 1}\n'
CSV = "player_a,player_b,score_a\nann,bob,1\n"


@pytest.mark.parametrize("content", [PGN, SGF, JSON, f"[{JSON}]", CSV])
@pytest.mark.parametrize("name", ["games", "games.txt", "games.dat", "games.TXT"])
def test_the_beginning_tells_where_the_name_does_not(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    log = read_games(tmp_path / name)
    assert (log.players, log.score.tolist()) == (["ann", "bob"], [1.0])


@pytest.mark.parametrize(("suffix", "content"), [(".pgn", PGN), (".SGF", SGF), (".jsonl", JSON), (".ndjson", JSON)])
def test_the_name_tells(suffix: str, content: str, tmp_path: Path) -> None:
    (tmp_path / f"games{suffix}").write_text("\n" + content, encoding="utf-8")
    assert len(read_games(tmp_path / f"games{suffix}")) == 1


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b'% a remark\r\n\r\n[Event "x"]', Format.PGN),
        (b'\xef\xbb\xbf[Site\t"x"]', Format.PGN),
        (b"%% AI/one.sgf\n(;CA[UTF-8]", Format.SGF),
        (b"( \n ;GM[1]", Format.SGF),
        (b"[", Format.JSON),
        (b'[\n {"a": 1}', Format.JSON),
        (b"{}", Format.JSON),
        (b"[a],[b]\n", None),
        (b"{a},{b}\n", None),
        (b"012 Club Open\r\n042 2026/01/31\r\n", Format.TRF),
        (b"012 abc\nann,bob\n", None),
        (b"PAR1....", Format.PARQUET),
        (b"PK\x03\x04", ".zip"),
        (b"<!DOCTYPE html>", ".html"),
        (b"-- PostgreSQL database dump\n", ".sql"),
        (b"COPY public.games (id, a) FROM stdin;\n", ".sql"),
        (b"", None),
        (b'player_a,player_b\n[Event "x"]', None),
    ],
)
def test_beginnings(content: bytes, kind: Format | str | None) -> None:
    assert told_by(content) == kind


def test_a_beginning_in_a_wide_encoding() -> None:
    assert told_by(PGN.encode("utf-16"), "utf-16") is Format.PGN


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("a.xlsx", "CSV UTF-8"),
        ("a.ods", "CSV UTF-8"),
        ("a.numbers", "CSV UTF-8"),
        ("a.zip", "unpack it"),
        ("a.tar.gz", "unpack it"),
        ("a.sql", r"\copy games TO 'games.csv' CSV HEADER"),
        ("a.sql.gz", r"\copy games TO 'games.csv' CSV HEADER"),
        ("a.YML", "JSON lines"),
        ("a.db", "export the table"),
        ("a.html", "spreadsheet"),
        ("a.pdf", "CSV"),
        ("a.xz", "unpack it first"),
    ],
)
def test_what_is_not_read_says_what_to_do(name: str, what: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(ReadError, match="games are not read from") as error:
        read_games(tmp_path / name)
    assert what in (error.value.hint or "")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"PK\x03\x04...", r"is a \.zip file, whatever its name"),
        ("a.csv", b"PAR1....", r"is named \.csv and begins as Parquet does"),
        ("a.csv", JSON.encode(), r"is named \.csv and begins as JSON does"),
        ("a.json", PGN.encode(), r"is named \.json and begins as PGN does"),
        ("a.pgn", SGF.encode(), r"is named \.pgn and begins as SGF does"),
        ("a.txt", b"%PDF-1.7", r"is a \.pdf file"),
    ],
)
def test_a_name_that_misleads(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ReadError, match=message) as error:
        read_games(tmp_path / name)
    assert error.value.hint


@pytest.mark.parametrize("suffix", ["jsonl", "json", "pgn", "sgf", "trf", "txt", "csv", "parquet", "tsv", "dat"])
@given(content=st.binary(max_size=300) | st.sampled_from([PGN, SGF, JSON, CSV]).map(str.encode))
def test_arbitrary_bytes_are_read_or_refused(
    suffix: str, content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / f"arbitrary.{suffix}"
    file.write_bytes(content)
    with suppress(TallymarkError):
        report = read_games(file).report
        assert report.rows == report.accepted + report.held + report.rejected


@pytest.mark.parametrize("good", [PGN * 3, SGF * 3, JSON * 3, f"[{JSON}, {JSON}]"])
@given(data=st.data())
def test_damaged_files_are_read_or_refused(
    good: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    content = bytearray(good.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=3))
        content = content or bytearray(b" ")
    file = tmp_path_factory.getbasetemp() / "damaged"
    file.write_bytes(content)
    for encoding in ("utf-8", "cp1252", "utf-16"):
        with suppress(TallymarkError):
            read_games(file, encoding=encoding)


@pytest.mark.parametrize("good", [PGN * 2, SGF * 2, JSON * 2, f"[{JSON}, {JSON}]"])
def test_files_that_are_cut_short_anywhere(good: str, tmp_path: Path) -> None:
    """What is left of a game is in the log whole or not at all: nobody has another name or another result."""
    for at in range(len(good)):
        (tmp_path / "cut").write_text(good[:at], encoding="utf-8")
        with suppress(ReadError):
            log = read_games(tmp_path / "cut")
            assert set(log.players) <= {"ann", "bob"}
            assert log.score.tolist() in ([], [1.0], [1.0, 1.0])


@pytest.mark.parametrize("good", [PGN, SGF, JSON, f"[{JSON}]"])
def test_huge_fields(good: str, tmp_path: Path) -> None:
    name = "ann" * 500_000
    (tmp_path / "huge").write_text(good.replace("ann", name), encoding="utf-8")
    assert read_games(tmp_path / "huge").players == [name, "bob"]
