import contextlib
import errno
import gzip
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tallymark.errors import InputError, ReadError
from tallymark.games import GameLog, read_games

HEADER = "played_at,pool,player_a,player_b,score_a\n"


def file(directory: Path, text: str | bytes, name: str = "games.csv") -> Path:
    path = directory / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def problems(log: GameLog) -> list[tuple[object, object]]:
    return [(row["line"], row["reason"]) for row in log.report.problems.rows()]


def test_named_columns_are_found_and_pool_only_when_asked_for(tmp_path: Path) -> None:
    path = file(tmp_path, HEADER + "2026-01-02,x,007, 7 ,1\n2026-01-01,y, 7 ,007,0.5\n")
    log = read_games(path)
    assert log.players == [" 7 ", "007"]
    assert log.pools == [""]
    assert log.row.tolist() == [1, 0]
    assert read_games(str(path), columns={"pool": "pool"}).pools == ["x", "y"]


def test_a_mapping_renames_and_a_delimiter_may_differ(tmp_path: Path) -> None:
    path = file(tmp_path, "white;black;points;n\na;b;1;2\nc;d;0;1\n")
    columns = {"player_a": "white", "player_b": "black", "score_a": "points", "order": "n"}
    assert read_games(path, columns=columns, delimiter=";").row.tolist() == [1, 0]


def test_problems_carry_the_line_of_the_file(tmp_path: Path) -> None:
    text = 'player_a,player_b,score_a\na,b,1\n"c\nd",b,\n\na,b\na,b,1,2\r\n"x\r\ny","p\rq",2\na,a,1\n'
    log = read_games(file(tmp_path, text))
    assert problems(log) == [
        (3, "no-result"),
        (6, "ragged-row"),
        (7, "ragged-row"),
        (8, "bad-score"),
        (11, "self-play"),
    ]
    assert "line 3" in log.report.summary()


def test_duplicates_are_named_by_line(tmp_path: Path) -> None:
    log = read_games(file(tmp_path, "game,player_a,player_b,score_a\n1,a,b,1\n1,a,b,1\n"))
    assert list(log.report.problems["message"]) == ["game '1' is line 2 again"]


def test_gzip_is_told_by_its_bytes_and_a_byte_order_mark_is_no_name(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf" + b"player_a,player_b,score_a\na,b,1\n"
    assert len(read_games(file(tmp_path, text))) == 1
    assert len(read_games(file(tmp_path, gzip.compress(text, mtime=0), "games.csv.gz"))) == 1


def test_blank_lines_before_the_header_count_as_lines(tmp_path: Path) -> None:
    assert problems(read_games(file(tmp_path, "\n\nplayer_a,player_b,score_a\na,b,\n"))) == [(4, "no-result")]


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"player_a,player_b,score_a\na,b,1\n",))
    writer.start()
    assert len(read_games(pipe)) == 1
    writer.join()


