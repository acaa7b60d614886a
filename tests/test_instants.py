from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.instants import FIRST, LAST, NO_TIME, microseconds

# Each unit as a fraction: so many microseconds over so many.
UNITS = {
    "W": (7 * 86400 * 10**6, 1),
    "D": (86400 * 10**6, 1),
    "h": (3600 * 10**6, 1),
    "m": (60 * 10**6, 1),
    "s": (10**6, 1),
    "10s": (10**7, 1),
    "ms": (10**3, 1),
    "us": (1, 1),
    "ns": (1, 10**3),
    "25ns": (25, 10**3),
    "ps": (1, 10**6),
    "fs": (1, 10**9),
    "as": (1, 10**12),
}


@given(st.sampled_from(sorted(UNITS)), st.lists(st.integers(-(2**63) + 1, 2**63 - 1)))
def test_every_unit_is_exact_or_outside(unit: str, raw: list[int]) -> None:
    raw += [0, 1, -1, 2**63 - 1, -(2**63) + 1]
    instants, outside = microseconds(np.array(raw, dtype=np.int64).view(f"datetime64[{unit}]"))
    up, down = UNITS[unit]
    exact = [value * up // down for value in raw]
    assert outside.tolist() == [not FIRST <= value <= LAST for value in exact]
    assert instants.tolist() == [value if FIRST <= value <= LAST else NO_TIME for value in exact]


def test_the_ends_are_those_of_datetime() -> None:
    ends = np.array([FIRST, LAST]).view("datetime64[us]").tolist()
    assert ends == [datetime.min, datetime.max]
    assert ends[0].replace(tzinfo=UTC) == datetime.min.replace(tzinfo=UTC)


@pytest.mark.parametrize("kind", ["M8", "M8[Y]", ">M8[s]", "M8[ns]"])
def test_what_is_missing_is_not_outside(kind: str) -> None:
    instants, outside = microseconds(np.array(["NaT", "NaT"], dtype=kind))
    assert instants.tolist() == [NO_TIME] * 2
    assert not outside.any()


def test_years() -> None:
    instants, outside = microseconds(np.array(["0000", "0001", "1971", "9999", "10000"], dtype="datetime64[Y]"))
    assert outside.tolist() == [True, False, False, False, True]
    assert instants.tolist()[1:3] == [FIRST, 365 * 86400 * 10**6]
