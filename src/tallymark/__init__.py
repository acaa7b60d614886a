"""tallymark: rate players from the results of their games, so that anyone can recount every number.

>>> import tallymark as tm
>>> tm.Glicko2(tau=0.5).update(tm.Rating(1500, 200, 0.06), [(tm.Rating(1400, 30), 1.0)]).rating > 1500
True
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tallymark import fixedpoint, votes
    from tallymark.errors import (
        BrokenChainError,
        ConflictError,
        InputError,
        LedgerError,
        MethodologyError,
        MissingLibraryError,
        ProjectionError,
        ReadError,
        SnapshotError,
        StaleError,
        StuckError,
        TallymarkError,
        UnknownError,
        UnknownMethodologyError,
        WriteError,
    )
    from tallymark.evidence.exactness import Exactness, exactness
    from tallymark.evidence.score import Score, score
    from tallymark.games import (
        Ending,
        Fixtures,
        GameLog,
        LogReport,
        ReadyLog,
        Source,
        read_fixtures,
        read_frame,
        read_games,
    )
    from tallymark.games.synthetic import synthetic
    from tallymark.ledger.ledger import Ledger
    from tallymark.ledger.verify import Verified, verify
    from tallymark.methodology import Methodology, diff, methodology, shipped
    from tallymark.replay import InitialRatings, Replay, ReplayReport, Snapshot, predict, read_ratings, replay
    from tallymark.standings import TieBreak, standings
    from tallymark.systems import Elo, Glicko, Glicko2, Glicko2HalfLife, Rating, System
    from tallymark.tables import Table

__version__ = "0.1.0"

__all__ = [
    "BrokenChainError",
    "ConflictError",
    "Elo",
    "Ending",
    "Exactness",
    "Fixtures",
    "GameLog",
    "Glicko",
    "Glicko2",
    "Glicko2HalfLife",
    "InitialRatings",
    "InputError",
    "Ledger",
    "LedgerError",
    "LogReport",
    "Methodology",
    "MethodologyError",
    "MissingLibraryError",
    "ProjectionError",
    "Rating",
    "ReadError",
    "ReadyLog",
    "Replay",
    "ReplayReport",
    "Score",
    "Snapshot",
    "SnapshotError",
    "Source",
    "StaleError",
    "StuckError",
    "System",
    "Table",
    "TallymarkError",
    "TieBreak",
    "UnknownError",
    "UnknownMethodologyError",
    "Verified",
    "WriteError",
    "diff",
    "exactness",
    "fixedpoint",
    "methodology",
    "predict",
    "read_fixtures",
    "read_frame",
    "read_games",
    "read_ratings",
    "replay",
    "score",
    "shipped",
    "standings",
    "synthetic",
    "verify",
    "votes",
]

# Names are loaded when first asked for: a command line that prints its help, or a program that updates one rating,
# should not wait for numpy.
_NAMES = {
    "errors": "BrokenChainError ConflictError InputError LedgerError MethodologyError MissingLibraryError "
    "ProjectionError ReadError SnapshotError StaleError StuckError TallymarkError UnknownError "
    "UnknownMethodologyError WriteError",
    "evidence": "Score score",
    "evidence.exactness": "Exactness exactness",
    "games": "Ending Fixtures GameLog LogReport ReadyLog Source read_fixtures read_frame read_games",
    "games.synthetic": "synthetic",
    "ledger.ledger": "Ledger",
    "ledger.verify": "Verified verify",
    "methodology": "Methodology diff methodology shipped",
    "replay": "InitialRatings Replay ReplayReport Snapshot predict read_ratings replay",
    "standings": "TieBreak standings",
    "systems": "Elo Glicko Glicko2 Glicko2HalfLife Rating System",
    "tables": "Table",
}
_HOME = {name: home for home, names in _NAMES.items() for name in names.split()}


class _Package(ModuleType):
    """The package itself. Its functions `methodology` and `replay` live in subpackages of the same names, and Python
    sets a subpackage on its parent once it is loaded, whoever imports it and when: here the function is set instead.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and _HOME.get(name) == name:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name not in _HOME:
        return importlib.import_module(f"{__name__}.{name}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    setattr(sys.modules[__name__], name, value)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
