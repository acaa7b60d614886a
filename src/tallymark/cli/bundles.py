"""Options that belong together, in one place for all commands: a parameter of a command that stands for several."""

import functools
import inspect
from collections.abc import Callable


def asked_as(
    run: Callable[..., int], signature: inspect.Signature, annotations: dict[str, object]
) -> Callable[..., int]:
    """The function as another is asked: typer takes the order from the signature and the types from the annotations."""
    vars(run)["__signature__"] = signature  # where `inspect` looks for it
    run.__annotations__ = annotations
    return run


def bundled(name: str, make: Callable[..., object]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Makes of a command with the parameter `name` one that takes the parameters of `make` in its place.

    >>> def sized(low: int = 0, high: int = 9) -> range:
    ...     return range(low, high)
    >>> @bundled("span", sized)
    ... def count(word: str, span: range) -> int:
    ...     return len(word) * len(span)
    >>> list(inspect.signature(count).parameters), count("ab", high=3)
    (['word', 'low', 'high'], 6)
    """
    several = inspect.signature(make).parameters

    def decorated(command: Callable[..., int]) -> Callable[..., int]:
        parameters: list[inspect.Parameter] = []
        for one in inspect.signature(command).parameters.values():
            parameters += several.values() if one.name == name else [one]
        parameters.sort(key=lambda one: one.default is not inspect.Parameter.empty)
        signature = inspect.Signature(parameters)

        @functools.wraps(command)
        def run(*words: object, **given: object) -> int:
            bound = signature.bind(*words, **given).arguments
            made = make(**{one: bound.pop(one) for one in several if one in bound})
            return command(**{name: made}, **bound)

        annotations = {**make.__annotations__, **command.__annotations__}
        del annotations[name]
        return asked_as(run, signature, annotations)

    return decorated
