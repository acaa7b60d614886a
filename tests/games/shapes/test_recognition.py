"""What a header says: sides, results, times and entries are recognised and announced; what is unclear is asked."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tallymark import GameLog, InputError, ReadError, read_games
from tallymark.games.shapes.recognition import recognised
from tallymark.games.vocabulary import Source

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def file(*lines: str, name: str = "g.csv") -> Path:
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return tmp_path / name

    return file


def games(log: GameLog) -> list[tuple[object, object, float]]:
    """Who met whom, and player_a's score, in the order of the input."""
    order = log.row.argsort(kind="stable")
    return [(log.players[log.a[i]], log.players[log.b[i]], float(log.score[i])) for i in order]


@pytest.mark.parametrize(
    ("header", "note"),
    [
        ("home_team,away_team,home_score,away_score", "home and away, two scores: player_a = home_team"),
        ("Home,Visitor,hgoal,vgoal", "home and away, two scores: player_a = Home"),
        ("HomeTeam,AwayTeam,FTHG,FTAG", "home and away, two scores: player_a = HomeTeam"),
        ("p1,p2,score1,score2", "first and second, two scores: player_a = p1"),
        ("t1,t2,w1,w2", "first and second, two scores: player_a = t1"),
        ("player_a,player_b,goals_a,goals_b", "two scores: points_a = goals_a, points_b = goals_b"),
    ],
)
def test_sides_and_two_scores(write: Write, header: str, note: str) -> None:
    log = read_games(write(header, "x,y,3,1", "y,x,0,2", "x,y,1,1"))
    assert games(log) == [("x", "y", 1.0), ("y", "x", 0.0), ("x", "y", 0.5)]
    assert any(one.startswith(note) for one in log.report.notes)


@pytest.mark.parametrize(
    ("header", "rows", "scores"),
    [
        ("White,Black,Result", ["a,b,1-0", "a,b,0-1", "a,b,1/2-1/2"], [1.0, 0.0, 0.5]),
        ("White,Black,Result", ["a,b,B+R", "a,b,W+3.5", "a,b,0"], [0.0, 1.0, 0.5]),
        ("PB,PW,RE", ["a,b,B+R", "a,b,W+3.5", "a,b,0"], [1.0, 0.0, 0.5]),
        ("white,black,winner", ["a,b,white", "a,b,black", "a,b,draw"], [1.0, 0.0, 0.5]),
        ("white,black,winner", ["a,b,W", "a,b,B"], [1.0, 0.0]),
        ("HomeTeam,AwayTeam,FTR", ["a,b,H", "a,b,A", "a,b,D"], [1.0, 0.0, 0.5]),
        ("model_a,model_b,winner", ["m,n,model_a", "m,n,model_b", "m,n,tie", "m,n,n"], [1.0, 0.0, 0.5, 0.0]),
        ("Home Team,Away Team,Score", ["a,b,2-1", "a,b,0:3", "a,b,1-1"], [1.0, 0.0, 0.5]),
        ("Player A,Player B,Score A", ["a,b,1", "a,b,0", "a,b,0.5"], [1.0, 0.0, 0.5]),
        ("Team 1,Team 2,winner", ["a,b,Team 1", "a,b,team_2", "a,b,tie"], [1.0, 0.0, 0.5]),
        ("Team 1,Score 1,Score 2,Team 2", ["a,3,1,b", "a,0,2,b"], [1.0, 0.0]),
        ("player1,player2,outcome", ["a,b,win", "a,b,loss"], [1.0, 0.0]),
        ("player,opponent,result", ["a,b,win", "a,b,loss"], [1.0, 0.0]),
    ],
)
def test_sides_and_words(write: Write, header: str, rows: list[str], scores: list[float]) -> None:
    assert [score for _, _, score in games(read_games(write(header, *rows)))] == scores


