"""What every house agent is: a function of what it is asked, and of some bytes of chance; described, and hashed."""

import ast
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Final, Protocol

from tallymark.arena.games.digests import digest
from tallymark.arena.games.face import Action
from tallymark.arena.referee.saying import ActionRequest
from tallymark.ledger.matches import Json

_HOUSE: Final = "tallymark.arena.house"
_ENGINE: Final = "open-spiel"


class Mind(Protocol):
    """How a house agent decides. Its attributes are the parameters of the algorithm, and never change."""

    @property
    def told(self) -> str:
        """The algorithm in words, its parameters among them."""

    def act(self, asked: ActionRequest, chance: bytes) -> Action:
        """A legal action for what is asked. The same for the same request and chance; nothing is remembered.

        `chance`: 32 bytes that nobody else knows, others each time, or the agent could be foretold.
        """


@dataclass(frozen=True)
class HouseAgent:
    """A house agent of one game."""

    game: str
    manner: str
    """`random`, `greedy`, `search` or, where the game calls for it, another word: the last part of its id."""
    mind: Mind

    @property
    def id(self) -> str:
        """What it is called: `house-connect-four-search`."""
        return f"house-{self.game}-{self.manner}"

    @property
    def algorithm(self) -> str:
        """What it does, in words, for its profile."""
        return self.mind.told

    @property
    def parameters(self) -> Mapping[str, Json]:
        """The numbers and words that its algorithm is run with, by name."""
        return dict(vars(self.mind))

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hexadecimal, of the algorithm: its words, its parameters, its source, the version of OpenSpiel.

        Source: the modules of `tallymark.arena.house` that it is made of, by name and SHA-256; what plays the same has
        the same hash on every machine.
        """
        return digest(
            {
                "algorithm": self.algorithm,
                "parameters": self.parameters,
                "sources": {name: hashlib.sha256(text).hexdigest() for name, text in sources(self.mind).items()},
                "engine": f"{_ENGINE} {_installed()}",
            }
        )


def seeded(chance: bytes) -> Random:
    """Numbers from a request's chance; the stream of `random()` is the same in every version of Python."""
    return Random(int.from_bytes(chance, "big"))


def _installed() -> str:
    try:
        return version(_ENGINE)
    except PackageNotFoundError:
        return "none"


def sources(mind: Mind) -> dict[str, bytes]:
    """What a mind is made of: its module, those of the house that it imports, and so on: their text by name."""
    found: dict[str, bytes] = {}
    wanted = [type(mind).__module__]
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = _source(name)
            wanted += _imported(found[name])
    return dict(sorted(found.items()))


@cache
def _source(module: str) -> bytes:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_bytes()


def _imported(source: bytes) -> list[str]:
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return [node.module for node in nodes if node.module is not None and node.module.startswith(_HOUSE)]
