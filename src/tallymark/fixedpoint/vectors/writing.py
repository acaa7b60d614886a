"""The file of vectors: a line that says what it is, a line a vector, and a line with the SHA-256 of all before it."""

import hashlib
from collections.abc import Iterator
from typing import Final

from tallymark.fixedpoint.constants import VERSION
from tallymark.fixedpoint.vectors.edges import edges
from tallymark.fixedpoint.vectors.kinds import answer
from tallymark.fixedpoint.vectors.questions import Vector
from tallymark.fixedpoint.vectors.randoms import random_vectors
from tallymark.fixedpoint.vectors.rule_edges import rule_edges
from tallymark.fixedpoint.vectors.values import Value, written

FORMAT: Final = "tallymark-vectors"
FORMAT_VERSION: Final = 1


def lines(seed: int, updates: int, sequences: int, games: int, *, steps: bool = True) -> Iterator[str]:
    """Every line of a file: the named edges, random ones (`random_vectors`), and sequences of so many games each.

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
    ['sequence/random 7:0', 'season/random 7:0']
    """
    yield from edges()
    yield from rule_edges()
    yield from random_vectors(seed, updates, sequences, games)


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