def test_a_pipe_of_bytes_that_are_no_text_does_not_hang(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"player_a,player_b,score_a\na,b,1\n\xe9,b,1\n",))
    writer.start()
    with pytest.raises(ReadError, match="line 3: the bytes e9"):
        read_games(pipe)
    writer.join()


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64])
def test_lines_are_the_same_however_the_file_is_cut(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallymark.games.files.lines._BLOCK", block)
    text = '\ufeffplayer_a,player_b,score_a\r\n\u00e9,b,1\r"a\r\nb",\U0001f600,\n\n\u2028,b,x\r\r\na,b,2'
    log = read_games(file(tmp_path, text))
    assert log.players == ["b", "\u00e9"]
    assert problems(log) == [(3, "no-result"), (6, "bad-score"), (8, "bad-score")]


def test_many_rows_keep_their_lines(tmp_path: Path) -> None:
    rows = ["a,b,1\n"] * 20_000
    rows[9_000] = '"a\n",b,\n'
    rows[19_999] = "a,b,\n"
    log = read_games(file(tmp_path, "player_a,player_b,score_a\n" + "".join(rows)))
    assert problems(log) == [(9_002, "no-result"), (20_002, "no-result")]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("games.csv", b"", "is empty"),
        ("games.csv", b'"a\nb",' + b"c," * 99, "'a\\nb', c, c"),
        ("games.csv", b"a,b\n", "no column 'player_a'; it has a, b"),
        ("games.csv", b"player_a,player_b,score_a\na,b,1\n\xe9,b,1\n", "line 3: the bytes e9 are not UTF-8"),
        ("games.csv", "player_a,player_b".encode("utf-16"), "line 1: the bytes"),
        ("games.csv", b"player_a,player_b,score_a\ra,b,1\r\xe9,b,1\r", "line 3: the bytes e9 are not UTF-8"),
        ("games.csv", b"player_a,player_b,score_a\n" + b"a,b,1\r\n" * 300_000 + b"\xe9", "line 300002: the bytes e9"),
        ("games.csv", b'player_a,player_b,score_a\n"a,b,1\n', "line 2: unexpected end of data"),
        (
            "games.csv",
            b"player_a,player_b,score_a\n" + b"a" * 131_073 + b",b,1\n",
            "line 2: a cell has more than 131,072",
        ),
        ("games.csv", b"player_a,player_a,player_b,score_a\n", "2 columns 'player_a'"),
        ("games.csv.gz", gzip.compress(b"player_a,player_b,score_a\n" * 99, mtime=0)[:-12], "cannot be unpacked"),
        ("games.csv.gz", gzip.compress(b"x", mtime=0)[:2] + b"nonsense", "cannot be unpacked"),
        (
            "games.csv.gz",
            gzip.compress(b"player_a,\xe9\n" + random.Random(1).randbytes(3_000_000), mtime=0)[:-12],
            "line 1: the bytes e9",
        ),
        (
            "games.csv.gz",
            gzip.compress(b"player_a,\xe9\n" + random.Random(1).randbytes(3_000), mtime=0)[:-12],
            "cannot be unpacked",
        ),
        ("games.parquet", b"player_a,player_b\n", "is not a Parquet file"),
        ("games.parquet", b"PAR1 and no more PAR1", "cannot be read as Parquet"),
        ("games.xlsx", b"PK", "games are not read from .xlsx files"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = file(tmp_path, content, name)
    with pytest.raises(ReadError) as caught:
        read_games(path)
    assert message in caught.value.message
    assert "\n" not in caught.value.message
    assert str(path) in caught.value.message


def test_a_directory_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="is a directory"):
        read_games(tmp_path)
    for name in ("none.csv", "none.parquet"):
        with pytest.raises(ReadError, match="No such file"):
            read_games(tmp_path / name)


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)
    for name in ("x\0y.csv", "\ud800.csv", "a" * 300 + ".csv", "a" * 300 + ".parquet", str(loop), "\0.parquet"):
        with pytest.raises(ReadError) as caught:
            read_games(tmp_path / name)
        assert "\n" not in caught.value.message


@pytest.mark.parametrize("name", ["games.csv", "games.parquet"])
def test_what_the_system_denies_is_told(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    for method in ("stat", "open"):
        path = file(tmp_path, "player_a,player_b,score_a\n", name)
        with monkeypatch.context() as patch:
            patch.setattr(Path, method, denied)
            with pytest.raises(ReadError, match="cannot be read: Permission denied"):
                read_games(path)


def test_mappings_are_checked(tmp_path: Path) -> None:
    path = file(tmp_path, HEADER)
    with pytest.raises(InputError) as unknown:
        read_games(path, columns={"player": "player_a", "plays_at": "played_at"})
    assert unknown.value.hint == "did you mean 'played_at'?"
    with pytest.raises(InputError, match="no column is called 'Datum', and played_at is one") as reversed_:
        read_games(path, columns={"Datum": "played_at"})
    assert reversed_.value.hint == "the other way round: columns={'played_at': 'Datum'}"
    with pytest.raises(ReadError) as absent:
        read_games(path, columns={"score_a": "score"})
    assert absent.value.hint == "did you mean 'score_a'?"
    with pytest.raises(InputError, match="score_a is a column of games"):
        read_games(path, columns={"rank": "score_a", "score_a": "score_a"})
    for columns in ({"player_a": 3}, {"player_a": None}, {3: "x"}, "player_a", [("player_a", "x")]):
        with pytest.raises(InputError, match=r"column"):
            read_games(path, columns=columns)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="delimiter"):
        read_games(path, delimiter="")


def test_a_wrong_delimiter_is_hinted_at(tmp_path: Path) -> None:
    with pytest.raises(ReadError) as caught:
        read_games(file(tmp_path, "player_a;player_b;score_a\n"), delimiter=",")
    assert "';'" in str(caught.value.hint)


