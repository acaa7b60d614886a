"""SGF: the root of each game tree, what its properties mean, and what is cut short."""

from pathlib import Path

import pytest

from tallymark import GameLog, ReadError, read_games
from tallymark.games.vocabulary import Ending


def tree(
    black: str = "ann", white: str = "bob", result: str = "B+R", more: str = "", moves: str = ";B[qd];W[dd]"
) -> str:
    return f"(;GM[1]FF[4]SZ[19]PB[{black}]PW[{white}]RE[{result}]KM[6.5]{more}{moves})\n"


def read(tmp_path: Path, text: str | bytes, encoding: str = "utf-8", **columns: str) -> GameLog:
    (tmp_path / "g.sgf").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_games(tmp_path / "g.sgf", encoding=encoding, columns=columns)


def problems(log: GameLog) -> list[tuple[int, str]]:
    table = log.report.problems
    return list(zip(table["line"].tolist(), table["message"].tolist(), strict=True))


def test_games_with_all_that_is_told_of_them(tmp_path: Path) -> None:
    log = read(tmp_path, tree(more="HA[2]DT[2026-01-31]") + tree("cid", "ann", "W+3.5", "HA[0]DT[2026-02-01]SO[x]"))
    assert [log.players[a] for a in log.a] == ["ann", "cid"]
    assert log.score.tolist() == [1.0, 0.0]
    assert log.board is not None
    assert log.board.tolist() == [19, 19]
    assert log.komi is not None
    assert log.komi.tolist() == [6.5, 6.5]
    assert log.handicap is not None
    assert log.handicap.tolist() == [2, 0]
    assert log.ending is not None
    assert log.ending.tolist() == [Ending.RESIGNATION.code, Ending.NORMAL.code]
    told = next(note for note in log.report.notes if "player_a" in note)
    assert "player_a = PB (Black), player_b = PW (White)" in told


@pytest.mark.parametrize(
    ("result", "score", "ending"),
    [
        ("B+R", 1.0, Ending.RESIGNATION),
        ("W+Resign", 0.0, Ending.RESIGNATION),
        ("b+t", 1.0, Ending.TIMEOUT),
        ("W+Time", 0.0, Ending.TIMEOUT),
        ("B+F", 1.0, Ending.FORFEIT),
        ("B+Forfeit", 1.0, Ending.FORFEIT),
        ("W+0.5", 0.0, Ending.NORMAL),
        ("B+12", 1.0, Ending.NORMAL),
        ("B+", 1.0, None),
        ("B+whim", 1.0, None),
        ("0", 0.5, None),
        ("Draw", 0.5, None),
        (" Jigo ", 0.5, None),
    ],
)
def test_results(tmp_path: Path, result: str, score: float, ending: Ending | None) -> None:
    log = read(tmp_path, tree(result=result))
    assert log.score.tolist() == [score]
    assert (-1 if log.ending is None else log.ending[0]) == (-1 if ending is None else ending.code)
    said = "ending is left empty where RE names none that is known: 'whim' (1)"
    assert (said in log.report.notes) == (result == "B+whim")


@pytest.mark.parametrize(
    ("result", "reason"), [("?", "no-result"), ("Void", "no-result"), ("", "no-result"), ("C", "unknown-result")]
)
def test_no_results(tmp_path: Path, result: str, reason: str) -> None:
    log = read(tmp_path, tree(result=result))
    assert log.report.problems["reason"].tolist() == [reason]


@pytest.mark.parametrize(
    ("date", "day"),
    [
        ("2018-07-30", "2018-07-30"),
        ("2018-07-30,31", "2018-07-31"),
        ("2018-07-30,08-01,02", "2018-08-02"),
        ("2018-12-31,2019-01-01", "2019-01-01"),
        ("2018.07.30", "2018-07-30"),
    ],
)
def test_dates(tmp_path: Path, date: str, day: str) -> None:
    log = read(tmp_path, tree(more=f"DT[{date}]"))
    assert log.time is not None
    assert str(log.time.view("datetime64[us]")[0])[:10] == day
    assert ("games of several days: 1; the last day counts" in log.report.notes) == ("," in date)


@pytest.mark.parametrize("date", ["2018-07", "2018", "2018-07-30,soon", "2018-02-30", "30,31"])
def test_what_is_no_day_is_a_fault(tmp_path: Path, date: str) -> None:
    log = read(tmp_path, tree(more="DT[2018-07-30]") * 9 + tree(more=f"DT[{date}]"))
    assert (log.report.rejected, log.report.problems["reason"].tolist()) == (1, ["bad-time"])


