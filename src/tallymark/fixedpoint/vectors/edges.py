"""Named edges: every place of the spec where one implementation may differ from another, each under its own name."""

from collections.abc import Iterator, Mapping
from typing import Final

from tallymark.fixedpoint.constants import (
    DAY,
    DT_MAX,
    EXP_TABLE,
    KNOTS,
    LN2,
    MU_HI,
    MU_LO,
    PHI_MAX,
    PHI_MIN,
    RANK_FROM,
    RANK_TO,
    VERSION,
)
from tallymark.fixedpoint.felt import BITS, COUNTER_MAX, FIELDS, RESERVED, Player, pack
from tallymark.fixedpoint.units import ONE
from tallymark.fixedpoint.updating import State
from tallymark.fixedpoint.vectors.drawing import NOW
from tallymark.fixedpoint.vectors.questions import Vector, update_of
from tallymark.fixedpoint.vectors.values import Value

EXP_STEP: Final = ONE // 16
DRIFTS_OVER_ONE: Final = 5736552
"""Seconds after which a deviation of 0.5 at a half-life of 15 days first exceeds 1."""
REACHES_CAP: Final = 28682760
"""Seconds after which it reaches the cap."""


def edges() -> Iterator[Vector]:
    """Every named edge of the integers, the update and the felt.

    >>> next(edges())
    Vector(id='rdiv/1:2', kind='rdiv', given={'n': 1, 'd': 2})
    """
    for kind, name, values in (*_roundings(), *_functions()):
        for label, value in values.items():
            yield Vector(f"{kind}/{label}", kind, value if isinstance(value, Mapping) else {name: value})
    yield from _ageings()
    for label, (a, b, half_points, t) in UPDATES.items():
        yield Vector(f"update/{label}", "update", update_of(a, b, half_points, t))
    yield from _felts()


Cases = Mapping[str, Value]


