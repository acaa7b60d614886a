"""Files as people have them: each is read rightly with at most one mapping, or refused with what to do about it."""

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tallymark import ReadError, read_games


class Read(NamedTuple):
    """A file that is read: how, its counts, and games by line (winner's or player_a's first) with their scores."""

    file: str
    columns: dict[str, str]
    games: int
    players: int
    rejected: dict[str, int]
    met: dict[int, tuple[str, str, float]]
    endings: dict[str | None, int] = {}  # noqa: RUF012


READ = [
    Read(
        "engsoccerdata_facup_head40.csv",
        {},
        28,
        18,
        {"missing-time": 10, "no-result": 1},
        {2: ("Barnes", "Civil Service", 1.0), 5: ("Upton Park", "Clapham Rovers", 0.0)},
    ),
    Read(
        "international_results_NA_and_head.csv",
        {},
        24,
        4,
        {},
        {2: ("Scotland", "England", 0.5), 3: ("England", "Scotland", 1.0), 8: ("England", "Scotland", 0.0)},
    ),
    Read(
        "kq_game_results_60_teams_pseudonymised.csv",
        {},
        60,
        119,
        {},
        {2: ("t000579", "t001048", 1.0), 8: ("t000091", "t000931", 0.0)},
    ),
    Read(
        "soccer_cross_file_duplicates_60.csv",
        {"pool": "pool"},
        60,
        52,
        {},
        {2: ("1. FC Saarbrucken", "SV Darmstadt 98", 1.0), 8: ("FC St. Pauli", "SG Wattenscheid 09", 0.0)},
    ),
    Read(
        "squash_club_2019_2022_pseudonymised.csv",
        {},
        183,
        12,
        {},
        {2: ("p000002", "p000003", 0.0), 4: ("p000002", "p000006", 1.0)},
    ),
    Read("tennis_atp_matches_1975_head60.csv", {}, 59, 61, {}, {2: ("100060", "100270", 1.0)}),
    Read(
        "tennis_odd_scores_60.csv",
        {},
        60,
        95,
        {},
        {2: ("100004", "109825", 0.0)},
        {"resignation": 59, "walkover": 1},
    ),
    Read(
        "tygem_index_60_pseudonymised.tsv",
        {"white": "#3", "black": "#6", "result": "#9", "steps": "#10", "game": "#1"},
        60,
        118,
        {},
        {1: ("p002580", "p018644", 0.0), 8: ("p000271", "p017205", 1.0)},
        {"resignation": 43, "timeout": 6, None: 11},
    ),
    Read(
        "ufc_fight_results_head40.csv",
        {},
        37,
        73,
        {"no-result": 2},
        {2: ("Diego Lopes", "Jean Silva", 1.0), 3: ("Rob Font", "David Martinez", 0.0)},
    ),
    Read(
        "vietnam_go_match_head40_pseudonymised_noheader.csv",
        {"player_a": "#1", "player_b": "#2", "score_a": "#3", "pool": "#5"},
        40,
        15,
        {},
        {1: ("p000187", "p000123", 0.0), 5: ("p000187", "p000106", 1.0)},
    ),
    Read(
        "volleyball_two_rows_per_match_40.csv",
        {},
        0,
        0,
        {"nobody-to-play": 40},
        {},
    ),
]


@pytest.mark.parametrize("one", READ, ids=lambda one: one.file)
def test_read_rightly(data: Path, one: Read) -> None:
    log = read_games(data / "messy" / one.file, columns=one.columns)
    report = log.report
    assert (len(log), len(log.players)) == (one.games, one.players)
    assert Counter(map(str, report.problems["reason"])) == one.rejected
    assert report.accepted + report.held + report.rejected == report.rows
    by_line = {log.origin.line(int(row)): at for at, row in enumerate(log.row)}
    for line, (a, b, score) in one.met.items():
        at = by_line[line]
        assert (log.players[log.a[at]], log.players[log.b[at]], log.score[at]) == (a, b, score)
    if one.endings:
        assert Counter(log.to_table()["ending"]) == one.endings


def test_draws_of_the_squash_club(data: Path) -> None:
    log = read_games(data / "messy" / "squash_club_2019_2022_pseudonymised.csv")
    assert int((log.score == 0.5).sum()) == 15


