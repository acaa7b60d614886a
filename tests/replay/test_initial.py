"""Lists of ratings from elsewhere: read in any form, what is doubtful refused, everybody else a newcomer."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.replay.initial import InitialRatings, read_ratings

LOG = tm.GameLog.from_arrays(
    player_a=["A", "B", "C"], player_b=["B", "C", "A"], score_a=[1, 0, 0.5], played_at=["2026-01-01"] * 3
)


@pytest.fixture
def listed(tmp_path: Path) -> Callable[..., InitialRatings]:
    """`listed("player,rating\\n...", name="x.csv", ...)`: the file, read."""

    def read(text: str, name: str = "list.csv", **options: Any) -> InitialRatings:
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return read_ratings(file, **options)

    return read


def begun(start: tm.Snapshot, rules: str = "paper") -> dict[str | int, tuple[float, float]]:
    """Rating and deviation of everybody before their first game."""
    log = tm.GameLog.from_arrays(
        player_a=["A", "B", "C"], player_b=["x", "y", "z"], score_a=[1, 1, 1], played_at=["2026-01-01"] * 3
    )
    history = tm.replay(log, rules, start, history=True).history
    rows = zip(history["player"], history["rating_before"].tolist(), history["deviation_before"].tolist(), strict=True)
    return {player: (rating, deviation) for player, rating, deviation in rows}


@pytest.mark.parametrize("nothing", ["", "NA", "-", "n/a"])
def test_a_missing_rating_is_no_fault_however_it_is_written(
    listed: Callable[..., InitialRatings], nothing: str
) -> None:
    found = listed(f"player,rating,deviation\nA,2104,{nothing}\nB,{nothing},50\nC,unrated,50\n")
    assert (found.rated, found.unrated, found.without_deviation, found.report.rejected) == (1, 1, 1, 1)


@pytest.mark.parametrize("zero", ["0", "0.0", " 0 "])
def test_ING_13_a_rating_of_0_means_unrated(cases: Path, listed: Callable[..., InitialRatings], zero: str) -> None:
    everything = json.loads((cases / "cases.json").read_text(encoding="utf-8"))
    case = next(case for case in everything if case["id"] == "ING-13")
    rows = [(name, zero if rating == 0 else rating) for name, rating in case["input"]["list"]]
    found = listed("player,rating\n" + "".join(f"{name},{rating}\n" for name, rating in rows), zero_means_unrated=True)
    assert found.average == case["expected"]["average_of_rated"]
    assert (found.rated, found.unrated) == (1, 2)
    assert found.summary() == "3 rows: 1 rated (average 2104), 2 unrated"
    initial = tm.methodology("paper").initial()
    at_start = begun(found.start)
    assert at_start["A"][0] == pytest.approx(case["expected"]["A"])
    for name in "BC":
        assert at_start[name] == (initial.rating, initial.deviation)


def test_a_doubtful_0_is_decided_by_somebody(listed: Callable[..., InitialRatings]) -> None:
    text = "player,rating\nA,2104\nB,0\nC,\n"
    with pytest.raises(tm.InputError, match=r"has 1 rating of 0, and all others are 2104 or more") as refused:
        listed(text)
    assert refused.value.hint is not None
    assert "zero_means_unrated=True" in refused.value.hint
    assert listed(text, zero_means_unrated=False).average == 1052
    centred = listed("player,rating\nA,1.5\nB,0\nC,-1.5\n")
    assert (centred.rated, centred.average) == (3, 0.0)
    assert math.isnan(listed("player,rating\nA,\n").average)


TRF = "001 {number:>4}      {name:<33} {rating:>4} AUT {fide:>11} 1980/01/01  1.0    1"


def test_a_tournament_report(listed: Callable[..., InitialRatings]) -> None:
    lines = [
        TRF.format(number=1, name="Ann, A", rating=2104, fide=100),
        TRF.format(number=2, name="Bob, B", rating=0, fide=200),
        TRF.format(number=3, name="Cid, C", rating="", fide=300),
    ]
    found = listed("012 Open\n" + "\n".join(lines) + "\n", name="open.trf")
    assert (found.rated, found.unrated, found.average) == (1, 2, 2104)
    assert listed("\n".join(lines) + "\n", name="open.trf", zero_means_unrated=False).rated == 2


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("l.csv", "player,rating,deviation\nA,1600,50\nB,1400.5,\n", {}),
        ("l.csv", "Name,Elo,RD\nA,1600,50\nB,1400.5,\n", {}),
        ("l.csv", "id,std,rd,name\nA,1600,50,x\nB,1400.5,,y\n", {"columns": {"player": "id", "rating": "std"}}),
        ("l.tsv", "player\trating\tdeviation\nA\t1600\t50\nB\t1400.5\t\n", {}),
        ("l.csv", "player;rating;deviation\nA;1600;50\nB;1400,5;\n", {"delimiter": ";"}),
        ("l.json", '[{"player":"A","rating":1600,"deviation":50},{"player":"B","rating":1400.5,"deviation":null}]', {}),
        (
            "l.jsonl",
            '{"player":"A","rating":1600,"deviation":50}\n{"player":"B","rating":1400.5,"deviation":null}\n',
            {},
        ),
    ],
)
def test_any_form(listed: Callable[..., InitialRatings], name: str, text: str, options: dict[str, Any]) -> None:
    start = listed(text, name, **options).start
    assert start.player == ["A", "B"]
    at_start = begun(start)
    assert at_start["A"] == pytest.approx((1600, 50))
    assert at_start["B"] == pytest.approx((1400.5, tm.methodology("paper").initial().deviation))


def test_parquet_and_integers(tmp_path: Path) -> None:
    file = tmp_path / "l.parquet"
    tm.Table({"player": [7, 8], "rating": np.array([1600.0, 1400.0])}).write(file)
    assert read_ratings(file).start.player == [7, 8]


def test_what_a_replay_writes_is_read_back(tmp_path: Path) -> None:
    ratings = tm.replay(LOG, "paper").ratings
    for suffix in ("csv", "json", "parquet"):
        ratings.write(tmp_path / f"r.{suffix}")
        found = read_ratings(tmp_path / f"r.{suffix}")
        assert found.report.notes == ()
        assert found.start.pool == ["", "", ""]
        at_start = begun(found.start)
        for row in ratings.rows():
            assert at_start[str(row["player"])] == pytest.approx((row["rating"], row["deviation"]))


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("player,rating\nA,1\nA,2\n", {}, "has 'A' twice: line 2 and line 3"),
        ("player,points\nA,1\n", {}, "has no column 'rating'; it has player, points"),
        ("team,name,rating\nx,A,1\n", {}, "has several columns that may be player: name, team"),
        ("player,rating\nA,1\n", {"columns": {"rating": "elo"}}, r"has no column 'elo' \(for rating\)"),
    ],
)
def test_what_is_no_list(listed: Callable[..., InitialRatings], text: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(tm.ReadError, match=said):
        listed(text, **options)


def test_a_column_that_is_none(listed: Callable[..., InitialRatings]) -> None:
    with pytest.raises(tm.InputError, match="no column of ratings is called 'elo'; there are player, rating"):
        listed("player,rating\nA,1\n", columns={"elo": "rating"})


def test_rows_that_say_nothing_are_named(listed: Callable[..., InitialRatings]) -> None:
    found = listed("player,rating,deviation\nA,1600,50\n,1500,50\nB,much,50\nC,1500,-1\nD,inf,1\n")
    assert (found.rated, found.unrated, found.report.rejected) == (1, 0, 4)
    assert found.report.problems["line"].tolist() == [3, 4, 5, 6]
    assert found.summary().split("\n")[0] == "5 rows: 1 rated (average 1600), 0 unrated; 4 rejected"


def test_pools(listed: Callable[..., InitialRatings]) -> None:
    text = "player,rating,board\nA,1600,9\nA,1500,19\nB,1400,19\n"
    found = listed(text, columns={"pool": "board"})
    assert list(zip(found.start.pool, found.start.player, strict=True)) == [("9", "A"), ("19", "A"), ("19", "B")]
    with pytest.raises(tm.ReadError, match="twice"):
        listed(text)


def test_who_is_in_no_game(listed: Callable[..., InitialRatings]) -> None:
    assert listed("player,rating\nA,1600\nZed,1500\n").unknown_to(LOG) == ["Zed"]
    with pytest.raises(tm.InputError, match="nobody of the list plays a game: it has 'Zed', the games have 'A'"):
        listed("player,rating\nZed,1500\n").unknown_to(LOG)


def test_far_off_ratings_are_noted(listed: Callable[..., InitialRatings]) -> None:
    rows = "".join(f"p{at},{1500 + at}\n" for at in range(30))
    (note,) = listed(f"player,rating\n{rows}X,15\n").report.notes
    assert note == "1 rating far from the others: 'X' with 15"


def test_ratings_age_from_the_time_they_held_at(listed: Callable[..., InitialRatings]) -> None:
    text = "player,rating,deviation\nA,1600,50\n"
    now, long_ago = (listed(text, at=at).start for at in ("2026-01-01", "2016-01-01"))
    rules = tm.methodology("lichess")
    deviations = [
        tm.replay(LOG, rules, start, history=True).history["deviation_before"][0] for start in (None, now, long_ago)
    ]
    assert deviations[1] < deviations[2] < deviations[0]


def test_a_list_of_starting_bands(listed: Callable[..., InitialRatings]) -> None:
    found = listed("player,band\nA,4\nB,NA\nC,0\nD,5\nE,2.5\nF,1\n")
    assert (found.rated, found.unrated, found.banded, found.without_deviation) == (0, 4, 2, 0)
    assert found.summary().split("\n") == [
        "6 rows: 0 rated, 4 unrated (2 with a starting band); 2 rejected",
        "  2 rejected: bad-number (line 5: band is 5; starting bands are 1 to 4, and 0 is none)",
    ]
    assert begun(found.start, "go-onchain")["A"][0] == pytest.approx(1837.384, abs=1e-3)
    assert begun(found.start, "go-onchain")["B"][0] == 1500.0
    assert found.unknown_to(LOG) == []
    with pytest.raises(tm.InputError, match="nobody of the list plays"):
        listed("player,band\nX,4\n").unknown_to(LOG)


def test_bands_beside_ratings(listed: Callable[..., InitialRatings]) -> None:
    found = listed("player,rating,Starting band,deviation\nA,1600,1,80\nB,,2,\n", at="2026-01-01")
    assert (found.rated, found.unrated, found.banded, found.without_deviation) == (1, 1, 1, 0)
    assert begun(found.start, "go-float")["A"] == (1600.0, 80.0)
    assert begun(found.start, "go-float")["B"][0] == pytest.approx(920.533, abs=1e-3)
    with pytest.raises(tm.InputError, match="'B' has a starting band and no rating, and paper-1 has no starting bands"):
        begun(found.start)
    with pytest.raises(tm.ReadError, match="no column 'rating'"):
        listed("player,grade\nA,1\n")


def test_a_deviation_without_a_rating_is_no_newcomers(listed: Callable[..., InitialRatings]) -> None:
    found = listed("player,rating,deviation,band\nA,,100,4\nB,,,4\n")
    start = begun(found.start, "go-onchain")
    assert start["A"] == start["B"]
    assert "deviation is not read of 1 player with a starting band and no rating" in found.report.notes
    assert begun(listed("player,band\nA,4\n", deviation=80).start, "go-onchain")["A"] == start["A"]
