"""Commands whose parameters are told otherwise: as an option in the place of an argument, or with other help."""

import functools
import inspect
from collections.abc import Callable

from tallymark.cli.bundles import asked_as


def retold(command: Callable[..., int], **annotations: object) -> Callable[..., int]:
    """The command with these annotations of its parameters. One that was required, a list, need not be given any more.

    >>> def count(files: list[str], top: int = 3) -> int:
    ...     return len(files)
    >>> other = retold(count, files=list[str] | None)
    >>> list(inspect.signature(other).parameters), other()
    (['top', 'files'], 0)
    """
    signature = inspect.signature(command)
    empty = inspect.Parameter.empty
    lists = [name for name in annotations if signature.parameters[name].default is empty]
    told = [
        one.replace(annotation=annotations.get(name, one.annotation), default=None if name in lists else one.default)
        for name, one in signature.parameters.items()
    ]
    told.sort(key=lambda one: (one.default is not empty, one.name in lists))

    @functools.wraps(command)
    def run(**given: object) -> int:
        return command(
            **{name: [] for name in lists} | {k: v for k, v in given.items() if v is not None or k not in lists}
        )

    return asked_as(run, signature.replace(parameters=told), {**command.__annotations__, **annotations})