def test_ballots(data: Path) -> None:
    log = read_games(data / "messy" / "wmt13_rank5_head60.csv")
    assert (log.report.accepted, len(log), len(log.players)) == (59, 590, 13)
    first = {
        frozenset((log.players[a], log.players[b])): s
        for a, b, s in zip(log.a[:10], log.b[:10], log.score[:10], strict=True)
    }
    best, worst = "newstest2013.fr-en.uedin-heafield-unconstrained.2755", "newstest2013.fr-en.Shef-wproa.2780"
    assert first[frozenset((best, worst))] == (1.0 if best < worst else 0.0)
    assert int((log.score[:10] == 0.5).sum()) == 0  # ranks 2, 4, 5, 3, 1


def test_doubles_whose_rows_run_on_in_empty_cells(data: Path) -> None:
    log = read_games(data / "messy" / "tennis_doubles_2019_head30_ragged.csv")
    assert (log.report.accepted, len(log), len(log.players)) == (29, 116, 62)
    first = {(log.players[a], log.players[b], s) for a, b, s in zip(log.a[:4], log.b[:4], log.score[:4], strict=True)}
    assert all(size == 2 for sizes in (log.size_a, log.size_b) if sizes is not None for size in sizes)
    assert len(first) == 4
    assert any("empty cells behind the last column, which are left out: 29" in note for note in log.report.notes)


def test_sides_of_volleyball_are_told_though_half_the_rows_are_missing(data: Path) -> None:
    log = read_games(data / "messy" / "volleyball_two_rows_per_match_40.csv")
    assert any("are all rows there?" in note for note in log.report.notes)


@pytest.mark.parametrize(
    ("file", "columns", "message", "hint"),
    [
        (
            "basil_bot_vs_bot_head60.csv",
            {},
            "has no header, it seems; its first row is #1 'adias', #2 'AILien', #3 '164'",
            "say which column is which by number",
        ),
        (
            "basil_bot_vs_bot_head60.csv",
            {"player": "#1", "opponent": "#2", "games": "#3"},
            "has no column 'wins'",
            "counts need the games won and lost",
        ),
        (
            "tygem_index_60_pseudonymised.tsv",
            {},
            "has no header, it seems",
            "columns={'white': '#3', 'black': '#6', 'result': '#9'}, or black and white the other way round",
        ),
        (
            "vietnam_go_match_head40_pseudonymised_noheader.csv",
            {},
            "has no header, it seems",
            "columns={'player_a': '#1', 'player_b': '#2', 'score_a': '#3'}",
        ),
        ("ufc_event_details_head20.csv", {}, "has no column 'player_a'", "say who played"),
    ],
)
def test_refused_with_what_to_do(data: Path, file: str, columns: dict[str, str], message: str, hint: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_games(data / "messy" / file, columns=columns)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")


def table_of_the_docs() -> list[tuple[str, dict[str, str], str]]:
    """Each file of the table in the guide, what is mapped, and what the guide says becomes of it."""
    page = (Path(__file__).parents[3] / "docs" / "guide" / "files.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in page[page.index("## Files from the field") :].splitlines()]
    return [
        (name.strip("`"), dict(pair.split("=") for pair in mapped.strip("`").split(",") if pair), said)
        for name, _, mapped, said in (row for row in rows if row[0].startswith("`"))
    ]


def test_every_messy_file_is_in_the_guide(data: Path) -> None:
    assert {name for name, _, _ in table_of_the_docs()} == {path.name for path in (data / "messy").iterdir()}


@pytest.mark.parametrize(("name", "columns", "said"), table_of_the_docs(), ids=lambda value: str(value)[:20])
def test_the_guide_says_what_becomes_of_them(data: Path, name: str, columns: dict[str, str], said: str) -> None:
    if said.startswith("refused: "):
        with pytest.raises(ReadError, match=re.escape(said.removeprefix("refused: "))) as caught:
            read_games(data / "messy" / name, columns=columns)
        assert caught.value.hint
        return
    log = read_games(data / "messy" / name, columns=columns)
    reasons = ", ".join(sorted({str(reason) for reason in log.report.problems["reason"]}))
    rejected = f"; {log.report.rejected} rows rejected: {reasons}" if log.report.rejected else ""
    assert said == f"{len(log):,} games{rejected}"
