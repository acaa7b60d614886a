"""Prepared logs read together, and beside other files: as if their files had been read together."""

import json
from pathlib import Path

import pytest

import tallymark as tm
from tallymark.games.files.opening import Source
from tallymark.games.prepared import MARK, prepared_in
from tallymark.games.preparing import prepare

FIRST = (
    "played_at,player_a,player_b,score_a,order\n2026-01-02,ann,7,1,2\n2026-01-01,bob,7,x,1\n2026-01-02,bob,ann,0.5,1\n"
)
TWO_YEARS = [("a.csv", "2025"), ("b.csv", "2026")]
FIELDS = ("players", "pools", "matches", "games")
ARRAYS = ("a", "b", "score", "time", "match", "game", "order", "row", "ending", "size_a", "size_b", "pool", "steps")


def prepared(file: Path, text: str, **options: object) -> Path:
    file.write_text(text, encoding="utf-8")
    into = file.with_suffix(".parquet")
    prepare([file], options).save(into)  # type: ignore[arg-type]
    return into


def same(one: tm.GameLog, other: tm.GameLog) -> None:
    for name in FIELDS:
        assert getattr(one, name) == getattr(other, name), name
    for name in ARRAYS:
        mine, theirs = getattr(one, name), getattr(other, name)
        assert (mine is None) == (theirs is None), name
        assert mine is None or mine.tolist() == theirs.tolist(), name
    assert (one.origin.files, one.origin.starts) == (other.origin.files, other.origin.starts)
    assert list(one.report.problems.rows()) == list(other.report.problems.rows())
    assert (one.report.accepted, one.report.games) == (other.report.accepted, other.report.games)


@pytest.mark.parametrize(
    "second",
    [
        "played_at,player_a,player_b,score_a,order\n2026-01-01,zoe,ann,1,3\n2026-01-02,ann,zoe,1,1\n",
        "played_at,player_a,player_b,result,ending,steps\n2026-01-01,zoe,ann,1-0,resignation,\n2026-01-05,zoe,7,0-1,,9\n",
        "game,played_at,player_a,player_b,score_a\ng1,2026-01-01,zoe,ann,1\ng2,2026-01-02,ann,zoe,\n",
    ],
)
def test_as_if_the_files_were_read_together(tmp_path: Path, second: str) -> None:
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    logs = [prepared(a, FIRST), prepared(b, second)]
    together = tm.read_games([a, b])
    same(tm.read_games(logs), together)
    same(tm.read_games([logs[0], b]), together)
    same(tm.read_games([a, logs[1]]), together)


@pytest.mark.parametrize("header", ["match,player,rank", "match,player,rank,team"])
def test_matches_of_several(tmp_path: Path, header: str) -> None:
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    rows = [["1,ann,1,x", "1,bob,2,y", "1,cid,2,y"], ["2,ann,1,x", "2,zoe,2,y"]]
    texts = [
        "\n".join([header, *(row if "team" in header else row.rpartition(",")[0] for row in some), ""]) for some in rows
    ]
    options = {"columns": {"team": "team"}} if "team" in header else {}
    logs = [prepared(file, text, **options) for file, text in zip((a, b), texts, strict=True)]
    same(tm.read_games(logs), tm.read_games([a, b], **options))  # type: ignore[arg-type]


def test_rows_that_are_matches_stay_matches_of_their_own(tmp_path: Path) -> None:
    text = "played_at,player1,rank1,player2,rank2,player3,rank3\n2026-01-01,a,1,b,2,c,3\n2026-01-02,a,1,b,2,c,3\n"
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    logs = [prepared(a, text), prepared(b, text.replace("2026-01", "2026-02"))]
    same(tm.read_games(logs), tm.read_games([a, b]))


