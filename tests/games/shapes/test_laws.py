"""Whatever the header and the cells: rows are accounted for, or an error of ours says what to do."""

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark import TallymarkError, read_games
from tallymark.games.shapes.names import COLUMNS
from tallymark.games.shapes.spellings import ALL

SHAPES: Final = [
    names.split()
    for names in (
        "player_a player_b score_a",
        "home away home_score away_score",
        "white black result",
        "PB PW RE",
        "model_a model_b winner",
        "winner loser score",
        "winner_id winner_name loser_id loser_name",
        "bout outcome",
        "match player rank",
        "match_id match team_id set_won",
        "r1 r2 player1 player2 rank1 rank2",
        "winner1_id winner2_id loser1_id loser2_id score",
        "player opponent wins losses draws",
        "player opponent score_a",
        "player opponent result date",
        "p1 p2 p3 q1 q2 q3",
        "x a b c",
    )
]
MAPPINGS: Final[list[dict[str, str]]] = [
    {},
    {"winner_side": "winner"},
    {"preference": "result"},
    {"player_a": "#1", "player_b": "#2", "score_a": "#3"},
    {"player": "p#", "rank": "q#"},
    {"player_a": "p#", "player_b": "q#", "result": "score"},
    {"played_at": ""},
]
NAMES: Final = st.sampled_from(sorted({*ALL, *COLUMNS}))
CELLS: Final = st.one_of(
    st.sampled_from(
        [
            "a",
            "b",
            "c",
            "1",
            "0",
            "2",
            "0,5",
            "0.5",
            "1-0",
            "B+R",
            "w",
            "h",
            "A",
            "tie",
            "6-4",
            "RET",
            "BYE",
            "home",
            "away",
            "normal",
            "NA",
            "-1",
            "1e400",
            "nan",
            "*",
            "?",
            "½",
        ]
    ),
    st.sampled_from(["", "a vs. b", "6-4 6-4 RET", "2026-01-01", "1,287", "x\ny", " a"]),
)


@settings(max_examples=400)
@given(st.data())
def test_nothing_is_lost_and_nothing_breaks(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    header = [*data.draw(st.sampled_from(SHAPES)), *data.draw(st.lists(NAMES, max_size=2))]
    row = st.lists(CELLS, min_size=len(header), max_size=len(header))
    rows = data.draw(st.lists(row, min_size=1, max_size=6))
    columns = data.draw(
        st.one_of(
            st.sampled_from(MAPPINGS),
            st.dictionaries(st.sampled_from(COLUMNS), st.sampled_from([*header, "#1", "p#", ""]), max_size=3),
        )
    )
    path = tmp_path_factory.mktemp("law") / "g.csv"
    lines = [",".join(f'"{cell}"' for cell in cells) for cells in (header, *rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        report = read_games(path, columns=columns).report
    except TallymarkError:
        return
    assert report.accepted + report.held + report.rejected == report.rows
    assert report.rows in (len(rows), len(rows) + 1)  # the first row is a game where there is no header
