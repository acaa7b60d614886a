"""OpenSpiel as we use it: the few methods that we call, with their types, and imported when it is needed."""

import importlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Protocol, TypeAlias

from tallymark.errors import MissingLibraryError

Parameter: TypeAlias = "bool | int | float | str"
"""What a parameter of OpenSpiel's games can be. Its type counts: komi is 7.0, not 7."""


class State(Protocol):
    """A position of OpenSpiel. Actions are its numbers; players are seats, negative where nobody moves."""

    def legal_actions(self) -> Sequence[int]:
        """Ascending; of whoever moves."""

    def apply_action(self, action: int) -> None:
        """Changes the state. What is not legal may end the process: ask first."""

    def is_terminal(self) -> bool: ...

    def current_player(self) -> int: ...

    def returns(self) -> Sequence[float]:
        """One number a seat; of two players the first wins where its own is above 0."""

    def to_dict(self) -> Mapping[str, object]:
        """Of some games alone."""

    def clone(self) -> "State": ...


class Engine(Protocol):
    """A game of OpenSpiel."""

    def new_initial_state(self) -> State: ...


@cache
def engine(name: str, **parameters: Parameter) -> Engine:
    """The game that OpenSpiel calls so; `MissingLibraryError` where the extra `arena` is not installed."""
    try:
        library = importlib.import_module("pyspiel")
    except ImportError as error:
        raise MissingLibraryError("open-spiel is not installed", hint="pip install 'tallymark[arena]'") from error
    loaded: Engine = library.load_game(name, parameters)
    return loaded
