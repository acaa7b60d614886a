"""tallymark: rate players from the results of their games, so that anyone can recount every number.

>>> import tallymark as tm
>>> tm.Glicko2(tau=0.5).update(tm.Rating(1500, 200, 0.06), [(tm.Rating(1400, 30), 1.0)]).rating > 1500
True
"""

from tallymark import votes
from tallymark.errors import (
    InputError,
    MethodologyError,
    MissingLibraryError,
    ReadError,
    SnapshotError,
    TallymarkError,
    UnknownMethodologyError,
    WriteError,
)
from tallymark.evidence import Score, score
from tallymark.games import Ending, GameLog, LogReport, Source, read_games
from tallymark.methodology import Methodology, diff, methodology, shipped
from tallymark.replay import Replay, ReplayReport, Snapshot, replay
from tallymark.systems import Elo, Glicko, Glicko2, Glicko2HalfLife, Rating, System
from tallymark.tables import Table

__version__ = "0.1.0"

__all__ = [
    "Elo",
    "Ending",
    "GameLog",
    "Glicko",
    "Glicko2",
    "Glicko2HalfLife",
    "InputError",
    "LogReport",
    "Methodology",
    "MethodologyError",
    "MissingLibraryError",
    "Rating",
    "ReadError",
    "Replay",
    "ReplayReport",
    "Score",
    "Snapshot",
    "SnapshotError",
    "Source",
    "System",
    "Table",
    "TallymarkError",
    "UnknownMethodologyError",
    "WriteError",
    "diff",
    "methodology",
    "read_games",
    "replay",
    "score",
    "shipped",
    "votes",
]
