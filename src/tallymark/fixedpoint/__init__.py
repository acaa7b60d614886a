"""go-onchain-v2 in Q32.32 integers: bit for bit what the contract computes, in plain Python and nothing else.

`update` rates one game, `rules.rate` a finished game of whole players, `storage.Contract` calls of the contract; `pack`
and `unpack` are the felt. Below them are the formulas of the spec under its names, each once over a few primitives.
`vectors` are questions with answers for implementations elsewhere.

>>> from tallymark.fixedpoint import State, update
>>> update(State(0, 0, 0), State(0, 0, 0), 2, 1700000000).a.mu
3976162240
"""

from tallymark.fixedpoint.felt import NEVER_RATED, Player, pack, unpack
from tallymark.fixedpoint.formulas import aged, chance, exp_neg, g, half_life, logistic, rank
from tallymark.fixedpoint.primitives import rdiv, root
from tallymark.fixedpoint.refusing import RefusedError
from tallymark.fixedpoint.units import HALF, ONE, Q, W
from tallymark.fixedpoint.updating import State, Traced, Update, update

__all__ = [
    "HALF",
    "NEVER_RATED",
    "ONE",
    "Player",
    "Q",
    "RefusedError",
    "State",
    "Traced",
    "Update",
    "W",
    "aged",
    "chance",
    "exp_neg",
    "g",
    "half_life",
    "logistic",
    "pack",
    "rank",
    "rdiv",
    "root",
    "unpack",
    "update",
]