def test_text_around_trees_and_escapes(tmp_path: Path) -> None:
    text = (
        "(c) 2026 ann\n\n" + tree(r"a\]\\n\:n", "b\\\no\tb", more="C[(;GM[1\\]PB[x\\]]") + "and\n" + tree("cid") + "end"
    )
    log = read(tmp_path, text)
    assert log.players == ["a]\\n:n", "bo b", "bob", "cid"]


def test_trees_with_variations_and_several_on_a_line(tmp_path: Path) -> None:
    moves = ";B[qd](;W[dd];B[aa]C[a ) b ( \\] ])\n(;W[dp](;B[cc])\n(;C[no game]B[dd]))"
    log = read(tmp_path, tree(moves=moves).strip() + tree("cid", moves="") + tree("dora", moves=moves))
    assert log.players == ["ann", "bob", "cid", "dora"]
    assert not any("not closed" in note for note in log.report.notes)


@pytest.mark.parametrize("cut", [";B[qd];W[d", ";B[qd](;W[dd]", ";B[qd];W \u2026", ";B[qd]C[and so on (;"])
@pytest.mark.parametrize("start", ["(;GM[1]", "(;\nGM[1]", "(\n;\n\nGM[1]"])
def test_trees_that_are_cut_short_in_their_moves_count(tmp_path: Path, cut: str, start: str) -> None:
    one = tree(moves=cut).rstrip(")\n") + "\n\n%% next.sgf\n"
    text = (one + tree("cid", moves=cut)).replace("(;GM[1]", start)
    log = read(tmp_path, text)
    assert log.players == ["ann", "bob", "cid"]
    assert any(
        note.startswith("games that are not closed: ") and "(the first on line 1)" in note for note in log.report.notes
    )


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ("(;GM[1]PB[ann]PW[bo", "the game is cut short before its moves (line 2)"),
        ("(;GM[1]PB[ann]PW", "'P' where a property is expected (line 2)"),
        ("(;GM[1]PB[ann]", "the game is cut short before its moves (line 3)"),
        ("(;GM[1]PB[ann]7;B[aa])", "'7' where a property is expected (line 2)"),
        ("(;GM[1]PB[ann]PB[cid]PW[bob]RE[B+R])", "the property PB is there twice"),
    ],
)
def test_roots_that_are_damaged_are_named(tmp_path: Path, root: str, message: str) -> None:
    log = read(tmp_path, tree("cid") + root + "\n" + tree("dora"))
    assert (log.players, problems(log)) == (["bob", "cid", "dora"], [(2, message)])


def test_names_of_properties_in_the_old_way(tmp_path: Path) -> None:
    assert read(tmp_path, "(;GaMe[1]PlayerBlack[ann]PlayerWhite[bob]REsult[B+R])").players == ["ann", "bob"]


def test_a_game_that_says_it_is_in_another_encoding(tmp_path: Path) -> None:
    chinese = tree("\u67ef\u6d01", more="CA[GB2312]")
    with pytest.raises(ReadError, match="line 1: the game says that it is in GB2312, and is read as UTF-8") as error:
        read(tmp_path, chinese)
    assert error.value.hint == "choose encoding='gb2312', or encoding='utf-8-sig' if it is UTF-8 all the same"
    assert read(tmp_path, chinese.encode("gb2312"), "gb2312").players == ["bob", "\u67ef\u6d01"]
    assert read(tmp_path, chinese, "utf-8-sig").players == ["bob", "\u67ef\u6d01"]
    assert read(tmp_path, tree(more="CA[GB2312]")).players == ["ann", "bob"]
    with pytest.raises(ReadError, match="are not UTF-8"):
        read(tmp_path, chinese.encode("gb2312"))


@pytest.mark.parametrize(("text", "message"), [("", "is empty"), ("no trees\n", "is empty"), ("(;", "cut short")])
def test_what_has_no_games(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ReadError, match=message) as error:
        read(tmp_path, text)
    assert "(;GM[1]" in (error.value.hint or "")


def test_square_boards_and_others(tmp_path: Path) -> None:
    log = read(tmp_path, tree().replace("SZ[19]", "SZ[9:9]") + tree("cid").replace("SZ[19]", "SZ[9:13]"))
    assert log.board is not None
    assert log.board.tolist() == [9]
    assert problems(log) == [(2, "board is '9:13', which is not a number")]


def test_a_long_value_without_an_end_takes_no_longer_than_it_is_long(tmp_path: Path) -> None:
    with pytest.raises(ReadError):
        read(tmp_path, "(;GM[1]PB[" + "a\\" * 200_000 + "(;" * 200_000)


def test_go_headers_cut_short(data: Path) -> None:
    log = read_games(data / "messy" / "go_sgf_headers_truncated.txt")
    assert (log.report.rows, log.report.accepted) == (33, 17)
    assert any("not closed: 32" in note for note in log.report.notes)
    assert problems(log)[-1] == (431, "the game is cut short before its moves (line 438)")
