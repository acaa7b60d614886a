"""Who votes: a name that says nothing about anybody, made of what a site calls its user, or of a signed cookie.

A vote's entry is public for ever and names its voter, so that votes can be counted by anybody and voided. What stands
there is an HMAC under a secret of the service: whoever does not know the secret cannot tell whose votes they are.
"""

import base64
import hashlib
import hmac
import random
from typing import Final

from sqlalchemy import bindparam, select, text

from tallymark.games.ids import Id
from tallymark.ledger.ids import checked_id, key_of
from tallymark.ledger.store import Store
from tallymark.service.votes.tables import SECRET

_BYTES: Final = 15
"""Of a name and of a signature: 120 bits, 24 characters."""
_KNOWN: Final = select(SECRET.c.value).where(SECRET.c.name == bindparam("which"))
_MADE: Final = text("INSERT INTO secret (name, value) VALUES (:which, :value) ON CONFLICT DO NOTHING")


class Voters:
    """Names of voters under a secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def of_site(self, voter: Id) -> str:
        """The name of whom an embedding site calls so; `InputError` for what is no id.

        >>> Voters(bytes(32)).of_site("user-17") == Voters(bytes(32)).of_site("user-17")
        True
        >>> Voters(bytes(32)).of_site(17) == Voters(bytes(32)).of_site("17")
        False
        """
        return self._name("site", key_of(checked_id("voter", voter)))

    def new_cookie(self, chance: random.Random) -> str:
        """A cookie for somebody who has none: chance, and a signature."""
        token = _text(chance.randbytes(_BYTES))
        return f"{token}.{self._signed(token)}"

    def of_cookie(self, cookie: str) -> str | None:
        """The name of whose cookie this is; None where it is not signed by this service.

        >>> voters = Voters(bytes(32))
        >>> voters.of_cookie("abc.def") is None, voters.of_cookie(voters.new_cookie(random.Random(1)))[:2]
        (True, 'v-')
        """
        token, dot, signature = cookie.partition(".")
        if not dot or not hmac.compare_digest(signature.encode(), self._signed(token).encode()):
            return None
        return self._name("page", token)

    def _signed(self, token: str) -> str:
        return self._made("cookie", token)

    def _name(self, kind: str, told: str) -> str:
        return f"v-{self._made(kind, told)}"

    def _made(self, kind: str, told: str) -> str:
        return _text(hmac.digest(self._secret, f"{kind}\n{told}".encode(), hashlib.sha256)[:_BYTES])


def secret_of(store: Store, name: str, chance: random.Random) -> bytes:
    """The secret of that name, 32 bytes: the same for all processes, from whichever asked first."""
    with store.reading() as connection:
        known = connection.scalar(_KNOWN, {"which": name})
    if known is None:
        with store.writing() as connection:
            connection.execute(_MADE, {"which": name, "value": chance.randbytes(32)})
            known = connection.scalars(_KNOWN, {"which": name}).one()
    return bytes(known)


def _text(value: bytes) -> str:
    return base64.b32encode(value).decode().lower()
