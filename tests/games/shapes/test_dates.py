"""Columns of dates under names that are not known, and the usual names of columns in other languages."""

from pathlib import Path

import pytest

from tallymark import ReadError, read_games

ROWS = ("05.09.2025;Ann;Bob;3:1", "12.09.2025;Bob;Cid;2:2")


def write(folder: Path, header: str, *rows: str) -> Path:
    (folder / "g.csv").write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return folder / "g.csv"


def test_a_column_of_dates_that_is_not_read_is_named_with_its_mapping(tmp_path: Path) -> None:
    path = write(tmp_path, "Spieltag am;A;B;Stand", *ROWS)
    columns = {"player_a": "A", "player_b": "B", "result": "Stand"}
    note = "Spieltag am has dates and is not read: columns={'played_at': 'Spieltag am'}"
    assert note in read_games(path, columns=columns).report.notes
    assert note not in read_games(path, columns={**columns, "played_at": ""}).report.notes
    log = read_games(path, columns={**columns, "played_at": "Spieltag am"}, times="DD.MM.YYYY")
    assert log.time is not None
    with pytest.raises(ReadError, match="no column of times is read") as caught:
        read_games(path, columns=columns, times="DD.MM.YYYY")
    assert caught.value.hint == "say which column has them: columns={'played_at': 'Spieltag am'}"


def test_how_times_are_written_is_refused_where_there_are_none(tmp_path: Path) -> None:
    path = write(tmp_path, "player_a,player_b,score_a", "ann,bob,1")
    with pytest.raises(ReadError, match="no column of times is read"):
        read_games(path, times="DD.MM.YYYY")


@pytest.mark.parametrize("cells", [("3:1", "2:2"), ("05.09.2025", "soon"), ("", "")])
def test_other_columns_are_not_named(tmp_path: Path, cells: tuple[str, str]) -> None:
    path = write(tmp_path, "player_a,player_b,score_a,more", *(f"ann,bob,1,{cell}" for cell in cells))
    assert not any("dates" in note for note in read_games(path).report.notes)


@pytest.mark.parametrize(
    ("header", "row", "expected"),
    [
        ("Datum;Heim;Gast;Ergebnis", "13.09.2025;Ann;Bob;3:1", ("Ann", 1.0)),
        ("Datum;Spieler 1;Spieler 2;Ergebnis", "13.09.2025;Ann;Bob;1:3", ("Ann", 0.0)),
        ("Datum;Sieger;Verlierer;Ergebnis", "13.09.2025;Ann;Bob;3:1", ("Ann", 1.0)),
        ("Datum;Wei\u00df;Schwarz;Ergebnis", "13.09.2025;Ann;Bob;0-1", ("Ann", 0.0)),
        ("Date;Joueur 1;Joueur 2;R\u00e9sultat", "13.09.2025;Ann;Bob;3-1", ("Ann", 1.0)),
        ("Fecha;Ganador;Perdedor;Resultado", "13.09.2025;Ann;Bob;3-1", ("Ann", 1.0)),
    ],
)
def test_names_of_columns_in_other_languages(
    tmp_path: Path, header: str, row: str, expected: tuple[str, float]
) -> None:
    log = read_games(write(tmp_path, header, row))
    assert (log.players[log.a[0]], log.score[0]) == expected
    assert log.time is not None
    assert log.time[0] == 1757721600000000
