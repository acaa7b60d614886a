"""Players as people know them: names and contact, beside the chain. Entries know ids alone, so that a name can change
and a person can be forgotten, and no result moves."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.ids import checked_id, id_of, key_of
from tallymark.ledger.store import Store
from tallymark.ledger.store.base import Values
from tallymark.ledger.tables import PLAYER

Kind: TypeAlias = Literal["person", "agent", "house", "item"]
"""A person, a program that somebody entered, one of the site's own, a thing that is voted on."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
LONGEST: Final = 200
"""Characters of a name, and of a contact."""
_AT_ONCE: Final = 500
_ONE: Final = select(PLAYER).where(PLAYER.c.id == bindparam("who"))


class Player(NamedTuple):
    """What is known of a player besides results; None where it is not. `owner`: the id of whose agent it is."""

    id: Id
    name: str | None = None
    contact: str | None = None
    kind: Kind | None = None
    owner: Id | None = None


class People:
    """Names of players, in all pools of a ledger."""

    _store: Store

    def name(
        self,
        player: Id,
        name: str | None = None,
        *,
        contact: str | None = None,
        kind: Kind | None = None,
        owner: Id | None = None,
    ) -> Player:
        """Says who a player is, and what is known then. What is not given stays; to take something away, `forget` the
        player and say the rest again."""
        checked(Player(player, name, contact, kind, owner))
        with self._store.forgetting() as connection:  # an old name is one that was given up
            known = _known(connection, player) or Player(player)
            now = Player(
                player, name or known.name, contact or known.contact, kind or known.kind,
                known.owner if owner is None else owner,
            )  # fmt: skip
            self._store.upsert(connection, PLAYER, [_values(now)])
        return now

    def player(self, player: Id) -> Player:
        """What is known of a player; of who has no name, the id alone."""
        with self._store.reading() as connection:
            return _known(connection, checked_id("player", player)) or Player(player)

    def names(self, players: Iterable[Id]) -> dict[Id, str]:
        """The names of those of these players who have one."""
        keys = sorted({key_of(checked_id("player", player)) for player in players})
        found: dict[Id, str] = {}
        with self._store.reading() as connection:
            for low in range(0, len(keys), _AT_ONCE):
                some = PLAYER.c.id.in_(keys[low : low + _AT_ONCE])
                for row in connection.execute(
                    select(PLAYER.c.id, PLAYER.c.name).where(some, PLAYER.c.name.is_not(None))
                ):
                    found[id_of(row.id)] = row.name
        return found

    def forget(self, player: Id) -> bool:
        """Forgets who a player is; whether anything was known. Results stay, under an id that says nothing any more,
        and `learn` does not bring the name back.

        A file is overwritten where the name stood. In PostgreSQL old versions of rows stay until they are vacuumed;
        backups are for you to think of.
        """
        nobody = Player(checked_id("player", player))
        with self._store.forgetting() as connection:
            known = _known(connection, player)
            self._store.upsert(connection, PLAYER, [_values(nobody)])
        return known not in (None, nobody)

    def learn(self, names: Mapping[Id, str], kind: Kind | None = None) -> int:
        """Names for those of these players of whom nothing is known, and who were not forgotten; how many these are.
        `kind`: what they all are."""
        told = [checked(Player(player, name, kind=kind)) for player, name in names.items()]
        with self._store.writing() as connection:
            new = [player for player in told if _known(connection, player.id) is None]
            if new:
                self._store.upsert(connection, PLAYER, [_values(player) for player in new])
        return len(new)


def checked(player: Player) -> Player:
    """The player; `InputError` names what cannot be."""
    checked_id("player", player.id)
    for field, text in (("name", player.name), ("contact", player.contact)):
        if text is None:
            continue
        if not isinstance(text, str) or not text.strip() or not text.isprintable() or len(text) > LONGEST:
            raise InputError(f"{field} is {shortened(text)}; expected a line of text, up to {LONGEST} characters")
    if player.kind is not None and player.kind not in KINDS:
        raise InputError(f"kind is {player.kind!r}; expected {', '.join(KINDS)}")
    if player.owner is not None:
        checked_id("owner", player.owner)
        if player.owner == player.id:
            raise InputError(f"{player.id!r} cannot own itself")
    return player


def _known(connection: Connection, player: Id) -> Player | None:
    found = connection.execute(_ONE, {"who": key_of(player)}).one_or_none()
    if found is None:
        return None
    return Player(player, found.name, found.contact, found.kind, None if found.owner is None else id_of(found.owner))


def _values(player: Player) -> Values:
    owner = None if player.owner is None else key_of(player.owner)
    return {
        "id": key_of(player.id),
        "name": player.name,
        "contact": player.contact,
        "kind": player.kind,
        "owner": owner,
    }
