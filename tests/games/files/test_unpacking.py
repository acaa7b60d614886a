"""Packed files: told by how they begin, in every format, and refused where they are damaged."""

import gzip
import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark import ReadError, TallymarkError, read_games

CONTENT = {
    "csv": "player_a,player_b,score_a\nann,bob,1\n",
    "tsv": "player_a\tplayer_b\tscore_a\nann\tbob\t1\n",
    "jsonl": '{"player_a": "ann", "player_b": "bob", "score_a": 1}\n',
    "json": '[{"player_a": "ann", "player_b": "bob", "score_a": 1}]',
    "pgn": '[Event "x"]\n[White "ann"]\n[Black "bob"]\n[Result "1-0"]\n\n1-0\n',
    "sgf": "(;GM[1]PB[ann]PW[bob]RE[B+R])",
    "trf": "012 x\n"
    + "\n".join(
        f"001    {n} m    {name:33} 1500 AUT             1990/00/00  1.0    1     {3 - n} {met}"
        for n, name, met in ((1, "ann", "w 1"), (2, "bob", "b 0"))
    ),
}


def zstd() -> ModuleType:
    return importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


def packed(kind: str, content: bytes) -> bytes:
    return gzip.compress(content) if kind == "gz" else bytes(zstd().compress(content))


@pytest.mark.parametrize("kind", ["gz", "zst"])
@pytest.mark.parametrize("suffix", CONTENT)
@pytest.mark.parametrize("named", [True, False])
def test_every_format_of_text_is_unpacked(tmp_path: Path, suffix: str, kind: str, named: bool) -> None:
    file = tmp_path / (f"g.{suffix}.{kind}" if named else f"g.{suffix}")
    file.write_bytes(packed(kind, CONTENT[suffix].encode()))
    log = read_games(file)
    assert (log.players, log.score.tolist()) == (["ann", "bob"], [1.0])


@pytest.mark.parametrize("kind", ["gz", "zst"])
@pytest.mark.parametrize("suffix", CONTENT)
def test_files_that_are_cut_short(tmp_path: Path, suffix: str, kind: str) -> None:
    content = packed(kind, CONTENT[suffix].encode() * (1 if suffix in ("json", "trf") else 500))
    (tmp_path / f"g.{suffix}.{kind}").write_bytes(content[:-9])
    with pytest.raises(ReadError, match="cannot be unpacked") as error:
        read_games(tmp_path / f"g.{suffix}.{kind}")
    assert error.value.hint == "is the file cut short?"


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_several_parts_behind_one_another(tmp_path: Path, kind: str) -> None:
    rows = CONTENT["csv"].encode()
    (tmp_path / "g.csv").write_bytes(packed(kind, rows) + packed(kind, b"bob,cid,0\n"))
    assert len(read_games(tmp_path / "g.csv")) == 2


def test_packed_parquet_is_refused(tmp_path: Path) -> None:
    (tmp_path / "g.parquet.gz").write_bytes(gzip.compress(b"PAR1" * 9))
    with pytest.raises(ReadError, match="is not a Parquet file"):
        read_games(tmp_path / "g.parquet.gz")


@given(st.sampled_from(["gz", "zst"]), st.data())
def test_damaged_packing_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    content = bytearray(packed(kind, CONTENT["csv"].encode()))
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    file = tmp_path_factory.getbasetemp() / "damaged.csv"
    file.write_bytes(content)
    try:
        report = read_games(file).report
    except TallymarkError as error:
        assert error.message  # noqa: PT017
    else:
        assert report.rows == report.accepted + report.rejected + report.held
