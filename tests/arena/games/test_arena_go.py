"""Go: its points, its score, its endings, and what the ledger is told."""

import json
from random import Random

import pytest

from tallymark.arena.games.catalogue import game
from tallymark.arena.games.face import Choice, IllegalAction, Position
from tallymark.arena.games.go import KOMI, area, go
from tallymark.games.vocabulary import Ending
from tallymark.methodology import methodology


def after(moves: str, lines: int = 9) -> Position:
    position = go(lines).start(bytes(32), 2)
    for move in moves.split():
        position.apply(position.awaited[0], move)
    return position


def rows_of(position: Position) -> list[str]:
    rows = position.seen(None)["rows"]
    assert isinstance(rows, list)
    return [str(row) for row in rows]


def ended(position: Position) -> tuple[str, str, list[int]]:
    assert position.outcome is not None
    assert position.awaited == ()
    return position.outcome.told, position.outcome.ending, [side.rank for side in position.outcome.sides]


def test_points_are_spelt_as_gtp_spells_them_without_an_i_and_from_the_bottom() -> None:
    position = after("A1 J9 H5")
    rows = position.seen(1)["rows"]
    assert rows == ["........o", *["........."] * 3, ".......x.", *["........."] * 3, "x........"]
    form = position.form(1)
    assert isinstance(form, Choice)
    assert form.actions[-2:] == ("pass", "resign")
    assert {action[0] for action in form.actions[:-2]} == set("ABCDEFGHJ")
    assert len(form.actions) == 81 - 3 + 2
    assert position.board().splitlines()[-1] == "  A B C D E F G H J"
    for wrong in ("a2", "I5", "A10", "Pass", "D4 "):
        with pytest.raises(IllegalAction, match="action is"):
            position.apply(1, wrong)


def test_two_passes_end_it_and_the_area_is_counted_with_komi() -> None:
    assert ended(after("pass pass")) == ("white wins by 7", "normal", [2, 1])
    assert ended(after("E5 pass pass")) == ("black wins by 74", "normal", [1, 2])
    assert ended(after("E5 pass pass", 19)) == ("black wins by 353.5", "normal", [1, 2])


def test_dead_stones_count_until_they_are_captured() -> None:
    # Black has the board but for one white stone that could not live: it takes the free points from both.
    assert ended(after("E5 A1 pass pass")) == ("white wins by 7", "normal", [2, 1])


def test_as_much_for_both_is_a_draw_where_komi_is_whole() -> None:
    black = [*(f"{column}5" for column in "ABCDEFGH"), "J4", "pass", "pass"]
    white = [*(f"{column}6" for column in "ABCDEFGH"), "J5", "J6", "pass"]
    moves = " ".join(move for pair in zip(black, white, strict=True) for move in pair)
    position = after(moves)
    assert area(rows_of(position)) == (44, 37)
    assert ended(position) == ("drawn: both have as much", "normal", [1, 1])


def test_resignation_is_the_mover_s_alone_and_is_no_step() -> None:
    assert ended(after("E5 resign")) == ("white resigns", "resignation", [1, 2])
    assert ended(after("resign")) == ("black resigns", "resignation", [2, 1])
    position = after("E5")
    with pytest.raises(IllegalAction, match="seat 0 acts; seat 1 is awaited"):
        position.apply(0, "resign")
    position.apply(1, "resign")
    assert position.fields() == {"steps": 1, "board": 9, "komi": 7.0}
    assert position.turn == 2
    with pytest.raises(IllegalAction, match="seat 1 acts after the end: white resigns"):
        position.apply(1, "resign")


def test_a_ko_is_not_retaken_at_once_and_no_stone_kills_its_own() -> None:
    ko = after("D5 E5 C4 F4 D3 E3 E4 D4")  # white takes at D4 the stone on E4
    assert rows_of(ko)[5] == "..xo.o..."
    form = ko.form(0)
    assert isinstance(form, Choice)
    assert "E4" not in form.actions
    corner = after("E5 A2 E6 B1").form(0)
    assert isinstance(corner, Choice)
    assert "A1" not in corner.actions


def without_passing(seed: int) -> Position:
    random, position = Random(seed), go(9).start(bytes(32), 2)
    while position.awaited:
        form = position.form(position.awaited[0])
        assert isinstance(form, Choice)
        position.apply(position.awaited[0], random.choice(form.actions[:-2] or form.actions[:-1]))
    return position


def test_a_stone_that_brings_back_an_earlier_board_is_a_draw() -> None:
    sent = after("A2 C2 B2 D1 E5 A1 pass B1 C1 B1 pass")  # White's two are taken, White takes one back
    assert rows_of(sent)[-2:] == ["xxo......", ".o.o....."]
    sent.apply(1, "A1")
    assert ended(sent) == ("drawn: the board was as before", "normal", [1, 1])


def test_the_most_moves_end_it_and_the_board_counts_as_it_stands() -> None:
    reached = [position for position in map(without_passing, range(20)) if position.turn == 162]
    assert reached
    for position in reached:
        black, white = area(rows_of(position))
        lead = black - white - 7
        assert ended(position)[1:] == ("normal", [1, 2] if lead > 0 else [2, 1] if lead < 0 else [1, 1])


def test_the_engine_and_our_count_agree_on_who_wins() -> None:
    for seed in range(60):
        random, position = Random(seed), go(9).start(bytes(32), 2)
        while position.awaited:
            form = position.form(position.awaited[0])
            assert isinstance(form, Choice)
            position.apply(position.awaited[0], random.choice(form.actions[:-1]))
        told, _, places = ended(position)
        black, white = area(rows_of(position))
        lead = black - white - 7
        if "wins" in told:
            assert places == ([1, 2] if lead > 0 else [2, 1])
            assert told.endswith(f"wins by {abs(lead):g}")
        else:
            assert places == [1, 1]


def test_three_boards_share_a_pool_whose_rules_know_them_and_the_words_for_a_loss() -> None:
    rules = methodology("go-onchain-v2").rated
    for lines, komi in KOMI.items():
        one = game(f"go-{lines}x{lines}")
        assert (one.pool, one.rules) == ("go", "go-onchain-v2")
        assert lines in rules.boards
        assert one.start(bytes(32), 2).fields() == {"steps": 0, "board": lines, "komi": komi}
        assert json.dumps(one.start(bytes(32), 2).seen(0)["komi"]) == f"{komi:g}"
        assert f"{komi:g} points" in one.ruleset.told
        assert "Nothing is removed" in one.ruleset.told
        for reason in (Ending.TIMEOUT, Ending.ILLEGAL, Ending.DISCONNECT, Ending.RESIGNATION):
            assert one.counted(reason) in rules.short_loss
    assert game("chess").counted(Ending.DISCONNECT) is Ending.DISCONNECT
