"""What agents are told: everything that the hall and the referee say, as JSON objects."""

from collections.abc import Iterable
from typing import Final

from tallymark.arena.games.face import Choice, Game, Seat
from tallymark.arena.hall.connection import Said
from tallymark.arena.hall.saying import Alone, Cancelled, Closed, Denial, Denied, Matched, Queued
from tallymark.arena.referee.record import change_told, ruleset_told, sides_told
from tallymark.arena.referee.saying import (
    Ack,
    ActionRequest,
    Entrant,
    MatchEnd,
    MatchStart,
    Missed,
    Refused,
    Watched,
)
from tallymark.arena.wire.heard import PROTOCOL
from tallymark.ledger.matches import Json

CLOSED: Final = "closed"
"""The code of the error that is said before the arena ends a connection."""


def ready(agent: str, owner: str, games: Iterable[Game]) -> dict[str, Json]:
    """The answer to a hello. `games`: each that can be queued for."""
    offered: list[Json] = [{"game": one.name, "kind": one.kind, "ruleset": ruleset_told(one.ruleset)} for one in games]
    return {"type": "ready", "protocol": PROTOCOL, "agent": agent, "owner": owner, "games": offered}


def error(code: str, message: str, **about: str) -> dict[str, Json]:
    """Something that was sent had no effect. `about`: what it named: a `match`, or a game as `about`."""
    return {"type": "error", "code": code, "message": message, **about}


def told(said: Said) -> dict[str, Json] | None:
    """The message; None for what an agent is not told."""
    match said:
        case MatchStart(seat=int(seat)):
            return _start(said, seat)
        case ActionRequest():
            return _request(said)
        case Ack():
            return {
                "type": "ack",
                "match": said.match,
                "request": said.request,
                "latency_ms": said.latency_ms,
            }
        case Missed():
            return {
                "type": "missed",
                "match": said.match,
                "request": said.request,
                "reason": said.reason.value,
                "action": said.action,
                "message": said.told,
            }
        case MatchEnd(seat=int(seat)):
            return _end(said, seat)
        case Refused():
            return error(said.why.value, said.told, match=said.match)
        case Queued():
            return {"type": "queued", "game": said.game, "waited_ms": said.waited_ms, "again": said.again}
        case Alone():
            waited = f"{said.waited_ms / 1000:g} s in the queue of {said.game}"
            why = f"{waited}, and not enough others are in range of your rating: you go on waiting"
            return {"type": "alone", "game": said.game, "waited_ms": said.waited_ms, "message": why}
        case Cancelled():
            return {"type": "left", "game": said.game}
        case Matched():
            return {"type": "matched", "game": said.game, "match": said.match}
        case Denied():
            about = "match" if said.why is Denial.NO_MATCH else "about"
            return error(said.why.value, said.told, **({} if said.about is None else {about: said.about}))
        case Closed():
            return error(CLOSED, said.told)
        case MatchStart() | MatchEnd() | Watched():  # for who watches
            return None


def game_of(match: str) -> str:
    """The game of a match, which its id begins with.

    >>> game_of("connect-four-17")
    'connect-four'
    """
    return match.rpartition("-")[0]


def _entrant(entrant: Entrant) -> dict[str, Json]:
    return {
        "agent": entrant.agent,
        "kind": entrant.kind,
        "version": entrant.version,
        "rating": entrant.rating,
        "deviation": entrant.deviation,
    }


def _start(said: MatchStart, seat: Seat) -> dict[str, Json]:
    return {
        "type": "match_start",
        "match": said.match,
        "game": said.game,
        "seat": seat,
        "seats": [_entrant(entrant) for entrant in said.entrants],
        "ruleset": ruleset_told(said.ruleset),
        "commitment": said.commitment,
        "exhibition": said.exhibition,
    }


def _request(said: ActionRequest) -> dict[str, Json]:
    asked: dict[str, Json] = (
        {"legal": list(said.form.actions)} if isinstance(said.form, Choice) else {"longest": said.form.longest}
    )
    return {
        "type": "action_request",
        "match": said.match,
        "game": game_of(said.match),
        "seat": said.seat,
        "request": said.request,
        "deadline_ms": said.action_ms,
        "observation": dict(said.seen),
        **asked,
    }


def _end(said: MatchEnd, seat: Seat) -> dict[str, Json]:
    verdict = said.verdict
    message: dict[str, Json] = {
        "type": "match_end",
        "match": said.match,
        "game": game_of(said.match),
        "seat": seat,
        "reason": verdict.reason.value,
        "ending": verdict.ending.value,
        "told": verdict.told,
        "sides": sides_told(verdict.sides),
        "seed": said.seed,
        "revealed": dict(said.revealed),
        "rated": said.unrated is None,
    }
    ranks = [side.rank for side in verdict.sides if seat in side.seats]
    if ranks:
        message["rank"] = ranks[0]
    if verdict.seat is not None:
        message["failed"] = verdict.seat
    if said.unrated is not None:
        message["unrated"] = said.unrated.value
    if said.position is not None:
        message["entry"] = said.position
    change = said.changes[seat] if said.changes else None
    if change is not None:
        message["change"] = change_told(change)
    return message
