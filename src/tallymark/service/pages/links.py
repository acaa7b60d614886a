"""Where the pages are, and the API's answers that say the same. Ids in paths as the API spells them."""

from urllib.parse import quote, urlencode

from tallymark.games.ids import Id
from tallymark.service.answers import path_of


def pool_path(pool: str, *more: str) -> str:
    """A pool's board, or a page below it.

    >>> pool_path("a b"), pool_path("chess", "methodology")
    ('/pools/a%20b', '/pools/chess/methodology')
    """
    return "/".join(("/pools", quote(pool, safe=""), *more))


def player_path(pool: str, player: Id) -> str:
    """
    >>> player_path("chess", "ann/1"), player_path("chess", "17")
    ('/pools/chess/players/ann%2F1', '/pools/chess/players/%2217%22')
    """
    return pool_path(pool, "players", path_of(player))


def match_path(pool: str, match: Id) -> str:
    """
    >>> match_path("chess", 17)
    '/pools/chess/matches/17'
    """
    return pool_path(pool, "matches", path_of(match))


def entry_path(pool: str, position: int) -> str:
    """
    >>> entry_path("chess", 3)
    '/pools/chess/entries/3'
    """
    return pool_path(pool, "entries", str(position))


def api(path: str) -> str:
    """The path of the API for a path of the pages.

    >>> api("/pools/chess")
    '/v1/pools/chess'
    """
    return f"/v1{path}"


def with_query(path: str, **parameters: object) -> str:
    """A path with those parameters that are not None.

    >>> with_query("/pools/chess", window="week", at=None)
    '/pools/chess?window=week'
    """
    given = {name: str(value) for name, value in parameters.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


def against_path(pool: str, player: Id, other: Id) -> str:
    """
    >>> against_path("chess", "ann", 17)
    '/pools/chess/players/ann/against/17'
    """
    return f"{player_path(pool, player)}/against/{path_of(other)}"


def arena_match_path(match: str) -> str:
    """A match of the arena.

    >>> arena_match_path("hex-17")
    '/arena/matches/hex-17'
    """
    return f"/arena/matches/{quote(match, safe='')}"


def records_path(match: str) -> str:
    """The records of a match of the arena.

    >>> records_path("hex-17")
    '/v1/arena/matches/hex-17/records'
    """
    return f"{api(arena_match_path(match))}/records"


def agent_path(agent: str) -> str:
    """
    >>> agent_path("ann-1")
    '/arena/agents/ann-1'
    """
    return f"/arena/agents/{quote(agent, safe='')}"
