"""Random vectors of every kind, from a seed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tallymark.fixedpoint.constants import DAY, LN2, PHI_MAX, PHI_MIN, VERSION
from tallymark.fixedpoint.felt import BITS, COUNTER_MAX, NEVER_RATED, Player, pack
from tallymark.fixedpoint.rules import MIN_STEPS, Result, VoidReason
from tallymark.fixedpoint.units import ONE
from tallymark.fixedpoint.updating import State
from tallymark.fixedpoint.vectors.drawing import NOW, Draw
from tallymark.fixedpoint.vectors.questions import Vector, game_of, rating_of, update_of
from tallymark.fixedpoint.vectors.values import Value

PLAYERS: Final = 6
"""In a sequence, and in a season."""


def random_vectors(seed: int, updates: int, sequences: int, games: int) -> Iterator[Vector]:
    """So many updates, a tenth as many of each other kind (rounded up), and sequences and seasons of so many games.

    Each kind draws from a stream of its own: more of one kind leave the others as they are.

    >>> [vector.id for vector in random_vectors(7, 1, 1, 1)][::6]
    ['update/random 7:0', 'g/random 7:0', 'sequence/random 7:0']
    """
    counts = dict.fromkeys(_KINDS, -(-updates // 10)) | {"update": updates}
    for i, kind in enumerate(_KINDS):
        draw = Draw(seed).apart(i)
        for number in range(counts[kind]):
            yield Vector(f"{kind}/random {seed}:{number}", kind, _KINDS[kind](draw))
    for i, (kind, make) in enumerate({"sequence": _sequence, "season": _season}.items()):
        draw = Draw(seed).apart(len(_KINDS) + i)
        for number in range(sequences):
            yield Vector(f"{kind}/random {seed}:{number}", kind, make(draw, games))


def _update(draw: Draw) -> Mapping[str, Value]:
    a, b = draw.state(NOW), draw.state(NOW)
    if draw.between(0, 15) == 0:
        b = b._replace(mu=a.mu)
    return update_of(a, b, draw.between(0, 2), NOW)


def _rdiv(draw: Draw) -> Mapping[str, Value]:
    """Ties, their neighbours, and anything, of every width."""
    half = draw.between(1, 1 << draw.between(1, 64))
    n = (2 * draw.between(-(1 << draw.between(1, 32)), 1 << 32) + 1) * half + draw.between(-1, 1)
    return {"n": n, "d": 2 * half if draw.between(0, 3) else 2 * half + 1}


def _root(draw: Draw) -> Mapping[str, Value]:
    """About the halves between two roots, and anything."""
    s = draw.between(0, 1 << draw.between(1, 32))
    return {"n": s * s + s + draw.between(0, 1) if draw.between(0, 3) else draw.between(0, 1 << 66)}


def _aged(draw: Draw) -> Mapping[str, Value]:
    return {**draw.state(NOW)._asdict(), "t": NOW}


def _player(draw: Draw) -> Player:
    """A player as rated games leave one, or close to what a rule turns on."""
    if draw.between(0, 7) == 0:
        return NEVER_RATED
    state = draw.state(NOW)
    phi = state.phi or PHI_MAX
    if draw.between(0, 1):
        phi = draw.between(PHI_MIN, ONE)
    most = (12, 3, COUNTER_MAX)[draw.between(0, 2)]
    wins, losses, draws = (most - draw.between(0, min(most, 9)) for _ in range(3))
    has_peak = draw.between(0, 1) == 1
    established = has_peak or draw.between(0, 1) == 1
    band, peak = draw.between(1, 4), draw.mu() if has_peak else 0
    return Player(state.mu, phi, max(state.last, 0), band, established, has_peak, VERSION, wins, losses, draws, peak)


def _result(draw: Draw, t: int) -> Result:
    steps = draw.between(MIN_STEPS - 2, MIN_STEPS + 1) if draw.between(0, 1) else draw.between(0, 400)
    forfeit, queue = draw.between(0, 1) == 1, draw.between(0, 3) > 0
    return Result(draw.between(0, 2), t, steps, forfeit, queue, draw.between(0, 4), draw.between(0, 4))


def _unpack(draw: Draw) -> Mapping[str, Value]:
    """The felt of a player, with a bit turned over or not, or any bits."""
    place = draw.between(0, 3)
    if place == 0:
        return {"felt": draw.between(0, (1 << BITS) - 1)}
    return {"felt": pack(_player(draw)) ^ (1 << draw.between(0, BITS) if place == 1 else 0)}


def _game(draw: Draw) -> Mapping[str, Value]:
    return game_of(_player(draw), _player(draw), _result(draw, NOW))


def _sequence(draw: Draw, games: int) -> Mapping[str, Value]:
    """Players who start as newcomers or as somebody else, and games between them, one in eight out of order."""
    players = [State(draw.mu(), 0, 0) if i % 2 else draw.state(NOW) for i in range(PLAYERS)]
    told: list[Value] = []
    for t, a, b in _schedule(draw, games):
        told.append({"a": a, "b": b, "half_points": draw.between(0, 2), "t": t})
    return {"players": [player._asdict() for player in players], "games": told}


def _season(draw: Draw, games: int) -> Mapping[str, Value]:
    """Newcomers, and the calls of as many games: most are accepted and rated, some twice, some void."""
    calls: list[Value] = []
    for ticket, (t, a, b) in enumerate(_schedule(draw, games)):
        if draw.between(0, 15):
            calls.append({"action": "accept", "ticket": ticket})
        if draw.between(0, 15) == 0:
            reason = draw.between(min(VoidReason), max(VoidReason))
            calls.append({"action": "void", "ticket": ticket, "reason": reason})
        times = 2 if draw.between(0, 15) == 0 else 1
        calls += [rating_of(ticket, a, b, _result(draw, t))] * times
    return {"calls": calls}


def _schedule(draw: Draw, games: int) -> Iterator[tuple[int, int, int]]:
    """When, and which two players."""
    t = NOW
    for _ in range(games):
        t += draw.between(0, 3 * DAY)
        a = draw.between(0, PLAYERS - 1)
        b = (a + draw.between(1, PLAYERS - 1)) % PLAYERS
        yield t - (draw.between(0, 7 * DAY) if draw.between(0, 7) == 0 else 0), a, b


_KINDS: Final[Mapping[str, Callable[[Draw], Mapping[str, Value]]]] = {
    "update": _update,
    "rdiv": _rdiv,
    "root": _root,
    "exp_neg": lambda draw: {"x": draw.between(0, 34 * LN2)},
    "logistic": lambda draw: {"z": draw.between(-34 * LN2, 34 * LN2)},
    "rank": lambda draw: {"mu": draw.mu()},
    "g": lambda draw: {"var": draw.between(0, 1 << draw.between(50, 67))},
    "half_life": lambda draw: {"rank": draw.between(15 * ONE, 31 * ONE)},
    "aged": _aged,
    "pack": lambda draw: _player(draw)._asdict(),
    "unpack": _unpack,
    "game": _game,
}
