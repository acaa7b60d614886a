"""What a ledger says would be, for who decides about a pool. Nothing here changes anything."""

from abc import abstractmethod
from collections.abc import Callable, Iterable

from sqlalchemy.engine import Connection

from tallymark.errors import InputError, UnknownError
from tallymark.games import GameLog
from tallymark.games.ids import Id
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.foretelling import Foretelling
from tallymark.ledger.gamelog import known, log_of
from tallymark.ledger.imagined import Foretold, Moves, if_closed, if_told, moves_of, otherwise, refusal
from tallymark.ledger.known import Known
from tallymark.ledger.ratings import rows_of
from tallymark.ledger.reach import LazyReach, StoredReach
from tallymark.ledger.rulebook import Rulebook
from tallymark.ledger.store import Store
from tallymark.ledger.telling import Telling
from tallymark.ledger.trying import Trial, try_rules
from tallymark.methodology import Methodology, methodology
from tallymark.replay.engines import Engine


class Imagining(Telling):
    """Questions about what is not. Most take as long as rating the pool anew."""

    _store: Store
    _rules: Rulebook
    _engine: Engine

    @abstractmethod
    def number(self, pool: str) -> int:
        """The number of a pool."""

    @abstractmethod
    def _where(self, connection: Connection, pool: int) -> tuple[Stand, Methodology]:
        """Where a pool stands, and its methodology."""

    def games(self, pool: str) -> GameLog:
        """The pool's matches that count, corrections applied, and those that only its rules do not rate: a game log in
        the total order of such logs, to be replayed under any methodology."""
        number = self.number(pool)
        with self._store.reading() as connection:
            last = self._where(connection, number)[0].position
        history = History.of(self._reach(number).entries(1, last), recorded=True)
        return log_of(known(history), history.behind)

    def try_rules(self, pool: str, new: Methodology | str) -> Trial:
        """Another methodology on the pool's own matches, beside the one in force; nothing is changed."""
        return try_rules(self.games(pool), self.rules(pool), methodology(new))

    def without(self, pool: str, matches: Iterable[Id]) -> Moves:
        """Who would stand where, had these matches never been received: everything is folded again without them, and
        nothing is changed. It takes as long as rating the pool anew."""
        gone = set(matches)
        missing = sorted(map(repr, gone - set(self._received(list(gone), pool))))
        if missing or not gone:
            named = f"{pool!r} has no match {', '.join(missing[:5])}" if missing else "matches is empty; expected ids"
            raise UnknownError(named, kind="match") if missing else InputError(named)
        return self.otherwise(pool, lambda item: None if item.command is None and item.match.id in gone else item)

    def otherwise(self, pool: str, instead: Callable[[Received], Received | None]) -> Moves:
        """As `without`, had something else been received in the place of each item, or nothing."""
        number = self.number(pool)
        with self._store.reading() as connection:
            stand, rules = self._where(connection, number)
            before = rows_of(connection, number, rules)
        imagined = otherwise(self._reach(number).entries(1, stand.position), instead, self._engine)
        return moves_of(before, imagined.rows, imagined.rules, stand.position)

    def if_told(self, pool: str, tell: Callable[[Telling], object]) -> Foretold:
        """What one command would do, if the ledger were told it now: `tell` tells it to what it is given, which takes
        it as the ledger does. Where everything is computed again, it takes as long as that.

        >>> import tempfile, os
        >>> from tallymark.ledger.ledger import Ledger
        >>> with Ledger.open(os.path.join(tempfile.mkdtemp(), "club.db"), create=True) as ledger:
        ...     ledger.open_pool("go", "arena")
        ...     receipt = ledger.append({"id": "m1", "player_a": "ann", "player_b": "bob", "score_a": 1}, pool="go")
        ...     settled = ledger.settle()
        ...     told = {"pool": "go", "id": "void-1", "reason": "it was a friendly game"}
        ...     ledger.if_told("go", lambda instead: instead.annul(["m1"], **told)).effect
        'none'
        """
        item, number = self._foretold(tell), self.number(pool)
        with self._store.reading() as connection:
            stand, rules = self._where(connection, number)
            before = rows_of(connection, number, rules)
        as_it_stands = Known(self._reach(number).entries)
        as_it_stands.take(before)
        return if_told(stand, rules, as_it_stands, item, self._engine)

    def refusal(self, pool: str, tell: Callable[[Telling], object]) -> str | None:
        """Why one command would be refused, if the ledger were told it now, in the word that its entry would have
        (`fold.reasons.Refusal`); None where it would not. `tell` as of `if_told`, at a price that is not the pool's."""
        item, number = self._foretold(tell), self.number(pool)
        with self._store.reading() as connection:
            stand, rules = self._where(connection, number)
        return refusal(stand, rules, self._reach(number), item, self._engine)

    def _foretold(self, tell: Callable[[Telling], object]) -> Received:
        """The one command that `tell` tells, as it would be received now."""
        kept = Foretelling(self)
        tell(kept)
        (item,) = kept.items
        return Received(None, self.now(), item.body)

    def if_closed(self, pool: str) -> Moves:
        """Who would stand where if the open period of a calendar pool closed now; nobody elsewhere where none is open.
        An estimate: matches of the period may still come."""
        number = self.number(pool)
        with self._store.reading() as connection:
            stand, rules = self._where(connection, number)
            changed = if_closed(stand, rules, StoredReach(connection, number, self._rules, {}), self._engine)
            before = rows_of(connection, number, rules)
        return moves_of(before, before | changed, rules, stand.position)

    def _reach(self, number: int) -> LazyReach:
        return LazyReach(self._store, number, self._rules, {})
