"""What entries are about, as it was received."""

import re
from collections.abc import Sequence
from typing import Final

from tallymark.ledger.bundle import BODY
from tallymark.ledger.entries import item_in, prefix
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.played import USUAL, instants, usual

_BEGIN: Final = rb'\{"n":\d+,"kind":"rated","at":(-?\d{1,18}),"rules":\d+,"match":'
_USUAL: Final = re.compile(_BEGIN + b"(" + USUAL + rb'),"after":\[')
"""How most entries begin."""


def items_of(lines: Sequence[bytes], at: int = BODY) -> list[Received | None]:
    """What the entries of lines are about, received when it was settled; None where it is about nothing received.

    `at`: where an entry begins.

    >>> items_of([b'{"n":2,"kind":"not-rated","at":7,"rules":1,"match":{"id":"m"},"reason":"draw"}'], 0)
    [Received(None, 7, b'{"id":"m"}')]
    """
    found = [match.groups() if (match := _USUAL.match(line, at)) else None for line in lines]
    times = iter(instants([told[-1] for told in found if told is not None]))
    items: list[Received | None] = []
    for line, told in zip(lines, found, strict=True):
        if told is None:
            items.append(_unusual(line[at:].removesuffix(b"\n")))
        else:
            settled, body, name, a, b, score, _ = told
            items.append(Received(None, int(settled), body, usual(name, a, b, score, next(times))))
    return items


def item_of(body: bytes) -> Received | None:
    """What an entry is about, as in `items_of`."""
    return items_of([body], 0)[0]


def _unusual(body: bytes) -> Received | None:
    try:
        told = prefix(body)
        item = item_in(body, told.kind)
    except ValueError:
        return None
    return None if item is None else Received(None, told.at, item)
