"""How files spell the names of columns: a closed list, compared by letters and digits alone."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from tallymark.games.shapes.plan import Seats


class Sides(NamedTuple):
    """A family of names for the two sides of a game: the words for player_a's and player_b's, and the seats."""

    label: str
    pairs: tuple[tuple[str, str], ...]
    seats: Seats = Seats.PLAIN


WINNER_LOSER: Final = Sides(
    "winner and loser",
    (
        ("winner", "loser"),
        ("winner", "looser"),
        ("winningteam", "losingteam"),
        ("winningplayer", "losingplayer"),
        ("winnerplayer", "loserplayer"),
        ("sieger", "verlierer"),
        ("gewinner", "verlierer"),
        ("vainqueur", "perdant"),
        ("ganador", "perdedor"),
    ),
)
SIDES: Final = (
    Sides(
        "home and away",
        (
            ("home", "away"),
            ("home", "visitor"),
            ("home", "guest"),
            ("hometeam", "awayteam"),
            ("hometeam", "visitorteam"),
            ("homeplayer", "awayplayer"),
            ("homeclub", "awayclub"),
            ("heim", "gast"),
            ("heimmannschaft", "gastmannschaft"),
            ("heimverein", "gastverein"),
            ("local", "visitante"),
        ),
        Seats.HOME_AWAY,
    ),
    Sides(
        "White and Black",
        (("white", "black"), ("whiteplayer", "blackplayer"), ("playerwhite", "playerblack"), ("weiss", "schwarz")),
        Seats.WHITE_BLACK,
    ),
    Sides("Black and White", (("pb", "pw"),), Seats.BLACK_WHITE),
    Sides(
        "first and second",
        (
            ("player1", "player2"),
            ("p1", "p2"),
            ("team1", "team2"),
            ("t1", "t2"),
            ("model1", "model2"),
            ("generator1", "generator2"),
            ("playerone", "playertwo"),
            ("engine1", "engine2"),
            ("bot1", "bot2"),
            ("side1", "side2"),
            ("fighter1", "fighter2"),
            ("opponent1", "opponent2"),
            ("spieler1", "spieler2"),
            ("joueur1", "joueur2"),
            ("jugador1", "jugador2"),
        ),
    ),
    Sides(
        "A and B",
        (
            ("playera", "playerb"),
            ("modela", "modelb"),
            ("teama", "teamb"),
            ("sidea", "sideb"),
            ("spielera", "spielerb"),
        ),
    ),
    Sides("player and opponent", (("player", "opponent"), ("team", "opponent"))),
    Sides("red and blue", (("red", "blue"), ("redfighter", "bluefighter"), ("redteam", "blueteam"))),
    WINNER_LOSER,
)
"""The pairs of sides of a game."""

SCORES: Final = (
    ("pointsa", "pointsb"),
    ("homescore", "awayscore"),
    ("scorehome", "scoreaway"),
    ("homegoals", "awaygoals"),
    ("goalshome", "goalsaway"),
    ("homepoints", "awaypoints"),
    ("homesets", "awaysets"),
    ("homeresult", "awayresult"),
    ("homescore", "visitorscore"),
    ("hgoal", "vgoal"),
    ("hgoals", "agoals"),
    ("fthg", "ftag"),
    ("hg", "ag"),
    ("goalsa", "goalsb"),
    ("goals1", "goals2"),
    ("score1", "score2"),
    ("points1", "points2"),
    ("sets1", "sets2"),
    ("setsa", "setsb"),
    ("winsa", "winsb"),
    ("wins1", "wins2"),
    ("w1", "w2"),
    ("team1score", "team2score"),
    ("player1score", "player2score"),
    ("whitescore", "blackscore"),
    ("teamascore", "teambscore"),
    ("redscore", "bluescore"),
)
"""The pairs of two scores: more is better."""

WINNERS_SCORES: Final = (
    ("winnerscore", "loserscore"),
    ("winnerpoints", "loserpoints"),
    ("winnergoals", "losergoals"),
    ("winnersets", "losersets"),
    ("wscore", "lscore"),
    ("wpoints", "lpoints"),
    ("wsets", "lsets"),
)
"""The scores of a winner and a loser, which must not contradict who is named so."""

PAIRINGS: Final = ("pairing", "bout", "matchup", "fixture")
RESULTS: Final = (
    "result",
    "outcome",
    "winner",
    "re",
    "ftr",
    "res",
    "gameresult",
    "matchresult",
    "ergebnis",
    "resultat",
    "r\u00e9sultat",
    "resultado",
)
SCORELINES: Final = ("score", "scoreline", "finalscore", "ft", "fulltime")
"""Columns that may have the score of both sides in one cell: they count where every cell is one, like 2-1."""
LINES: Final = ("result", "score", "outcome", "scoreline", "ergebnis", "resultat", "r\u00e9sultat", "resultado")
"""What a file of winners and losers calls the column that says how the game went."""
INSTANTS: Final = ("timestamp", "time", "createdat", "starttime", "tstamp")
"""Names that count as a time where every cell looks like a day or an instant."""
TIMES: Final = (
    (
        "playedat",
        "utcdatetime",
        "datetimeutc",
        "datetime",
        "dateplayed",
        "playedon",
        "matchdate",
        "gamedate",
        "utcdate",
    ),
    ("date", "datum", "fecha"),
    INSTANTS,
    ("tourneydate", "eventdate"),
)
"""Names of the time, the clearest first; of several of one clearness somebody has to choose."""
ENDINGS: Final = ("ending", "termination", "victorystatus")
GAME_IDS: Final = ("gameid", "matchid", "boutid", "fightid", "game", "id")
PLAYERS: Final = (
    "player",
    "competitor",
    "driver",
    "participant",
    "model",
    "system",
    "engine",
    "bot",
    "fencer",
    "rider",
)
TEAMS: Final = ("team", "club")
"""Who plays in the long form, where nobody else is named."""
MATCHES: Final = (
    "match",
    "matchid",
    "game",
    "gameid",
    "race",
    "raceid",
    "heatid",
    "roundid",
    "contestid",
    "tournament",
    "event",
)
RANKS: Final = ("rank", "position", "place", "placing", "finishposition", "finalrank", "finalposition")
POINTS: Final = ("points", "score", "setwon", "setswon", "goals", "pts", "totalscore")
SIDE: Final = ("side", "homeaway", "venue", "ha", "match")
"""Columns that say which side an entry was: they count where every cell is a word for a side."""
WINS: Final = ("wins", "win", "won", "w")
LOSSES: Final = ("losses", "loss", "lost", "l", "defeats")
DRAWS: Final = ("draws", "draw", "drawn", "d", "ties")
COUNTED: Final = ("games", "played", "matches")
OPPONENTS: Final = ("opponent", "enemy", "versus", "vs")


def plain(name: str) -> str:
    """A name of a column as it is compared: letters and digits, in one case.

    >>> plain("Home_Team"), plain("FT")
    ('hometeam', 'ft')
    """
    return "".join(filter(str.isalnum, name.casefold()))


def forms(first: str, second: str) -> Iterator[tuple[str, str, str]]:
    """The spellings of a pair of sides: by an id, alone, by a name.

    >>> list(forms("white", "black"))
    [('whiteid', 'blackid', 'id'), ('white', 'black', ''), ('whitename', 'blackname', 'name')]
    """
    for form in ("id", "", "name"):
        yield first + form, second + form, form


def _all() -> Iterator[str]:
    for family in SIDES:
        for first, second in family.pairs:
            for one, two, _ in forms(first, second):
                yield from (one, two)
    for pair in SCORES:
        yield from pair
    groups: tuple[tuple[str, ...], ...] = (
        PAIRINGS,
        RESULTS,
        SCORELINES,
        LINES,
        *TIMES,
        ENDINGS,
        GAME_IDS,
        PLAYERS,
        TEAMS,
    )
    for several in (*groups, MATCHES, RANKS, POINTS, WINS, LOSSES, DRAWS, COUNTED, OPPONENTS):
        yield from several


ALL: Final = frozenset(name for name in _all() if len(name) > 1)
"""Every spelling that is known, but for single letters, which may be anything."""