def test_a_long_file_is_read_as_entries(tmp_path: Path) -> None:
    text = "game_id,player,team,rank\ng,a,t,1\ng,b,t,2\ng,c,u,3\nh,a,t,1\n"
    log = read_games(file(tmp_path, text))
    assert len(log) == 3
    assert problems(log) == [(5, "nobody-to-play")]
    assert len(read_games(file(tmp_path, text), columns={"team": "team"})) == 0


def test_parquet_keeps_types_and_needs_no_pattern(tmp_path: Path) -> None:
    path = tmp_path / "a [x] 'q' *.parquet"
    plain = tmp_path / "plain.parquet"
    duckdb.execute(
        f"""COPY (SELECT * FROM (VALUES
            (DATE '2026-01-02', 9007199254740993, NULL, 0.5, uuid '00000000-0000-0000-0000-000000000001'),
            (DATE '2026-01-01', NULL, 'x', 1, uuid '00000000-0000-0000-0000-000000000002'),
            (DATE '2026-01-03', 7, 'x', 1, uuid '00000000-0000-0000-0000-000000000003')
        ) AS t(played_at, player_a, player_b, score_a, game)) TO '{plain}' (FORMAT parquet)"""
    )
    plain.rename(path)
    log = read_games(path)
    assert log.players == [7, "x"]
    assert log.games == ["00000000-0000-0000-0000-000000000003"]
    assert [row["row"] for row in log.report.problems.rows()] == [0, 1]
    assert "line" not in log.report.problems.columns


def parquet(directory: Path, select: str, name: str = "games.parquet") -> Path:
    duckdb.execute(f"COPY ({select}) TO '{directory / name}' (FORMAT parquet)")
    return directory / name


@pytest.mark.parametrize("unit", ["TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP", "TIMESTAMP_NS", "DATE", "TIMESTAMPTZ"])
def test_parquet_times_with_gaps_keep_their_unit(unit: str, tmp_path: Path) -> None:
    times = f"'2026-01-01'::{unit}, NULL, '2026-01-03'::{unit}"
    path = parquet(tmp_path, f"SELECT 'a' player_a, 'b' player_b, 1 score_a, unnest([{times}]) played_at")
    log = read_games(path)
    assert log.row.tolist() == [0, 2]
    assert log.time is not None
    assert [str(day) for day in log.time.view("datetime64[us]").astype("datetime64[D]")] == ["2026-01-01", "2026-01-03"]


def test_parquet_times_beyond_those_of_python_are_wrong_rows(tmp_path: Path) -> None:
    times = "make_timestamp(253402300800000000), NULL, make_timestamp(0)"
    path = parquet(tmp_path, f"SELECT 'a' player_a, 'b' player_b, 1 score_a, unnest([{times}]) played_at")
    log = read_games(path)
    assert [row["reason"] for row in log.report.problems.rows()] == ["bad-time", "missing-time"]


def test_parquet_columns_are_told_apart_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    arrays = [pa.array(["a"]), pa.array(["b"]), pa.array([{"x": 1, "y": [2]}]), pa.array([1.0]), pa.array([0.0])]
    names = ["player_a", "player_b", "z", "score_a", "Score_A"]
    pq.write_table(pa.Table.from_arrays(arrays, names=names), path)
    assert read_games(path, columns={"score_a": "score_a"}).score.tolist() == [1.0]
    assert read_games(path, columns={"score_a": "Score_A"}).score.tolist() == [0.0]
    with pytest.raises(ReadError, match="has columns 'score_a', 'Score_A'"):
        read_games(path)
    pq.write_table(pa.Table.from_arrays(arrays, names=[*names[:4], "score_a"]), path)
    with pytest.raises(ReadError, match="2 columns 'score_a'"):
        read_games(path)


def test_a_folder_that_looks_like_a_column_is_none(tmp_path: Path) -> None:
    (tmp_path / "score_a=0").mkdir()
    path = parquet(tmp_path / "score_a=0", "SELECT 'a' player_a, 'b' player_b, 1 score_a")
    assert read_games(path).score.tolist() == [1.0]