def test_what_is_mapped_beats_what_is_recognised_name_by_name(write: Write) -> None:
    path = write("date,home,away,home_score,away_score,points", "2026-01-01,a,b,3,1,0")
    assert games(read_games(path)) == [("a", "b", 1.0)]
    log = read_games(path, columns={"score_a": "points"})
    assert (games(log), log.time is None) == ([("a", "b", 0.0)], False)
    assert read_games(path, columns={"played_at": ""}).time is None


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        ("home,away,player1,player2,result", "a,b,c,d,1-0", "columns={'player_a': 'player1', 'player_b': 'player2'}"),
        ("home,home_team,away_team,away,result", "a,b,c,d,1-0", "columns={'player_a': 'home_team'"),
        ("player_a,player_b,result,winner", "a,b,1-0,b", "columns={'result': 'winner'}"),
        ("player_a,player_b,goals_a,goals_b,sets_a,sets_b", "a,b,1,0,0,1", "columns={'points_a': 'sets_a'"),
        ("home,away,result,datetime,match_date", "a,b,1-0,2026-01-01,2026-01-02", "{'played_at': 'match_date'}"),
        ("player_a,player_b,winner", "a,b,2", "columns={'winner_side': 'winner'}"),
        ("player_a,player_b,winner", "a,b,0", "columns={'score_a': 'winner'}"),
        ("player_a,player_b,score_a,score_b", "a,b,3,1", "columns={'points_a': 'score_a', 'points_b': 'score_b'}"),
        ("playerA,playerB,scoreA,scoreB", "a,b,21,19", "columns={'points_a': 'scoreA', 'points_b': 'scoreB'}"),
        ("player_a,player_b,score_a", "a,b,1:0", "columns={'result': 'score_a'}"),
        ("generator_1,generator_2,preference", "a,b,1.7", "columns={'preference': 'preference'}"),
        ("player_a,player_b,final", "a,b,1-0", "columns={'result': 'final'}"),
        ("race,driver_id,player_id,position", "1,a,b,1", "columns={'player': 'driver_id'}"),
        (",a,b,c", "a,,1,0", "each player has a row and a column"),
        ("meeting,player,finish", "1,a,1", "columns={'player': 'player', 'match': '...', 'rank': '...'}"),
        ("who,whom,how", "a,b,1-0", "columns={'winner': '...', 'loser': '...'}"),
    ],
)
def test_what_is_unclear_is_asked_with_the_choices(write: Write, header: str, row: str, said: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_games(write(header, row))
    assert said in (caught.value.hint or "")


def test_columns_of_results_that_agree_are_one(write: Write) -> None:
    log = read_games(write("player_a,player_b,result,winner", "a,b,1-0,a", "a,b,0-1,b"))
    assert [score for _, _, score in games(log)] == [1.0, 0.0]


def test_ids_identify_and_names_are_kept_beside(write: Write) -> None:
    log = read_games(write("winner_id,winner_name,loser_id,loser_name", "2,Bo,1,Ann", "1,Ann,2,Bo"))
    assert games(log) == [("1", "2", 0.0), ("1", "2", 1.0)]
    assert "winner = winner_id, loser = loser_id, name_a = winner_name, name_b = loser_name" in log.report.notes[0]
    assert not any("name" in note for note in log.report.notes[1:])  # the names keep to their ids


def test_the_side_that_won_by_its_number_and_a_preference(write: Write) -> None:
    path = write("player_a,player_b,winner", "a,b,1", "a,b,2", "a,b,0", "a,b,tie")
    log = read_games(path, columns={"winner_side": "winner"})
    assert [score for _, _, score in games(log)] == [1.0, 0.0, 0.5]
    assert log.report.problems["reason"].tolist() == ["unknown-result"]
    log = read_games(path, columns={"winner_side": "winner"}, results={"0": "draw"})
    assert [score for _, _, score in games(log)] == [1.0, 0.0, 0.5, 0.5]
    path = write("generator_1,generator_2,preference", "a,b,1.75", "a,b,2", "a,b,0.5", "a,b,")
    log = read_games(path, columns={"preference": "preference"})
    assert games(log) == [("a", "b", 0.25), ("a", "b", 0.0)]
    assert log.report.problems["reason"].tolist() == ["bad-score", "no-result"]


def test_colours_need_to_be_known(write: Write) -> None:
    path = write("player_a,player_b,result", "a,b,B+R", "a,b,white")
    log = read_games(path)
    assert log.report.rejected == 2
    assert "nobody said who was White" in log.report.problems["message"][0]
    assert [s for *_, s in games(read_games(path, columns={"white": "player_b", "black": "player_a"}))] == [0.0, 1.0]
    path = write("A,B,R", "a,b,B+T")
    log = read_games(path, columns={"white": "A", "black": "B", "result": "R"})
    assert (games(log), log.to_table()["ending"].tolist()) == ([("a", "b", 0.0)], ["timeout"])
    with pytest.raises(ReadError, match="has no column 'black'"):
        read_games(path, columns={"white": "A", "result": "R"})


@pytest.mark.parametrize(
    ("cell", "ending"),
    [("B+R", "resignation"), ("W+Resign", "resignation"), ("B+Time", "timeout"), ("W+F", "forfeit"), ("B+1.5", None)],
)
def test_how_a_colour_won(write: Write, cell: str, ending: str | None) -> None:
    table = read_games(write("PB,PW,RE", f"a,b,{cell}")).to_table()
    assert table["score_a"].tolist() == [1.0 if cell.startswith("B") else 0.0]
    assert (table["ending"].tolist() if "ending" in table.columns else [None]) == [ending]


@pytest.mark.parametrize("cell", ["Void", "?", "B+magic", "R+B", ""])
def test_no_colour_won(write: Write, cell: str) -> None:
    log = read_games(write("PB,PW,RE", f"a,b,{cell}", "a,b,W+"))
    assert (len(log), log.report.rejected) == (1, 1)


def test_a_letter_that_could_be_two_things_is_asked(write: Write) -> None:
    log = read_games(write("home,away,result", "a,b,A"))
    assert "may be the away side or player_a" in log.report.problems["message"][0]
    log = read_games(write("PB,PW,RE", "a,b,W"))
    assert "may be a colour or a side" in log.report.problems["message"][0]


def test_unknown_words_are_listed_once_with_the_way_out(write: Write) -> None:
    log = read_games(write("home,away,result", "a,b,good", "a,b,good", "a,b,bad", "a,b,1-0"))
    assert log.report.rejected == 3
    assert any(
        "words that are no results: 'good' (2), 'bad' (1); results={'good': '...'}" in n for n in log.report.notes
    )


def test_a_time_has_to_look_like_one(write: Write) -> None:
    assert read_games(write("home,away,result,time", "a,b,1-0,2026-01-01T10:00Z")).time is not None
    assert read_games(write("home,away,result,time", "a,b,1-0,4:48")).time is None
    log = read_games(write("home,away,result,Date,UTCDate", "a,b,1-0,2026-01-01,2026-01-02"))
    assert "played_at = UTCDate" in log.report.notes[0]


def test_what_could_order_the_games_of_a_day_is_named(write: Write) -> None:
    log = read_games(write("home,away,result,date,time", "a,b,1-0,2026-01-01,18:00", "b,c,1-0,2026-01-01,9:30"))
    assert any(note.startswith("time is not read: games of one day") for note in log.report.notes)
    assert not any(
        "time is not read" in note for note in read_games(write("home,away,result,time", "a,b,1-0,18:00")).report.notes
    )
    path = write("home,away,result,order", "a,b,1-0,2", "b,c,1-0,1")
    assert any("columns={'order': 'order'}" in note for note in read_games(path).report.notes)
    log = read_games(path, columns={"order": "order"})
    assert log.row.tolist() == [1, 0]
    assert not any("'order'" in note for note in log.report.notes)


def test_ids_of_games_tell_duplicates_where_a_row_is_one(write: Write) -> None:
    log = read_games(write("game_id,home,away,result", "7,a,b,1-0", "8,a,b,0-1"))
    assert log.games == ["7", "8"]
    log = read_games(write("match_id,home,away,result", "7,a,b,1-0", "7,a,b,0-1"))
    assert log.games is None
    assert any("match_id is not read: rows share it; columns={'game': 'match_id'}" in note for note in log.report.notes)


def test_a_game_that_an_id_tells_again_counts_once(write: Write) -> None:
    rows = ["7,a,b,1-0", "7,a,b,1-0", "8,a,b,1-0", "8,a,b,0-1", "9,a,b,1-0"]
    log = read_games(write("game_id,home,away,result", *rows))
    assert log.games == ["7", "9"]
    assert log.report.problems["reason"].tolist() == ["duplicate-game", "conflicting-game", "conflicting-game"]
    log = read_games(write("game_id,home,away,result", "7,a,b,1-0", "7,c,d,1-0"))
    assert (len(log), log.games) == (2, None)
    assert any("game_id is not read: rows share it" in note for note in log.report.notes)


def test_endings_are_taken_where_they_are_some(write: Write) -> None:
    log = read_games(write("White,Black,Result,Termination", "a,b,1-0,Time forfeit", "a,b,0-1,Normal", "a,b,1-0,dog"))
    assert log.to_table()["ending"].tolist() == ["timeout", "normal"]
    assert log.report.problems["reason"].tolist() == ["unknown-ending"]
    log = read_games(write("White,Black,Result,Termination", "a,b,1-0,train station"))
    assert len(log) == 1
    assert any("Termination is not read: its cells are no endings" in note for note in log.report.notes)


def test_a_pool_that_is_not_read_is_named(write: Write) -> None:
    path = write("home,away,result,pool", "a,b,1-0,x")
    assert any("columns={'pool': 'pool'}" in note for note in read_games(path).report.notes)
    assert not any("'pool'" in note for note in read_games(path, columns={"pool": "pool"}).report.notes)


def test_pairings(write: Write) -> None:
    log = read_games(
        write("BOUT,OUTCOME", "Ann Lee vs. Bob ,W/L", "Cid vs Ann Lee,L/W", "Ann Lee vs. Cid,D/D", "Bob,W/L")
    )
    assert games(log) == [("Ann Lee", "Bob", 1.0), ("Cid", "Ann Lee", 0.0), ("Ann Lee", "Cid", 0.5)]
    assert log.report.problems["reason"].tolist() == ["missing-player"]


def test_pairings_of_a_column_that_has_others_too_are_asked_for(write: Write) -> None:
    path = write("pairing,result", "Ann vs. Bob,1-0", "final,1-0")
    with pytest.raises(ReadError, match="has no column 'player_a'"):
        read_games(path)
    assert len(read_games(path, columns={"pairing": "pairing"})) == 1


class TestEntries:
    def test_points_rank(self, write: Write) -> None:
        log = read_games(
            write("race,driver,points", "1,ann,25", "1,bob,18", "1,cid,18", "2,ann,", "2,bob,1", "2,cid,3")
        )
        assert {(a, b, s) for a, b, s in games(log)} == {
            ("ann", "bob", 1.0),
            ("ann", "cid", 1.0),
            ("bob", "cid", 0.5),
            ("bob", "cid", 0.0),
        }
        assert log.report.problems["message"].tolist() == ["points is empty: no result"]

    def test_ranks_beat_points(self, write: Write) -> None:
        log = read_games(write("game_id,player,rank,points", "1,ann,2,9", "1,bob,1,0"))
        assert games(log) == [("ann", "bob", 0.0)]

    def test_ranks_and_points_of_two_files_are_no_one_input(self, write: Write) -> None:
        one = write("race,driver,points", "1,a,3", "1,b,2", name="1.csv")
        two = write("race,driver,rank", "2,a,1", "2,b,2", name="2.csv")
        with pytest.raises(ReadError, match=r"2.csv has ranks and .*1.csv has points"):
            read_games([one, two])

    def test_two_rows_a_game_keep_the_home_side_first(self, write: Write) -> None:
        lines = [
            "match_id,match,team_id,team_name,set_won",
            "1,home,9,Z,3",
            "1,away,8,Y,1",
            "2,away,9,Z,3",
            "2,home,8,Y,0",
        ]
        log = read_games(write(*lines))
        assert {*games(log)} == {("9", "8", 1.0), ("8", "9", 0.0)}
        assert any("home before away" in note for note in log.report.notes)

    def test_teams_are_asked_about(self, write: Write) -> None:
        lines = ["match,player,points,team", "1,a,3,x", "1,b,3,x", "1,c,1,y", "1,d,1,y"]
        with pytest.raises(ReadError, match=r"all of one team share their points in every match") as error:
            read_games(write(*lines))
        assert error.value.hint is not None
        assert "columns={'team': 'team'}; if each plays alone: columns={'team': ''}" in error.value.hint
        log = read_games(write(*lines), columns={"team": "team"})
        assert (len(log), set(log.score.tolist())) == (4, {1.0})
        assert len(read_games(write(*lines), columns={"team": ""})) == 6

    @pytest.mark.parametrize(
        "rows", [["1,a,3,x", "1,b,2,x", "1,c,1,y"], ["1,a,3,x", "1,b,2,y"], ["1,a,3,x", "1,b,3,x"]]
    )
    def test_who_race_each_other_are_no_team(self, write: Write, rows: list[str]) -> None:
        assert read_games(write("match,player,points,club", *rows)).size_a is None


class TestWide:
    def test_ballots(self, write: Write) -> None:
        path = write("system1Id,system2Id,system3Id,system1rank,system2rank,system3rank", "a,b,c,1,2,2", "c,a,,1,2,")
        log = read_games(path)
        assert games(log)[:3] == [("a", "b", 1.0), ("a", "c", 1.0), ("b", "c", 0.5)]
        assert games(log)[3:] == [("a", "c", 0.0)]
        assert log.report.accepted == 2
        same = read_games(path, columns={"player": "system#Id", "rank": "system#rank"})
        assert games(same) == games(log)

    def test_a_fault_of_one_entry_takes_its_row_out(self, write: Write) -> None:
        path = write("player1,player2,player3,rank1,rank2,rank3", "a,b,c,1,x,2", "a,b,c,1,2,3", "a,a,c,1,2,3")
        log = read_games(path)
        assert (log.report.accepted, log.report.rejected, len(log)) == (1, 2, 3)

    def test_doubles(self, write: Write) -> None:
        path = write(
            "winner1_id,winner2_id,loser1_id,loser2_id,score", "a,b,c,d,6-4 7-6(6)", "c,d,a,b,W/O", "a,,c,d,6-1 6-1"
        )
        log = read_games(path)
        assert len(log) == 4 + 4 + 2
        assert games(log)[:2] == [("a", "c", 1.0), ("a", "d", 1.0)]
        assert log.to_table()["ending"].tolist().count("walkover") == 4
        assert sorted(set(zip(log.size_a.tolist(), log.size_b.tolist(), strict=True))) == [(1, 2), (2, 2)]  # type: ignore[union-attr]

    def test_sides_of_several_by_a_pattern(self, write: Write) -> None:
        path = write("h1,h2,g1,g2,hs,gs", "a,b,c,d,3,3", "a,b,,,1,0", "a,b,c,d,0,2")
        columns = {"player_a": "h#", "player_b": "g#", "points_a": "hs", "points_b": "gs"}
        log = read_games(path, columns=columns)
        assert log.score.tolist() == [0.5] * 4 + [0.0] * 4
        assert log.report.problems["message"].tolist() == ["player_b is missing"]


class TestCounts:
    def test_each_row_is_so_many_games(self, write: Write) -> None:
        log = read_games(write("player,opponent,wins,losses,draws", "a,b,2,1,1", "a,c,0,0,0", "b,c,1,x,0", "b,c,0,1,"))
        assert [score for *_, score in games(log)] == [1.0, 1.0, 0.5, 0.0]
        assert (log.report.accepted, log.report.rejected) == (1, 3)
        assert log.report.problems["reason"].tolist() == ["no-result", "bad-number", "no-result"]

    def test_games_and_draws_tell_the_losses(self, write: Write) -> None:
        path = write("x,y,won,drawn,played", "a,b,2,1,4", "a,c,2,1,2")
        names = {"player": "x", "opponent": "y", "wins": "won", "draws": "drawn", "games": "played"}
        log = read_games(path, columns=names)
        assert ([s for *_, s in games(log)], log.report.rejected) == ([1.0, 1.0, 0.5, 0.0], 1)

    def test_wins_that_are_not_told(self, write: Write) -> None:
        path = write("a,b,n", "x,y,164")
        with pytest.raises(ReadError, match="has no column 'wins'") as caught:
            read_games(path, columns={"player": "a", "opponent": "b", "games": "n"})
        assert "counts need the games won and lost" in (caught.value.hint or "")

    def test_a_table_told_from_both_sides_counts_once(self, write: Write) -> None:
        log = read_games(write("player,opponent,wins,losses", "a,b,3,1", "b,a,1,3"))
        assert (len(log), log.report.problems["reason"].tolist()) == (4, ["duplicate-game"])
        assert len(read_games(write("player,opponent,wins,losses", "a,b,3,1", "b,a,2,3"))) == 9

    def test_absurd_totals(self, write: Write) -> None:
        with pytest.raises(ReadError, match="10,000,000 are taken at most"):
            read_games(write("player,opponent,wins,losses", "a,b,99999999,1"))


class TestNoHeader:
    def test_columns_by_number(self, write: Write) -> None:
        log = read_games(write("a,b,1,x", "b,a,0,x"), columns={"player_a": "#1", "player_b": "#2", "score_a": "#3"})
        assert games(log) == [("a", "b", 1.0), ("b", "a", 0.0)]
        assert any("no header" in note for note in log.report.notes)

    def test_a_first_row_that_is_a_game_is_shown_by_number(self, write: Write) -> None:
        with pytest.raises(ReadError, match="#1 'ann', #2 'bob', #3 '0'") as caught:
            read_games(write("ann,bob,0", "bob,cid,1", "cid,ann,1"))
        assert "columns={'player_a': '#1', 'player_b': '#2', 'score_a': '#3'}" in (caught.value.hint or "")

    def test_numbers_and_names_do_not_mix(self, write: Write) -> None:
        with pytest.raises(InputError, match="a number, and 'b', a name"):
            read_games(write("a,b,1"), columns={"player_a": "#1", "player_b": "b"})
        with pytest.raises(ReadError, match="has no column '#9'"):
            read_games(write("a,b,1"), columns={"player_a": "#1", "player_b": "#2", "score_a": "#9"})

    def test_a_column_may_be_called_so(self, write: Write) -> None:
        path = write("#1,#2,#3", "a,b,1")
        assert len(read_games(path, columns={"player_a": "#1", "player_b": "#2", "score_a": "#3"})) == 1


class TestDecimalCommas:
    def test_a_column_that_has_only_such(self, write: Write) -> None:
        log = read_games(write("player_a;player_b;score_a", "a;b;0,5", "a;b;1", "a;b;0,25"), delimiter=";")
        assert log.score.tolist() == [0.5, 1.0, 0.25]
        assert "score_a has decimal commas" in log.report.notes

    @pytest.mark.parametrize("cells", [["1,287", "1"], ["0,5", "0.5"], ["0,5", "won"]])
    def test_what_may_be_meant_otherwise_stays_wrong(self, write: Write, cells: list[str]) -> None:
        log = read_games(write("player_a;player_b;points_a;points_b", *(f"a;b;{c};0" for c in cells)), delimiter=";")
        assert log.report.rejected >= 1
        assert not any("decimal commas" in note for note in log.report.notes)


class TestLines:
    """What stands beside a winner and a loser."""

    @pytest.mark.parametrize(
        ("cell", "score", "ending"),
        [
            *(("6-3 6-2", 1.0, None), ("6-7(4) 7-6(2) (10-8)", 1.0, None), ("7-6(5)", 1.0, None), ("3:1", 1.0, None)),
            *(("1:1", 0.5, None), ("draw", 0.5, None)),
            *(("1-0 RET", 1.0, "resignation"), ("6-8 2-5 ret.", 1.0, "resignation"), ("6-1 DEF", 1.0, "forfeit")),
            *(("W/O", 1.0, "walkover"), ("walkover", 1.0, "walkover")),
        ],
    )
    def test_told(self, write: Write, cell: str, score: float, ending: str | None) -> None:
        log = read_games(write("winner,loser,score", f"a,b,{cell}", "a,b,6-0 6-0 RET"))
        table = log.to_table()
        assert (table["score_a"][0], table["ending"].tolist()[0]) == (score, ending)

    @pytest.mark.parametrize("cell", ["6-4 UNF", "3-3 ABN", "0:2"])
    def test_nobody_won(self, write: Write, cell: str) -> None:
        log = read_games(write("winner,loser,score", f"a,b,{cell}", "a,b,6-0 6-0"))
        assert (len(log), log.report.rejected) == (1, 1)

    def test_other_words_are_named_and_not_read(self, write: Write) -> None:
        log = read_games(write("Winner,Looser,Score", "a,b,great match", "b,a,1:1"))
        assert [score for *_, score in games(log)] == [1.0, 0.0]
        assert any("Score is not read: its cells are no results ('great match')" in note for note in log.report.notes)


def test_a_bye_is_nobody(write: Write) -> None:
    log = read_games(write("player_a,player_b,result", "a,Bye,1", "a,b,0", "bye,bye,1"))
    assert log.to_table()["ending"].tolist() == ["bye", None]
    assert log.report.problems["reason"].tolist() == ["self-play"]
    assert any("1 game against Bye: a bye" in note for note in log.report.notes)


def test_words_may_be_mapped_to_endings(write: Write) -> None:
    log = read_games(write("winner,loser,note", "a,b,left"), columns={"result": "note"}, results={"left": "resigned"})
    assert log.to_table()["ending"].tolist() == ["resignation"]
    log = read_games(write("home,away,result", "a,b,rain", "a,b,1-0"), results={"rain": "abandoned"})
    assert log.report.problems["message"].tolist() == ["no result: aborted"]


def test_cells_of_json_that_are_no_words(tmp_path: Path) -> None:
    rows = [{"home": "a", "away": "b", "result": result} for result in (1, 0.5, {"x": 1}, [1], None, "1-0")]
    (tmp_path / "g.json").write_text(json.dumps(rows), encoding="utf-8")
    log = read_games(tmp_path / "g.json")
    assert [score for *_, score in games(log)] == [1.0, 0.5, 1.0]
    assert log.report.problems["reason"].tolist() == ["unknown-result", "unknown-result", "no-result"]


def test_rows_of_several_files_are_matches_of_their_own(write: Write) -> None:
    header = "system1,system2,system3,rank1,rank2,rank3"
    one, two = write(header, "a,b,c,1,2,3", name="1.csv"), write(header, "c,b,a,1,2,3", name="2.csv")
    log = read_games([one, two])
    assert (len(log), log.matches) == (6, [0, 1])
    assert set(games(log)) == {
        ("a", "b", 1.0),
        ("a", "c", 1.0),
        ("b", "c", 1.0),
        ("a", "b", 0.0),
        ("a", "c", 0.0),
        ("b", "c", 0.0),
    }


def test_files_of_different_spellings_are_one_input(write: Write) -> None:
    one = write("home,away,hg,ag,date", "a,b,1,0,2026-01-01", name="1.csv")
    two = write("White,Black,Result,Date", "b,a,1/2-1/2,2026-01-02", name="2.csv")
    assert games(read_games([one, two])) == [("a", "b", 1.0), ("b", "a", 0.5)]


def test_methods_of_a_bout_are_endings_when_mapped(write: Write) -> None:
    path = write("BOUT,OUTCOME,METHOD", "a vs. b,W/L,KO/TKO ", "b vs. a,L/W,DQ", "a vs. b,W/L,Magic")
    assert "ending" not in read_games(path).to_table().columns
    log = read_games(path, columns={"ending": "METHOD"})
    assert log.to_table()["ending"].tolist() == ["normal", "forfeit"]
    assert log.report.problems["reason"].tolist() == ["unknown-ending"]


class TestToldFromBothSides:
    HEADER = "Player,Opponent,Result,Date"

    def test_every_game_counts_once(self, write: Write) -> None:
        day, next_day = "2026-01-01", "2026-01-02"
        rows = [
            f"a,b,W,{day}",
            f"b,a,L,{day}",
            f"b,a,W,{next_day}",
            f"a,b,L,{next_day}",
            f"a,b,D,{day}",
            f"b,a,D,{day}",
        ]
        log = read_games(write(self.HEADER, *rows))
        assert games(log) == [("a", "b", 1.0), ("b", "a", 1.0), ("a", "b", 0.5)]
        assert set(map(str, log.report.problems["reason"])) == {"duplicate-game"}
        assert "line 2, told from the other side" in log.report.problems["message"][0]

    def test_an_id_that_both_sides_have(self, write: Write) -> None:
        log = read_games(write("game_id,player,opponent,result", "1,a,b,W", "1,b,a,L", "2,a,c,L", "2,c,a,W"))
        assert games(log) == [("a", "b", 1.0), ("a", "c", 0.0)]

    def test_scores_too(self, write: Write) -> None:
        log = read_games(write("player,opponent,score_a", "a,b,1", "b,a,0", "a,c,won"))
        assert games(log) == [("a", "b", 1.0)]
        assert log.report.problems["reason"].tolist() == ["duplicate-game", "bad-score"]

    def test_a_file_that_tells_some_games_only_once_is_left_as_it_is(self, write: Write) -> None:
        log = read_games(write(self.HEADER, "a,b,W,2026-01-01", "b,a,L,2026-01-01", "a,c,W,2026-01-01"))
        assert (len(log), log.report.rejected) == (3, 0)


@pytest.mark.parametrize(("first", "sample"), [([], [[], []]), ([""], [[""]]), (["", ""], [["", ""]])])
def test_a_table_of_nothing(first: list[str], sample: list[list[str]]) -> None:
    with pytest.raises(ReadError, match="has no column 'player_a'"):
        recognised(first, sample, {}, "x.csv")


class TestCrossTable:
    def test_each_pair_is_a_game(self, write: Write) -> None:
        log = read_games(write("Nr,Name,ann,bob,cid,Points", "1,ann,*,1,½,1.5", "2,bob,0,x,1,1", "3,cid,½,,-,0.5"))
        assert games(log) == [("ann", "bob", 1.0), ("ann", "cid", 0.5), ("bob", "cid", 1.0)]
        assert log.report.accepted == 3
        assert "a cross-table: both cells of two players tell one game" in log.report.notes

    def test_a_word_that_is_none_takes_its_row_out(self, write: Write) -> None:
        log = read_games(write(",ann,bob,cid", "ann,,1,huh", "bob,0,,1", "cid,,0,"))
        assert games(log) == [("bob", "cid", 1.0)]
        assert "against 'cid': result is 'huh'" in log.report.problems["message"][0]

    def test_cells_that_disagree_are_asked_about(self, write: Write) -> None:
        with pytest.raises(ReadError, match="'ann' against 'bob' is '2:1', and the other way round '3:1'") as caught:
            read_games(write(",ann,bob", "ann,,2:1", "bob,3:1,"))
        assert "write a row a game" in (caught.value.hint or "")


def test_canonical_names_are_read_in_any_case_and_announced(write: Write) -> None:
    header = "Date,Player_A,Player_B,Score_A,Board,Komi,Handicap,Steps,Source,Ending,Band_A,Band_B,Game"
    log = read_games(write(header, "2026-01-02,x,y,1,17,6.5,4,3,casual,normal,4,1,g1"))
    for name, value in {"board": 17, "komi": 6.5, "handicap": 4, "steps": 3, "band_a": 4, "band_b": 1}.items():
        assert getattr(log, name).tolist() == [value]
    assert log.source is not None
    assert log.source.tolist() == [Source.CASUAL.code]
    assert list(log.games or ()) == ["g1"]
    for name in header.split(",")[1:]:
        assert f"{name.lower()} = {name}" in log.report.notes[0]


def test_the_exact_name_comes_before_one_in_another_case(write: Write) -> None:
    log = read_games(write("Board,player_a,player_b,score_a,board", "9,x,y,1,19"))
    assert log.board is not None
    assert log.board.tolist() == [19]
    assert "Board is not read: board is" in log.report.notes
    with pytest.raises(ReadError, match="several columns for board: Board, BOARD"):
        read_games(write("Board,player_a,player_b,score_a,BOARD", "9,x,y,1,19"))


def test_names_in_another_case_whose_cells_are_something_else_are_not_read(write: Write) -> None:
    rows = ("x,y,1,1.1,https://a.example,1", "y,x,1,1.2,,1")
    log = read_games(write("player_a,player_b,score_a,Board,Source,Match", *rows))
    assert len(log) == 2
    assert (log.board, log.source, log.match) == (None, None, None)
    assert set(log.report.notes) >= {
        "Board is not read: its cells are no board ('1.1')",
        "Source is not read: its cells are no source ('https://a.example')",
        "Match is not read: columns={'match': 'Match'} rates together the games that share it",
    }


def test_who_won_against_oneself_is_no_unknown_word(write: Write) -> None:
    log = read_games(write("player1,player2,winner", "ann,ann,ann", "ann,bob,bob", "cid,ann,ann", "bob,bob,bob"))
    assert [(row["line"], row["reason"], row["message"]) for row in log.report.problems.rows()] == [
        (2, "self-play", "'ann' plays against itself"),
        (5, "self-play", "'bob' plays against itself"),
    ]
    assert not any("no results" in note for note in log.report.notes)


@pytest.mark.parametrize("name", ["id", "ID", "match_id", "game_id", "Game ID"])
def test_what_the_interface_calls_an_id_is_the_id_of_a_game(write: Write, name: str) -> None:
    log = read_games(write(f"{name},player_a,player_b,score_a", "7,a,b,1", "8,a,b,0"))
    assert log.games == ["7", "8"]
    if name != "match_id":
        log = read_games(write(f"{name},player_a,player_b,score_a", "7,a,b,1", "7,a,b,1", "8,a,b,1", "8,b,a,1"))
        assert log.report.problems["reason"].tolist() == ["duplicate-game", "conflicting-game", "conflicting-game"]


def test_an_id_that_rows_of_others_share_is_none_of_a_game(write: Write) -> None:
    log = read_games(write("id,player_a,player_b,score_a", "7,a,b,1", "7,c,d,1"))
    assert (len(log), log.games) == (2, None)
    assert any("id is not read: rows share it" in note for note in log.report.notes)
    assert not any("column is not read" in note for note in log.report.notes)


def test_columns_that_are_not_read_are_named(write: Write) -> None:
    log = read_games(write("player_a,player_b,score_a,court,,umpire", "a,b,1,x,,y"))
    assert "2 columns are not read: court, umpire" in log.report.notes
    wide = read_games(
        write(",".join(["home", "away", "result", *(f"odd{n}" for n in range(20))]), "a,b,1-0" + ",1" * 20)
    )
    assert any(
        note.startswith("20 columns are not read: odd0, ") and note.endswith(" and 8 more")
        for note in wide.report.notes
    )
    assert not any("not read" in note for note in read_games(write("player_a,player_b,score_a", "a,b,1")).report.notes)
    mapped = read_games(write("player_a,player_b,score_a,pool", "a,b,1,x"), columns={"pool": "pool"})
    assert not any("not read" in note for note in mapped.report.notes)


def test_objects_are_read_with_their_parts(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"white": {"id": "a"}, "black": {"id": "b"}, "result": "1-0", "site": {"town": {"name": "x"}}}\n')
    notes = read_games(path, columns={"player_a": "white.id", "player_b": "black.id"}).report.notes
    assert "1 column is not read: site" in notes
