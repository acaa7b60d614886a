"""In which rules two methodologies differ."""

from typing import NamedTuple

from tallymark.methodology.model import Methodology, Value


class Difference(NamedTuple):
    """A dotted field and its two values; None where it is absent, or is no parameter of that one's system."""

    field: str
    a: Value
    b: Value


def diff(a: Methodology, b: Methodology) -> list[Difference]:
    """Every field that differs, in the order of a file; empty exactly where the hashes are equal.

    >>> from tallymark.methodology import methodology
    >>> diff(methodology("paper"), methodology("paper").with_(tau=0.3))
    [Difference(field='system.tau', a=0.5, b=0.3)]
    """
    left = {field.name: field.value for field in a.fields()}
    right = {field.name: field.value for field in b.fields()}
    names = sorted({**left, **right}, key=lambda name: not name.startswith("system."))  # stable: the system first
    pairs = (Difference(name, left.get(name), right.get(name)) for name in names)
    return [pair for pair in pairs if pair.a != pair.b]