def test_an_interrupted_query_is_an_interrupted_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = parquet(tmp_path, "SELECT 'a' player_a, 'b' player_b, 1 score_a")
    for error in (duckdb.InterruptException("Interrupted!"), RuntimeError("Query interrupted")):

        def interrupted(*_: object, error: Exception = error, **__: object) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(duckdb, "connect", interrupted)
            with pytest.raises(KeyboardInterrupt):
                read_games(path)


def test_ten_thousand_rows_are_quick(tmp_path: Path) -> None:
    import time

    rows = "".join(f"2026-01-{1 + i % 28:02},p{i % 997},q{i % 991},0.5\n" for i in range(10_000))
    path = file(tmp_path, "played_at,player_a,player_b,score_a\n" + rows)
    start = time.perf_counter()
    assert len(read_games(path)) == 10_000
    assert time.perf_counter() - start < 1.0


def test_words_for_a_bye_and_for_nobody(tmp_path: Path) -> None:
    byes = ("BYE", "spielfrei", "Freilos", "exempt", "BYE 1", "(bye)")
    nobody = ("-", "?", "NN", "N.N.")
    rows = "".join(f"ann,{one},1\n" for one in (*byes, *nobody, "bob"))
    log = read_games(file(tmp_path, "player_a,player_b,score_a\n" + rows))
    table = log.to_table()
    assert [b for b, ending in zip(table["player_b"], table["ending"], strict=True) if ending == "bye"] == list(byes)
    assert "6 games against (bye), BYE, BYE 1, ...: a bye, which is not rated" in log.report.notes
    assert list(log.report.problems["message"]) == [f"player_b is {one!r}, which stands for nobody" for one in nobody]
    assert "games of 2 players" in repr(log)


def test_a_date_that_is_known_in_part_says_what_can_be_done(tmp_path: Path) -> None:
    rows = "".join(f"ann,bob,1,{day}\n" for day in ("2026-01-01", "2026.02.??", "2026.??.??", ""))
    problems = read_games(file(tmp_path, "player_a,player_b,score_a,played_at\n" + rows)).report.problems
    assert problems["reason"].tolist() == ["bad-time", "bad-time", "missing-time"]
    assert [message.partition(";")[0] for message in problems["message"]] == [
        "played_at is '2026.02.??': the day is unknown",
        "played_at is '2026.??.??': the month and the day are unknown",
        "played_at is empty, though other rows have a time",
    ]
    assert all("map played_at to no column" in message for message in problems["message"])


def test_one_file_by_two_names_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file(tmp_path, HEADER + "2026-01-02,x,ann,bob,1\n", "a.csv")
    (tmp_path / "folder").mkdir()
    (tmp_path / "soft.csv").symlink_to("a.csv")
    (tmp_path / "hard.csv").hardlink_to("a.csv")
    for other in (tmp_path / "a.csv", "folder/../a.csv", "soft.csv", "hard.csv"):
        with pytest.raises(ReadError, match=r"and a\.csv are one file"):
            read_games(["a.csv", other])
    with pytest.raises(ReadError, match="are one file"):
        read_games("*.csv")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="devices of Unix")
def test_a_device_without_end_is_refused() -> None:
    for device in ("/dev/zero", "/dev/full"):
        with pytest.raises(ReadError, match="is a device"):
            read_games(device)
    with pytest.raises(ReadError, match="is empty"):
        read_games(os.devnull)


def test_no_space_to_keep_a_pipe_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def written() -> None:
        with contextlib.suppress(BrokenPipeError):  # the reader may have given up before
            pipe.write_text("player_a,player_b,score_a\n")

    pipe = tmp_path / "games.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=written)
    writer.start()
    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(ReadError, match=r"games\.csv cannot be kept aside: No space left on device in ") as error:
        read_games(pipe)
    writer.join()
    assert error.value.hint is not None
    assert "TMPDIR" in error.value.hint


@pytest.mark.parametrize("change", [lambda path: path.write_text("x"), lambda path: path.open("a").close()])
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, change: Callable[[Path], object]) -> None:
    path = file(tmp_path, HEADER + "2026-01-02,x,ann,bob,1\n" * 9)

    def told(rows: int, share: float | None) -> None:
        change(path)
        os.utime(path, ns=(1, 1))

    with pytest.raises(ReadError, match="was changed while it was read"):
        read_games(path, progress=told)
    assert len(read_games(file(tmp_path, HEADER + "2026-01-02,x,ann,bob,1\n"))) == 1
