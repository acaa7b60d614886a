"""A request passed on as another one: whoever is further out still sees what the application found."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from starlette.types import Scope

_FOUND: Final = ("route",)
"""What the application leaves in a scope, for logs and metrics."""


@contextmanager
def passed_on(scope: Scope, **other: Any) -> Iterator[Scope]:
    """The scope with something else in it; what the application found is in both then."""
    asked = {**scope, **other}
    try:
        yield asked
    finally:
        scope.update({name: asked[name] for name in _FOUND if name in asked})
