"""Ways of telling a result: words, two scores, winner and loser; and the cases from the field."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark import GameLog, InputError, ReadError, Snapshot, methodology, read_games, replay
from tallymark.games.shapes.results import parse_result


def case(cases: Path, name: str) -> dict[str, dict[str, list[list[str]]]]:
    found = json.loads((cases / "cases.json").read_text(encoding="utf-8"))
    return next(one for one in found if one["id"] == name)


def rows(path: Path, header: str, given: list[list[str]], **options: dict[str, str]) -> GameLog:
    path.write_text("\n".join([header, *(",".join(row) for row in given)]) + "\n", encoding="utf-8")
    return read_games(path, **options)  # type: ignore[arg-type]


def test_a_byte_order_mark_is_no_part_of_the_first_header(tmp_path: Path, cases: Path) -> None:
    """ING-01"""
    (tmp_path / "bom.csv").write_bytes(bytes.fromhex(str(case(cases, "ING-01")["input"]["bytes_hex"])))
    log = read_games(tmp_path / "bom.csv")
    assert (len(log), log.players, log.score.tolist()) == (1, ["Anna", "Bo"], [1.0])


def test_dates_that_a_spreadsheet_made_are_named(tmp_path: Path, cases: Path) -> None:
    """ING-05"""
    log = rows(tmp_path / "s.csv", "player_a,player_b,result", case(cases, "ING-05")["input"]["rows"])
    assert log.score.tolist() == [1.0, 0.5]
    assert log.report.problems["line"].tolist() == [3, 4, 5]
    assert all("date that a spreadsheet made" in message for message in log.report.problems["message"])


def test_no_word_is_a_draw_by_default(tmp_path: Path, cases: Path) -> None:
    """ING-07"""
    given = case(cases, "ING-07")["input"]["rows"]
    log = rows(tmp_path / "v.csv", "player_a,player_b,result", given)
    assert log.score.tolist() == [1.0, 0.0, 0.5]
    assert log.report.problems["reason"].tolist() == ["unknown-result", "no-result"]
    mapped = rows(tmp_path / "v.csv", "player_a,player_b,result", given, results={"bothbad": "draw"})
    assert mapped.score.tolist() == [1.0, 0.0, 0.5, 0.5]


def test_team_mates_never_meet(tmp_path: Path, cases: Path) -> None:
    """ING-15: unequal teams are not rated where the rules say so; nobody guesses what a column of teams is."""
    text = "match,team,player,rank,played_at\n"
    for match, game in enumerate(case(cases, "ING-15")["input"]["games"], 1):
        for team, (players, score) in enumerate(zip(game["teams"], game["result"], strict=True)):  # type: ignore[call-overload]
            text += "".join(f"{match},{team},{player},{2 - score},2026-01-0{match}\n" for player in players)
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ReadError, match="all of one team share their rank") as error:
        read_games(tmp_path / "t.csv")
    assert "columns={'team': 'team'}" in str(error.value.hint)
    log = read_games(tmp_path / "t.csv", columns={"team": "team"})
    assert len(log) == 2 * 6 + 2 * 2
    r = replay(log, methodology("paper").with_(unequal_teams=False), history=True)
    assert (r.report.rated, r.report.not_rated) == (4, {"unequal-teams": 12})
    met = {*zip(r.history["player"], r.history["opponent"], strict=True)}
    assert met == {(a, b) for x, y in (("AB", "CD"), ("CD", "AB")) for a in x for b in y}


def test_who_did_not_appear_does_not_move_ratings(tmp_path: Path, cases: Path) -> None:
    """ING-11: of forfeits, a bye and an aborted game nothing is rated."""
    one = case(cases, "ING-11")
    log = rows(tmp_path / "f.csv", "player_a,player_b,result", one["input"]["rows"])
    assert log.to_table()["ending"].tolist() == ["walkover", "walkover", "bye", None]
    assert log.score.sum() == 4  # A's points: the case's standings_points_A
    start = Snapshot.from_arrays(player=["A", "B"], rating=[1500, 1500], deviation=[100, 100], volatility=[0.06, 0.06])
    r = replay(log, methodology("paper").with_(period="match"), start=start)
    assert (r.report.rated, r.report.not_rated) == (1, {"ending": 3})
    shown = {row["player"]: row for row in r.ratings.rows()}
    assert set(shown) == {"A", "B"}  # BYE is nobody
    for player in "AB":
        expected = one["expected"][player]
        assert shown[player]["rating"] == pytest.approx(expected["rating"], abs=1e-5)  # type: ignore[call-overload]
        assert shown[player]["deviation"] == pytest.approx(expected["rd"], abs=1e-5)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        *(("1-0", 1), ("0-1", 0), ("½-½", 0.5), ("1/2-1/2", 0.5), ("2:1", 1), ("0,5-0,5", 0.5), ("3 - 3", 0.5)),
        *(("WIN", 1), (" lost ", 0), ("Draw", 0.5), ("W/L", 1), ("D/D", 0.5), ("1", 1), ("0.0", 0), ("0.25", 0.25)),
        *(("ann", 1), ("bob", 0), ("1-0F", 1), ("-/+", 0)),
    ],
)
def test_words(text: str, score: float) -> None:
    assert parse_result(text, "ann", "bob").score == score


@pytest.mark.parametrize("text", ["*", "aborted", "void", "NC/NC", "w/o", "-/-"])
def test_words_without_a_result(text: str) -> None:
    outcome = parse_result(text)
    assert math.isnan(outcome.score)
    assert outcome.ending is not None


@pytest.mark.parametrize("text", ["NA", "2", "-1", "white", "B+Resign", "²", "both bad", "½-1", "1e0"])
def test_what_is_no_word_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no word for a result"):
        parse_result(text, "ann", "bob")


def test_a_word_that_is_also_a_player_is_refused_where_they_differ() -> None:
    assert parse_result("a", "a", "b").score == 1.0
    with pytest.raises(InputError, match="a player and a word for something else"):
        parse_result("draw", "draw", "bob")


def test_winner_and_loser_take_seats_by_id(tmp_path: Path) -> None:
    header, given = "winner,loser", [["bob", "ann"], ["ann", "cid"], ["cid", "cid"], ["", "ann"]]
    log = rows(tmp_path / "w.csv", header, given)
    assert [log.players[i] for i in log.a] == ["ann", "ann"]
    assert log.score.tolist() == [0.0, 1.0]
    assert log.report.problems["reason"].tolist() == ["self-play", "missing-player"]


def test_a_draw_among_winners_and_a_winner_who_lost(tmp_path: Path) -> None:
    given = [["bob", "ann", "2:0"], ["ann", "bob", "1:1"], ["ann", "bob", "0:2"]]
    log = rows(
        tmp_path / "w.csv",
        "Winner,Looser,Score",
        given,
        columns={"winner": "Winner", "loser": "Looser", "result": "Score"},
    )
    assert log.score.tolist() == [0.0, 0.5]
    assert log.report.problems["message"].tolist() == ["result says that the loser won"]


def test_two_scores(tmp_path: Path) -> None:
    given = [["a", "b", "3", "1"], ["a", "b", "0", "0"], ["a", "b", "", "1"], ["a", "b", "two", "1"]]
    log = rows(tmp_path / "p.csv", "player_a,player_b,points_a,points_b", given)
    assert log.score.tolist() == [1.0, 0.5]
    assert log.report.problems["reason"].tolist() == ["no-result", "bad-score"]


def test_a_score_below_0_on_both_sides_is_none(tmp_path: Path) -> None:
    given = [["a", "b", "-1", "-1"], ["a", "b", "-1.0", "-1"], ["a", "b", "1", "-1"], ["a", "b", "-2", "-1"]]
    log = rows(tmp_path / "p.csv", "player_a,player_b,points_a,points_b", given)
    assert log.score.tolist() == [1.0, 0.0]
    assert log.report.problems["reason"].tolist() == ["no-result"] * 2
    assert log.report.problems["message"][0] == "points are both '-1': no result"


def test_score_a_beats_the_other_ways(tmp_path: Path) -> None:
    log = rows(tmp_path / "s.csv", "player_a,player_b,score_a,result", [["a", "b", "1", "whatever"]])
    assert log.score.tolist() == [1.0]
    with pytest.raises(ReadError, match="has no column 'score_a'"):
        rows(tmp_path / "n.csv", "player_a,player_b,goals", [["a", "b", "1"]])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.text(max_size=6))))
def test_no_row_is_lost(tmp_path_factory: pytest.TempPathFactory, given: list[tuple[str, str, str]]) -> None:
    path = tmp_path_factory.mktemp("r") / "r.csv"
    cells = [[a, b, '"' + text.replace('"', '""') + '"'] for a, b, text in given]
    try:
        log = rows(path, "player_a,player_b,result", cells)
    except (ReadError, UnicodeEncodeError):
        return
    report = log.report
    assert report.accepted + report.held + report.rejected == report.rows


def test_the_real_files_are_told_right(data: Path) -> None:
    messy = data / "messy"
    squash = read_games(
        messy / "squash_club_2019_2022_pseudonymised.csv",
        columns={"winner": "Winner", "loser": "Looser", "result": "Score", "played_at": "Date", "order": "Index"},
    )
    assert (squash.report.accepted, int((squash.score == 0.5).sum())) == (183, 15)
    queens = read_games(
        messy / "kq_game_results_60_teams_pseudonymised.csv",
        columns={"player_a": "t1", "player_b": "t2", "points_a": "w1", "points_b": "w2", "played_at": "time"},
    )
    assert queens.report.accepted == 60


HEADER = "player_a,player_b,score_a,outcome,p,q,W,L"
ROW = [["ann", "bob", "0", "win", "3", "1", "ann", "bob"]]


@pytest.mark.parametrize(
    "columns", [{"result": "outcome"}, {"points_a": "p", "points_b": "q"}, {"winner": "W", "loser": "L"}]
)
def test_what_is_mapped_beats_what_the_header_says(tmp_path: Path, columns: dict[str, str]) -> None:
    assert rows(tmp_path / "m.csv", HEADER, ROW, columns=columns).score.tolist() == [1.0]


def test_two_ways_cannot_be_mapped_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the result is told twice, by points_a, points_b and result"):
        rows(tmp_path / "m.csv", HEADER, ROW, columns={"result": "outcome", "points_a": "p", "points_b": "q"})
    with pytest.raises(ReadError, match="has no column 'loser'"):
        rows(tmp_path / "m.csv", HEADER, ROW, columns={"winner": "W"})


@pytest.mark.parametrize("text", ["1,000-999", "1.000-999"])
def test_thousands_are_no_decimals(text: str) -> None:
    with pytest.raises(InputError, match="is no word for a result"):
        parse_result(text)


@pytest.mark.parametrize("text", ["2024-01", "05-2024"])
def test_a_month_is_no_score(text: str) -> None:
    with pytest.raises(InputError, match="looks like a date"):
        parse_result(text)


def test_a_mapping_settles_what_a_name_leaves_open(tmp_path: Path) -> None:
    assert parse_result("draw", "draw", "bob", {"draw": "draw"}).score == 0.5
    assert parse_result("7", "3", "7").score == 0.0
    for wrong in ({"bothbad": "drew"}, {"x": 1}, ["x"], "bothbad=draw"):
        with pytest.raises(InputError, match="results"):
            rows(tmp_path / "r.csv", "player_a,player_b,result", [["a", "b", "1"]], results=wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no column of results is read"):
        rows(tmp_path / "r.csv", "player_a,player_b,score_a", [["a", "b", "1"]], results={"bothbad": "draw"})


def test_what_contradicts_itself_is_refused(tmp_path: Path) -> None:
    log = rows(
        tmp_path / "e.csv",
        "player_a,player_b,result,ending",
        [["a", "b", "1-0F", "normal"], ["a", "b", "1", "timeout"]],
    )
    assert log.report.problems["message"].tolist() == ["the ending is normal, and result says walkover"]
    log = rows(
        tmp_path / "w.csv",
        "winner,loser,r",
        [["a", "b", "0.25"]],
        columns={"winner": "winner", "loser": "loser", "result": "r"},
    )
    assert log.report.rejected == 1


def winners(tmp_path: Path, *lines: str, **options: object) -> GameLog:
    (tmp_path / "w.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_games(tmp_path / "w.csv", **options)  # type: ignore[arg-type]


def test_a_winner_without_the_score_that_others_have_is_no_win(tmp_path: Path) -> None:
    lines = ("winner,loser,score", "ann,bob,3:0", "ann,cid,")
    report = winners(tmp_path, *lines).report
    assert report.problems["reason"].tolist() == ["no-result"]
    assert any(note.startswith("1 of 2 rows have no result: walkovers, or games that nobody") for note in report.notes)
    assert len(winners(tmp_path, *lines, columns={"result": ""})) == 2
    assert len(winners(tmp_path, "winner,loser,score", "ann,bob,", "ann,cid,")) == 2


def test_words_of_a_column_of_endings_are_mapped_too(tmp_path: Path) -> None:
    lines = ("winner,loser,score,Bemerkung", "ann,bob,3:0,", "ann,cid,,kampflos", "ann,bob,3:1,")
    columns = {"ending": "Bemerkung"}
    unknown = winners(tmp_path, *lines, columns=columns).report
    assert unknown.problems["reason"].tolist() == ["unknown-ending"]
    assert any("results={'kampflos': 'walkover'}" in note for note in unknown.notes)
    log = winners(tmp_path, *lines, columns=columns, results={"kampflos": "walkover", "foo": "win"})
    assert log.to_table()["ending"].tolist() == [None, "walkover", None]
    assert "results: 1 of 2 in no cell: 'foo'" in log.report.notes


@pytest.mark.parametrize(
    ("cell", "meant"),
    [
        ("kampflos", "results={'kampflos': 'walkover'}, or win, draw, loss, void,"),
        ("Remis.", "results={'Remis.': 'draw'}, or win, loss, walkover, void,"),
        ("11 Spiele", "results={'11 Spiele': '...'}, or win, draw, loss, walkover, void,"),
    ],
)
def test_the_example_for_a_word_that_is_not_known_is_what_it_may_mean(tmp_path: Path, cell: str, meant: str) -> None:
    report = winners(tmp_path, "player_a,player_b,result", "ann,bob,1-0", f"ann,bob,{cell}").report
    assert any(meant in note for note in report.notes)


def test_walkovers_beside_a_score_and_what_a_spreadsheet_makes_of_one(tmp_path: Path) -> None:
    rows = ("3:0 w.o.", "w.o.", "WO", "03:01:00", "03. Jan")
    log = winners(tmp_path, "player_a,player_b,result", *(f"ann,bob,{row}" for row in rows))
    assert (log.score.tolist(), log.to_table()["ending"].tolist()) == ([1.0], ["walkover"])
    assert [message.partition(",")[0] for message in log.report.problems["message"][:2]] == ["no result: walkover"] * 2
    times, dates = log.report.problems["message"][2:]
    assert "a time that a spreadsheet made of a score" in times
    assert "a date that a spreadsheet made of a score" in dates


def test_players_whose_names_are_words_for_results(tmp_path: Path) -> None:
    """In a column of names, a cell that is the name of one of the two is that player."""
    lines = ("claude,x,claude", "x,w,w", "x,claude,x", "w,draw,draw", "w,draw,tie")
    log = winners(tmp_path, "model_a,model_b,winner", *lines)
    assert log.score.tolist() == [1.0, 0.0, 1.0, 0.0, 0.5]
    assert "result has names of players, and 'draw', 'w', 'x' for the players of that name" in log.report.notes


@pytest.mark.parametrize(
    "lines",
    [
        ("claude,draw,draw", "claude,bob,draw", "bob,claude,claude"),  # a draw in another row
        ("w,x,w", "x,w,w"),  # nothing that is a name and no word
        ("x,claude,x", "claude,bob,win"),  # another word
    ],
)
def test_names_that_may_be_words_are_asked_about(tmp_path: Path, lines: tuple[str, ...]) -> None:
    report = winners(tmp_path, "player_a,player_b,result", *lines).report
    assert report.problems["reason"].tolist() == ["unknown-result"]


def test_a_player_spelt_otherwise_in_the_column_of_results(tmp_path: Path) -> None:
    report = winners(tmp_path, "player_a,player_b,result", "claude-y,bob,CLAUDE-Y", "claude-y,bob,bob").report
    assert report.problems["message"][0].endswith("did you mean the player 'claude-y'?")
    assert any("'CLAUDE-Y' for 'claude-y'" in note for note in report.notes)
    assert not any("'draw'" in note for note in report.notes)


@pytest.mark.parametrize(
    ("cell", "message"),
    [("6-4 4-6 7-6(5)", "it may be sets"), ("3:2 ret", "it says that somebody left, and not who")],
)
def test_scores_that_do_not_say_who_won(cell: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_result(cell, "ann", "bob")
