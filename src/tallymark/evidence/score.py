"""Log-loss, Brier score and accuracy of predictions made before each game."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np

from tallymark.errors import InputError
from tallymark.numeric import exp_normal, formula, log1p
from tallymark.tables import Table

_SMALL = 200_000
"""Predictions up to which the interpreter is done before compiled code is loaded."""

Floats: TypeAlias = "list[float] | np.ndarray"


@dataclass(frozen=True, slots=True)
class Score:
    """How good a set of predictions was.

    `log_loss`: mean of -(s ln p + (1 - s) ln(1 - p)), natural logarithms, a draw as half a win and half a loss;
    `brier`: mean of (p - s)^2; `accuracy`: the share of decisive games whose winner was the favourite, p of exactly
    one half counting half; `games` and `decisive` say over how many. NaN over no game.
    """

    games: int
    decisive: int
    log_loss: float
    brier: float
    accuracy: float


@formula(inline=True)
def surprise_of(logit: float) -> float:
    """-ln E at this logit: finite at any, where E itself has rounded to 0 or 1."""
    near = log1p(exp_normal(-abs(logit)))
    return near if logit >= 0.0 else near - logit


def sums(n: int, p: Floats, logit: Floats, s: Floats) -> tuple[float, float, float, int]:
    """Sums of log-loss and squared error, points for favourites, and the number of decisive games; in order."""
    loss = brier = right = 0.0
    decisive = 0
    for i in range(n):
        loss += s[i] * surprise_of(logit[i]) + (1.0 - s[i]) * surprise_of(-logit[i])
        off = p[i] - s[i]
        brier += off * off
        if s[i] == 0.0 or s[i] == 1.0:
            decisive += 1
            lean = logit[i] if s[i] == 1.0 else -logit[i]
            right += 1.0 if lean > 0.0 else (0.5 if lean == 0.0 else 0.0)
    return loss, brier, right, decisive


@cache
def _compiled_sums() -> Callable[[int, Floats, Floats, Floats], tuple[float, float, float, int]]:
    from tallymark.replay.compiled import compiled

    return compiled(sums)


def score(predictions: Table) -> Score:
    """How well predictions came true: a table with p_a, logit_a and score_a, as `Replay.predictions`.

    >>> import numpy as np
    >>> certain = Table({"p_a": np.array([0.5]), "logit_a": np.array([0.0]), "score_a": np.array([1.0])})
    >>> score(certain)
    Score(games=1, decisive=1, log_loss=0.6931471805599453, brier=0.25, accuracy=0.5)
    """
    for name in ("p_a", "logit_a", "score_a"):
        if name not in predictions.columns:
            raise InputError(f"the table has no column {name}", hint="replay(..., predictions=True).predictions")
    columns = [np.ascontiguousarray(predictions[name], np.float64) for name in ("p_a", "logit_a", "score_a")]
    n = len(predictions)
    if n <= _SMALL:
        loss, brier, right, decisive = sums(n, *(c.tolist() for c in columns))
    else:
        loss, brier, right, decisive = _compiled_sums()(n, *columns)
    return Score(
        games=n,
        decisive=decisive,
        log_loss=loss / n if n else float("nan"),
        brier=brier / n if n else float("nan"),
        accuracy=right / decisive if decisive else float("nan"),
    )
