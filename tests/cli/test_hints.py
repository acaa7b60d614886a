"""Hints of the library in the words of the command line, ready to be pasted into a shell."""

import shlex

import pytest

from tallymark.cli.hints import in_options
from tallymark.cli.options import parse_pairs


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        ("map it: columns={'score_a': '...'}", "map it: --columns score_a=..."),
        (
            "columns={'white': 'A', 'black': 'B'} or columns={'white': 'C'}",
            "--columns white=A,black=B or --columns white=C",
        ),
        ("results={'bothbad': 'draw'}, or another word", "--results bothbad=draw, or another word"),
        ("choose encoding='cp1252' or another", "choose --encoding cp1252 or another"),
        ("delimiter=';' (3 cells a row)", "--delimiter ';' (3 cells a row)"),
        (r"delimiter='\t' or delimiter='|'", "--delimiter tab or --delimiter '|'"),
        ("the delimiter seems to be a tab", "is it separated otherwise? --delimiter tab"),
        ("the delimiter seems to be ';'", "is it separated otherwise? --delimiter ';'"),
        ('times="DD.MM.YYYY hh:mm" or times="unix"', "--times 'DD.MM.YYYY hh:mm' or --times unix"),
        ("zone='Europe/Berlin', times=\"{date} best\"", "--zone Europe/Berlin, --times '{date} best'"),
        ("since='2026-01-01' until='2027-01-01'", "--since 2026-01-01 --until 2027-01-01"),
        ("dedupe=True counts them once", "--dedupe counts them once"),
        ("aliases={'old': 'new'}", "--aliases FILE with the line old = new"),
        ('a methodology by match: with_(period="match")', "a methodology by match: --set period=match"),
        ("Snapshot.from_arrays(..., pool=...)", "--initial-columns pool=..."),
        ("say when they hold: Snapshot.from_arrays(..., at=...)", "say when they hold: --initial-at TIME"),
        ("columns={'a': unfinished}", "columns={'a': unfinished}"),
        ("the columns are those of a table", "the columns are those of a table"),
    ],
)
def test_arguments_become_options(hint: str, said: str) -> None:
    assert in_options(hint) == said


@pytest.mark.parametrize("column", ["Points, home", 'the "score"', " padded ", "it's", "a=b", "$HOME `x`"])
def test_a_column_of_any_name_comes_through_the_shell(column: str) -> None:
    option, value = shlex.split(in_options("columns=" + repr({"score_a": column})))
    assert parse_pairs(option, [value]) == {"score_a": column}


def test_no_argument_of_reading_is_left_out() -> None:
    from tallymark.games.provenance import Options

    for name in Options.__annotations__:
        for value in ("{'a': 'b'}", "'x'", "True"):
            if in_options(f"{name}={value}") != f"{name}={value}":
                break
        else:
            pytest.fail(f"{name} is no option")
