"""The two operations on the bits of a double. Exact, so a second body in compiled code cannot differ.

Each has its compiled body in `tallymark.replay.compiled`; nothing else has two.
"""

import math


def pow2(n: float) -> float:
    """2**n for a float n that holds an integer from -1022 to 1023.

    >>> pow2(-3.0)
    0.125
    """
    return math.ldexp(1.0, int(n))


def split(x: float) -> tuple[float, float]:
    """(m, e) with x = m * 2**e and 0.5 <= m < 1, for a positive normal x.

    >>> split(12.0)
    (0.75, 4.0)
    """
    m, e = math.frexp(x)
    return m, float(e)
