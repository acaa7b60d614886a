"""PGN: the tags of each game, whatever the files in the world do to them; what is damaged is named with its line."""

import sys
from pathlib import Path

import pytest

from tallymark import GameLog, MissingLibraryError, ReadError, read_games
from tallymark.games.times import MISSING
from tallymark.games.vocabulary import Ending


def game(white: str = "ann", black: str = "bob", result: str = "1-0", moves: str = "1. e4 e5", **more: str) -> str:
    tags = {"Event": "Club", "Date": "2026.01.31", "White": white, "Black": black, "Result": result, **more}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{moves} {result}\n\n"


def read(tmp_path: Path, text: str | bytes, **columns: str) -> GameLog:
    (tmp_path / "g.pgn").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_games(tmp_path / "g.pgn", columns=columns)


def problems(log: GameLog) -> list[tuple[int, str]]:
    table = log.report.problems
    return list(zip(table["line"].tolist(), table["message"].tolist(), strict=True))


def test_games_with_all_that_is_told_of_them(tmp_path: Path) -> None:
    text = game(UTCDate="2026.01.30", UTCTime="23:59:58", Termination="Time forfeit", PlyCount="81", WhiteElo="1500")
    log = read(tmp_path, text + game("cid", "ann", "1/2-1/2", Termination="Normal"))
    assert log.players == ["ann", "bob", "cid"]
    assert log.time is not None
    assert log.time.view("datetime64[us]").astype(str).tolist() == [
        "2026-01-30T23:59:58.000000",
        "2026-01-31T00:00:00.000000",
    ]
    assert log.score.tolist() == [1.0, 0.5]
    assert log.ending is not None
    assert log.ending.tolist() == [Ending.TIMEOUT.code, Ending.NORMAL.code]
    assert log.steps is not None
    assert log.steps.tolist() == [81, -1]
    told = next(note for note in log.report.notes if "player_a = White" in note)
    assert "player_b = Black" in told
    assert "ending = Termination" in told


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_ends_of_lines_and_marks(tmp_path: Path, end: str, mark: str) -> None:
    log = read(tmp_path, mark + (game() + game("cid", "cid")).replace("\n", end))
    assert (len(log), problems(log)) == (1, [(9, "'cid' plays against itself")])


@pytest.mark.parametrize("blanks", ["", "\n", "\n\n\n"])
def test_games_without_moves(tmp_path: Path, blanks: str) -> None:
    """Left to itself, python-chess takes these for one game."""
    tags = game().split("\n\n")[0] + "\n"
    log = read(tmp_path, blanks + tags + blanks + tags.replace("ann", "cid") + blanks + tags.replace("bob", "cid"))
    assert (len(log), log.players) == (3, ["ann", "bob", "cid"])


def test_tags_that_begin_otherwise_than_with_the_event(tmp_path: Path) -> None:
    text = '[White "ann"]\n[Event "x"]\n[Black "bob"]\n[Result "1-0"]\n\n'
    assert len(read(tmp_path, text + "1. e4 1-0\n\n" + text)) == 2
    assert len(read(tmp_path, text * 3)) == 3


def test_a_comment_that_is_cut_off_does_not_swallow_the_games_after_it(tmp_path: Path) -> None:
    assert len(read(tmp_path, game(moves="1. e4 {a remark that has no end") + game("cid") + game("dora"))) == 3


def test_blank_lines_among_moves_are_no_end(tmp_path: Path) -> None:
    moves = "1. e4 {one\n\ntwo} e5\n\n2. Nf3 (2. f4 {[%eval 1]}\n\nexf4) Nc6 {\n[%clk 0:01:00]}\n;a remark\n%escaped"
    assert len(read(tmp_path, game(moves=moves) + game("cid"))) == 2


def test_remarks_before_and_between_games(tmp_path: Path) -> None:
    assert len(read(tmp_path, "% a.pgn\n\n" + game() + "%% b.pgn\n; said somebody\n" + game("cid"))) == 2


