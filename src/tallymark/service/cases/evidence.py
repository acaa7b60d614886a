"""What an adjustment would change: the pool's own stream folded again as if things had been so from the beginning.

Nothing is written. What is compared is where everybody stands now and where they would stand; what the ledger makes of
the adjustment when it is told is its methodology's `late`, and may be less.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from tallymark.games.ids import Id, rank_order
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.rows import Row, displayed, newcomer
from tallymark.ledger.imagined import otherwise
from tallymark.ledger.ledger import Ledger
from tallymark.methodology import Methodology
from tallymark.service.cases.adjustments import ratings_of

MOST: Final = 100
"""Players who are named, those first who would move most."""
_PAGE: Final = 1000
_Instead: TypeAlias = Callable[[Received], Received | None]


class Move(NamedTuple):
    """A player's rating and deviation now, and as they would be; None where there is none."""

    player: Id
    rating: float | None
    deviation: float | None
    rating_then: float | None
    deviation_then: float | None


class Evidence(NamedTuple):
    """As of the entry `position`: how many players would stand elsewhere, and the first of them."""

    position: int
    players: int
    moves: list[Move]

    def as_json(self) -> dict[str, Any]:
        """As it is kept and told."""
        return {**self._asdict(), "moves": [one._asdict() for one in self.moves]}


def evidence_of(ledger: Ledger, pool: str, adjustment: Mapping[str, Any], match: Id | None = None) -> Evidence:
    """What an adjustment would change. Of a rating that is set by hand in a case about a `match`, the replay without
    it; about none, the rating itself."""
    now = ledger.moved(pool)
    if adjustment["do"] == "adjust" and match is None:
        rows = {
            player: _set(now.rows.get(player), rating, now.rules) for player, rating in _states(adjustment, now.rules)
        }
        return _compared(now.position, now.rows, now.rows | rows, now.rules)
    then = otherwise(_stream(ledger, pool, now.position), _instead(adjustment, match))
    return _compared(now.position, now.rows, then.rows, now.rules)


def _states(adjustment: Mapping[str, Any], rules: Methodology) -> Iterator[tuple[Id, tuple[float, float, float]]]:
    for player, rating in ratings_of(adjustment).items():
        state = rules.entered(rating)
        yield player, (state.mu, state.phi2, state.sigma2)


def _set(row: Row | None, state: tuple[float, float, float], rules: Methodology) -> Row:
    mu, phi2, sigma2 = state
    return (row or newcomer(rules))._replace(mu=mu, phi2=phi2, sigma2=sigma2, rated=1)


def _stream(ledger: Ledger, pool: str, last: int) -> Iterator[Entry]:
    """The entries up to one."""
    after = 0
    while after < last:
        some = ledger.entries(pool, after, min(_PAGE, last - after))
        yield from some
        after = some[-1].position


def _instead(adjustment: Mapping[str, Any], match: Id | None) -> _Instead:
    """What had been received in the place of each item."""
    match adjustment["do"]:
        case "annul":
            return _without(set(adjustment["matches"]))
        case "restore":
            return _never("matches", set(adjustment["matches"]))
        case "change":
            return _with(adjustment["match"])
        case "merge":
            return _as_one(adjustment["player"], adjustment["into"])
        case "part":
            return _never("player", {adjustment["player"]})
        case "void":
            return _unvoted(adjustment["voter"])
        case _:
            return _without({match})


def _without(gone: set[Id | None]) -> _Instead:
    return lambda item: None if item.command is None and item.match.id in gone else item


def _unvoted(voter: Id) -> _Instead:
    def instead(item: Received) -> Received | None:
        if item.command is None and b'"data"' in item.body:
            data = orjson.loads(item.body).get("data")
            if isinstance(data, dict) and data.get("voter") == voter:
                return None
        return item

    return instead


def _with(content: Mapping[str, Any]) -> _Instead:
    body = orjson.dumps(content)

    def instead(item: Received) -> Received | None:
        if item.command is None and item.match.id == content["id"]:
            return Received(None, item.received, body)
        return item

    return instead


def _as_one(player: Id, into: Id) -> _Instead:
    """Whoever met himself then did not play."""

    def instead(item: Received) -> Received | None:
        if item.command is not None or player not in item.match.people:
            return item
        if into in item.match.people:
            return None
        told = orjson.loads(item.body)
        for side in told.get("sides") or ():
            if "players" in side:
                side["players"] = [into if one == player else one for one in side["players"]]
        for held in (told, *(told.get("sides") or ())):
            held |= {key: into for key in ("player", "player_a", "player_b") if held.get(key) == player}
        return Received(None, item.received, orjson.dumps(told))

    return instead


def _never(about: str, gone: set[Id]) -> _Instead:
    """Corrections that were never made: matches not annulled, players not merged."""
    what = "annul" if about == "matches" else "merge"

    def instead(item: Received) -> Received | None:
        if item.command != "correct":
            return item
        told = orjson.loads(item.body)
        if told.get("what") != what:
            return item
        if what == "merge":
            return None if told["player"] in gone else item
        left = [one for one in told["matches"] if one not in gone]
        if len(left) == len(told["matches"]):
            return item
        return Received(None, item.received, orjson.dumps(told | {"matches": left})) if left else None

    return instead


def _compared(position: int, now: Mapping[Id, Row], then: Mapping[Id, Row], rules: Methodology) -> Evidence:
    """Who would stand elsewhere: most first, then by id."""
    moves: list[tuple[float, Move]] = []
    for player in rank_order(dict.fromkeys([*now, *then])):
        before, after = _published(now.get(player), rules), _published(then.get(player), rules)
        if before != after:
            moves.append((abs((before[0] or 0.0) - (after[0] or 0.0)), Move(player, *before, *after)))
    moves.sort(key=lambda one: -one[0])
    return Evidence(position, len(moves), [move for _, move in moves[:MOST]])


def _published(row: Row | None, rules: Methodology) -> tuple[float | None, float | None]:
    if row is None or not row.rated:
        return None, None
    rating, deviation, _ = displayed(row, rules)
    return rating, deviation
