"""A documented, checked parameter: what systems and methodologies are made of, and what their reference page prints."""

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, cast

from tallymark.checked import as_float
from tallymark.errors import InputError

SIGMA: Final = "on the scale of phi, a square root of a period"
"""The unit of a volatility."""
_KEY: Final = "parameter"


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a parameter means: unit, range, source, and one sentence. `low` and `high` belong to the range."""

    kind: type
    unit: str
    source: str
    doc: str
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    optional: bool = False
    each: type | None = None

    @property
    def range(self) -> str:
        """The range in words.

        >>> Parameter(float, "points", "paper", "K", low=0.0).range
        'a number from 0 up'
        """
        if self.kind is bool:
            return "true or false"
        if self.kind is tuple:
            inner = f"any of {', '.join(self.choices)}" if self.choices else "values"
            return f"a list of {inner}"
        if self.kind is dict:
            return "a table"
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.kind is str:
            return "text"
        noun = "a whole number" if self.kind is int else "a number"
        low, high = math.isfinite(self.low), math.isfinite(self.high)
        if low and high:
            return f"{noun} from {self.low:g} to {self.high:g}"
        if low:
            return f"{noun} from {self.low:g} up"
        return f"{noun} up to {self.high:g}" if high else f"a finite {noun[2:]}"

    def accept(self, name: str, value: object) -> object:
        """`value` in its own type (a whole number becomes a float where a float is wanted), or `InputError`."""
        if value is None and self.optional:
            return None
        if self.kind is tuple:
            return self._accept_each(name, value)
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = as_float(value)
        right = isinstance(value, self.kind) and (self.kind is bool or not isinstance(value, bool))
        if right and self.kind in (float, int):
            assert isinstance(value, float | int)
            right = math.isfinite(value) and self.low <= value <= self.high
        if right and self.choices:
            right = value in self.choices
        if not right:
            raise InputError(f"{name} is {value!r}; expected {self.range}")
        return value

    def _accept_each(self, name: str, value: object) -> tuple[object, ...]:
        if not isinstance(value, tuple | list):
            raise InputError(f"{name} is {value!r}; expected {self.range}")
        item = dataclasses.replace(self, kind=self.each or str, optional=False)
        accepted = tuple(item.accept(name, one) for one in value)
        if len(set(accepted)) != len(accepted):
            raise InputError(f"{name} is {value!r}; each value may stand there once")
        return accepted


# What a dataclass field declares is the field's own type, so the call returns Any, as dataclasses.field does.
def parameter(
    default: object = dataclasses.MISSING,
    *,
    kind: type = float,
    unit: str = "",
    source: str,
    doc: str,
    low: float = -math.inf,
    high: float = math.inf,
    choices: tuple[str, ...] = (),
    optional: bool = False,
    each: type | None = None,
) -> Any:
    """A dataclass field that carries its `Parameter`."""
    described = Parameter(kind, unit, source, doc, low, high, choices, optional, each)
    if default is dataclasses.MISSING:
        return dataclasses.field(metadata={_KEY: described})
    return dataclasses.field(default=default, metadata={_KEY: described})


def fields_of(of: object) -> tuple[dataclasses.Field[Any], ...]:
    """The fields of a dataclass or of an instance of it, for callers whose types do not say that it is one.

    >>> [field.name for field in fields_of(Parameter)][:2]
    ['kind', 'unit']
    """
    return dataclasses.fields(cast(Any, of))


def parameters(of: object) -> Iterator[tuple[str, Parameter]]:
    """Name and description of every parameter of a dataclass or of an instance of it, in the order written."""
    for field in fields_of(of):
        if _KEY in field.metadata:
            yield field.name, field.metadata[_KEY]


def refuse_idle(instance: object, names: tuple[str, ...], why: str) -> None:
    """`InputError` where one of these parameters is not its default though it has no effect, for the reason given."""
    defaults = {field.name: field.default for field in fields_of(instance)}
    for name in names:
        if getattr(instance, name) != defaults[name]:
            raise InputError(f"{name} is {getattr(instance, name)!r} and has no effect: {why}")


def accept_all(instance: object) -> None:
    """For `__post_init__` of a frozen dataclass: every parameter accepted in its own type, or `InputError`."""
    for name, described in parameters(instance):
        object.__setattr__(instance, name, described.accept(name, getattr(instance, name)))
