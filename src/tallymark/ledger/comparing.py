"""Projections compared with what a recount gives."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import RowMapping

from tallymark.ledger.store.base import Values


class Difference(NamedTuple):
    """A value that a projection holds, and what its entries give."""

    what: str
    stood: object
    recounted: object

    def __str__(self) -> str:
        return f"{self.what} is {_shown(self.stood)}; its entries give {_shown(self.recounted)}"


def differing(what: str, stood: Mapping[str, object] | RowMapping, again: Values) -> list[Difference]:
    """The values of a row that are not those of a recount.

    >>> [str(one) for one in differing("player ann", {"games": 3}, {"games": 4})]
    ['games of player ann is 3; its entries give 4']
    """
    return [
        Difference(f"{name} of {what}", stood[name], value) for name, value in again.items() if stood[name] != value
    ]


def _shown(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
