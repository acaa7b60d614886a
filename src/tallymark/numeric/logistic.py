"""The logistic curve with both of its ends exact."""

from tallymark.numeric.elementary import exp_normal
from tallymark.numeric.formula import formula


@formula(inline=True)
def logistic(x: float) -> tuple[float, float]:
    """(E, 1 - E) with E = 1 / (1 + e**-x), each within 3 ulp for |x| <= 708 and held there beyond.

    So E (1 - E) never becomes 0 at a large gap. 1 - E is logistic(-x), never a subtraction: that gives 0 beyond x = 37.

    >>> logistic(0.0)
    (0.5, 0.5)
    >>> logistic(50.0)[1] > 1e-22
    True
    """
    t = exp_normal(-abs(x))
    large = 1.0 / (1.0 + t)
    small = t * large
    ahead = x >= 0.0
    return (large if ahead else small), (small if ahead else large)
