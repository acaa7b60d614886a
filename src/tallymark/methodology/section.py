"""What the sections of a methodology have in common: documented fields, checked one by one and then together."""

from collections.abc import Iterator
from typing import Any, ClassVar

from tallymark.errors import InputError, MethodologyError
from tallymark.systems.parameters import Parameter, parameters

Contradiction = tuple[str, str]
"""A field of a section, and what is wrong with it next to the others."""


class Section:
    """Base of the frozen dataclasses that a methodology is made of. Built valid, or `MethodologyError`."""

    section: ClassVar[str]
    """The name of its table in a methodology's file."""

    def __post_init__(self) -> None:
        self.settle()
        for name, described in parameters(self):
            set_field(self, name, self.accept(name, described, getattr(self, name)))
        for name, message in self.contradictions():
            raise MethodologyError(f"{self.section}.{name} {message}", field=f"{self.section}.{name}")

    def settle(self) -> None:
        """Before the checks: bring what was given into its one form, fill defaults that depend on other fields."""

    def accept(self, name: str, described: Parameter, value: object) -> object:
        """The value of one field in its one form, or `MethodologyError`."""
        return accepted(f"{self.section}.{name}", described, value)

    def contradictions(self) -> Iterator[Contradiction]:
        """After the checks: fields that cannot stand together."""
        return iter(())


def set_field(of: object, name: str, value: object) -> None:
    """Sets a field while a frozen dataclass is being built."""
    object.__setattr__(of, name, value)


def accepted(field: str, described: Parameter, value: object) -> object:
    """`value` in the one form it has in a hash (lists in the order of their vocabulary), or `MethodologyError`."""
    try:
        value = described.accept(field, value)
    except InputError as error:
        raise MethodologyError(error.message, field=field) from None
    if isinstance(value, tuple):
        order: dict[object, int] = {choice: at for at, choice in enumerate(described.choices)}
        ordered: list[Any] = list(value)
        ordered.sort(key=lambda one: order.get(one, one))
        return tuple(ordered)
    return value
