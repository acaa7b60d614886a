"""What is rated and what is published: endings, short games, teams, provisional, established, peak."""

import numpy as np
import pytest

from tallymark import GameLog, Methodology, Rating, Replay, Snapshot, methodology, replay


def one_game(m: Methodology | str, score: float = 1.0, start: Snapshot | None = None, **columns: object) -> Replay:
    log = GameLog.from_arrays(
        player_a=["ann"],
        player_b=["bob"],
        score_a=[score],
        played_at=["2024-05-01T12:00:00Z"],
        **{name: [value] for name, value in columns.items()},
    )
    return replay(log, m, start=start, history=True, predictions=True)


@pytest.mark.parametrize(
    "ending", ["normal", "resignation", "timeout", "forfeit", "illegal", "disconnect", "adjudicated"]
)
def test_played_endings_are_rated(ending: str) -> None:
    assert one_game("arena-v0", ending=ending).report.rated == 1


@pytest.mark.parametrize("ending", ["walkover", "bye", "unfinished", "aborted", "void"])
def test_other_endings_are_not_rated_and_say_so(ending: str) -> None:
    r = one_game("arena-v0", ending=ending)
    assert (r.report.rated, r.report.not_rated, len(r.ratings)) == (0, {"ending": 1}, 0)


def test_draws_where_a_pool_does_not_allow_them() -> None:
    assert one_game("votes", 0.5).report.not_rated == {"draw": 1}
    allowed = one_game(methodology("votes").with_({"rated.draws": True}), 0.5)
    assert (allowed.ratings.rating[0], allowed.ratings.deviation[0], allowed.ratings.volatility[0]) == (
        1500.0,
        290.32,
        0.059999,
    )


GO = methodology("go-float")


@pytest.mark.parametrize(
    ("steps", "ending", "score", "rated"),
    [
        (19, "normal", 1.0, {"short": 1}),
        (20, "normal", 1.0, {}),
        (19, "resignation", 1.0, {}),
        (19, "timeout", 0.0, {}),
        (19, "resignation", 0.5, {"short": 1}),
        (19, None, 1.0, {"short": 1}),
        (None, "normal", 1.0, {}),
    ],
)
def test_short_games(steps: int | None, ending: str | None, score: float, rated: dict[str, int]) -> None:
    assert one_game(GO, score, steps=steps, ending=ending).report.not_rated == rated


def test_a_short_resigned_game_changes_the_loser_as_in_full_and_only_ages_the_winner() -> None:
    start = Snapshot.from_arrays(
        player=["ann", "bob"], rating=[1700.0, 1650.0], deviation=[100.0, 90.0], at="2024-04-01T12:00:00Z"
    )
    short = one_game(GO, start=start, steps=5, ending="resignation")
    full = one_game(GO, start=start, steps=200, ending="resignation")
    rows = [{row["player"]: row for row in r.ratings.rows()} for r in (short, full)]
    assert all(np.isnan(row.pop("peak")) for r in rows for row in r.values())  # type: ignore[arg-type]
    assert rows[0]["bob"] == rows[1]["bob"]
    ann = rows[0]["ann"]
    assert ann["rating"] == pytest.approx(1700.0, abs=1e-12)
    assert (ann["games"], ann["wins"]) == (0, 0)
    assert ann["last_played"] == rows[1]["ann"]["last_played"]
    assert ann["deviation"] == pytest.approx(GO.age(Rating(1700.0, 100.0, 0.0), 30).deviation, abs=1e-9)


def test_a_never_rated_winner_of_a_short_game_stays_unrated() -> None:
    r = one_game(GO, steps=5, ending="timeout")
    assert r.ratings.player.tolist() == ["bob"]


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"handicap": 2}, {"handicap": 1}),
        ({"handicap": 0}, {}),
        ({"board": 17}, {"board": 1}),
        ({"board": 9}, {}),
    ],
)
def test_only_even_games_on_the_boards(columns: dict[str, int], reason: dict[str, int]) -> None:
    assert one_game(GO, 1.0, None, **columns).report.not_rated == reason


def test_a_board_has_its_komi() -> None:
    fixed = GO.with_({"rated.komi": {"9": 5.5, "13": 6.5, "19": 6.5}})
    assert one_game(fixed, board=19, komi=6.5).report.not_rated == {}
    assert one_game(fixed, board=19, komi=0.5).report.not_rated == {"komi": 1}


def test_established_and_peak() -> None:
    """Sticky once phi <= 1 with a win and a loss; a peak needs ten games of both, and a queue game."""
    n = 40
    log = GameLog.from_arrays(
        player_a=["ann"] * n,
        player_b=["bob"] * n,
        score_a=[float(i % 3 > 0) for i in range(n)],
        played_at=[f"2024-05-{1 + i // 2:02d}T{12 * (i % 2):02d}:00:00Z" for i in range(n)],
        source=["queue"] * (n - 1) + ["casual"],
    )
    r = replay(log, GO, history=True)
    assert r.ratings.established.all()
    ann = [row for row in r.history.rows() if row["player"] == "ann"]
    counted = [row["rating_after"] - 2 * row["deviation_after"] for row in ann[10:-1]]  # type: ignore[operator]
    assert r.ratings.peak[r.ratings.player == "ann"][0] == pytest.approx(max(counted), abs=1e-9)
    early = replay(log.taken(np.arange(10)), GO)
    assert np.isnan(early.ratings.peak).all()
    winner_only = GameLog.from_arrays(
        player_a=["ann"] * 15, player_b=["bob"] * 15, score_a=[1.0] * 15, played_at=["2024-05-01"] * 15
    )
    assert not replay(winner_only, GO).ratings.established.any()


