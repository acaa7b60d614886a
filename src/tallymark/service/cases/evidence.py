"""What an adjustment changes: what the ledger would make of it if it were told now, by the very fold that would do it;
and, beside that, the pool's own stream folded again as if things had been so from the beginning. Nothing is written.

The two are the same where a methodology computes everything again (its `late`); elsewhere the ledger leaves what is
published, or some of it, and whoever approves has to know.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from tallymark.errors import InputError, UnknownError
from tallymark.games.ids import Id
from tallymark.ledger.fold.items import Received
from tallymark.ledger.imagined import Moves
from tallymark.ledger.ledger import Ledger
from tallymark.service.cases.adjustments import Public, said
from tallymark.service.shown import digits

MOST: Final = 100
"""Players who are named, those first who move most."""
_Instead: TypeAlias = Callable[[Received], Received | None]
NOTES: Final = {
    "none": "Published numbers stay as they are: under this pool's rules (late = {late}) the ledger puts it on record, "
    "and changes no rating for it.",
    "open-period": "Published numbers stay as they are until the open period closes: it counts then, with the other "
    "matches of the period.",
    "recompute": "Everything is computed again for it, and published numbers change{when}.",
    "set": "These states hold from its entry on; what is published before it stays.",
    "refused": "The ledger would refuse it ({reason}): no published number would change.",
}
"""What the ledger would make of an adjustment, in words, by its effect."""


class Move(NamedTuple):
    """A player's rating and deviation now, and as they would be; None where there is none."""

    player: Id
    rating: float | None
    deviation: float | None
    rating_then: float | None
    deviation_then: float | None


class Moved(NamedTuple):
    """As of the entry `position`, how many players would have other numbers, and the first of them."""

    position: int
    players: int
    moves: list[Move]

    def as_json(self) -> dict[str, Any]:
        """As it is kept and told."""
        return {**self._asdict(), "moves": [one._asdict() for one in self.moves]}


class Evidence(NamedTuple):
    """What the ledger would make of an adjustment (`effect`, and `note` in words), who would have other numbers by
    that, and who would, had it been so from the beginning."""

    effect: str
    note: str
    will: Moved
    from_the_beginning: Moved

    def as_json(self) -> dict[str, Any]:
        """As it is kept and told."""
        told = {"effect": self.effect, "note": self.note, **self.will.as_json()}
        return told | {"from_the_beginning": self.from_the_beginning.as_json()}


def evidence_of(ledger: Ledger, pool: str, adjustment: Mapping[str, Any], match: Id | None = None) -> Evidence:
    """What an adjustment would change. Of a rating that is set by hand in a case about a `match`, what had been from
    the beginning is the replay without it; about none, the rating itself."""
    period = ledger.rules(pool).period
    try:
        foretold = ledger.if_told(pool, lambda to: said(to, pool, "asked", adjustment, Public(None, "asked", ())))
    except (InputError, UnknownError) as error:  # what it was about when it was proposed has changed
        nobody = Moved(ledger.head(pool).position, 0, [])
        return Evidence("refused", NOTES["refused"].format(reason=error.message), nobody, nobody)
    when = " when the open period closes" if period.kind == "calendar" else ""
    note = NOTES[foretold.effect].format(late=period.late, when=when, reason=foretold.reason)
    will = _moved(foretold.moves)
    if adjustment["do"] == "adjust" and match is None:
        return Evidence(foretold.effect, note, will, will)
    return Evidence(foretold.effect, note, will, _moved(ledger.otherwise(pool, _instead(adjustment, match))))


def overtaken(ledger: Ledger, pool: str, evidence: Mapping[str, Any], adjustment: Mapping[str, Any]) -> bool:
    """Whether what an adjustment would change, as JSON, was worked out for players as they stand no more: one of those
    who are named in it, or in the adjustment, has another entry since, or the rules are others."""
    since: int = evidence["position"]
    if ledger.head(pool).position == since:
        return False
    if ledger.rules_history(pool)[-1].position > since:
        return True
    moves = [*evidence["moves"], *evidence["from_the_beginning"]["moves"]]
    people = {one["player"] for one in (*moves, *adjustment.get("ratings", ()))}
    people |= {adjustment[name] for name in ("player", "into") if name in adjustment}
    return ledger.moved_since(pool, people, since)


def was_and_is(before: Mapping[str, Any], now: Mapping[str, Any], adjustment: Mapping[str, Any]) -> str:
    """Of states that are set: where who is named stood when that was proposed, and stands now; else nothing.

    >>> def evidence(rating):
    ...     return {"moves": [{"player": "ann", "rating": rating, "deviation": 80.4}]}
    >>> was_and_is(evidence(1500.5), evidence(1533.0), {"do": "adjust", "ratings": [{"player": "ann"}]})
    'ann was 1500 ±80 when it was proposed, and is 1533 ±80 now'
    """
    told = []
    for one in adjustment.get("ratings", ()):
        was, now_ = (_where(some, one["player"]) for some in (before, now))
        if was != now_:
            told.append(f"{one['player']} was {was} when it was proposed, and is {now_} now")
    return "; ".join(told)


def _where(evidence: Mapping[str, Any], player: Id) -> str:
    for one in evidence["moves"]:
        if one["player"] == player:
            return (
                "without a rating"
                if one["rating"] is None
                else f"{digits(round(one['rating']))} ±{digits(round(one['deviation']))}"
            )
    return "as is proposed"


def _moved(told: Moves) -> Moved:
    """Whose rating or deviation is another one: a rank alone moves with those of others."""
    names = "player", "rating", "deviation", "new_rating", "new_deviation"
    columns = (told.moves[name].tolist() for name in names)
    moves = [one for one in map(Move, *columns) if one[1:3] != one[3:]]
    return Moved(told.position, len(moves), moves[:MOST])


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
