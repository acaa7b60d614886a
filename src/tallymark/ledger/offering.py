"""A game log as matches to append: what `tallymark ledger append` makes of a file."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Final, NamedTuple

import numpy as np
import orjson

from tallymark.games import GameLog
from tallymark.games.ids import Id
from tallymark.games.times import NO_TIME, format_instant
from tallymark.games.vocabulary import Ending, Source
from tallymark.ledger.ids import MADE
from tallymark.ledger.matches import Json

_ENDINGS: Final = {word.code: word.value for word in Ending if word is not Ending.NORMAL}
"""A match without an ending has the normal one."""
_SOURCES: Final = {word.code: word.value for word in Source}
_DIGITS: Final = 32
"""Hexadecimal digits of an id made of a match's content."""


class Offer(NamedTuple):
    """A match of a log: its pool there, the row of its first game, and the match; None where there is none to be had,
    and then why."""

    pool: str
    row: int
    match: dict[str, Json] | None
    fault: str = ""


def offers(log: GameLog) -> Iterator[Offer]:
    """The matches of a log in its order, each with an id: the game's, else the match's, else one made of its content.

    An id of the content is the same whenever the same file is read, and what is there twice in a log is two matches.

    >>> log = GameLog.from_arrays(player_a=["ann", "ann"], player_b=["bob", "bob"], score_a=[1, 1])
    >>> [str(offer.match["id"])[-4:] for offer in offers(log) if offer.match]
    ['183c', '3c-2']
    """
    seen: Counter[tuple[str, str]] = Counter()
    named = log.match is not None and not _numbered(log)
    for games in _units(log):
        first = games[0]
        pool, row = log.pools[log.pool[first]], int(log.row[first])
        match = _two(log, first) if len(games) == 1 else _several(log, games)
        if match is None:
            yield Offer(pool, row, None, "its games are no ranking of its players: give each game an id of its own")
            continue
        name = _id(log, first, len(games) == 1, named)
        if name is None:
            name = MADE + hashlib.sha256(orjson.dumps(match)).hexdigest()[:_DIGITS]
            seen[pool, name] += 1
            name = name if seen[pool, name] == 1 else f"{name}-{seen[pool, name]}"
        yield Offer(pool, row, {"id": name, **match})


def _numbered(log: GameLog) -> bool:
    """Whether matches are called by their rows: these were given no ids."""
    if log.match is None or log.matches is None:
        return False
    return all(log.matches[code] == row for code, row in zip(log.match.tolist(), log.row.tolist(), strict=True))


def _units(log: GameLog) -> Iterator[Sequence[int]]:
    """The games of each match, in the order of their first games."""
    if log.match is None:
        yield from ((game,) for game in range(len(log)))
        return
    found: dict[tuple[int, int], list[int]] = {}
    for game, key in enumerate(zip(log.pool.tolist(), log.match.tolist(), strict=True)):
        if key[1] < 0:
            key = key[0], -1 - game
        found.setdefault(key, []).append(game)
    yield from found.values()


def _id(log: GameLog, game: int, alone: bool, named: bool) -> Id | None:
    """The id that a match was given; None where it was given none."""
    if alone and log.game is not None and log.games is not None and log.game[game] >= 0:
        return log.games[int(log.game[game])]
    if named and log.match is not None and log.matches is not None and log.match[game] >= 0:
        return log.matches[int(log.match[game])]
    return None


def _two(log: GameLog, game: int) -> dict[str, Json]:
    score = float(log.score[game])
    players = {"player_a": log.players[log.a[game]], "player_b": log.players[log.b[game]]}
    return {**players, "score_a": int(score) if score.is_integer() else score, **_about(log, game)}


def _several(log: GameLog, games: Sequence[int]) -> dict[str, Json] | None:
    """A match of several players: those who do not meet are of one side, and whoever beats fewer stands behind. None
    where its games are not those of a ranking."""
    met: dict[int, set[int]] = {}
    scores: dict[tuple[int, int], float] = {}
    for game in games:
        a, b = int(log.a[game]), int(log.b[game])
        if (a, b) in scores:
            return None
        scores[a, b] = float(log.score[game])
        scores[b, a] = 1.0 - scores[a, b]
        met.setdefault(a, set()).add(b)
        met.setdefault(b, set()).add(a)
    sides: dict[frozenset[int], list[int]] = {}
    for player in sorted(met):
        sides.setdefault(frozenset(met.keys() - met[player]), []).append(player)
    if any(set(players) != side for side, players in sides.items()):
        return None
    beaten = {side: sum(1 for two in sides if two != side and scores[min(side), min(two)] < 0.5) for side in sides}
    for side, two in permutations(sides, 2):
        expected = 1.0 if beaten[side] < beaten[two] else 0.5 if beaten[side] == beaten[two] else 0.0
        if any(scores[one, other] != expected for one, other in product(side, two)):
            return None
    told: list[Json] = [
        {"players": [log.players[player] for player in players], "rank": beaten[side] + 1}
        for side, players in sorted(sides.items(), key=lambda one: (beaten[one[0]], min(one[0])))
    ]
    return {"sides": told, **_about(log, games[0])}


def _about(log: GameLog, game: int) -> dict[str, Json]:
    """What is told of a match besides its players and result."""
    found: dict[str, Json] = {}
    if log.time is not None and log.time[game] != NO_TIME:
        found["played_at"] = format_instant(int(log.time[game]))
    for name, codes, words in (("ending", log.ending, _ENDINGS), ("source", log.source, _SOURCES)):
        if codes is not None and (word := words.get(int(codes[game]))) is not None:
            found[name] = word
    wholes = ("steps", log.steps), ("board", log.board), ("handicap", log.handicap)
    for name, values in (*wholes, ("band_a", log.band_a), ("band_b", log.band_b)):
        if values is not None and values[game] >= 0:
            found[name] = int(values[game])
    if log.komi is not None and not np.isnan(log.komi[game]):
        found["komi"] = float(log.komi[game])
    return found
