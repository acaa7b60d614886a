"""TRF: each game once, as both lines have it; forfeits, byes, contradictions, columns by characters or by bytes."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark import GameLog, ReadError, read_games, replay, standings
from tallymark.games.files.opening import Source
from tallymark.games.files.trf_file import trf_ratings
from tallymark.games.vocabulary import Ending

NAMES = ("Ek, Ann", "Fox, Bob", "Gil, Cid", "Hay, Dora")


def player(number: int, name: str, *rounds: str, rating: str = "1500", fide: str = "", width: int = 33) -> str:
    """A line of a player; each round like `2 w 1`."""
    line = f"001 {number:4} m    {name:<{width}} {rating:>4} AUT {fide:>11} 1990/00/00 {0:4.1f} {number:4}"
    for met in rounds:
        opponent, colour, result = met.split(" ") if met else ("", " ", " ")
        line += f"  {opponent:>4} {colour} {result}"
    return line


def tournament(*players: str, start: str = "2026/01/31", rounds: tuple[str, ...] = ()) -> str:
    head = ["012 Club Open", "022 Graz", f"042 {start}", "052 2026/02/02", f"062 {len(players)}"]
    if rounds:
        head.append("132".ljust(91) + "".join(f"{date:10}" for date in rounds))
    return "\r\n".join([*head, *players, ""])


def read(tmp_path: Path, text: str | bytes, encoding: str = "utf-8", **columns: str) -> GameLog:
    (tmp_path / "t.trf").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_games(tmp_path / "t.trf", encoding=encoding, columns=columns)


def pair(one: str, two: str) -> str:
    return tournament(player(1, "ann", one), player(2, "bob", two))


def problems(log: GameLog) -> list[tuple[int, str]]:
    table = log.report.problems
    return list(zip(table["line"].tolist(), table["message"].tolist(), strict=True))


def test_each_game_is_there_once(tmp_path: Path) -> None:
    text = tournament(
        player(1, NAMES[0], "3 w 1", "2 b =", "4 w 0"),
        player(2, NAMES[1], "4 b 0", "1 w =", "3 b 1"),
        player(3, NAMES[2], "1 b 0", "4 w 1", "2 w 0"),
        player(4, NAMES[3], "2 w 1", "3 b 0", "1 b 1"),
        rounds=("26/01/31", "26/02/01", "26/02/02"),
    )
    log = read(tmp_path, text)
    told = [
        (str(day)[:10], log.players[a], log.players[b], score)
        for day, a, b, score in zip(
            np.asarray(log.time).view("datetime64[us]"), log.a, log.b, log.score.tolist(), strict=True
        )
    ]
    ann, bob, cid, dora = NAMES
    assert told == [
        ("2026-01-31", ann, cid, 1.0),
        ("2026-01-31", dora, bob, 1.0),
        ("2026-02-01", bob, ann, 0.5),
        ("2026-02-01", cid, dora, 1.0),
        ("2026-02-02", ann, dora, 0.0),
        ("2026-02-02", cid, bob, 0.0),
    ]
    assert "players are told apart by their names, for 4 of 4 have no FIDE number" in log.report.notes


def test_without_dates_of_rounds_all_are_of_the_first_day(tmp_path: Path) -> None:
    log = read(tmp_path, pair("2 w 1", "1 b 0"))
    assert str(np.asarray(log.time).view("datetime64[us]")[0])[:10] == "2026-01-31"
    assert "not every round has a date (132): all games are of the first day (042), 2026-01-31" in log.report.notes


@pytest.mark.parametrize(
    ("one", "two", "score", "ending"),
    [
        ("2 w 1", "1 b 0", 1.0, None),
        ("2 b =", "1 w =", 0.5, None),
        ("2 w +", "1 b -", 1.0, Ending.WALKOVER),
        ("2 b +", "1 w -", 0.0, Ending.WALKOVER),
        ("2 w W", "1 b L", 1.0, Ending.WALKOVER),
        ("2 w d", "1 b d", 0.5, Ending.WALKOVER),
        ("2 - +", "1 - -", 1.0, Ending.WALKOVER),
    ],
)
def test_results(tmp_path: Path, one: str, two: str, score: float, ending: Ending | None) -> None:
    log = read(tmp_path, pair(one, two))
    assert log.score.tolist() == [score]
    assert (-1 if log.ending is None else log.ending[0]) == (-1 if ending is None else ending.code)
    assert replay(log, "paper").report.rated == (0 if ending else 1)


@pytest.mark.parametrize(("one", "two"), [("2 w -", "1 b -"), ("2 w  ", "1 b  ")])
def test_games_that_nobody_won(tmp_path: Path, one: str, two: str) -> None:
    text = pair("2 w x", "1 b y").replace(" w x", one[1:5]).replace(" b y", two[1:5])
    assert read(tmp_path, text).report.problems["reason"].tolist() == ["no-result"]


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        ("2 w 1", "1 b 1", "round 1: line 6 says w 1, and line 7 says b 1 of the same game"),
        ("2 w 1", "1 w 0", "round 1: line 6 says w 1, and line 7 says w 0 of the same game"),
        ("2 w =", "1 b 0", "round 1: line 6 says w =, and line 7 says b 0 of the same game"),
        ("2 w 1", "0000 - Z", "round 1 is against 2, whose line 7 names nobody"),
        ("9 w 1", "0000 - Z", "round 1 is against 9, of whom there is no line"),
        ("1 w 1", "0000 - Z", "round 1 is against itself"),
        ("0000 - 1", "", "round 1 has the result 1 and no opponent"),
        ("2 x 1", "0000 - Z", "round 1 is '   2 x 1', which is no opponent, colour and result"),
    ],
)
def test_contradictions_name_both_lines(tmp_path: Path, one: str, two: str, message: str) -> None:
    both = pair(one, two).split("\r\n")[5:]
    text = tournament(*both[:2], player(3, "cid", "4 w 1"), player(4, "dora", "3 b 0"))
    log = read(tmp_path, text)
    assert (len(log), problems(log)) == (1, [(6, message)])
    assert log.report.problems["reason"].tolist() == ["damaged-row"]


def test_byes_give_points_and_bye_is_nobody(tmp_path: Path) -> None:
    text = tournament(
        player(1, "ann", "2 w 1", "0000 - U", "0000 - H", ""),
        player(2, "bob", "1 b 0", "3 w 1", "0000 - Z", "0000 - +"),
        player(3, "BYE", "", "2 b 0", "", ""),
    )
    log = read(tmp_path, text)
    told = [(log.players[a], log.players[b], s) for a, b, s in zip(log.a, log.b, log.score.tolist(), strict=True)]
    assert told == [
        ("ann", "bob", 1.0),
        ("ann", "BYE", 1.0),
        ("bob", "BYE", 1.0),
        ("ann", "BYE", 0.5),
        ("bob", "BYE", 1.0),
    ]
    assert log.report.rejected == 0
    assert replay(log, "paper").ratings["player"].tolist() == ["ann", "bob"]
    assert standings(log)["points"].tolist() == [2.5, 2.0]


def test_fide_numbers_where_all_have_one(tmp_path: Path) -> None:
    one, two = player(1, "ann", "2 w 1", fide="1600001"), player(2, "bob", "1 b 0", fide="1600002", rating="0")
    log = read(tmp_path, tournament(one, two))
    assert log.players == ["1600001", "1600002"]
    assert "players are told apart by their FIDE numbers" in log.report.notes
    ratings = trf_ratings(Source(tmp_path / "t.trf"))
    assert ratings == (["1600001", "1600002"], ["ann", "bob"], [1500, 0])
    log = read(tmp_path, tournament(one, player(2, "bob", "1 b 0", fide="0", rating="")))
    assert log.players == ["ann", "bob"]
    assert trf_ratings(Source(tmp_path / "t.trf")).ratings == [1500, None]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (player(2, "ann", "1 b 0"), "line 7: 'ann' is on line 6 too, and a name is what tells players apart"),
        (player(2, "", "1 b 0"), "line 7: the player has neither a name nor a number"),
    ],
)
def test_players_that_cannot_be_told_apart(tmp_path: Path, second: str, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        read(tmp_path, tournament(player(1, "ann", "2 w 1"), second))


def test_a_starting_number_that_is_there_twice(tmp_path: Path) -> None:
    log = read(tmp_path, pair("2 w 1", "1 b 0") + player(2, "cid", "1 b 0"))
    assert problems(log) == [(8, "the starting number 2 is that of line 7 too")]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_columns_counted_in_characters_and_in_bytes(tmp_path: Path, encoding: str) -> None:
    name = "M\u00fcller, J\u00f6rg"
    lines = [player(1, name, "2 w 1", rating=""), player(2, "bob", "1 b 0")]
    assert read(tmp_path, tournament(*lines).encode(encoding), encoding).players == [name, "bob"]
    narrow = player(1, name, "2 w 1", rating="", width=33 - 2)  # as a program pads it that counts bytes
    assert read(tmp_path, tournament(narrow, lines[1])).players == [name, "bob"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no player in a TRF file"),
        ("012 Club Open\n", "no player in a TRF file"),
        ("hello there\n", "line 1: 'hello there"),
        ("001 x\n", "line 1: .* has its columns elsewhere"),
        (tournament(player(1, "ann"), player(2, "bob")), "has players and no games"),
    ],
)
def test_what_has_no_games(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ReadError, match=message) as error:
        read(tmp_path, text)
    assert error.value.hint


def swiss(players: int, rounds: int, seed: int) -> tuple[str, list[tuple[str, str, float]]]:
    """A tournament of random pairings and results, and its games as (White, Black, White's score)."""
    generator = random.Random(seed)
    met: list[list[str]] = [[] for _ in range(players)]
    games: list[tuple[str, str, float]] = []
    for _ in range(rounds):
        order = generator.sample(range(players), players)
        if players % 2:
            free = order.pop()
            met[free].append("0000 - U")
            games.append((f"player {free + 1}", "BYE", 1.0))
        for white, black in zip(order[::2], order[1::2], strict=True):
            result, other, score = generator.choice([("1", "0", 1.0), ("0", "1", 0.0), ("=", "=", 0.5)])
            met[white].append(f"{black + 1} w {result}")
            met[black].append(f"{white + 1} b {other}")
            games.append((f"player {white + 1}", f"player {black + 1}", score))
    lines = [player(n + 1, f"player {n + 1}", *met[n], rating=str(1400 + n)) for n in range(players)]
    return tournament(*lines, rounds=tuple(f"26/02/{day + 1:02}" for day in range(rounds))), games


@given(st.integers(2, 9), st.integers(1, 6), st.integers(0, 10**6))
def test_a_tournament_has_the_games_it_was_made_of(
    tmp_path_factory: pytest.TempPathFactory, players: int, rounds: int, seed: int
) -> None:
    text, games = swiss(players, rounds, seed)
    log = read(tmp_path_factory.getbasetemp(), text)
    assert log.report.rejected == 0
    told = [
        (log.players[a], log.players[b], score) for a, b, score in zip(log.a, log.b, log.score.tolist(), strict=True)
    ]
    assert sorted(map(str, told)) == sorted(map(str, games))


@given(st.integers(0, 10**6), st.data())
def test_a_damaged_tournament_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, seed: int, data: st.DataObject
) -> None:
    text, _ = swiss(4, 3, seed)
    at = data.draw(st.integers(0, len(text) - 1))
    broken = text[:at] + data.draw(st.text(max_size=2)) + text[at + data.draw(st.integers(0, 2)) :]
    try:
        report = read(tmp_path_factory.getbasetemp(), broken.encode("utf-8", "replace")).report
    except ReadError as error:
        assert error.hint  # noqa: PT017
    else:
        assert report.rows == report.accepted + report.rejected + report.held
