"""Files that could be misread without a word: each is read rightly, asked about, or rejected with the reason."""

from pathlib import Path

import pytest

from tallymark import GameLog, ReadError, read_games


def read(folder: Path, text: str, **options: object) -> GameLog:
    file = folder / "games.csv"
    file.write_text(text, encoding="utf-8")
    return read_games(file, **options)  # type: ignore[arg-type]  # the options of each test are right


def games(log: GameLog) -> list[tuple[object, object, float]]:
    return [(log.players[a], log.players[b], s) for a, b, s in zip(log.a, log.b, log.score.tolist(), strict=True)]


@pytest.mark.parametrize("many", [1, 300])
@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("winner,loser", "ann,bob"),
        ("winner,loser,score", "ann,bob,1:0"),
        ("player_a,player_b,score_a", "ann,bob,1"),
        ("date,white,black,result", "2026-01-02,ann,bob,1-0"),
        ("date,home,away,home_goals,away_goals", "2026-01-02,ann,bob,3,1"),
    ],
)
def test_a_header_in_the_middle_is_no_game(tmp_path: Path, header: str, row: str, many: int) -> None:
    log = read(tmp_path, f"{header}\n" + f"{row}\n" * many + f"{header}\n{row}\n")
    assert [(p["line"], p["message"]) for p in log.report.problems.rows()] == [(many + 2, "the header once more")]
    assert games(log) == [("ann", "bob", 1.0)] * (many + 1)


def test_a_score_beside_a_winner_counts_with_a_header_in_the_middle(tmp_path: Path) -> None:
    log = read(tmp_path, "winner,loser,score\nann,bob,1:1\nwinner,loser,score\nann,bob,2:0\n")
    assert [score for _, _, score in games(log)] == [0.5, 1.0]


def test_a_point_before_thousands_is_not_taken_for_a_fraction(tmp_path: Path) -> None:
    header = "home;away;home_points;away_points\n"
    log = read(tmp_path, header + "ann;bob;1.250;980\nann;bob;2.000;1.000\nann;bob;900;7\n")
    assert [(p["line"], p["reason"], p["message"]) for p in log.report.problems.rows()] == [
        (2, "bad-score", "points are '1.250' and '980': a thousand, or one and a bit?")
    ]
    assert [score for _, _, score in games(log)] == [1.0, 1.0]
    fractions = read(tmp_path, header + "ann;bob;1.250;980\nann;bob;2.000;1.5\n")
    assert [score for _, _, score in games(fractions)] == [0.0, 1.0]


@pytest.mark.parametrize("before", [1, 300])
@pytest.mark.parametrize("column", ["result", "winner"])
@pytest.mark.parametrize("other", ["-1", "2", "\u22121"])
def test_a_result_of_0_beside_minus_1_or_2_may_be_a_draw(tmp_path: Path, other: str, column: str, before: int) -> None:
    text = f"p1,p2,{column}\n" + "ann,bob,1\n" * before + f"ann,bob,0\nann,bob,{other}\n"
    with pytest.raises(ReadError):
        read(tmp_path, text)
    log = read(tmp_path, text, columns={"result": column}, results={"0": "draw", other: "loss"})
    assert [score for _, _, score in games(log)] == [1.0] * before + [0.5, 0.0]


def test_it_is_asked_wherever_it_comes_and_whoever_named_the_column(tmp_path: Path) -> None:
    text = "p1,p2,result\n" + "ann,bob,0\n" * 300 + "ann,bob,2\n"
    for columns in ({}, {"result": "result"}):
        with pytest.raises(ReadError, match="result has '0' and, in line 302, '2'; 0 may be a draw or a loss") as error:
            read(tmp_path, text, columns=columns)
        assert error.value.hint is not None
        assert "results={'0': 'draw', '2': 'loss'}" in error.value.hint


def test_players_whose_ids_are_numbers_may_win(tmp_path: Path) -> None:
    log = read(tmp_path, "p1,p2,winner\n0,2,0\n2,0,0\n2,3,2\n")
    assert [score for _, _, score in games(log)] == [1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("header", "name", "other"),
    [
        ("player_a,Player_A,player_b,score_a", "player_a", "Player_A"),
        ("player_b,player_a,score_a,Score A", "score_a", "Score A"),
        ("player_a,player_b,score_a,played_at,Played at", "played_at", "Played at"),
    ],
)
def test_columns_whose_names_differ_in_case_alone_are_asked_about(
    tmp_path: Path, header: str, name: str, other: str
) -> None:
    text = f"{header}\n" + ",".join("2026-01-02" if "lay" in one and "d" in one else "1" for one in header.split(","))
    with pytest.raises(ReadError, match="has columns ") as error:
        read(tmp_path, text)
    assert error.value.hint is not None
    assert f"columns={{'{name}': '{other}'}}" in error.value.hint
    read(tmp_path, text, columns={name: other})


def test_a_rank_that_may_be_a_rating_is_asked_about(tmp_path: Path) -> None:
    text = "match,player,rank\n1,ann,1500\n1,bob,1600\n"
    with pytest.raises(ReadError, match="rank has 1500 and more, which may be no places"):
        read(tmp_path, text)
    assert games(read(tmp_path, text, columns={"rank": "rank"})) == [("ann", "bob", 1.0)]
    assert games(read(tmp_path, text, columns={"points": "rank"})) == [("ann", "bob", 0.0)]
    assert games(read(tmp_path, "match,player,rank\n1,ann,3\n1,bob,30\n")) == [("ann", "bob", 1.0)]


def test_scores_that_contradict_the_winner_are_asked_about(tmp_path: Path) -> None:
    header = "winner,loser,winner_score,loser_score\n"
    log = read(tmp_path, header + "ann,bob,3,1\n")
    assert "winner_score and loser_score are not read: who won is told by the columns of winner and loser" in (
        log.report.notes
    )
    for row in ("bob,cid,2,2", "bob,cid,1,2"):
        text = f"{header}ann,bob,3,1\n{row}\n"
        with pytest.raises(ReadError, match="by winner_score and loser_score not every winner has more"):
            read(tmp_path, text)
        named = read(tmp_path, text, columns={"winner": "winner", "loser": "loser"})
        assert [score for _, _, score in games(named)] == [1.0, 1.0]
    columns = {"player_a": "winner", "player_b": "loser", "points_a": "winner_score", "points_b": "loser_score"}
    assert [score for _, _, score in games(read(tmp_path, text, columns=columns))] == [1.0, 0.0]


def test_a_cross_table_names_the_columns_it_does_not_read(tmp_path: Path) -> None:
    log = read(tmp_path, "name,ann,bob,cid\nann,,1,1\nbob,0,,1\n")
    assert "columns that no row has a name for are not read: 'cid'" in log.report.notes
