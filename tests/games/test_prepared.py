"""Prepared logs: what comes back is what went in, to the last bit; what is no such file is said to be none."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tallymark as tm
from tallymark.duck import connected
from tallymark.games import prepared as prepared_module
from tallymark.games.prepared import MARK, Prepared
from tallymark.games.preparing import prepare as prepared_log
from tallymark.games.provenance import Options, Provenance, runs_from, runs_of

NOWHERE = Provenance((), {})


def prepare(paths: list[Path], options: Options, into: Path) -> tm.GameLog:
    """Reads and saves; the log."""
    prepared = prepared_log(paths, options)
    prepared.save(into)
    return prepared.log


def identical(back: tm.GameLog, log: tm.GameLog) -> None:
    """Every field of a log that was read back is that of the log, types and all."""
    for name in ("players", "pools", "matches", "games"):
        mine, other = getattr(back, name), getattr(log, name)
        assert mine == other, name
        assert [type(x) for x in mine or ()] == [type(x) for x in other or ()], name
    for name in prepared_module._ARRAYS:
        mine, other = getattr(back, name), getattr(log, name)
        assert (mine is None) == (other is None), name
        if mine is not None:
            assert mine.dtype == other.dtype, name
            assert mine.tobytes() == other.tobytes(), name
            assert not mine.flags.writeable
    assert (back.origin.files, back.origin.starts) == (log.origin.files, log.origin.starts)
    assert (back.origin.lines is None) == (log.origin.lines is None)
    if back.origin.lines is not None and log.origin.lines is not None:
        assert back.origin.lines.tolist() == log.origin.lines.tolist()
    assert back.report.summary() == log.report.summary()
    assert back.report.aliases == log.report.aliases
    assert list(back.report.problems.rows()) == list(log.report.problems.rows())


def test_files_come_back_at_once(tmp_path: Path) -> None:
    first, second, into = tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "log.parquet"
    aliases = tmp_path / "aliases.txt"
    aliases.write_text("robert = bob\n")
    first.write_text("when,player_a,player_b,score_a,rink\n2026-01-02,ann,robert,1,A\n\n2026-01-01,bob,7,x,A\n")
    second.write_text('when,player_a,player_b,score_a,rink\n2026-01-03,"c\nd",ann,0.5,B\n2026-01-03,007,ann,0,B\n')
    log = prepare([first, second], {"columns": {"played_at": "when", "pool": "rink"}, "aliases": aliases}, into)
    back = tm.read_games(into)
    identical(back, log)
    assert [back.origin.place(row) for row in back.row.tolist()] == [
        f"{first}, line 2",
        f"{second}, line 2",
        f"{second}, line 4",
    ]
    assert (back.report.rows, back.report.accepted, back.report.rejected) == (4, 3, 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "aliases.txt", "b.csv", "log.parquet"]
    assert json.loads(_marks(into)[MARK])["form"]["aliases"] == {"robert": "bob"}


def test_the_mark_says_where_it_came_from(tmp_path: Path) -> None:
    file, into = tmp_path / "a.csv", tmp_path / "log.parquet"
    file.write_text("player_a;player_b;score_a\nann;bob;1\n")
    prepare([file], {"delimiter": ";", "encoding": "utf-8", "zone": None}, into)
    mark = json.loads(_marks(into)[MARK])
    assert mark["version"] == 1
    assert mark["files"] == [[str(file), hashlib.sha256(file.read_bytes()).hexdigest()]]
    assert mark["form"] == {"delimiter": ";"}
    assert {name: mark["report"][name] for name in ("rows", "accepted", "held", "rejected", "games")} == {
        "rows": 1,
        "accepted": 1,
        "held": 0,
        "rejected": 0,
        "games": 1,
    }


def _marks(path: Path) -> dict[str, str]:
    with connected() as connection:
        rows = connection.execute(f"SELECT key, value FROM parquet_kv_metadata('{path}')").fetchall()
    return {key.decode(): value.decode() for key, value in rows}


def test_the_columns_are_readable_by_others(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    file, into = tmp_path / "a.csv", tmp_path / "log.parquet"
    file.write_text("played_at,player_a,player_b,score_a,steps,ending\n2026-01-02,ann,bob,1,,normal\n")
    prepare([file], {}, into)
    (row,) = polars.read_parquet(into).to_dicts()
    assert row.pop("played_at").isoformat() == "2026-01-02T00:00:00+00:00"
    assert row == {
        "pool": "",
        "player_a": "ann",
        "player_b": "bob",
        "score_a": 1.0,
        "ending": "normal",
        "steps": None,
        "file": str(file),
        "line": 2,
        "row": 0,
    }


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
WHOLE = st.integers(-(2**63), 2**63 - 1)


@st.composite
def logs(draw: st.DrawFn) -> tm.GameLog:
    """Logs with any columns and ids of either kind, or of both where no two look the same."""
    kind = draw(st.sampled_from([TEXT, WHOLE, st.one_of(TEXT.filter(lambda text: not text.isdigit()), WHOLE)]))
    ids = draw(st.lists(kind, min_size=2, max_size=6, unique_by=str))
    n = draw(st.integers(0, 12))

    def column(values: st.SearchStrategy[object]) -> list[object] | None:
        return draw(st.one_of(st.none(), st.lists(values, min_size=n, max_size=n)))

    some = st.none()
    return tm.GameLog.from_arrays(
        player_a=draw(st.lists(st.sampled_from(ids), min_size=n, max_size=n)),
        player_b=draw(st.lists(st.sampled_from(ids), min_size=n, max_size=n)),
        score_a=draw(st.lists(st.floats(0, 1), min_size=n, max_size=n)),
        played_at=column(st.datetimes().map(lambda at: at.isoformat())),
        pool=column(TEXT),
        match=column(some | kind),
        steps=column(some | st.integers(0, 9)),
        ending=column(some | st.sampled_from([member.value for member in tm.Ending])),
        source=column(some | st.sampled_from([member.value for member in tm.Source])),
        board=column(some | st.integers(0, 19)),
        komi=column(some | st.floats(-9, 9)),
        handicap=column(some | st.integers(0, 9)),
        band_a=column(some | st.integers(0, 4)),
        band_b=column(some | st.integers(0, 4)),
        order=column(draw(st.sampled_from([some | st.integers(-(2**62), 2**62), some | st.floats(-9, 9)]))),
    )


@settings(max_examples=50)
@given(log=logs())
def test_any_log_comes_back_as_it_was(log: tm.GameLog, tmp_path_factory: pytest.TempPathFactory) -> None:
    into = tmp_path_factory.mktemp("any") / "log.parquet"
    Prepared(log, NOWHERE).save(into)
    identical(tm.read_games(into), log)


def test_entries_with_teams_come_back(tmp_path: Path) -> None:
    file, into = tmp_path / "a.csv", tmp_path / "log.parquet"
    file.write_text(
        "match,player,rank,side\n" + "".join(f"m{g},p{p},{p % 2},{p % 2}\n" for g in "12" for p in range(4))
    )
    log = prepare([file], {"columns": {"team": "side"}}, into)
    assert log.size_a is not None
    identical(tm.read_games(into), log)


def test_prepared_again_it_is_the_same(tmp_path: Path) -> None:
    file, once, twice = (tmp_path / name for name in ("a.csv", "once.parquet", "twice.parquet"))
    file.write_text("player_a,player_b,score_a\nann,bob,1\nbob,cid,won\n")
    log = prepare([file], {"results": {}}, once)
    identical(prepare([once], {}, twice), log)
    assert _marks(once) == _marks(twice)
    prepare([once], {}, once)
    assert _marks(once) == _marks(twice)


def test_ids_that_would_look_the_same_are_refused(tmp_path: Path) -> None:
    log = tm.GameLog.from_arrays(player_a=[7], player_b=["7"], score_a=[1])
    with pytest.raises(tm.WriteError, match="holds both 7 and '7'") as refused:
        Prepared(log, NOWHERE).save(tmp_path / "log.parquet")
    assert refused.value.hint
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"delimiter": ";"}, "delimiter"),
        ({"columns": {"score_a": "x"}, "dedupe": True}, "columns and dedupe"),
    ],
)
def test_what_is_settled_cannot_be_said_again(tmp_path: Path, options: dict[str, object], said: str) -> None:
    file, into = tmp_path / "a.csv", tmp_path / "log.parquet"
    file.write_text("player_a,player_b,score_a\nann,bob,1\n")
    prepare([file], {}, into)
    with pytest.raises(tm.InputError, match=f"is a prepared log: {said} would change nothing"):
        tm.read_games(into, **options)  # type: ignore[arg-type]


def _rewritten(path: Path, change: Callable[[str], str], select: str = "*") -> None:
    """The same file with another mark, or other games."""
    marks = _marks(path)
    text = change(marks[MARK]).replace("'", "''")
    with connected() as connection:
        connection.execute(f"CREATE TABLE games AS SELECT {select} FROM '{path}'")
        connection.execute(f"COPY games TO '{path}' (FORMAT parquet, KV_METADATA {{'{MARK}': '{text}'}})")


@pytest.mark.parametrize(
    ("change", "select", "said"),
    [
        (lambda text: text, "* REPLACE (1 - score_a AS score_a)", "was changed since"),
        (lambda text: text, "* EXCLUDE (score_a)", "is a damaged prepared log"),
        (lambda text: text, "* REPLACE ('zed' AS player_a)", "was changed since"),
        (lambda text: text.replace('"rejected": 0', '"rejected": 1'), "*", "was changed since"),
        (lambda text: text.replace('"rows"', '"rowz"'), "*", "is a damaged prepared log"),
        (lambda text: text.replace('"version": 1', '"version": 2'), "*", "of version 2; this tallymark reads 1"),
        (lambda text: text.replace('"problems": "', '"problems": "A'), "*", "is a damaged prepared log"),
        (lambda _: "{", "*", "has a damaged mark"),
        (lambda _: "[]", "*", "has a damaged mark"),
        (lambda _: '{"version": 1}', "*", "is a damaged prepared log"),
    ],
)
def test_what_was_changed_is_refused(tmp_path: Path, change: Callable[[str], str], select: str, said: str) -> None:
    file, into = tmp_path / "a.csv", tmp_path / "log.parquet"
    file.write_text("player_a,player_b,score_a\nann,bob,1\nbob,cid,0\n")
    prepare([file], {}, into)
    _rewritten(into, change, select)
    with pytest.raises(tm.ReadError, match=said) as refused:
        tm.read_games(into)
    assert str(into) in str(refused.value)
    assert refused.value.hint


def test_a_file_that_is_written_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, into = tmp_path / "a.csv", tmp_path / "log.parquet"
    file.write_text("player_a,player_b,score_a\nann,bob,1\n")

    def slow(*_: object) -> tm.GameLog:
        file.write_text("player_a,player_b,score_a\nann,bob,1\nann,cid,1\n")
        return tm.read_games(file)

    monkeypatch.setattr("tallymark.games.preparing.games_with", slow)
    with pytest.raises(tm.ReadError, match="was changed while it was read"):
        prepare([file], {}, into)
    assert not into.exists()


@given(st.lists(st.integers(-1, 50), max_size=30))
def test_lines_as_runs(lines: list[int]) -> None:
    given_lines = np.array(lines, dtype=np.int64)
    assert runs_from(runs_of(given_lines), len(lines)).tolist() == lines
