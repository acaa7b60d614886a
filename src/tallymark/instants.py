"""Arrays of datetime64 of any unit as microseconds since 1970 UTC, where numpy alone would wrap around."""

import numpy as np
from numpy.typing import NDArray

NO_TIME = np.iinfo(np.int64).min
"""The value of a missing instant (what numpy calls NaT)."""

FIRST = int(np.datetime64("0001-01-01T00:00:00.000000", "us").astype(np.int64))
LAST = int(np.datetime64("9999-12-31T23:59:59.999999", "us").astype(np.int64))
"""The first and the last instant that Python's datetime has a word for."""

_PER_MICROSECOND = {"ns": 10**3, "ps": 10**6, "fs": 10**9, "as": 10**12}


def microseconds(values: np.ndarray) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """datetime64 as whole microseconds (int64, NO_TIME = missing), and where it lies outside the years 1 to 9999.

    Those outside are NO_TIME too. Units finer than a microsecond are cut towards the past.

    >>> instants, outside = microseconds(np.array(["1970-01-02", "NaT", "12026-01-01"], dtype="datetime64[D]"))
    >>> instants.tolist()[0], outside.tolist()
    (86400000000, [False, False, True])
    """
    unit, count = np.datetime_data(values.dtype)
    missing = np.isnat(values)
    if unit == "us" and count == 1 and not missing.any():
        plain = values.astype(np.int64)
        if not len(plain) or (plain.min() >= FIRST and plain.max() <= LAST):
            return plain, missing
    if unit == "generic":  # only NaT has no unit
        return np.full(len(values), NO_TIME), ~missing
    if unit in _PER_MICROSECOND:
        raw, per = values.astype(np.int64), _PER_MICROSECOND[unit]
        outside = np.abs(raw.astype(np.float64)) * (count / per) > 2.0 * LAST
        whole, rest = np.divmod(np.where(missing | outside, 0, raw), per)
        instants = whole * count + rest * count // per
    else:  # compared in the unit given, since far ones wrap around in microseconds
        first, last = (np.datetime64(end, "us").astype(values.dtype) for end in (FIRST, LAST))
        outside = (values < first) | (values > last)
        instants = np.where(outside, np.datetime64("NaT"), values).astype("datetime64[us]").astype(np.int64)
    outside = ~missing & (outside | (instants < FIRST) | (instants > LAST))
    return np.where(missing | outside, NO_TIME, instants), outside
