"""Errors as those see them who do not use the command line."""

import copy
import pickle
import traceback

import pytest

from tallymark import InputError, MethodologyError, ReadError, methodology


def test_a_traceback_shows_the_hint_once() -> None:
    with pytest.raises(MethodologyError) as caught:
        methodology("paper").with_(tua=0.3)
    shown = "".join(traceback.format_exception(caught.value))
    assert str(caught.value) == "tua is no field of this methodology"
    assert shown.count("hint: did you mean system.tau?") == 1


def test_without_a_hint_nothing_is_added() -> None:
    assert not hasattr(InputError("no"), "__notes__")


@pytest.mark.parametrize("error", [InputError("no", hint="do"), ReadError("no", hint="do")])
def test_a_copy_has_the_hint_once(error: InputError | ReadError) -> None:
    for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (str(again), again.hint, again.__notes__) == ("no", "do", ["hint: do"])
