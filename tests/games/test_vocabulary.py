import pytest

from tallymark.errors import InputError
from tallymark.games import Ending, Source


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
