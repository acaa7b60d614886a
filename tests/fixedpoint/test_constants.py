"""The constants are the nearest integers of their exact expressions, worked out anew at 70 digits."""

import math
from collections.abc import Iterator

import mpmath
import pytest

from tallymark.fixedpoint import constants
from tallymark.fixedpoint.rules import BANDS

CENTRE = 1500


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mpmath.workdps(70):
        yield


def nearest(value: mpmath.mpf) -> int:
    """The value times 2**32 as the nearest integer; none of ours is close to a tie."""
    scaled = mpmath.ldexp(value, 32)
    assert abs(scaled - mpmath.floor(scaled) - 0.5) > mpmath.mpf("1e-6") or scaled == mpmath.floor(scaled)
    return int(mpmath.floor(scaled + 0.5))


def mu(rating: mpmath.mpf) -> mpmath.mpf:
    return (rating - CENTRE) / mpmath.mpf("173.7178")


def test_scalars() -> None:
    assert nearest(mpmath.log(2)) == constants.LN2
    assert nearest(mpmath.pi**2) == constants.PI_SQ
    assert nearest(mpmath.mpf("1.15") * 2 * mpmath.log(2)) == constants.DRIFT_Q
    assert nearest(mpmath.mpf("0.01")) == constants.PHI_MIN
    assert nearest(mpmath.mpf(2)) == constants.PHI_MAX
    assert nearest(mu(mpmath.mpf(100))) == constants.MU_LO
    assert nearest(mu(mpmath.mpf(3500))) == constants.MU_HI


def test_exponentials() -> None:
    assert list(constants.EXP_TABLE) == [nearest(mpmath.exp(mpmath.mpf(-j) / 16)) for j in range(12)]
    assert len(constants.EXP_TABLE) - 1 == constants.LN2 >> 28


def test_knots() -> None:
    knots = [nearest(mu(525 * mpmath.exp(k / mpmath.mpf("23.15")))) for k in range(40)]
    assert list(constants.KNOTS) == knots
    assert list(constants.KNOTS) == sorted(set(knots))
    assert (constants.KNOTS[16], constants.KNOTS[30]) == (-11177650347, 10346713043)


def test_bands() -> None:
    assert (constants.KNOTS[7], constants.KNOTS[13], 0, constants.KNOTS[29]) == BANDS


def test_limits() -> None:
    assert (constants.VERSION, constants.DAY, constants.DT_MAX) == (2, 86400, 2**30)
    slope = constants.DAYS_SLOPE, constants.RANK_TO - constants.RANK_FROM
    assert slope == (30, 14)
    assert constants.DAYS_LOW + constants.DAYS_SLOPE == 45
    least = math.ceil((4 - 0) / (1.15 * 2 * math.log(2) / 45) ** 2 * constants.DAY)
    assert least < constants.DT_MAX  # after the longest time everybody is at the cap, whatever the half-life
