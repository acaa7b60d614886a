"""Tic-tac-toe, connect four, othello and hex: their squares, and who wins how."""

from random import Random

import pytest

from tallymark.arena.games.boards import CONNECT_FOUR, HEX, OTHELLO, TIC_TAC_TOE
from tallymark.arena.games.face import Choice, Position
from tallymark.arena.games.openspiel import BoardGame
from tallymark.games.vocabulary import Ending


def after(game: BoardGame, moves: str) -> Position:
    position = game.start(bytes(32), 2)
    for move in moves.split():
        position.apply(position.awaited[0], move)
    return position


def choices(position: Position) -> tuple[str, ...]:
    form = position.form(position.awaited[0])
    assert isinstance(form, Choice)
    return form.actions


@pytest.mark.parametrize(
    ("game", "moves", "told", "ranks"),
    [
        (TIC_TAC_TOE, "a1 b1 a2 b2 a3", "x has three in a row", [1, 2]),
        (TIC_TAC_TOE, "a1 b1 a2 b2 c1 b3", "o has three in a row", [2, 1]),
        (TIC_TAC_TOE, "b2 a1 c1 a3 a2 c2 b1 b3 c3", "the board is full", [1, 1]),
        (CONNECT_FOUR, "1 2 1 2 1 2 1", "x has four in a row", [1, 2]),
        (CONNECT_FOUR, "1 2 3 3 4 5 4 4 5 5 6 5", "o has four in a row", [2, 1]),
        (
            HEX,
            " ".join(f"e{n} {'abcdfghijk'[n - 1]}11" for n in range(1, 11)) + " e11",
            "x joins top and bottom",
            [1, 2],
        ),
        (
            HEX,
            " ".join(f"k{n} {'abcdefghij'[n - 1]}11" for n in range(1, 11)) + " a1 k11",
            "o joins left and right",
            [2, 1],
        ),
    ],
)
def test_who_wins_and_how_it_is_told(game: BoardGame, moves: str, told: str, ranks: list[int]) -> None:
    position = after(game, moves)
    assert position.outcome is not None
    assert (position.outcome.told, position.outcome.ending) == (told, Ending.NORMAL)
    assert [side.rank for side in position.outcome.sides] == ranks
    assert position.seen(0)["told"] == told
    assert position.seen(0)["to_move"] is None
    assert position.fields() == {"steps": len(moves.split())}


def test_squares_are_columns_and_rows_from_the_top_left() -> None:
    assert after(TIC_TAC_TOE, "c1").seen(None)["rows"] == ["..x", "...", "..."]
    assert after(HEX, "k2 a11").seen(1)["rows"] == ["." * 11, "." * 10 + "x", *["." * 11] * 8, "o" + "." * 10]
    assert choices(TIC_TAC_TOE.start(bytes(32), 2)) == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")


def test_a_disc_falls_and_a_full_column_is_none() -> None:
    position = after(CONNECT_FOUR, "4 4 4 4 4 4")
    assert [str(row)[3] for row in list_of(position)] == list("oxoxox")
    assert choices(position) == ("1", "2", "3", "5", "6", "7")
    assert position.board().splitlines()[-1] == "1 2 3 4 5 6 7"


def list_of(position: Position) -> list[object]:
    rows = position.seen(None)["rows"]
    assert isinstance(rows, list)
    return rows


def test_othello_turns_discs_and_passes_only_where_nothing_can_be_turned() -> None:
    begun = OTHELLO.start(bytes(32), 2)
    assert sorted(choices(begun)) == ["c4", "d3", "e6", "f5"]
    assert list_of(after(OTHELLO, "d3"))[2:5] == ["...x....", "...xx...", "...xo..."]
    passed = 0
    for seed in range(30):
        random, position = Random(seed), OTHELLO.start(bytes(32), 2)
        while position.awaited:
            legal = choices(position)
            passed += legal == ("pass",)
            assert "pass" not in legal or legal == ("pass",)
            position.apply(position.awaited[0], random.choice(legal))
        discs = ["".join(map(str, list_of(position))).count(mark) for mark in "xo"]
        assert position.outcome is not None
        first, second = (side.rank for side in position.outcome.sides)
        assert (first < second, first == second) == (discs[0] > discs[1], discs[0] == discs[1])
        assert str(max(discs)) in position.outcome.told
    assert passed


def test_of_two_who_fill_a_board_of_hex_one_has_joined() -> None:
    for seed in range(10):
        random, position = Random(seed), HEX.start(bytes(32), 2)
        while position.awaited:
            position.apply(position.awaited[0], random.choice(choices(position)))
        assert position.outcome is not None
        assert position.outcome.told in ("x joins top and bottom", "o joins left and right")
        winner = 0 if position.outcome.sides[0].rank == 1 else 1
        assert joined([str(row) for row in list_of(position)], "xo"[winner], down=winner == 0)
        assert not joined([str(row) for row in list_of(position)], "xo"[1 - winner], down=winner == 1)


def joined(rows: list[str], mark: str, *, down: bool) -> bool:
    """Whether a side's stones join its edges, from the rules alone: a hexagon has two neighbours beside it, two above
    and two below, as rows are shifted to the right by half of one each."""
    board = rows if down else ["".join(column) for column in zip(*rows, strict=True)]
    seen = {(0, x) for x, there in enumerate(board[0]) if there == mark}
    queue = list(seen)
    while queue:
        y, x = queue.pop()
        if y == len(board) - 1:
            return True
        for place in ((y, x - 1), (y, x + 1), (y - 1, x), (y - 1, x + 1), (y + 1, x), (y + 1, x - 1)):
            inside = 0 <= place[0] < len(board) and 0 <= place[1] < len(board)
            if inside and place not in seen and board[place[0]][place[1]] == mark:
                seen.add(place)
                queue.append(place)
    return False
