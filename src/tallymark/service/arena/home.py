"""The arena now: its games with their rules, who waits, what is played."""

from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from tallymark.arena.games.face import Game
from tallymark.arena.hall.hall import Hall
from tallymark.arena.pairing.rules import pairing_rules
from tallymark.arena.store import matches, tickets
from tallymark.arena.store.matches import LIVE
from tallymark.service.answers import Json, instant
from tallymark.service.arena.documents import Home, PlayedGame, Queue, match_of, rules_of
from tallymark.service.arena.here import Arena
from tallymark.service.state import Here, Service

router = APIRouter(tags=["arena"])
LISTED: Final = 100
"""Matches that are listed as played now."""


@router.get("/arena", operation_id="getArena", summary="The arena now", response_model=Home)
def get_arena(service: Here, hall: Arena) -> Response:
    """Every game with its ruleset, how many wait for it, and what is played now."""
    return Json(home_of(service, hall), headers={"Cache-Control": "no-cache"})


def home_of(service: Service, hall: Hall) -> Home:
    """The arena as it is answered."""
    with service.ledger.store.reading() as connection:
        lines, playing = tickets.lengths(connection), matches.playing(connection)
        live = matches.listed(connection, state=LIVE, limit=LISTED)
    return Home(
        games=[_game(game, lines.get(name), playing.get(name, 0)) for name, game in hall.games.items()],
        live=[match_of(one) for one in live],
    )


def _game(game: Game, line: tuple[int, int] | None, playing: int) -> PlayedGame:
    return PlayedGame(
        game=game.name,
        title=game.title,
        pool=game.pool,
        kind=game.kind,
        seats=list(game.seats),
        ruleset=rules_of(game.ruleset),
        queue=Queue(
            waiting=0 if line is None else line[0],
            since=None if line is None else instant(line[1]),
            house_after_ms=pairing_rules(game).house_after_ms,
        ),
        playing=playing,
    )
