from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.games import GameLog, read_games


def games(log: GameLog) -> list[tuple[object, object, object, float]]:
    assert log.match is not None
    assert log.matches is not None
    return [
        (log.matches[m], log.players[a], log.players[b], s)
        for m, a, b, s in zip(log.match.tolist(), log.a.tolist(), log.b.tolist(), log.score.tolist(), strict=True)
    ]


def reasons(log: GameLog) -> list[tuple[object, object]]:
    return [(row["row"], row["reason"]) for row in log.report.problems.rows()]


def test_every_two_players_meet_once_by_rank() -> None:
    log = GameLog.from_entries(match=["m"] * 3 + ["l"] * 2, player=["c", "a", 5, "x", "y"], rank=[2, "1.0", 2, 1, 2.5])
    assert games(log) == [("l", "x", "y", 1.0), ("m", 5, "a", 0.0), ("m", 5, "c", 0.5), ("m", "a", "c", 1.0)]
    assert log.game is None
    assert log.size_a is None
    assert (log.report.rows, log.report.accepted, log.report.games) == (5, 5, 4)


def test_matches_go_by_time() -> None:
    log = GameLog.from_entries(
        match=[1, 1, 2, 2],
        player=["a", "b"] * 2,
        rank=[1, 2] * 2,
        played_at=["2026-01-02"] * 2 + ["2026-01-01"] * 2,
        pool=["p"] * 4,
        ending=["forfeit"] * 2 + ["normal"] * 2,
    )
    assert [game[0] for game in games(log)] == [2, 1]
    assert log.ending is not None
    assert log.ending.tolist() == [0, 3]
    assert log.pools == ["p"]


def test_team_mates_do_not_meet() -> None:
    log = GameLog.from_entries(
        match=["m"] * 5, player=["a", "b", "c", "d", "e"], team=["t", "u", "t", "u", "v"], rank=[1, 2, 1, 2, 2]
    )
    assert [(a, b, s) for _, a, b, s in games(log)] == [
        ("a", "b", 1.0),
        ("a", "d", 1.0),
        ("a", "e", 1.0),
        ("b", "c", 0.0),
        ("b", "e", 0.5),
        ("c", "d", 1.0),
        ("c", "e", 1.0),
        ("d", "e", 0.5),
    ]
    assert log.size_a is not None
    assert log.size_b is not None
    assert log.size_a.tolist() == [2] * 8
    assert log.size_b.tolist() == [2, 2, 1, 2, 1, 2, 1, 1]


def test_faulty_entries_and_faulty_matches() -> None:
    log = GameLog.from_entries(
        match=["m1", "m1", "m1", "m2", "m2", "m3", "m3", None, "m4", "m4", "m4"],
        player=["a", "b", "c", "a", "a", "a", "b", "x", "a", "", "b"],
        rank=[1, 2, None, 1, 2, 1, "dnf", 1, 1, 2, 2],
        played_at=["2026-01-01"] * 10 + ["2026-01-02"],
    )
    assert reasons(log) == [
        (2, "no-rank"),
        (3, "player-twice"),
        (4, "player-twice"),
        (5, "nobody-to-play"),
        (6, "bad-number"),
        (7, "missing-match"),
        (8, "match-differs"),
        (9, "missing-player"),
        (10, "match-differs"),
    ]
    assert len(log) == 1


def test_teams_with_several_ranks_a_player_on_both_sides_and_one_team_alone() -> None:
    log = GameLog.from_entries(
        match=["m1"] * 3 + ["m2"] * 2 + ["m3"] * 2 + ["m4"],
        player=["a", "b", "c", "a", "a", "a", "b", "a"],
        team=["t", "t", "u", "t", "u", "t", "t", ""],
        rank=[1, 2, 3, 1, 2, 1, 1, 1],
    )
    assert [reason for _, reason in reasons(log)] == [
        *["team-ranks-differ"] * 3,
        *["player-twice"] * 2,
        *["nobody-to-play"] * 2,
        "missing-team",
    ]
    assert len(log) == 0


entries = st.lists(
    st.tuples(
        st.sampled_from(["m", "n", None]),
        st.sampled_from(["a", "b", "c", "d", "e", 1, 2, None]),
        st.sampled_from([1, 2, 2.5, None]),
        st.sampled_from(["t", "u", "v"]),
    ),
    max_size=16,
)


