"""Chess against another program's rules, and each way in which it ends."""

import chess as peer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.arena.games.chess import CHESS, placed
from tallymark.arena.games.face import Choice, Position
from tallymark.games.vocabulary import Ending


def after(moves: str) -> Position:
    position = CHESS.start(bytes(32), 2)
    for move in moves.split():
        position.apply(position.awaited[0], move)
    return position


def ranks(position: Position) -> list[int]:
    assert position.outcome is not None
    return [side.rank for side in position.outcome.sides]


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 10**6), min_size=20, max_size=120))
def test_moves_are_those_of_another_program_in_uci_and_positions_its_fen(numbers: list[int]) -> None:
    position, board = CHESS.start(bytes(32), 2), peer.Board()
    for number in numbers:
        if not position.awaited:
            break
        assert position.awaited == (0 if board.turn else 1,)
        form = position.form(position.awaited[0])
        assert isinstance(form, Choice)
        assert sorted(form.actions) == sorted(move.uci() for move in board.legal_moves)
        action = form.actions[number % len(form.actions)]
        position.apply(position.awaited[0], action)
        board.push_uci(action)
        fen = str(position.seen(None)["fen"]).split()
        assert [*fen[:3], *fen[4:]] == [*(parts := board.fen().split())[:3], *parts[4:]]
        assert position.seen(0)["rows"] == [row.replace(" ", "") for row in str(board).split("\n")]


def test_white_is_the_first_seat_and_mate_wins() -> None:
    mated = after("f2f3 e7e5 g2g4 d8h4")
    assert mated.outcome is not None
    assert (mated.outcome.told, mated.outcome.ending, ranks(mated)) == ("black mates", Ending.NORMAL, [2, 1])
    scholar = after("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7")
    assert scholar.outcome is not None
    assert (scholar.outcome.told, ranks(scholar)) == ("white mates", [1, 2])


STALEMATE = (
    "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6"  # Loyd's, 10 moves
)


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (STALEMATE, "drawn: stalemate"),
        ("g1f3 g8f6 f3g1 f6g8 " * 2, "drawn: the position came a third time"),
    ],
)
def test_draws_are_at_once_and_say_why(moves: str, told: str) -> None:
    drawn = after(moves)
    assert drawn.outcome is not None
    assert (drawn.outcome.told, ranks(drawn)) == (told, [1, 1])
    assert drawn.awaited == ()


def test_castling_is_the_kings_move_and_a_promotion_names_its_piece() -> None:
    castled = after("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1")
    assert placed(str(castled.seen(None)["fen"]))[-1] == "RNBQ.RK."
    promoted = after("a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6")
    form = promoted.form(0)
    assert isinstance(form, Choice)
    assert {"b7a8q", "b7a8n", "b7a8r", "b7a8b"} <= set(form.actions)
    assert "resign" not in form.actions
    promoted.apply(0, "b7a8n")
    assert promoted.board().splitlines()[0] == "8 N n . q k b n r"