def test_other_columns_each(tmp_path: Path) -> None:
    one = prepared(tmp_path / "a.csv", "Datum,X,Y,P\n2026-01-01,ann,bob,1\n",
                   columns={"played_at": "Datum", "player_a": "X", "player_b": "Y", "score_a": "P"})  # fmt: skip
    two = prepared(tmp_path / "b.csv", "Tag;Heim;Gast;P\n2025-01-01;bob;ann;1\n",
                   columns={"played_at": "Tag", "player_a": "Heim", "player_b": "Gast", "score_a": "P"})  # fmt: skip
    log = tm.read_games([one, two])
    assert [log.players[code] for code in log.a.tolist()] == ["bob", "ann"]
    assert [log.origin.place(row) for row in log.row.tolist()] == [
        f"{tmp_path / 'b.csv'}, line 2", f"{tmp_path / 'a.csv'}, line 2"
    ]  # fmt: skip


def test_ids_and_repeats_are_checked_across(tmp_path: Path) -> None:
    text = "played_at,player_a,player_b,score_a\n2026-01-01T18:00Z,ann,bob,1\n"
    logs = [prepared(tmp_path / name, text) for name in ("a.csv", "b.csv")]
    held = tm.read_games(logs).report
    assert held.problems["reason"].tolist() == ["suspected-duplicate"]
    assert tm.read_games(logs, dedupe=True).report.problems["reason"].tolist() == ["duplicate-row"]
    with_ids = "game,player_a,player_b,score_a\n1,ann,bob,1\n2,ann,bob,1\n"
    one = prepared(tmp_path / "c.csv", with_ids)
    two = prepared(tmp_path / "d.csv", with_ids.replace("2,ann,bob,1", "2,ann,bob,0"))
    reasons = tm.read_games([one, two]).report.problems["reason"].tolist()
    assert reasons == ["conflicting-game", "duplicate-game", "conflicting-game"]


def test_what_was_decided_within_a_log_stays(tmp_path: Path) -> None:
    text = "played_at,player_a,player_b,score_a\n2026-01-01,ann,bob,1\n2026-01-01,ann,bob,1\n2026-01-02,ann,bob,x\n"
    one = prepared(tmp_path / "a.csv", text)
    two = prepared(tmp_path / "b.csv", text.replace("2026", "2025"))
    log = tm.read_games([one, two])
    assert len(log) == 4
    assert log.report.problems["text"].tolist() == ["2026-01-02,ann,bob,x", "2025-01-02,ann,bob,x"]
    assert len([note for note in log.report.notes if "identical rows" in note]) == 1


def test_only_the_range_and_repeats_can_be_chosen(tmp_path: Path) -> None:
    logs = [
        prepared(tmp_path / name, FIRST.replace("2026", year)) for name, year in (("a.csv", "2025"), ("b.csv", "2026"))
    ]
    assert len(tm.read_games(logs, since="2026-01-01")) == 2
    with pytest.raises(tm.InputError, match="are prepared logs: columns would change nothing in them"):
        tm.read_games(logs, columns={"score_a": "x"})


def test_prepared_together_they_are_a_prepared_log(tmp_path: Path) -> None:
    logs = [
        prepared(tmp_path / name, FIRST.replace("2026", year)) for name, year in (("a.csv", "2025"), ("b.csv", "2026"))
    ]
    into = tmp_path / "all.parquet"
    prepare(logs, {}).save(into)
    same(tm.read_games(into), tm.read_games(logs))
    found = prepared_in(Source(into))
    assert found is not None
    assert found.provenance.names() == (str(tmp_path / "a.csv"), str(tmp_path / "b.csv"))
    assert json.dumps(dict(found.provenance.form)).count(".parquet") == 2
    assert MARK == "tallymark-log"


def test_teams_beside_players_alone(tmp_path: Path) -> None:
    teams = "match,player,rank,team\n1,ann,1,x\n1,bob,1,x\n1,cid,2,y\n"
    one = prepared(tmp_path / "a.csv", teams, columns={"team": "team"})
    two = prepared(tmp_path / "b.csv", "match,player_a,player_b,score_a\n2,ann,zoe,1\n")
    log = tm.read_games([one, two])
    assert log.size_a is not None
    assert sorted(log.size_a.tolist()) == [1, 2, 2]