@given(entries, st.booleans())
def test_an_entry_is_in_a_game_or_in_the_report(rows: list[tuple[object, object, object, str]], teams: bool) -> None:
    match, player, rank, team = ([row[at] for row in rows] for at in range(4))
    log = GameLog.from_entries(match=match, player=player, rank=rank, team=team if teams else None)
    assert log.report.accepted + log.report.rejected == len(rows)
    out = {row["row"] for row in log.report.problems.rows()}
    playing = {(m, p) for m, a, b, _ in games(log) for p in (a, b)}
    assert playing == {(match[row], player[row]) for row in range(len(rows)) if row not in out}
    assert len(set(games(log))) == len(log)


@given(entries, st.randoms())
def test_shuffled_entries_give_the_same_games(rows: list[tuple[object, object, object, str]], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, two = (
        GameLog.from_entries(match=[r[0] for r in some], player=[r[1] for r in some], rank=[r[2] for r in some])
        for some in (rows, shuffled)
    )
    assert games(one) == games(two)


def test_an_entry_without_rank_takes_a_seat() -> None:
    log = GameLog.from_entries(match=[1] * 4, player=["a", "b", "c", "a"], rank=[1, 2, 3, None])
    assert reasons(log) == [(0, "player-twice"), (1, "player-twice"), (2, "player-twice"), (3, "no-rank")]
    assert len(log) == 0


def test_a_match_in_one_piece_where_matches_outnumber_the_games() -> None:
    log = GameLog.from_entries(match=[1, 2, 3, 3], player=["a", "b", "a", "b"], rank=[1, 1, 1, 2], order=[1, 1, 2, 2])
    assert games(log) == [(3, "a", "b", 1.0)]


def test_a_match_of_two_files_is_one_or_two(tmp_path: Path) -> None:
    header = "match,player,rank\n"
    one, other, more = (tmp_path / name for name in ("one.csv", "other.csv", "more.csv"))
    one.write_text(header + "1,ann,1\n1,bob,2\n")
    other.write_text(header + "1,cid,1\n1,dan,2\n2,cid,1\n2,dan,2\n")
    more.write_text(header + "1,bob,2\n1,ann,1\n")
    apart = read_games([one, other])
    assert (apart.report.held, apart.report.accepted, len(apart)) == (4, 2, 1)
    assert set(apart.report.problems["reason"]) == {"conflicting-game"}
    again = read_games([one, more])
    assert (again.report.rejected, again.report.accepted, len(again)) == (2, 2, 1)
    assert again.report.problems["message"][0] == f"match '1' is {one}, line 2 again"


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        (
            "k.jsonl",
            ['{"game_id": 7, "points": {"ann": 3, "bob": 1}}', '{"game_id": 7, "points": {"cid": 3, "ann": 1}}'],
        ),
        ("w.csv", ["match,player1,player2,rank1,rank2\n7,ann,bob,1,2", "7,cid,ann,1,2"]),
    ],
)
def test_a_match_of_two_rows_where_a_row_is_one(tmp_path: Path, name: str, rows: list[str]) -> None:
    file = tmp_path / name
    file.write_text("\n".join(rows) + "\n")
    log = read_games(file)
    assert (log.report.held, len(log)) == (2, 0)
    file.write_text(f"{rows[0]}\n" + rows[0].rpartition("\n")[2] + "\n")
    log = read_games(file)
    assert (log.report.rejected, log.report.accepted, len(log)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("l.csv", ["match,player,points", "m,a,-1", "m,b,-1.0", "m,c,-1", "n,a,-1", "n,b,0", "o,a,-3"]),
        (
            "k.jsonl",
            ['{"points": {"a": -1, "b": -1, "c": -1}}', '{"points": {"a": -1, "b": 0}}', '{"points": {"a": -3}}'],
        ),
        (
            "w.csv",
            ["match,player1,player2,player3,points1,points2,points3", "m,a,b,c,-1,-1,-1", "n,a,b,,-1,0,", "o,a,,,-3,,"],
        ),
    ],
)
def test_points_below_0_that_all_have_are_none(tmp_path: Path, name: str, rows: list[str]) -> None:
    file = tmp_path / name
    file.write_text("\n".join(rows) + "\n")
    log = read_games(file)
    assert [(log.players[a], log.players[b], score) for a, b, score in zip(log.a, log.b, log.score, strict=True)] == [
        ("a", "b", 0.0)
    ]
    told = log.report.problems["message"].tolist()
    assert told[-1].endswith("has no usable entry of another player")
    assert all(one.endswith("are -1: no result") for one in told[:-1])
