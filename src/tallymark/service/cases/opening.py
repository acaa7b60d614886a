"""Cases as they begin: by whoever flags something, and once for each volatility that is too high."""

from collections.abc import Mapping
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.ids import key_of
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.tables import POOL
from tallymark.service.cases.docket import SERVICE, Docket, reason_of
from tallymark.service.cases.reading import LISTED, case_of
from tallymark.service.cases.states import STATES
from tallymark.service.cases.tables import CASE, EVENT

MOST: Final = 1000
"""Events of a case after which further flags are not kept: nobody buries one under them."""
_POOL_TURN: Final = select(POOL.c.id).where(POOL.c.id == bindparam("of")).with_for_update(key_share=True)


class Opening:
    """How cases begin."""

    _ledger: Ledger
    _docket: Docket

    def flag(self, pool: str, by: str, why: str, match: Id | None = None, player: Id | None = None) -> str:
        """Opens a case about a match or a player, or adds to the one that is open; its id. Nothing public changes."""
        if (match is None) == (player is None):
            raise InputError("a flag is about a match or about a player", field="match")
        why = reason_of(why)
        record = self._record(pool, match, player)
        number = self._ledger.number(pool)
        item, who = (None if one is None else key_of(one) for one in (match, player))
        about = [CASE.c.pool == number, CASE.c.item == item, CASE.c.player == who, EVENT.c.state.in_(STATES[:2])]
        with self._ledger.beside() as own:
            own.connection.execute(_POOL_TURN, {"of": number})  # two flags at once are one case
            there: str | None = own.connection.scalars(
                LISTED.with_only_columns(CASE.c.id).where(*about).order_by(CASE.c.id)
            ).first()
            if there is not None:
                self._docket.turn(own.connection, there)
                course = case_of(own.connection, there).course
                if course.n >= MOST:
                    return there
                if course.after("flag") is not None:  # else it was closed just now
                    self._docket.add(own.connection, there, "flag", by, why)
                    return there
            return self._docket.opened(own.connection, number, "flag", by, why, item, who, record)

    def open_once(self, connection: Connection, number: int, player: Id, why: str, record: Mapping[str, Any]) -> bool:
        """Opens the one case about a player's volatility, in a transaction; False where there is or was one."""
        once = f"volatility {number} {key_of(player)}"
        connection.execute(_POOL_TURN, {"of": number})
        if connection.scalar(select(CASE.c.id).where(CASE.c.once == once)) is not None:
            return False
        self._docket.opened(connection, number, "volatility", SERVICE, why, None, key_of(player), record, once)
        return True

    def _record(self, pool: str, match: Id | None, player: Id | None) -> Mapping[str, Any]:
        """What the ledger says now of what a case is about."""
        if match is not None:
            fate = self._ledger.receipt(pool, match)
            told: dict[str, Any] = {"receipt": fate.number, "state": fate.state, "position": fate.position}
            if fate.entry is not None:
                entry = self._ledger.entry(pool, fate.entry)
                told |= {"hash": entry.hash.hex(), "entry": orjson.loads(entry.body)}
            return told
        assert player is not None
        found = self._ledger.history(player, pool, limit=1)[0]
        return {"position": found.position, "rating": found.after.rating, "deviation": found.after.deviation}