def _roundings() -> Iterator[tuple[str, str, Cases]]:
    pairs = [
        (1, 2),
        (3, 2),
        (5, 2),
        (7, 2),
        (-1, 2),
        (-3, 2),
        (-5, 2),
        (-7, 2),
        (0, 7),
        (1, 3),
        (2, 3),
        (-1, 3),
        (-2, 3),
    ]
    tie = 1 << 63  # half of the divisor of var' g
    pairs += [(tie, 1 << 64), (tie + 1, 1 << 64), (3 * tie, 1 << 64), (-tie, 1 << 64), (-3 * tie, 1 << 64)]
    pairs += [((1 << 98) - 1, 1 << 64), (1 << 96, (1 << 66) - 1), (43200, DAY), (3 * 43200, DAY), (DAY // 2 - 1, DAY)]
    yield "rdiv", "", {f"{n}:{d}": {"n": n, "d": d} for n, d in pairs} | {"by zero": {"n": 1, "d": 0}}
    roots: dict[str, Value] = {"0": 0, "1": 1, "2": 2, "3": 3, "2^66": 1 << 66, "2^66-1": (1 << 66) - 1}
    for s in (5, 6, PHI_MIN, ONE, PHI_MAX - 1):
        roots |= {f"{s}^2+{s} stays": s * s + s, f"{s}^2+{s}+1 is next": s * s + s + 1, f"{s}^2-1": s * s - 1}
    yield "root", "n", roots | {"negative": -1}


def _functions() -> Iterator[tuple[str, str, Cases]]:
    exponents: dict[str, Value] = {"0": 0, "1": 1, "negative": -1, "2^40": 1 << 40}
    for n in (1, 2, 31, 32, 33, 34):
        exponents |= {f"{n} LN2-1": n * LN2 - 1, f"{n} LN2": n * LN2, f"{n} LN2+1": n * LN2 + 1}
    for j in range(1, len(EXP_TABLE)):
        exponents |= {f"{j}/16-1": j * EXP_STEP - 1, f"{j}/16": j * EXP_STEP}
    yield "exp_neg", "x", exponents
    yield (
        "logistic",
        "z",
        {
            f"{sign * z}": sign * z
            for z in (0, 1, 2, LN2, ONE, 22 * LN2, 33 * LN2 - 1, 33 * LN2, 1 << 40)
            for sign in (1, -1)
            if z or sign == 1
        },
    )
    variances = {"0": 0, "PHI_MIN^2": PHI_MIN**2, "1": ONE**2, "cap": PHI_MAX**2, "twice the cap": 2 * PHI_MAX**2}
    yield "g", "var", variances
    ranks = {f"M{k}{by:+d}" if by else f"M{k}": mu + by for k, mu in enumerate(KNOTS) for by in (-1, 0, 1)}
    yield "rank", "mu", ranks | {"MU_LO": MU_LO, "MU_HI": MU_HI, "0": 0}
    ends = {"first": 0, "last": 39 * ONE}
    for k in (RANK_FROM - 1, RANK_FROM, RANK_TO):
        ends |= {f"{k}-": k * ONE - 1, f"{k}": k * ONE, f"{k}+": k * ONE + 1}
    yield "half_life", "rank", ends


def _ageings() -> Iterator[Vector]:
    low = KNOTS[3]
    cases = {
        "never rated": (State(low, 0, 0), NOW),
        "never rated, a second later": (State(low, 0, NOW - 1), NOW),
        "the same second": (State(low, ONE, NOW), NOW),
        "before the last game": (State(low, ONE, NOW + 5), NOW),
        "one second": (State(low, PHI_MIN, NOW - 1), NOW),
        "not yet over 1": (State(low, ONE // 2, NOW - DRIFTS_OVER_ONE + 1), NOW),
        "first over 1": (State(low, ONE // 2, NOW - DRIFTS_OVER_ONE), NOW),
        "not yet at the cap": (State(low, ONE // 2, NOW - REACHES_CAP + 1), NOW),
        "first at the cap": (State(low, ONE // 2, NOW - REACHES_CAP), NOW),
        "the longest time": (State(low, PHI_MIN, NOW - DT_MAX), NOW),
        "beyond the longest time": (State(low, PHI_MIN, NOW - DT_MAX - 1), NOW),
        "half-life 45": (State(KNOTS[30], ONE // 2, NOW - 90 * DAY), NOW),
        "on the slope": (State(KNOTS[23] + 7, ONE // 2, NOW - 90 * DAY), NOW),
        "at the cap already": (State(low, PHI_MAX, NOW - 1), NOW),
        "phi too small": (State(low, PHI_MIN - 1, 0), NOW),
    }
    for label, (state, t) in cases.items():
        yield Vector(f"aged/{label}", "aged", {**state._asdict(), "t": t})


_NEW: Final = State(0, 0, 0)
_A: Final = State(KNOTS[22] + 12345, ONE // 2, NOW - 9 * DAY)
_B: Final = State(KNOTS[20] + 999, ONE // 3, NOW - 3 * DAY)
_TOP: Final = State(MU_HI, PHI_MIN, NOW)
_BOTTOM: Final = State(MU_LO, PHI_MIN, NOW)
_LAST: Final = (1 << 40) - 1

UPDATES: Final[Mapping[str, tuple[State, State, int, int]]] = {
    "two new players, first wins": (_NEW, _NEW, 2, NOW),
    "two new players, draw": (_NEW, _NEW, 1, NOW),
    "two new players, second wins": (_NEW, _NEW, 0, NOW),
    "worked, a wins": (_A, _B, 2, NOW),
    "worked, draw": (_A, _B, 1, NOW),
    "worked, b wins": (_A, _B, 0, NOW),
    "sides exchanged": (_B, _A, 0, NOW),
    "equal players, draw": (_A, _A, 1, NOW),
    "out of order": (_A, _B, 2, NOW - 5 * DAY),
    "before both last games": (_A, _B, 2, NOW - 10 * DAY),
    "the last second there is": (_A, _B, 2, _LAST),
    "the first second there is": (_A, _B, 2, 0),
    "the smallest expectation wins": (_BOTTOM, _TOP, 2, NOW),
    "the smallest expectation loses": (_BOTTOM, _TOP, 0, NOW),
    "held at the top": (State(MU_HI - 5, PHI_MAX, NOW), State(MU_HI, PHI_MAX, NOW), 2, NOW),
    "held at the bottom": (State(MU_LO + 5, PHI_MAX, NOW), State(MU_LO, PHI_MAX, NOW), 0, NOW),
    "mu beyond the clamp": (State((1 << 39) - 1, ONE, NOW), State(-(1 << 39), ONE, NOW), 1, NOW),
    "phi held at its least": (State(0, PHI_MIN, NOW), State(0, PHI_MIN, NOW), 1, NOW),
    "phi largest": (State(0, PHI_MAX, NOW), State(5, PHI_MAX, NOW), 2, NOW),
    "never rated against certain": (_NEW, State(KNOTS[30], PHI_MIN, NOW), 2, NOW),
    "years away": (State(KNOTS[35], PHI_MIN, 0), State(KNOTS[5], PHI_MIN, 0), 0, NOW),
    "refused: half points": (_A, _B, 3, NOW),
    "refused: time": (_A, _B, 2, 1 << 40),
    "refused: time below 0": (_A, _B, 2, -1),
    "refused: phi below its least": (State(0, PHI_MIN - 1, 0), _B, 2, NOW),
    "refused: phi above its largest": (_A, State(0, PHI_MAX + 1, 0), 2, NOW),
    "refused: mu of 41 bits": (State(1 << 39, ONE, 0), _B, 2, NOW),
    "refused: last of 41 bits": (_A, State(0, ONE, 1 << 40), 2, NOW),
}


def _felts() -> Iterator[Vector]:
    usual = Player(-1, ONE, NOW, 3, True, True, VERSION, 12, 7, 1, ONE)
    least = Player(-(1 << 39), PHI_MIN, 0, 0, False, False, 0, 0, 0, 0, -(1 << 39))
    largest = Player(
        (1 << 39) - 1, PHI_MAX, _LAST, 7, True, True, 255, COUNTER_MAX, COUNTER_MAX, COUNTER_MAX, (1 << 39) - 1
    )
    players = {"never rated": Player(), "usual": usual, "least": least, "largest": largest}
    for label, player in players.items():
        yield Vector(f"pack/{label}", "pack", player._asdict())
        yield Vector(f"unpack/{label}", "unpack", {"felt": pack(player)})
    for field in FIELDS:
        if field.width > 1:
            beyond = {**usual._asdict(), field.name: (1 << field.width) - field.offset}
            yield Vector(f"pack/refused: {field.name} too large", "pack", beyond)
    yield Vector("pack/refused: phi below its least", "pack", {**usual._asdict(), "phi": PHI_MIN - 1})
    yield Vector("pack/refused: never rated, yet a win", "pack", {**Player(wins=1)._asdict()})
    felt = pack(usual)
    without_phi = felt & ~((1 << 34) - 1 << 40)
    broken = {
        "reserved": felt | 1 << RESERVED,
        "reserved alone": 1 << RESERVED,
        "phi is 0": without_phi,
        "phi below its least": without_phi | PHI_MIN - 1 << 40,
        "phi above its largest": without_phi | PHI_MAX + 1 << 40,
        "2^240": 1 << BITS,
        "2^240 more": felt | 1 << BITS,
        "all 240 bits": (1 << BITS) - 1,
        "1": 1,
    }
    for label, number in broken.items():
        yield Vector(f"unpack/refused: {label}", "unpack", {"felt": number})
