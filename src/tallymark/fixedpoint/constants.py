"""The numbers of go-onchain-v2: nearest integers, ties to even, of exact expressions that a test works out anew."""

from typing import Final

from tallymark.fixedpoint.units import ONE, Q

VERSION: Final = 2
"""Of the constants: it stands in every felt and in every file of vectors."""

LN2: Final[Q] = 2977044472
PI_SQ: Final[Q] = 42389628127
DRIFT_Q: Final[Q] = 6847202285
"""1.15 * 2 ln 2. The spec's DRIFT is this times 2**32."""

PHI_MIN: Final[Q] = 42949673
"""0.01."""
PHI_MAX: Final[Q] = 2 * ONE
"""Of a new player; its square is VAR_CAP."""
MU_LO: Final[Q] = -34613345405
MU_HI: Final[Q] = 49447636293
"""mu of the ratings 100 and 3500."""

DT_MAX: Final = 1 << 30
"""Seconds; after as long everybody is at the cap."""
DAY: Final = 86400

DAYS_LOW: Final = 15
DAYS_SLOPE: Final = 30
RANK_FROM: Final = 16
RANK_TO: Final = 30
"""The half-life is 15 days up to the rank RANK_FROM, 45 from RANK_TO on."""

EXP_TABLE: Final[tuple[Q, ...]] = (
    4294967296, 4034748382, 3790295335, 3560652950, 3344923893, 3142265200,
    2951884975, 2773039306, 2605029347, 2447198598, 2298930330, 2159645183,
)  # fmt: skip
"""T[j] = e**(-j/16)."""

KNOTS: Final[tuple[Q, ...]] = (
    -24105722693, -23532745119, -22934474543, -22309794451, -21657539046, -20976491070, -20265379527, -19522877321,
    -18747598769, -17938097022, -17092861362, -16210314385, -15288809052, -14326625622, -13321968437, -12272962575,
    -11177650347, -10033987647, -8839840137, -7592979259, -6291078083, -4931706959, -3512328987, -2030295279,
    -482840015, 1132924713, 2820014298, 4581577238, 6420901018, 8341418243, 10346713043, 12440527761,
    14626769941, 16909519618, 19293036930, 21781770074, 24380363601, 27093667090, 29926744192, 32884882086,
)  # fmt: skip
"""M[k], mu of the whole ranks 0 (30k) to 39."""
