"""The file of vectors: a line that says what it is, a line a vector, and a line with the SHA-256 of all before it."""

import hashlib
from collections.abc import Iterator
from typing import Final

from tallymark.fixedpoint.constants import DAY, VERSION
from tallymark.fixedpoint.updating import State
from tallymark.fixedpoint.vectors.edges import Vector, edges, game_of
from tallymark.fixedpoint.vectors.kinds import answer
from tallymark.fixedpoint.vectors.randoms import NOW, Draw
from tallymark.fixedpoint.vectors.values import Value, written

FORMAT: Final = "tallymark-vectors"
FORMAT_VERSION: Final = 1
PLAYERS: Final = 6
"""In a sequence."""


def lines(seed: int, updates: int, sequences: int, games: int, *, steps: bool = True) -> Iterator[str]:
    """Every line of a file: the named edges, random updates, and sequences of so many games each.

    The same arguments give the same bytes. Without `steps` an answer is told without its intermediates.

    >>> file = list(lines(1, 10, 1, 5))
    >>> file[0]
    '{"format":"tallymark-vectors","format_version":"1","constants_version":"2","seed":"1"}\\n'
    >>> file[1]
    '{"id":"rdiv/1:2","kind":"rdiv","in":{"n":"1","d":"2"},"out":"0"}\\n'
    """
    digest = hashlib.sha256()
    for line in _without_hash(seed, updates, sequences, games, steps):
        digest.update(line.encode())
        yield line
    yield trailer(digest.hexdigest())


def trailer(digest: str) -> str:
    """The last line.

    >>> trailer("00")
    '{"sha256":"00"}\\n'
    """
    return written({"sha256": digest}) + "\n"


def asked(seed: int, updates: int, sequences: int, games: int) -> Iterator[Vector]:
    """The questions of such a file.

    >>> [vector.id for vector in asked(7, 1, 1, 1)][-2:]
    ['update/random 7:0', 'sequence/random 7:0']
    """
    yield from edges()
    draw = Draw(seed)
    for i in range(updates):
        yield Vector(f"update/random {seed}:{i}", "update", game_of(*_game(draw)))
    for i in range(sequences):
        yield Vector(f"sequence/random {seed}:{i}", "sequence", _sequence(draw, games))


def _without_hash(seed: int, updates: int, sequences: int, games: int, steps: bool) -> Iterator[str]:
    head: dict[str, Value] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "constants_version": VERSION,
        "seed": seed,
    }
    yield written({**head, "seed": seed}) + "\n"
    for vector in asked(seed, updates, sequences, games):
        yield written(_told(vector, steps)) + "\n"


def _told(vector: Vector, steps: bool) -> dict[str, Value]:
    said = answer(vector.kind, vector.given)
    told: dict[str, Value] = {"id": vector.id, "kind": vector.kind, "in": vector.given}
    if said.refused:
        return {**told, "refused": said.refused}
    told["out"] = said.out
    if said.steps and steps:
        told["steps"] = said.steps
    return told


def _game(draw: Draw) -> tuple[State, State, int, int]:
    a, b = draw.state(NOW), draw.state(NOW)
    if draw.between(0, 15) == 0:
        b = b._replace(mu=a.mu)
    return a, b, draw.between(0, 2), NOW


def _sequence(draw: Draw, games: int) -> dict[str, Value]:
    """Players who start as newcomers or as somebody else, and games between them, one in eight out of order."""
    players = [State(draw.mu(), 0, 0) if i % 2 else draw.state(NOW) for i in range(PLAYERS)]
    told: list[Value] = []
    t = NOW
    for _ in range(games):
        t += draw.between(0, 3 * DAY)
        a = draw.between(0, PLAYERS - 1)
        b = (a + draw.between(1, PLAYERS - 1)) % PLAYERS
        late = draw.between(0, 7 * DAY) if draw.between(0, 7) == 0 else 0
        told.append({"a": a, "b": b, "half_points": draw.between(0, 2), "t": t - late})
    return {"players": [player._asdict() for player in players], "games": told}