def test_provisional_at_the_boundary() -> None:
    """RD > 110 is provisional under arena-v0, 110.00 is not; from 110.00 it is under lichess-1."""
    for m, at_110 in (("arena-v0", False), ("lichess", True)):
        start = Snapshot.from_arrays(
            player=["low", "at", "high"],
            rating=[1500] * 3,
            deviation=[109.99, 110.0, 110.01],
            at="2024-05-01T12:00:00Z",
        )
        shown = {row["player"]: row["provisional"] for row in one_game(m, start=start).ratings.rows()}
        assert (shown["low"], shown["at"], shown["high"]) == (False, at_110, True)


def test_elo_is_provisional_under_ten_games() -> None:
    for n, provisional in ((9, True), (10, False)):
        log = GameLog.from_arrays(player_a=["a"] * n, player_b=["b"] * n, score_a=[1.0] * n)
        assert replay(log, "elo").ratings.provisional.tolist() == [provisional] * 2


def test_rankable_under_lichess() -> None:
    start = Snapshot.from_arrays(
        player=["x", "y"], rating=[1500] * 2, deviation=[75.0, 75.01], at="2024-05-01T12:00:00Z"
    )
    shown = {row["player"]: row["rankable"] for row in one_game("lichess", start=start).ratings.rows()}
    assert (shown["x"], shown["y"]) == (True, False)


def test_elo_shares_k_among_the_players_of_a_match() -> None:
    """64 players, K 32: place p changes by K / 63 ((64 - p) - 63 / 2); nothing is rounded away."""
    log = GameLog.from_entries(match=[1] * 64, player=list(range(64)), rank=list(range(1, 65)))
    r = replay(log, methodology("elo").with_(k=32))
    change = {row["player"]: row["rating"] - 1500.0 for row in r.ratings.rows()}  # type: ignore[operator]
    for place in range(1, 65):
        assert change[place - 1] == pytest.approx(32 / 63 * ((64 - place) - 31.5), abs=1e-9)


def test_unequal_teams_by_rule() -> None:
    teams = {"match": [1] * 8, "player": list("ABCDEFGH"), "rank": [1, 1] + [2] * 6, "team": ["x", "x"] + ["y"] * 6}
    log = GameLog.from_entries(**teams)  # type: ignore[arg-type]
    assert replay(log, "arena-v0").report.rated == 12
    strict = methodology("arena-v0").with_({"rated.unequal_teams": False})
    assert replay(log, strict).report.not_rated == {"unequal-teams": 12}
    none = methodology("arena-v0").with_({"rated.teams": "refuse"})
    assert replay(log, none).report.not_rated == {"teams": 12}


def test_votes_sum_opponents_in_the_order_of_their_ids() -> None:
    """A day's votes in any order of arrival give the same integers."""
    daily = methodology("votes").with_(period="1d")
    rng = np.random.default_rng(3)
    a = rng.integers(0, 30, 400)
    b = (a + rng.integers(1, 30, 400)) % 30
    s = rng.integers(0, 2, 400).astype(float)
    boards = []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(400)
        log = GameLog.from_arrays(
            player_a=a[order], player_b=b[order], score_a=s[order], played_at=["2024-01-01"] * 400
        )
        r = replay(log, daily).ratings
        boards.append([(row["player"], row["rating"], row["deviation"], row["volatility"]) for row in r.rows()])
    assert boards[0] == boards[1] == boards[2]


def test_what_was_not_asked_for_says_how_to_ask() -> None:
    r = replay(GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1]), "elo")
    with pytest.raises(ValueError, match="predictions were not kept"):
        _ = r.predictions
    with pytest.raises(ValueError, match="history was not kept"):
        _ = r.history


def test_times_are_needed_where_the_methodology_counts_them() -> None:
    log = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1])
    with pytest.raises(ValueError, match="paper-1 rates by calendar period, and the log has no played_at"):
        replay(log, "paper")
    with pytest.raises(ValueError, match="lichess-1 ages by elapsed time, and the log has no played_at"):
        replay(log, "lichess")


@pytest.mark.parametrize("name", ["paper", "elo", "lichess", "votes", "go-float"])
def test_an_empty_log_is_an_empty_board(name: str) -> None:
    r = replay(GameLog.from_arrays(player_a=[], player_b=[], score_a=[]), name, history=True, predictions=True)
    assert (len(r.ratings), len(r.history), len(r.predictions)) == (0, 0, 0)
    assert r.snapshot().player == []
