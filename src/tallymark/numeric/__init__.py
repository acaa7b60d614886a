"""exp, log, logistic and rounding from IEEE-754 basic operations alone, so that every machine gives the same bits."""

from tallymark.numeric.elementary import exp, exp_normal, exp_small, log, log1p, log_normal
from tallymark.numeric.formula import FORMULAS, formula, named_after
from tallymark.numeric.logistic import logistic
from tallymark.numeric.rounding import half_even, half_up

__all__ = [
    "FORMULAS",
    "exp",
    "exp_normal",
    "exp_small",
    "formula",
    "half_even",
    "half_up",
    "log",
    "log1p",
    "log_normal",
    "logistic",
    "named_after",
]
