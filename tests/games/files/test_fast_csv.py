"""The fast way gives what the exact way gives, to the last array, or leaves the file to it."""

import codecs
import gzip
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.errors import TallymarkError
from tallymark.games import GameLog, read_games
from tallymark.games.files import csv_file, fast_csv, gathering
from tallymark.games.files.raw import RawTable

CLEAN = "played_at,player_a,player_b,score_a,game\n" + "".join(
    f"2026-01-{day:02}T10:{minute:02}:00Z,p{(day * 7 + minute) % 11},q{minute % 7},{minute % 3 / 2},g{day}:{minute}\n"
    for day in range(1, 21)
    for minute in range(50)
)


class Ways:
    """Reads by the one way and by the other, and tells whether the fast way read anything."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.took: list[bool] = []
        self._patch = patch
        read = fast_csv.read_fast

        def watched(*arguments: object, **options: object) -> RawTable | None:
            table: RawTable | None = read(*arguments, **options)  # type: ignore[arg-type]
            self.took.append(table is not None)
            return table

        patch.setattr(csv_file, "read_fast", watched)

    def both(self, path: Path, **options: object) -> tuple[object, object]:
        return self.told(path, 0, **options), self.told(path, 1 << 60, **options)

    def told(self, path: Path, least: int, **options: object) -> object:
        self._patch.setattr(fast_csv, "LEAST_BYTES", least)
        self.took.clear()
        try:
            return contents(read_games(path, **options))  # type: ignore[arg-type]
        except TallymarkError as error:
            return type(error).__name__, error.message, error.hint

    def fast(self, path: Path, **options: object) -> bool:
        """Whether the fast way is taken; then it gives the same."""
        fast = self.told(path, 0, **options)
        took = self.took == [True]
        assert fast == self.told(path, 1 << 60, **options)
        return took


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Ways:
    return Ways(monkeypatch)


def contents(log: GameLog) -> list[object]:
    """All that a log says, so that two can be compared: arrays by type and bytes."""
    names = [name for name in GameLog.__slots__ if name not in ("report", "origin")]
    values = [getattr(log, name) for name in names]
    told = [
        (name, value.dtype.str, value.tobytes()) if isinstance(value, np.ndarray) else (name, value)
        for name, value in zip(names, values, strict=True)
    ]
    report = log.report
    counts = (report.rows, report.accepted, report.held, report.rejected, report.games, report.notes)
    lines = None if log.origin.lines is None else (log.origin.lines.dtype.str, log.origin.lines.tobytes())
    return [*told, counts, list(report.problems.rows()), log.origin.files, log.origin.starts, lines]


def file(directory: Path, content: str | bytes, name: str = "games.csv") -> Path:
    path = directory / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        CLEAN,
        CLEAN.rstrip("\n"),
        CLEAN.replace(",", ";"),
        CLEAN.replace(",", "\t"),
        CLEAN.replace("p1", "\u00e9\U0001f600"),
        CLEAN.replace("p1,", '"p,1",'),
        CLEAN.replace("p1,", '"",'),
        CLEAN.replace("p1,", ","),
        CLEAN.replace("p1,", " p 1 ,").replace("q1", "#q'\\"),
        CLEAN.replace("0.5", "x").replace("p2,", "NULL,"),
        CLEAN.replace("Z,p3", "+02:00,p3").replace("Z,p4", "Y,p4"),
        "played_at,player_a,player_b,score_a,game\n",
        CLEAN.replace("\n", "\r\n"),
        CLEAN.replace("p1,", '"p,1",').replace(",q2,", ',"q2",').replace("\n", "\r\n").rstrip("\r\n"),
        CLEAN.replace("\n", "\r\n").replace("p1,", '"",').replace("0.5", "x"),
    ],
)
def test_a_clean_file_is_read_fast(content: str, tmp_path: Path, ways: Ways) -> None:
    assert ways.fast(file(tmp_path, content))


@pytest.mark.parametrize("block", [30, 57, 1_000])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_no_line_is_lost_between_blocks(
    block: int, end: str, tmp_path: Path, ways: Ways, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast_csv, "_BLOCK", block * 2)
    content = CLEAN.replace("\n", end)
    assert ways.fast(file(tmp_path, content))
    assert ways.fast(file(tmp_path, content.rstrip()))
    assert not ways.fast(file(tmp_path, content + "a,b"))


def test_packed_files_and_odd_names_are_read_fast(tmp_path: Path, ways: Ways) -> None:
    assert ways.fast(file(tmp_path, gzip.compress(CLEAN.encode(), mtime=0), "games.csv.gz"))
    assert ways.fast(file(tmp_path, CLEAN, "it's [1] *?.csv"))


def test_large_files_have_their_lines(tmp_path: Path, ways: Ways) -> None:
    rows = [f"2026-01-01,p{row},q,{'' if row == 99_999 else 1}\n" for row in range(100_000)]
    path = file(tmp_path, "played_at,player_a,player_b,score_a\n" + "".join(rows))
    assert ways.fast(path)
    assert [row["line"] for row in read_games(path).report.problems.rows()] == [100_001]


@pytest.mark.parametrize("known", [0, 1, 500, 1 << 40])
@pytest.mark.parametrize("soon", [0, 1 << 40])
@pytest.mark.parametrize("sorted_as_bytes", [0, 1 << 40])
def test_texts_that_are_no_longer_looked_up_are_the_same(
    known: int, soon: int, sorted_as_bytes: int, tmp_path: Path, ways: Ways, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "_ENOUGH_TO_TELL", known)
    monkeypatch.setattr(gathering, "_SOON", soon)
    monkeypatch.setattr(gathering, "_AT_ONCE", 300)
    monkeypatch.setattr(gathering, "_BLOCK", 1_000)
    monkeypatch.setattr(fast_csv, "_BLOCK", 1_000)
    monkeypatch.setattr("tallymark.games.ids.MANY", sorted_as_bytes)
    rows = CLEAN.splitlines(keepends=True)
    path = file(tmp_path, "".join([rows[0], *rows[:0:-1], *rows[5:9]]))
    assert ways.fast(path, columns={"pool": "game"})
    monkeypatch.undo()
    assert contents(read_games(path, columns={"pool": "game"})) == Ways(monkeypatch).told(
        path, 0, columns={"pool": "game"}
    )


ROW = "2026-01-01,a,b,1,g1\n"
UNCLEAN: dict[str, str | bytes] = {
    "two ways of ending a line": CLEAN.replace("\n", "\r\n") + ROW,
    "the other two ways": CLEAN + ROW.replace("\n", "\r\n"),
    "three ways of ending a line": CLEAN.replace("\n", "\r\n") + ROW.replace("\n", "\r") + ROW,
    "a carriage return": CLEAN + "2026-01-01,a\rb,c,1,g\n",
    "a carriage return too many": CLEAN.replace("\n", "\r\n") + ROW.replace("\n", "\r\r\n"),
    "carriage returns alone": CLEAN.replace("\n", "\r"),
    "a quotation mark within": CLEAN + '2026-01-01,a"b,c,1,g\n',
    "a doubled quotation mark": CLEAN + '2026-01-01,"a""b",c,1,g\n',
    "a line break within": CLEAN + '2026-01-01,"a\nb",c,1,g\n',
    "a blank after a quotation mark": CLEAN + '2026-01-01,"a" ,c,1,g\n',
    "a quotation mark left open": CLEAN + '2026-01-01,"a,c,1,g\n',
    "two marks that are none": CLEAN + '2026-01-01,a",c,1,"g\n' + '2026-01-01,a",c,1,"g\n',
    "too few cells": CLEAN + "2026-01-01,a,b\n" + ROW,
    "too many cells": CLEAN + "2026-01-01,a,b,1,g,h\n" + ROW,
    "too many and too few": CLEAN + "2026-01-01,a,b,1,g2,\n2026-01-01,a,b,1\n",
    "an empty cell too many, and a blank line": CLEAN + "2026-01-01,a,b,1,g2,,,,\n\n",
    "a blank line": CLEAN + "\n" + ROW,
    "a blank line first": "\n" + CLEAN,
    "a line of blanks": CLEAN + "  \n",
    "a byte-order mark": "\ufeff" + CLEAN,
    "a NUL": CLEAN + "2026-01-01,a\0,b,1,g\n",
    "another encoding": CLEAN.encode() + b"2026-01-01,\xe9,b,1,g\n",
    "half a surrogate pair": CLEAN.encode() + b"2026-01-01,\xed\xa0\x80,b,1,g\n",
    "a text too long": CLEAN + f"2026-01-01,{'a' * 129},b,1,g\n",
    "a cell too long": CLEAN + f"2026-01-01,{'a' * 131_073},b,1,g\n",
    "a long line": CLEAN + f"2026-01-01,{'a' * 400_000}",
    "its own delimiter": "sep=;\n" + CLEAN.replace(",", ";"),
    "one column": "player_a\nann\n",
    "nothing": "",
}


@pytest.mark.parametrize("kind", UNCLEAN)
def test_an_unclean_file_is_read_exactly(kind: str, tmp_path: Path, ways: Ways) -> None:
    content = UNCLEAN[kind]
    assert not ways.fast(file(tmp_path, content))


def test_a_file_that_is_damaged_or_packed_otherwise_is_read_exactly(tmp_path: Path, ways: Ways) -> None:
    assert not ways.fast(file(tmp_path, gzip.compress(CLEAN.encode(), mtime=0)[:-9], "games.csv.gz"))
    assert not ways.fast(file(tmp_path, CLEAN.encode("utf-16"), "wide.csv"), encoding="utf-16")
    assert not ways.fast(file(tmp_path, CLEAN.replace(",", "x"), "letters.csv"), delimiter="x")


def test_what_duckdb_refuses_is_read_exactly(tmp_path: Path, ways: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_csv, "_MEMORY", "none that is known")
    path = file(tmp_path, CLEAN)
    assert not ways.fast(path)


def test_an_interruption_is_none_of_duckdb(tmp_path: Path, ways: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        @classmethod
        def from_stream(cls, _: object) -> "Interrupted":
            return cls()

        def read_next_batch(self) -> None:
            raise Exception("External error: INTERRUPT Error: Interrupted!")

    monkeypatch.setattr("arro3.core.RecordBatchReader", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        ways.fast(file(tmp_path, CLEAN))


def test_small_files_are_read_exactly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ways = Ways(monkeypatch)
    read_games(file(tmp_path, CLEAN))
    assert ways.took == [False]


def test_every_set_is_the_same_by_both_ways(data: Path, ways: Ways) -> None:
    fast = 0
    for path in sorted(data.glob("*/*.csv*")):
        took = ways.fast(path)
        fast += took and path.parent.name != "messy"
    assert fast >= 10


CELLS = st.one_of(
    st.sampled_from(["ann", "bob", "1", "0", "0.5", "", " ", "NA", "2026-01-01", "x" * 127, "x" * 129, "\u00e9", "#"]),
    st.sampled_from(['a"b', '"', '"a"', '"a,b"', '"a;b"', '"a\nb"', '"a""b"', "a\0", "\ufeff", "a\rb", '"a" ', "a;b"]),
)
PLAIN = st.sampled_from(["ann", "bob", "cid", "1", "0", "0.5", "", "2026-01-01", "\u00e9"])
ENDS = st.sampled_from(["\n"] * 12 + ["\r\n", "\r", "\n\n", ",\n"])


@st.composite
def nasty(draw: st.DrawFn) -> bytes:
    """A file of games with a header, some of whose cells, lines and bytes are none that one would wish for."""
    delimiter = draw(st.sampled_from(",,,;\t|"))
    header = ["player_a", "player_b", "score_a", *draw(st.sampled_from([[], ["played_at"], ["game", "note"]]))]
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    wild = draw(st.booleans())
    lines = [draw(st.sampled_from(["", "", "", "\n", "sep=;\n"])) if wild else "", delimiter.join(header) + end]
    for _ in range(draw(st.integers(0, 12))):
        width = len(header) + (draw(st.sampled_from([0] * 12 + [-1, 1, 2])) if wild else 0)
        cells = [draw(CELLS if wild and draw(st.integers(0, 5)) == 0 else PLAIN) for _ in range(width)]
        lines.append(delimiter.join(cells) + (draw(ENDS) if wild else end))
    text = "".join(lines)
    content = text.encode(draw(st.sampled_from(["utf-8"] * 6 + ["utf-16"])) if wild else "utf-8")
    if wild:
        content = draw(st.sampled_from([b""] * 9 + [codecs.BOM_UTF8])) + content
        content += draw(st.sampled_from([b""] * 9 + [b"\xff", b"\xed\xa0\x80", b"a,b", b'"', b"\0", b"y" * 131_073]))
    return content


@settings(max_examples=300)
@given(content=nasty(), known=st.sampled_from([0, 3, 1 << 40]))
def test_a_nasty_file_is_the_same_by_both_ways(content: bytes, known: int) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(gathering, "_ENOUGH_TO_TELL", known)
        fast, exact = Ways(patch).both(file(Path(folder), content))
        assert fast == exact
