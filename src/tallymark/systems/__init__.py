"""Rating systems: one module a system, its formulas named after its paper's steps. Pure: no state, no time."""

from tallymark.systems.elo import Elo
from tallymark.systems.face import Constants, Formulas, System
from tallymark.systems.glicko import Glicko
from tallymark.systems.glicko2 import Glicko2
from tallymark.systems.half_life import Glicko2HalfLife
from tallymark.systems.rating import Rating, Scale, State

SYSTEMS: dict[str, type[System]] = {s.kind: s for s in (Elo, Glicko, Glicko2, Glicko2HalfLife)}
"""Every system by the name that a methodology uses."""

__all__ = [
    "SYSTEMS",
    "Constants",
    "Elo",
    "Formulas",
    "Glicko",
    "Glicko2",
    "Glicko2HalfLife",
    "Rating",
    "Scale",
    "State",
    "System",
]
