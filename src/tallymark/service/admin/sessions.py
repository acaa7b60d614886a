"""Sessions: begun with a key, kept as a hash, over when they run out, when somebody signs out, or with the key."""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Final, NamedTuple

from sqlalchemy import bindparam, delete, insert, select

from tallymark.ledger.store import Store
from tallymark.service.admin.tables import SESSION
from tallymark.service.keys.keyring import Key, Keyring

_HOUR: Final = 3_600_000_000
_ONE: Final = select(SESSION).where(SESSION.c.digest == bindparam("of"))


class Session(NamedTuple):
    """Who is signed in. `proof` stands in every form, where no other site's page can know it."""

    key: Key
    token: str

    @property
    def proof(self) -> str:
        """Follows from the token, which the cookie holds."""
        return hmac.digest(self.token.encode(), b"form", hashlib.sha256).hex()


class Sessions:
    """The sessions of a service. `clock` in microseconds since 1970 UTC; `hours`: so long one lasts."""

    def __init__(self, store: Store, keyring: Keyring, clock: Callable[[], int], hours: float) -> None:
        self._store, self._keyring, self._clock = store, keyring, clock
        self._lasts = int(hours * _HOUR)

    def begin(self, key: Key) -> Session:
        """A new session of a key; those that have run out are forgotten by the way."""
        token, now = secrets.token_hex(32), self._clock()
        with self._store.writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.expires <= now))
            connection.execute(insert(SESSION).values(digest=_digest(token), key_id=key.id, expires=now + self._lasts))
        return Session(key, token)

    def find(self, token: str) -> Session | None:
        """The session of a token; None where it is over, or its key is."""
        with self._store.reading() as connection:
            row = connection.execute(_ONE, {"of": _digest(token)}).one_or_none()
        if row is None or self._clock() >= row.expires:
            return None
        key = self._keyring.living(row.key_id)
        return None if key is None else Session(key, token)

    def end(self, token: str) -> None:
        """Signs out."""
        with self._store.writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.digest == _digest(token)))


def _digest(token: str) -> bytes:
    """The token is 256 bits of chance, as the secret of a key is."""
    return hashlib.sha256(token.encode()).digest()
