"""Items put on the list of what is voted on, with what is told of them: from a request, or from lines of CSV."""

import csv
from collections.abc import Mapping
from typing import Final, NamedTuple

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.ids import checked_id
from tallymark.ledger.ledger import Ledger
from tallymark.service.api.parameters import id_in
from tallymark.service.votes.about import Told, checked
from tallymark.service.votes.polling import Polling

MOST: Final = 1000
"""Items at once."""
FIELDS: Final = ("id", "name", "text", "link")
"""What is told of an item, in the order of a line."""


class Listed(NamedTuple):
    """An item as it is told: its name, where it has one, and what people see besides."""

    name: str | None
    about: Told


def list_items(ledger: Ledger, polling: Polling, pool: str, told: Mapping[Id, Listed]) -> int:
    """Puts items on a pool's list, with what is told of them; how many were not on it. A name is kept for items of
    which nothing is known yet; a text or a link takes the place of the one before."""
    items = polling.ballots.items(pool)
    # It refuses what is no name: before anything is listed.
    ledger.learn({one: found.name for one, found in told.items() if found.name is not None}, kind="item")
    polling.abouts.tell(pool, {one: found.about for one, found in told.items()})
    return items.list(told)


def items_of(given: object) -> dict[Id, Listed]:
    """The items of a request; `InputError` names what is none."""
    if not isinstance(given, list) or not 1 <= len(given) <= MOST:
        raise InputError(f"items is {shortened(given)}; expected a list of 1 to {MOST:,} objects", field="items")
    found: dict[Id, Listed] = {}
    for n, one in enumerate(given):
        where = f"items[{n}]"
        if not isinstance(one, Mapping) or set(one) - set(FIELDS):
            raise InputError(
                f"{where} is {shortened(one)}; expected an object with id, and perhaps name, text, link", field=where
            )
        name = one.get("name")
        if name is not None and not isinstance(name, str):
            raise InputError(f"{where}.name is {shortened(name)}; expected text", field=f"{where}.name")
        item = checked_id(f"{where}.id", one.get("id"))
        if item in found:
            raise _twice(where, item)
        found[item] = Listed(name, checked(one, f"{where}."))
    return found


def items_in(text: str) -> dict[Id, Listed]:
    """Items by lines of CSV: id, name, text and link, or as a first line has these words. Ids are spelt as in paths; an
    empty cell takes away what there is, and cells that are not there leave it.

    >>> items_in('plum, Plum cake\\npear, Pear tart, "With pears, and butter"')["pear"]
    Listed(name='Pear tart', about={'text': 'With pears, and butter'})
    """
    try:
        rows = [
            row for row in csv.reader(text.splitlines(keepends=True), skipinitialspace=True, strict=True) if any(row)
        ]
    except csv.Error as error:
        raise InputError(f"the lines are no CSV: {error}", field="items") from None
    names = list(FIELDS)
    if rows and "id" in (head := [cell.strip().casefold() for cell in rows[0]]) and set(head) <= set(FIELDS):
        names = head
        del rows[0]
    if not 1 <= len(rows) <= MOST:
        raise InputError(f"there are {len(rows):,} items; expected 1 to {MOST:,}, a line each", field="items")
    found: dict[Id, Listed] = {}
    for n, row in enumerate(rows, 1):
        if len(row) > len(names):
            raise InputError(
                f"item {n} has {len(row)} cells; expected {', '.join(names)}",
                hint='text with a comma in it stands in quotes: "sweet, and red"',
                field="items",
            )
        told = dict(zip(names, (cell.strip() for cell in row), strict=False))
        about: Told = {what: told[what] or None for what in ("text", "link") if what in told}
        item = id_in(told.get("id", ""), f"item {n}: id")
        if item in found:
            raise _twice(f"item {n}", item)
        found[item] = Listed(told.get("name") or None, checked(about, f"item {n}: "))
    return found


def _twice(where: str, item: Id) -> InputError:
    return InputError(f"{where} is {shortened(item)} once more; expected each item once", field="items")
