"""Game logs: reading files, checking rows, naming the problems, and one columnar form in one total order."""

from tallymark.games.fixtures import Fixtures, read_fixtures
from tallymark.games.frames import read_frame
from tallymark.games.log import GameLog
from tallymark.games.reading import read_games
from tallymark.games.ready import ReadyLog
from tallymark.games.report import LogReport, Reason
from tallymark.games.vocabulary import Ending, Source

__all__ = [
    "Ending",
    "Fixtures",
    "GameLog",
    "LogReport",
    "ReadyLog",
    "Reason",
    "Source",
    "read_fixtures",
    "read_frame",
    "read_games",
]
