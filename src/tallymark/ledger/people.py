"""Players as people know them: names and contact, beside the chain. Entries know ids alone, so that a name can change
and a person can be forgotten, and no result moves."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from sqlalchemy import ColumnElement, Table, bindparam, case, exists, select, update
from sqlalchemy.engine import Connection

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.ids import checked_id, id_of, key_of, printable
from tallymark.ledger.store import Store
from tallymark.ledger.store.base import Values
from tallymark.ledger.tables import CLOSING, HEAD, PLAYER, RATING, WINDOW

Kind: TypeAlias = Literal["person", "agent", "house", "item"]
"""A person, a program that somebody entered, one of the site's own, a thing that is voted on."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
CODES: Final[dict[Kind | None, int]] = {None: 0} | {kind: code for code, kind in enumerate(KINDS, 1)}
"""What boards call them."""
_CASES: Final = {kind: code for kind, code in CODES.items() if kind is not None}
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
            if now.kind != known.kind:
                known_as(connection, now)
        return now

    def player(self, player: Id) -> Player:
        """What is known of a player; of who has no name, the id alone."""
        with self._store.reading() as connection:
            return _known(connection, checked_id("player", player)) or Player(player)

    def names(self, players: Iterable[Id]) -> dict[Id, str]:
        """The names of those of these players who have one."""
        return self.names_and_kinds(players)[0]

    def kinds(self, players: Iterable[Id]) -> dict[Id, Kind]:
        """What those of these players are of whom that is known."""
        return self.names_and_kinds(players)[1]

    def names_and_kinds(self, players: Iterable[Id]) -> tuple[dict[Id, str], dict[Id, Kind]]:
        """The names of those of these players who have one, and what those are of whom that is known."""
        keys = sorted({key_of(checked_id("player", player)) for player in players})
        names: dict[Id, str] = {}
        kinds: dict[Id, Kind] = {}
        with self._store.reading() as connection:
            for low in range(0, len(keys), _AT_ONCE):
                some = PLAYER.c.id.in_(keys[low : low + _AT_ONCE])
                for row in connection.execute(select(PLAYER.c.id, PLAYER.c.name, PLAYER.c.kind).where(some)):
                    if row.name is not None:
                        names[id_of(row.id)] = row.name
                    if row.kind is not None:
                        kinds[id_of(row.id)] = row.kind
        return names, kinds

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
            if known is not None and known.kind is not None:
                known_as(connection, nobody)
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
        if not isinstance(text, str) or not text.strip() or not printable(text) or len(text) > LONGEST:
            raise InputError(
                f"{field} is {shortened(text)}; expected a line of text, up to {LONGEST} characters", field=field
            )
    if player.kind is not None and player.kind not in KINDS:
        raise InputError(f"kind is {shortened(player.kind)}; expected {', '.join(KINDS)}")
    if player.owner is not None:
        checked_id("owner", player.owner)
        if player.owner == player.id:
            raise InputError(f"{player.id!r} cannot own itself")
    return player


def known_as(connection: Connection, player: Player) -> None:
    """Puts a player's kind where boards look for it.

    Raters who write a first match just now are waited for, or wait: they hold the head of their pool.
    """
    connection.execute(select(HEAD.c.pool).order_by(HEAD.c.pool).with_for_update())
    code, key = CODES[player.kind], key_of(player.id)
    connection.execute(update(RATING).where(RATING.c.player == key).values(who=code))
    frozen = select(WINDOW.c.pool, WINDOW.c.kind, WINDOW.c.start)
    for window in connection.execute(frozen).all():
        of = CLOSING.c.pool == window.pool, CLOSING.c.kind == window.kind, CLOSING.c.start == window.start
        connection.execute(update(CLOSING).where(*of, CLOSING.c.player == key).values(who=code))


def recognised(connection: Connection, table: Table, *which: ColumnElement[bool]) -> None:
    """Puts the kinds that are known of players into rows that were written without: of `rating` or `closing`."""
    kind = select(case(_CASES, value=PLAYER.c.kind, else_=0)).where(PLAYER.c.id == table.c.player).scalar_subquery()
    known = exists().where(PLAYER.c.id == table.c.player, PLAYER.c.kind.is_not(None))
    connection.execute(update(table).where(*which, known).values(who=kind))


def newcomers(connection: Connection, pool: int, keys: Sequence[str]) -> None:
    """The same for players by key, who have a row of `rating` now that they may not have had."""
    for low in range(0, len(keys), _AT_ONCE):
        found = PLAYER.c.id.in_(keys[low : low + _AT_ONCE])
        some = connection.scalars(select(PLAYER.c.id).where(found, PLAYER.c.kind.is_not(None))).all()
        if some:
            recognised(connection, RATING, RATING.c.pool == pool, RATING.c.player.in_(some))


def sought(name: str) -> str:
    """A name, or the beginning of one, as it is looked for: capitals and the like make no difference.

    >>> sought("Ann"), sought("STRASSE") == sought("straße")
    ('ann', True)
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


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
        "sought": None if player.name is None else sought(player.name),
    }
