"""Times kept as numbers are the texts that they were, and anything else is left to the other ways."""

import numpy as np
import pytest

from tallymark.games.files import gathering
from tallymark.games.texts import Packed, Text
from tallymark.games.times.cells import parse_times
from tallymark.games.times.moments import Moments

FORMS = {
    "date": "{}-0{}-28",
    "minute": "{}-0{}-28T23:59",
    "minute, Z": "{}-0{}-28 00:00Z",
    "second": "{}-0{}-28 23:59:59",
    "second, Z": "{}-0{}-28T00:00:01Z",
}
TEXTS = {
    name: [form.format(year, month) for year in ("0001", "1969", "2026", "9999") for month in range(1, 10)] * 200
    for name, form in FORMS.items()
}


def gathered(*parts: list[str]) -> Text:
    column = gathering.GatheredTimes(5)
    for part in parts:
        column.add(Packed.of(part))
    return column.text()


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_texts_of_one_form_are_kept_as_numbers(texts: list[str]) -> None:
    column = gathered(texts[:7], [], texts[7:])
    assert isinstance(column.texts, Moments)
    assert (list(column), list(column.texts), column.texts.unpacked()) == (texts, texts, texts)
    assert (column[-1], column.texts.taken(np.array([3, 1]))) == (texts[-1], [texts[3], texts[1]])
    assert list(Packed.joined([column.texts, Packed.of(["x"])])) == [*texts, "x"]
    instants, wrong = parse_times(column)
    assert (instants.tolist(), wrong) == (parse_times(texts)[0].tolist(), {})


@pytest.mark.parametrize(
    "other",
    ["", "soon", "2026-02-30", "2026-01-01T00:00", "2026-01-01 00:00Z", "2026-01-01T00:00Y", "2026-01-01T24:00Z"],
)
def test_what_is_of_another_form_is_gathered_as_text(other: str) -> None:
    texts = ["2026-01-01T00:00Z", "2026-01-02T00:00Z"]
    for parts in ([texts, [other]], [[*texts, other], texts], [["x"], texts, [other]]):
        column = gathered(*parts)
        assert not isinstance(column.texts, Moments)
        assert list(column) == [text for part in parts for text in part]


def test_a_column_of_nothing() -> None:
    assert list(gathered([])) == []
