"""What is refused, with a word for what is wrong: every implementation of the rules refuses the same for the same."""

import operator
from typing import SupportsIndex

from tallymark.errors import InputError


class RefusedError(InputError):
    """A value that no contract takes. `what` is the word for it in vectors: its name, or the rule that it breaks.

    >>> RefusedError("t", "t is -1").what
    't'
    """

    def __init__(self, what: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.what = what


def whole(name: str, value: SupportsIndex, low: int, high: int, expected: str = "") -> int:
    """A whole number from low to high, or `RefusedError` under this name. Booleans are none.

    >>> whole("t", 7, 0, 9)
    7
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        given = repr(value) if number is None or abs(number) < 1 << 256 else "a whole number of more than 256 bits"
        raise RefusedError(name, f"{name} is {given}; expected {expected or between(low, high)}")
    return number


def between(low: int, high: int) -> str:
    """What was expected, in words.

    >>> between(0, 2)
    'a whole number from 0 to 2'
    """
    return f"a whole number from {low} to {high}"
