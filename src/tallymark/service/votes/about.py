"""What people see of an item besides its name: a text, and a link to more. It stands beside the chain, can be told
anew, and can be forgotten."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from sqlalchemy import bindparam, delete, select
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.ids import id_of, key_of, printable
from tallymark.ledger.ledger import Ledger
from tallymark.service.votes.tables import ABOUT

TEXT: Final = 500
"""Characters of a text."""
LINK: Final = 500
"""Characters of a link."""
LINK_PATTERN: Final = r"https://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?([/?#][!#-;=?-\[\]_a-z~]*)?"
"""Links that every program takes for the same: no name or password before the host, nothing that has to be escaped."""
_LINK: Final = re.compile(LINK_PATTERN)
_AFTER: Final = re.compile(r"[/?#]")
_LABEL: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_SOME: Final = select(ABOUT).where(ABOUT.c.pool == bindparam("of"), ABOUT.c.item.in_(bindparam("some", expanding=True)))
_AT_ONCE: Final = 500

Told: TypeAlias = Mapping[str, str | None]
"""What is told of an item, by `text` and `link`: None takes away what there is, and what is not in it stays."""


class About(NamedTuple):
    """What there is of an item; None where there is nothing."""

    text: str | None = None
    link: str | None = None


class Abouts:
    """What is told of items, in all pools of a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._store = ledger, ledger.store

    def of(self, pool: str, items: Iterable[Id]) -> dict[Id, About]:
        """What there is of those of these items of which something was told."""
        with self._store.reading() as connection:
            return _read(connection, self._ledger.number(pool), [key_of(one) for one in items])

    def tell(self, pool: str, told: Mapping[Id, Told]) -> None:
        """Tells what is `checked`, in one transaction."""
        some = {item: what for item, what in told.items() if what}
        if not some:
            return
        number = self._ledger.number(pool)
        with self._store.forgetting() as connection:  # an old text is one that was given up
            known = _read(connection, number, [key_of(item) for item in some])
            rows = [
                {"pool": number, "item": key_of(item), **known.get(item, About())._asdict(), **what}
                for item, what in some.items()
            ]
            self._store.upsert(connection, ABOUT, rows)

    def forget(self, item: Id) -> bool:
        """Takes away what was told of an item, in every pool; whether that was anything."""
        with self._store.forgetting() as connection:
            return bool(connection.execute(delete(ABOUT).where(ABOUT.c.item == key_of(item))).rowcount)


def checked(told: Mapping[str, object], where: str = "") -> Told:
    """The text and the link that are among what is told of an item. `where` stands before the names in messages.

    >>> checked({"id": "plum", "text": "With plums.", "link": None})
    {'text': 'With plums.', 'link': None}
    """
    found: dict[str, str | None] = {}
    for what, check in (("text", _text), ("link", _link)):
        if what in told:
            value = told[what]
            found[what] = None if value is None else check(where + what, value)
    return found


def _text(name: str, value: object) -> str:
    text = value.replace("\r\n", "\n").strip() if isinstance(value, str) else ""
    if not text or len(text) > TEXT or not all(map(printable, text.split("\n"))):
        raise InputError(f"{name} is {shortened(value)}; expected text, up to {TEXT} characters", field=name)
    return text


def _link(name: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > LINK or not _LINK.fullmatch(value) or not _leads(value):
        raise InputError(
            f"{name} is {shortened(value)}; expected the address of a page, up to {LINK} characters",
            hint="it begins with https:// and is spelt as browsers send it, such as https://example.org/plum%20cake",
            field=name,
        )
    return value


def _leads(link: str) -> bool:
    """Whether a link has a host and a port that there may be.

    >>> _leads("https://example.org:443/plum"), _leads("https://a..b/"), _leads("https://-a.org"), _leads("https://a:0")
    (True, False, False, False)
    """
    host, _, port = _AFTER.split(link[len("https://") :], maxsplit=1)[0].partition(":")
    labels = host.split(".")
    if not all(_LABEL.fullmatch(label) for label in labels) or len(host) > 253:
        return False
    if labels[-1].isdigit() and (len(labels) != 4 or any(len(one) > 3 or int(one) > 255 for one in labels)):
        return False  # a browser takes it for an address in numbers, and it is none
    return not port or 0 < int(port) < 65_536


def _read(connection: Connection, pool: int, keys: list[str]) -> dict[Id, About]:
    found: dict[Id, About] = {}
    for low in range(0, len(keys), _AT_ONCE):
        for row in connection.execute(_SOME, {"of": pool, "some": keys[low : low + _AT_ONCE]}):
            found[id_of(row.item)] = About(row.text, row.link)
    return found
