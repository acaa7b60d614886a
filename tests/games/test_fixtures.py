"""Games to come from files: the sides by any spelling, times perhaps; a file is read or refused, whatever it is."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tallymark as tm


def written(folder: Path, text: str) -> Path:
    file = folder / "fixtures.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_only_who_and_when_count(tmp_path: Path) -> None:
    found = tm.read_fixtures(written(tmp_path, "White,Black,Date,Result\nann,bob,2026-01-31,\nbob,cid,,*\n"))
    assert (found.player_a, found.player_b) == (["ann", "bob"], ["bob", "cid"])
    assert found.played_at is not None
    assert found.played_at.view("datetime64[us]").astype(str).tolist() == ["2026-01-31T00:00:00.000000", "NaT"]
    assert found.pool is None
    assert found.report.notes == ("White and Black: player_a = White, player_b = Black, played_at = Date",)
    assert len(found) == found.report.games == 2


def test_a_mapping_of_results_counts_for_nothing_and_one_of_no_column_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, "host,player_b,where\nann,bob,clay\n")
    columns = {"player_a": "host", "score_a": "P", "pool": "where"}
    found = tm.read_fixtures(file, columns=columns)
    with pytest.raises(tm.ReadError, match="no column 'day' \\(for played_at\\); it has host"):
        tm.read_fixtures(file, columns={**columns, "played_at": "day"})
    assert (found.player_a, found.played_at, found.pool) == (["ann"], None, ["clay"])


def test_faults_are_told_by_line(tmp_path: Path) -> None:
    rows = ["ann,ann,2026-01-01", "ann,,2026-01-01", "ann,bob", "ann,BYE,2026-01-01", "ann,bob,x", "bob,ann,2026-01-02"]
    report = tm.read_fixtures(written(tmp_path, "\n".join(["player_a,player_b,played_at", *rows, ""]))).report
    assert (report.accepted, report.rejected) == (1, 5)
    assert report.problems["line"].tolist() == [2, 3, 4, 5, 6]
    assert report.problems["reason"].tolist() == [
        "self-play", "missing-player", "ragged-row", "nobody-to-play", "bad-time"
    ]  # fmt: skip


def test_aliases_hold(tmp_path: Path) -> None:
    file = written(tmp_path, "player_a,player_b\nAnnie,bob\nAnnie,ann\n")
    found = tm.read_fixtures(file, aliases={"Annie": "ann"})
    assert found.player_a == ["ann"]
    assert found.report.problems["reason"].tolist() == ["self-play"]


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "player_a\nann\n", "player_a,player_b,player_b\na,b,c\n"])
def test_a_file_without_the_columns_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(tm.ReadError):
        tm.read_fixtures(written(tmp_path, text))


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(tm.ReadError, match="is a directory"):
        tm.read_fixtures(tmp_path)
    with pytest.raises(tm.ReadError, match="cannot be read"):
        tm.read_fixtures(tmp_path / "nope.csv")


_CELL = st.text(st.sampled_from('ab1,;"\n\t\x00 2026-0131é/:.'), max_size=12)


@given(st.one_of(st.binary(max_size=200), st.lists(_CELL, max_size=20).map(lambda cells: "\n".join(cells).encode())))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_the_bytes_are(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "any.csv"
    file.write_bytes(b"player_a,player_b,played_at\n" + content)
    try:
        found = tm.read_fixtures(file)
    except tm.TallymarkError:
        return
    assert found.report.accepted == len(found)
    assert found.report.rows == found.report.accepted + found.report.rejected
    assert all(a != b for a, b in zip(found.player_a, found.player_b, strict=True))


def test_dates_of_games_to_come_under_a_name_that_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("Spieltag am,Heim,Gast\n2026-05-01,ann,bob\n", encoding="utf-8")
    fixtures = tm.read_fixtures(tmp_path / "f.csv")
    assert fixtures.played_at is None
    note = "Spieltag am has dates and is not read: columns={'played_at': 'Spieltag am'}"
    assert note in fixtures.report.notes
    assert note not in tm.read_fixtures(tmp_path / "f.csv", columns={"played_at": ""}).report.notes
