"""The keys that a service knows: made, found, listed and revoked."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, bindparam, insert, select, update

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.store import Store
from tallymark.service.keys.scopes import Scope, checked
from tallymark.service.tables import KEY

PREFIX: Final = "tallymark"
"""Of every key, so that a scan of a repository finds one that leaked."""
_SHAPE: Final = re.compile(PREFIX + r"_([0-9a-f]{12})_([0-9a-f]{64})")
_REMEMBERED: Final = 10_000
"""Keys that were found lately, at most."""
_ONE: Final = select(KEY).where(KEY.c.id == bindparam("of"))
_LONGEST: Final = 100


class Key(NamedTuple):
    """A key without its secret. `name` says whose it is: it stands beside what is done with it. Times in microseconds
    since 1970 UTC; None: never."""

    id: str
    name: str
    scopes: frozenset[Scope]
    made: int
    expires: int | None
    revoked: int | None

    def may(self, scope: Scope) -> bool:
        """Whether it has the scope; an administrator's has all."""
        return scope in self.scopes or "admin" in self.scopes

    def lives(self, now: int) -> bool:
        """Whether it has neither run out nor been revoked."""
        return self.revoked is None and (self.expires is None or now < self.expires)


class _Seen(NamedTuple):
    key: Key
    until: int


NOBODY: Final = ("service", "somebody")
"""Who acts where no key does: what happens by itself, and who flags without one. No key is called so."""


class Keyring:
    """Keys in the service's own tables. `clock` in microseconds since 1970 UTC; `seconds`: so long a key that was found
    is not looked up again."""

    def __init__(self, store: Store, clock: Callable[[], int], seconds: float) -> None:
        self._store, self._clock, self._microseconds = store, clock, int(seconds * 1_000_000)
        self._seen: dict[str, _Seen] = {}

    def make(self, name: str, scopes: Iterable[str], expires: int | None = None) -> tuple[Key, str]:
        """A new key, and its text, which is not kept: `tallymark_ID_SECRET`."""
        if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > _LONGEST:
            raise InputError(
                f"name is {shortened(name)}; expected a line of text, up to {_LONGEST} characters", field="name"
            )
        if name.strip().casefold() in NOBODY:
            raise InputError(
                f"name is {shortened(name)}, which is what cases call who acts without a key; expected another one",
                field="name",
            )
        now = self._clock()
        if expires is not None and expires <= now:
            raise InputError("expires is over already; expected a time to come", field="expires")
        key = Key(secrets.token_hex(6), name, checked(scopes), now, expires, None)
        secret = secrets.token_hex(32)
        with self._store.writing() as connection:
            connection.execute(
                insert(KEY).values(
                    id=key.id,
                    name=name,
                    digest=_digest(secret),
                    scopes=" ".join(sorted(key.scopes)),
                    made=now,
                    expires=expires,
                )
            )
        return key, f"{PREFIX}_{key.id}_{secret}"

    def remembered(self, text: str) -> Key | None:
        """The key of a text that was found lately: costs no look at the database."""
        seen = self._seen.get(text)
        if seen is None:
            return None
        now = self._clock()
        return seen.key if now < seen.until and seen.key.lives(now) else None

    def familiar(self, text: str) -> Key | None:
        """The key that a text was found to be once, though it may have to be looked up again."""
        seen = self._seen.get(text)
        return None if seen is None else seen.key

    def find(self, text: str) -> Key | None:
        """The key of a text; None where there is none such, or it has run out or was revoked."""
        shape = _SHAPE.fullmatch(text)
        if shape is None:
            return None
        with self._store.reading() as connection:
            row = connection.execute(_ONE, {"of": shape[1]}).one_or_none()
        if row is None or not hmac.compare_digest(bytes(row.digest), _digest(shape[2])):
            return None
        key, now = _key(row), self._clock()
        if not key.lives(now):
            self._seen.pop(text, None)
            return None
        if len(self._seen) >= _REMEMBERED:
            self._seen.clear()
        self._seen[text] = _Seen(key, now + self._microseconds)
        return key

    def living(self, id: str) -> Key | None:
        """The key of that id; None where there is none such, or it has run out or was revoked."""
        with self._store.reading() as connection:
            row = connection.execute(_ONE, {"of": id}).one_or_none()
        key = None if row is None else _key(row)
        return key if key is not None and key.lives(self._clock()) else None

    def all(self) -> list[Key]:
        """Every key, in the order in which they were made, those that are dead too."""
        with self._store.reading() as connection:
            return [_key(row) for row in connection.execute(select(KEY).order_by(KEY.c.made, KEY.c.id))]

    def revoke(self, id: str) -> Key:
        """Takes a key back, for ever; the key. `InputError` where there is none of that id."""
        with self._store.writing() as connection:
            connection.execute(update(KEY).where(KEY.c.id == id, KEY.c.revoked.is_(None)).values(revoked=self._clock()))
            row = connection.execute(_ONE, {"of": id}).one_or_none()
        if row is None:
            raise InputError(f"there is no key {shortened(id)}", hint="tallymark keys list", field="id")
        self._seen.clear()
        return _key(row)


def _digest(secret: str) -> bytes:
    """The secret is 256 bits of chance: nobody tries them all, so that a slow hash would win nothing."""
    return hashlib.sha256(secret.encode()).digest()


def _key(row: Row[Any]) -> Key:
    return Key(row.id, row.name, checked(row.scopes.split()), row.made, row.expires, row.revoked)
