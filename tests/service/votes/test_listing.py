"""Items out of lines of CSV."""

import pytest

from tallymark.errors import InputError
from tallymark.service.votes.listing import MOST, Listed, items_in


def test_lines_say_as_much_as_there_is() -> None:
    assert items_in(
        'plum, Plum cake\n\n17\n"""17""", "Seven, teen", "A ""text"", of\ntwo lines",https://example.org/\n'
    ) == {
        "plum": Listed("Plum cake", {}),
        17: Listed(None, {}),
        "17": Listed("Seven, teen", {"text": 'A "text", of\ntwo lines', "link": "https://example.org/"}),
    }


def test_an_empty_cell_takes_away_and_one_that_is_not_there_leaves() -> None:
    assert items_in("plum,Plum cake,,https://example.org/")["plum"].about == {
        "text": None,
        "link": "https://example.org/",
    }
    assert items_in("plum,Plum cake,\n")["plum"].about == {"text": None}
    assert items_in("plum,Plum cake\n")["plum"].about == {}


def test_a_first_line_may_say_the_order() -> None:
    found = items_in("Link, ID, Text\nhttps://example.org/, plum, With yeast\n")
    assert found == {"plum": Listed(None, {"text": "With yeast", "link": "https://example.org/"})}
    assert list(items_in("id\nplum\n")) == ["plum"]
    assert list(items_in("id, other\n")) == ["id"]  # an item of that id


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", "there are 0 items"),
        ("id,name\n", "there are 0 items"),
        ("x\n" * (MOST + 1), "there are 1,001 items"),
        ("plum, Plum, text, https://example.org/, more", "item 1 has 5 cells"),
        ("pear\nplum, Plum, sweet, and red", "item 2: link is 'and red'"),
        (", Plum", "item 1: id is empty"),
        ('plum, "Plum', "no CSV"),
    ],
)
def test_lines_that_are_no_items_are_named(lines: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        items_in(lines)
