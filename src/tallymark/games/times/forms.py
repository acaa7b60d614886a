"""Texts of ISO 8601 of one length, many at once, letter by letter."""

import numpy as np
from numpy.typing import NDArray

_SECOND = 10**6
# By length in bytes: how many letters belong to the date and the time of day; what follows is a Z.
FORMS = {10: 10, 16: 16, 17: 16, 19: 19, 20: 19}
_DIGITS = (0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18)
_SECONDS_A_DAY = 86_400
_MONTHS = (
    np.arange(-1970 * 12 - 1, 8030 * 12 + 100).view("datetime64[M]").astype("datetime64[D]").astype(np.int64)
).astype(np.int32)
"""The first day of a month, counted from 1970, by 12 times the year and the month; beyond December 9999 for slips."""


def instants_of(letters: NDArray[np.uint8], size: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Instants of ISO texts of one length, given by position of the letter, and which are sound.

    `size` of the letters are the date and the time of day.
    """
    digits = {at: letters[at] - np.uint8(ord("0")) for at in _DIGITS if at < size}
    sound = (letters[4] == ord("-")) & (letters[7] == ord("-"))
    for digit in digits.values():
        sound &= digit <= 9
    if size > 10:
        sound &= ((letters[10] == ord("T")) | (letters[10] == ord(" "))) & (letters[13] == ord(":"))
    if size > 16:
        sound &= letters[16] == ord(":")
    if len(letters) > size:
        sound &= letters[size] == ord("Z")

    broken = None if sound.all() else np.flatnonzero(~sound)

    def number(at: int) -> NDArray[np.int32]:
        if at >= size:
            return np.zeros(1, dtype=np.int32)
        value: NDArray[np.int32] = digits[at].astype(np.int32)
        value *= 10
        value += digits[at + 1]
        if broken is not None:
            value[broken] = 0
        return value

    year, month, day = 100 * number(0) + number(2), number(5), number(8)
    hour, minute, second = number(11), number(14), number(17)
    months = year * 12 + month
    first = _MONTHS[months]
    sound &= (year > 0) & (month > 0) & (month <= 12) & (day > 0) & (day <= _MONTHS[months + 1] - first)
    sound &= (hour < 24) & (minute < 60) & (second < 60)
    instants = (first + (day - 1)).astype(np.int64)
    instants *= _SECONDS_A_DAY
    instants += (hour * 60 + minute) * 60 + second
    instants *= _SECOND
    return instants, sound
