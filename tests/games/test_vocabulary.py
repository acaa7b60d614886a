import pytest

from tallymark.errors import InputError
from tallymark.games import Ending, Source
from tallymark.games.vocabulary import ENDINGS


def test_codes_are_the_order_of_the_issue() -> None:
    words = "normal resignation timeout forfeit illegal disconnect adjudicated walkover bye unfinished aborted void"
    assert [ending.value for ending in Ending] == words.split()
    assert [ending.code for ending in Ending] == list(range(12))
    assert [source.value for source in Source] == ["queue", "table", "tournament", "casual"]
    assert [source.code for source in Source] == list(range(4))


@pytest.mark.parametrize("kind", [Ending, Source])
def test_an_unknown_word_lists_the_choices(kind: type[Ending] | type[Source]) -> None:
    with pytest.raises(InputError) as caught:
        kind.parse("Casual")
    for member in kind:
        assert member.value in caught.value.message


def test_a_near_miss_is_hinted_at() -> None:
    with pytest.raises(InputError) as caught:
        Ending.parse("Resignation")
    assert caught.value.hint == "did you mean 'resignation'?"


@pytest.mark.parametrize(
    ("word", "ending"),
    [
        *(
            ("Normal", "normal"),
            ("time forfeit", "timeout"),
            ("rules infraction", "illegal"),
            ("adjudication", "adjudicated"),
        ),
        *(("abandoned", "aborted"), ("unterminated", "unfinished"), ("emergency", "aborted"), ("death", "forfeit")),
        *(("W/O", "walkover"), ("RET", "resignation"), ("DEF", "forfeit"), ("ABN", "aborted"), ("UNF", "unfinished")),
        *(("ann won by resignation", "resignation"), ("GUI TB Mate in 30", "adjudicated"), (" No  Contest ", "void")),
    ],
)
def test_usual_spellings(word: str, ending: str) -> None:
    assert Ending.spelt(word) == ending


def test_every_word_is_a_spelling_of_itself_and_no_spelling_is_two() -> None:
    assert all(Ending.spelt(member.value.upper()) is member for member in Ending)
    words = [word for text in ENDINGS.values() for word in text.split("; ")]
    assert len(words) == len(set(words))
    assert not set(words) & set(Ending)


def test_an_unknown_ending_names_what_it_is_like() -> None:
    with pytest.raises(InputError) as caught:
        Ending.spelt("retird")
    assert caught.value.hint == "did you mean 'retired'?"
