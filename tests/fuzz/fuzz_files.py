"""Files as fuzzing feeds them: sound ones of every format, damaged in the ways that files are damaged."""

import gzip
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import duckdb
from hypothesis import strategies as st

SUFFIXES: Final = (
    *(".csv", ".tsv", ".txt", ".json", ".jsonl", ".pgn", ".sgf", ".trf", ".parquet", "", ".dat", ".xlsx"),
    *(".csv.gz", ".csv.zst", ".json.gz", ".CSV"),
)
CELLS: Final = (
    *("", " ", "NA", "-", "?", "nan", "inf", "-0", "0", "1", "2", "0.5", "0,5", "1,000", "1e400", "1e-400", "½", "½-½"),
    *("1-0", "0-1", "1/2-1/2", "\u22121", "1\u20130", "W/L", "win", "black", "B+R", "W+3.5", "*", "bye", "RET"),
    *("6-4 6-3", "01-02-2026", "2026-01-02", "13/2/2026", "1/2/2026", "2026-01-02T03:04:05+14:00", "0000-00-00"),
    *("2026-02-30", "46023", "99999999999999999999", "9" * 400, "1970-01-01", "9999-12-31T23:59:59.999999Z"),
    *(
        "=1+1",
        '"',
        '""',
        "'",
        "\\",
        "a\tb",
        "a,b",
        "a;b",
        "a\nb",
        "\r",
        "\0",
        "\ufeff",
        "\u200b",
        "\ud7ff",
        "é",
        "e\u0301",
    ),
    *("İ", "ß", "\u0661", "🏓", "ann", "Ann", "ann ", "007", "7", "7.0", "true", "null", "{}", "[]", "x" * 3000),
)
HEADERS: Final = (
    *("player_a,player_b,score_a", "played_at,player_a,player_b,score_a", "white,black,result", "winner,loser"),
    *(
        "date,home,away,home_goals,away_goals",
        "match,player,rank",
        "match,player,points",
        "player,opponent,wins,losses",
    ),
    *("p1,p2,winner", "game,player_a,player_b,score_a,played_at,ending,steps", "Winner,Loser,Score", "bout,outcome"),
    *("name,ann,bob,cid", "player1,player2,score1,score2,time", "player,opponent,result", "team1,team2,ft,date"),
)
WORDS: Final = tuple(dict.fromkeys(name for header in HEADERS for name in header.split(",")))

PGN: Final = (
    '[Event "Club"]\n[Date "2026.01.31"]\n[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 {x [y]} e5 1-0\n\n'
    '[Event "Club"]\n[Date "2026.02.01"]\n[White "Bob"]\n[Black "Cid"]\n[Result "1/2-1/2"]\n'
    '[Termination "normal"]\n\n1. d4 1/2-1/2\n'
)
SGF: Final = (
    "(;GM[1]FF[4]SZ[19]KM[6.5]DT[2026-01-31]PB[ann]PW[bob]RE[B+R];B[aa];W[bb])\n"
    "(;GM[1]PB[bob]PW[cid\\]]RE[W+3.5]DT[2026-02-01]HA[2])\n"
)
JSON_LINES: Final = (
    '{"player_a": "ann", "player_b": "bob", "score_a": 1, "played_at": "2026-01-31"}\n'
    '{"player_a": "bob", "player_b": "cid", "score_a": 0.5, "played_at": null}\n'
)
KEYED: Final = '{"game_id": 7, "points": {"ann": 3, "bob": 1}}\n{"game_id": 8, "points": {"ann": 1, "cid": 1}}\n'
TRF: Final = (
    "012 Club Open\n042 2026/01/31\n"
    "001    1      Ann                               2100 NOR    1234567 1980/01/01  1.0    1     2 w 1\n"
    "001    2      Bob                               2000 NOR    1234568 1980/01/01  0.0    2     1 b 0\n"
)
CSV: Final = "played_at,player_a,player_b,score_a\n2026-01-06,ann,bob,1\n2026-01-13,bob,cid,0.5\n2026-01-20,cid,ann,0\n"
GOALS: Final = "Date;Home;Away;hg;ag\n6.1.2026;ann;bob;2;0\n13.1.2026;bob;cid;1;1\n20.1.2026;cid;ann;;\n"


def parquet() -> bytes:
    """The games of `CSV` as Parquet."""
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE games AS SELECT DATE '2026-01-06' AS played_at, 'ann' AS player_a, 'bob' AS player_b, "
            "1.0 AS score_a UNION ALL SELECT DATE '2026-01-13', 'bob', 'cid', 0.5"
        )
        file = Path(os.environ.get("TMPDIR", "/tmp")) / f"fuzz-{os.getpid()}.parquet"
        try:
            connection.execute(f"COPY games TO '{file}' (FORMAT parquet)")
            return file.read_bytes()
        finally:
            file.unlink(missing_ok=True)