def test_tags_on_one_line_and_quotation_marks(tmp_path: Path) -> None:
    text = '[Event "x"] [White "Bob \\"The Rook\\" \\\\ Smith"][Black "Al "A" Bo"]\n[Result "0-1"]\n\n0-1\n'
    assert read(tmp_path, text).players == ['Al "A" Bo', 'Bob "The Rook" \\ Smith']


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ('[White "ann', """'[White "ann' is no whole tag (line 3)"""),
        ("[White ann]", "'[White ann]' is no whole tag (line 3)"),
        ('[White "ann"', """'[White "ann"' is no whole tag (line 3)"""),
        ('[White "ann"]\n[White "cid"]', "the tag White is there twice (line 4)"),
        ("[", "'[' is no whole tag (line 3)"),
    ],
)
def test_damaged_tags_are_named_and_the_other_games_count(tmp_path: Path, broken: str, message: str) -> None:
    log = read(tmp_path, game().replace('[White "ann"]', broken) + game("cid") + game("dora"))
    assert (len(log), problems(log)) == (2, [(1, message)])
    assert log.report.problems["reason"].tolist() == ["damaged-row"]


def test_moves_without_tags_are_a_game_that_nobody_played(tmp_path: Path) -> None:
    log = read(tmp_path, game() + "1. d4 d5 1-0\n\n" + game("cid") + "1. c4 0-1\n")
    assert (len(log), log.report.rows) == (2, 4)
    assert problems(log) == [(n, "text without tags: nobody is said to have played") for n in (9, 19)]


def test_what_is_unknown_is_missing(tmp_path: Path) -> None:
    log = read(tmp_path, game() + game("?") + game("cid", result="*") + game("cid", Date="????.??.??"))
    assert problems(log) == [
        (9, "player_a is missing"),
        (17, "no result: unfinished"),
        (25, MISSING),
    ]


def test_part_of_a_date_is_no_date(tmp_path: Path) -> None:
    log = read(tmp_path, game() + game("cid", Date="2026.??.??") + game("dora", Date="2026.02.31"))
    assert [line for line, _ in problems(log)] == [9, 17]
    assert set(log.report.problems["reason"].tolist()) == {"bad-time"}


def test_no_result_is_no_draw(tmp_path: Path) -> None:
    log = read(tmp_path, game() + game("cid").replace('[Result "1-0"]\n', ""))
    assert problems(log) == [(9, "result is empty: no result")]


def test_words_for_endings_that_are_none_are_announced(tmp_path: Path) -> None:
    log = read(tmp_path, game(Termination="the cat") + game("cid", Termination="Abandoned") + game("dora"))
    assert len(log) == 3
    assert log.ending is not None
    assert sorted(log.ending.tolist()) == [-1, -1, Ending.ABORTED.code]
    assert "ending is left empty where Termination is no word for one: 'the cat' (1)" in log.report.notes


def test_raw_tags_can_be_mapped(tmp_path: Path) -> None:
    text = game(EventDate="2025.12.01", Site="https://a/1", BlackTeam="x", WhiteTeam="y")
    log = read(tmp_path, text, player_a="Black", player_b="White", played_at="EventDate", game="Site", result="Result")
    assert (log.players[log.a[0]], log.games) == ("bob", ["https://a/1"])
    assert log.time is not None
    assert str(log.time.view("datetime64[us]")[0])[:10] == "2025-12-01"


def test_a_tag_that_only_later_games_have(tmp_path: Path) -> None:
    log = read(tmp_path, "".join(game(f"a{n}") for n in range(300)) + game("late", Termination="Time forfeit"))
    assert log.ending is not None
    assert (log.ending == Ending.TIMEOUT.code).sum() == 1


def test_other_encodings_are_refused_and_read_when_chosen(tmp_path: Path) -> None:
    content = (game() + game("M\u00fcller")).encode("latin-1")
    with pytest.raises(ReadError, match="line 11: the bytes fc are not UTF-8") as error:
        read(tmp_path, content)
    assert "cp1252" in (error.value.hint or "")
    assert "M\u00fcller" in read_games(tmp_path / "g.pgn", encoding="latin-1").players


@pytest.mark.parametrize(
    ("text", "message"), [("", "is empty"), ("\n%x\n", "is empty"), ("a,b\n", "text without tags")]
)
def test_what_has_no_games(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ReadError, match=message) as error:
        read(tmp_path, text)
    assert "its tags" in (error.value.hint or "")


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chess.pgn", None)
    with pytest.raises(MissingLibraryError, match="python-chess") as error:
        read(tmp_path, game())
    assert error.value.hint == "pip install 'tallymark[chess]'; in a clone, uv run --extra chess tallymark ..."


def test_tcec_cut_short(data: Path) -> None:
    log = read_games(data / "messy" / "tcec_pgn_three_files_truncated_lines.pgn.txt")
    assert (len(log), log.report.rejected) == (3, 0)
    assert log.score.tolist() == [0.5, 1.0, 0.0]
    assert log.steps is not None
    assert log.steps.tolist() == [232, 116, 105]
