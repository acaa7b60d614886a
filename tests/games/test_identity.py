import re
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tallymark as tm
from tallymark.games.columns import Cells
from tallymark.games.identity.names import lookalikes, name_pairs, several


@pytest.mark.parametrize(
    ("ids", "note"),
    [
        (["Ann", "ann"], "ids that differ only in case: 'Ann' and 'ann'"),
        (["Stra\u00dfe", "STRASSE"], "ids that differ only in case and \u00df for ss: 'Stra\u00dfe' and 'STRASSE'"),
        (["Weiss, A", "Wei\u00df, A"], "ids that differ only in \u00df for ss: 'Weiss, A' and 'Wei\u00df, A'"),
        (["Ng, J", "Ng,J"], "ids that differ only in punctuation or blanks: 'Ng, J' and 'Ng,J'"),
        (["J Ng", "Ng J"], "ids that differ only in the order of words: 'J Ng' and 'Ng J'"),
        (["O'Neill", "ONeill"], "ids that differ only in punctuation or blanks: \"O'Neill\" and 'ONeill'"),
        (
            ["M\u00fcller, J", "J Mueller"],
            (
                "ids that differ only in letters spelt out (\u00fc as ue) and punctuation or blanks and the order of "
                "words: 'M\u00fcller, J' and 'J Mueller'"
            ),
        ),
        (
            ["Jan de Boer", "de Boer Jan", "deBoer Jan"],
            (
                "ids that differ only in punctuation or blanks and the order of words: 'Jan de Boer' and "
                "'de Boer Jan' and 'deBoer Jan'"
            ),
        ),
        (["Bo\u0308b", "B\u00f6b"], r"ids that differ only in Unicode form: 'Bo\u0308b' and 'B\xf6b'"),
        (["\ufb01x", "fix"], r"ids that differ only in Unicode form: '\ufb01x' and 'fix'"),
        (["Bob", "Bob "], "ids that differ only in blanks: 'Bob' and 'Bob '"),
        (["Bob", " Bob"], "ids that differ only in blanks: 'Bob' and ' Bob'"),
        (["A B", "A  B"], "ids that differ only in blanks: 'A B' and 'A  B'"),
        (["A B", "A\u00a0B"], r"ids that differ only in blanks: 'A B' and 'A\xa0B'"),
        (["A B", "A\tB"], r"ids that differ only in blanks: 'A B' and 'A\tB'"),
        (["Ann", "A\u200bnn"], r"ids that differ only in characters that are not seen: 'Ann' and 'A\u200bnn'"),
        (["Ann", "\ufeffAnn"], r"ids that differ only in characters that are not seen: 'Ann' and '\ufeffAnn'"),
        (["A B", "a\u00a0b"], r"ids that differ only in blanks and case: 'A B' and 'a\xa0b'"),
        (["x", "X", "y", "Y"], "ids that differ only in case (2): 'x' and 'X'; 'y' and 'Y'"),
        (
            ["x", "X ", "x  ", " x", "x\u00a0"],
            "ids that differ only in blanks and case: 'x' and 'X ' and 'x  ' and 2 more",
        ),
    ],
)
def test_ids_that_look_alike_are_told(ids: list[str], note: str) -> None:
    assert lookalikes(["Zed", 7, *ids]) == [f"{note}; aliases says which are one"]


@pytest.mark.parametrize(
    "ids",
    [
        [],
        [7, "7"],
        ["Ann", "Anne"],
        ["007", "7"],
        ["a", "\u0430"],
        ["Bjorn", "Bj\u00f6rn"],
        ["gpt-4.1", "gpt-41"],
        ["C", "C++"],
        ["1-2", "2-1"],
        ["BYE", "Bye"],
        ["-", "?"],
    ],
)
def test_ids_that_do_not_are_not(ids: list[str]) -> None:
    assert lookalikes(ids) == []


@given(st.sets(st.text(max_size=4), max_size=8))
def test_the_first_steps_are_no_other_for_plain_text(texts: set[str]) -> None:
    # What is quick for most ids finds what the steps one by one find.
    def slow(text: str) -> str:
        seen = "".join(one for one in text if one not in "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
        composed = "".join(
            part if part.isspace() else unicodedata.normalize("NFKC", part)
            for part in re.split(r"(\s)", unicodedata.normalize("NFC", seen))
        )
        return unicodedata.normalize("NFKC", " ".join(composed.split()).casefold())

    if len({slow(text) for text in texts}) < len(texts):
        assert lookalikes(texts)


def test_a_million_ids_are_looked_at_in_seconds() -> None:
    ids = [f"player-{number:017}" for number in range(1_000_000)]
    start = time.process_time()  # whatever else the machine does
    assert lookalikes([*ids, "PLAYER-00000000000000007"]) != []
    assert time.process_time() - start < 20


def test_ids_and_names_that_do_not_go_together_one_to_one() -> None:
    cells: dict[str, Cells] = {
        "player_a": [1, 1, 2, 3, 4],
        "name_a": ["Ann", "Ann", "Bob", None, "Cid"],
        "player_b": [2, 5, 1, 1, 6],
        "name_b": ["Bob", "Cid", "Anne", "", "Dora"],
    }
    assert several(name_pairs(cells)) == [
        "ids with several names: 1 is 'Ann' and 'Anne'",
        "names of several ids: 'Cid' is 4 and 5",
    ]
    assert several(name_pairs({"player": ["x", "y"], "name": ["X", "Y"]})) == []
    assert name_pairs({"player_a": [1], "player_b": [2]}) == set()


def test_notes_are_in_the_report(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("player_a,player_b,score_a\nAnn,Bob,1\nann,Bob,0\n")
    assert (
        "ids that differ only in case: 'Ann' and 'ann'; aliases says which are one" in tm.read_games(path).report.notes
    )