def sound(folder: Path | None) -> list[tuple[bytes, str]]:
    """Sound files with their endings: one of each format, and those of the folder."""
    made = [
        *(
            (text.encode(), suffix)
            for text, suffix in ((CSV, ".csv"), (GOALS, ".csv"), (CSV, ".txt"), (KEYED, ".jsonl"))
        ),
        *((text.encode(), suffix) for text, suffix in ((PGN, ".pgn"), (SGF, ".sgf"), (JSON_LINES, ".jsonl"))),
        (TRF.encode(), ".trf"),
        (f"[{','.join(JSON_LINES.splitlines())}]".encode(), ".json"),
        (parquet(), ".parquet"),
    ]
    raw = [] if folder is None else [(path.read_bytes(), path.suffix) for path in sorted(folder.iterdir())]
    return made + raw


def tables() -> st.SearchStrategy[tuple[bytes, str]]:
    """Delimited text made of known headers and cells of all kinds."""
    cell = st.sampled_from(CELLS) | st.sampled_from(["ann", "bob", "cid", "dan", "1", "0", "0.5", "2026-01-06"])
    header = st.sampled_from(HEADERS).map(lambda text: text.split(",")) | st.lists(
        st.sampled_from([*WORDS, *(word.upper() for word in WORDS), *CELLS]), min_size=1, max_size=8
    )

    @st.composite
    def table(draw: st.DrawFn) -> tuple[bytes, str]:
        names = draw(header)
        width = len(names)
        rows = draw(st.lists(st.lists(cell, min_size=width, max_size=width) | st.lists(cell, max_size=9), max_size=12))
        sign = draw(st.sampled_from([",", ";", "\t", "|"]))
        quoted = draw(st.booleans())
        lines = [sign.join(_quoted(text, sign) if quoted else text for text in row) for row in [names, *rows]]
        end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
        text = end.join(lines) + draw(st.sampled_from(["", end]))
        encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252"]))
        return text.encode(encoding, "replace"), draw(st.sampled_from([".csv", ".csv", ".tsv", ".txt"]))

    return table()


def _quoted(text: str, sign: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in (sign, '"', "\n", "\r")) else text


def damaged(seeds: Sequence[tuple[bytes, str]]) -> st.SearchStrategy[tuple[bytes, str]]:
    """A sound file with up to four things done to it, and perhaps under another ending."""

    @st.composite
    def file(draw: st.DrawFn) -> tuple[bytes, str]:
        content, suffix = draw(st.sampled_from(seeds))
        for _ in range(draw(st.integers(0, 4))):
            content = _one_change(draw, content, seeds)
        if draw(st.integers(0, 5)) == 0:
            suffix = draw(st.sampled_from(SUFFIXES))
        return content, suffix

    return file()


def _one_change(draw: st.DrawFn, content: bytes, seeds: Sequence[tuple[bytes, str]]) -> bytes:
    kind = draw(st.integers(0, 9))
    at = draw(st.integers(0, len(content)))
    if kind == 0:
        return content[:at]
    if kind == 1:
        return content[:at] + content[at + draw(st.integers(1, 200)) :]
    if kind == 2:
        return content[:at] + draw(st.binary(max_size=4)) + content[at:]
    if kind == 3:
        return content[:at] + draw(st.sampled_from(CELLS)).encode() + content[at + draw(st.integers(0, 12)) :]
    if kind in (4, 5):
        return _in_lines(draw, content)
    if kind == 6:
        old, new = draw(st.sampled_from([(b",", b";"), (b"\n", b"\r\n"), (b"\n", b"\n\n"), (b'"', b""), (b"-", b"/")]))
        return content.replace(old, new)
    if kind == 7:
        try:
            text = content.decode()
        except UnicodeDecodeError:
            return content
        return text.encode(draw(st.sampled_from(["utf-16", "utf-16-le", "utf-8-sig", "cp1252", "utf-32"])), "replace")
    if kind == 8:
        return gzip.compress(content, mtime=0)
    return content + draw(st.sampled_from(seeds))[0][: draw(st.integers(0, 2000))]


def _in_lines(draw: st.DrawFn, content: bytes) -> bytes:
    """Lines exchanged, doubled or put elsewhere; or one cell of a line replaced."""
    lines = io.BytesIO(content).readlines() or [b""]
    one, other = (draw(st.integers(0, len(lines) - 1)) for _ in "ab")
    kind = draw(st.integers(0, 3))
    if kind == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif kind == 1:
        lines.insert(other, lines[one])
    else:
        sign = next((sign for sign in (b",", b";", b"\t", b" ") if sign in lines[one]), b",")
        cells = lines[one].rstrip(b"\r\n").split(sign)
        cells[draw(st.integers(0, len(cells) - 1))] = draw(st.sampled_from([*CELLS, *WORDS])).encode()
        lines[one] = sign.join(cells) + b"\n"
    return b"".join(lines)
