"""A match of the arena: live, or to step through; how it ended, how fast everybody was, and how to check all of it."""

from typing import Final, NamedTuple, TypedDict

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.arena.games.benchmark import SUFFIX
from tallymark.arena.referee.endings import REASONS
from tallymark.arena.store.matches import Match
from tallymark.errors import UnknownError
from tallymark.ledger.reading.matches import MatchInfo
from tallymark.service.arena.here import Arena, MatchName, match_named
from tallymark.service.arena.matches import one_match
from tallymark.service.arena.story import Story, last_board, story_of
from tallymark.service.pages.arena.latency import EDGE, HEIGHT, Failure, Move, chart_of
from tallymark.service.pages.arena.outcome import outcome_of
from tallymark.service.pages.frame import page
from tallymark.service.pages.links import api, arena_match_path, match_path, records_path
from tallymark.service.pages.titles import winners
from tallymark.service.state import Here, Service

router = APIRouter()
MARKS: Final = {
    "chess": ("White", "Black"),
    "othello": ("Black", "White"),
    "go": ("Black", "White"),
    "tic-tac-toe": ("x", "o"),
    "connect-four": ("x", "o"),
    "hex": ("x", "o"),
}
"""What the seats are called, by board."""
_DISCS: Final = ("disc", "disc")
SHAPES: Final = {"tic-tac-toe": ("cross", "ring"), "chess": _DISCS, "othello": _DISCS, "go": _DISCS}
"""What marks the seats wherever they are told apart, by board, as the pieces on it look."""
EACH: Final = ("disc", "ring", "square", "frame", "triangle", "hollow-triangle", "diamond", "hollow-diamond")
"""The same of other games: full ones are of even seats."""


MISSING: Final = {"timeout": "no answer", "illegal": "nothing legal", "disconnect": "lost its connection"}
"""What there is in the place of an action, by the reason."""
SIGNS: Final = {
    "illegal": "An answer that was not legal.",
    "disconnect": "A connection that was lost while it was waited for.",
}
"""What marks of failures in the drawing of latencies mean; a deadline that passed has words of its own."""


class Miss(NamedTuple):
    """A failure as it is listed; `given`: what was sent, as it was."""

    seat: int
    reason: str
    told: str
    given: str | None


@router.api_route("/arena/matches/{match}", methods=["GET", "HEAD"], include_in_schema=False)
def match(match: MatchName, service: Here, hall: Arena, request: Request) -> Response:
    """A match."""
    found = match_named(service, match)
    story = story_of(service, found)
    game = hall.games.get(found.game)
    told = one_match(hall, found, story)
    entry = _in_ledger(service, story) if found.rated and story is not None else None
    path, moves = arena_match_path(found.id), [] if story is None else moves_of(story)
    return page(
        request,
        service,
        "arena/match.html",
        twin=api(path),
        match=told,
        title=found.game if game is None else game.title,
        seats=seats_of(found),
        published=None
        if all(seat.rating is None for seat in found.seats)
        else service.ledger.rules(found.pool).published,
        names=[seat.agent for seat in found.seats],
        places=places_of(found),
        kind=board_of(found.game),
        outcome=outcome_of(told, None if told["end"] is None else told["end"]["told"]),
        reasons=REASONS,
        moves=moves,
        missing=MISSING,
        signs=SIGNS,
        misses=[] if story is None else misses_of(story),
        height=HEIGHT,
        edge=EDGE,
        chart=None if told["rules"] is None else chart_of(moves, told["rules"]["action_ms"]),
        board=None if story is None or told["rules"] is None or game is None else last_board(story, game),
        stream=f"{api(path)}/stream",
        positions=f"{api(path)}/positions",
        records=records_path(found.id),
        address=str(request.base_url).rstrip("/"),
        rated_at=None if entry is None else match_path(found.pool, found.id),
        corrected=entry is not None and bool(entry.corrections),
    )


def board_of(game: str) -> str:
    """Which board a game is played on, whatever its size; a benchmark's is that of its game.

    >>> board_of("go-9x9-benchmark"), board_of("hex")
    ('go', 'hex')
    """
    name = game.removesuffix(SUFFIX)
    return "go" if name.startswith("go-") else name


def seats_of(match: Match) -> list[str]:
    """What the seats are called, with their numbers."""
    marks = MARKS.get(board_of(match.game), ())
    return [marks[n] if n < len(marks) else f"Seat {n}" for n in range(len(match.seats))]


class Place(TypedDict):
    """A seat as the viewer's script is told of it."""

    agent: str
    kind: str
    side: str
    shape: str
    won: bool


def places_of(match: Match) -> list[Place]:
    """The seats, from 0."""
    shapes = SHAPES.get(board_of(match.game), EACH)
    won = winners([one.rank for one in match.seats])
    return [
        Place(agent=one.agent, kind=one.kind, side=side, shape=shape, won=best)
        for one, side, shape, best in zip(match.seats, seats_of(match), shapes, won, strict=False)
    ]


def moves_of(story: Story) -> list[Move]:
    """Every action, in its order, and behind them what was asked for at the end and never done."""
    found: list[Move] = []
    missed: dict[int, Failure] = {}
    for one in story.records:
        if one.kind == "missed":
            missed[one.whole("seat")] = Failure(one.text("reason"), one.whole_or_none("latency"))
        elif one.kind == "action":
            seat, default = one.whole("seat"), one.flag("default")
            failed = missed.pop(seat, None) if default else None
            latency = one.whole_or_none("latency")
            found.append(Move(len(found) + 1, seat, one.text("action"), default, latency, failed))
    ends = enumerate(missed.items(), len(found) + 1)
    return [*found, *(Move(n, seat, None, False, None, failed) for n, (seat, failed) in ends)]


def misses_of(story: Story) -> list[Miss]:
    """Every failure."""
    return [
        Miss(one.whole("seat"), one.text("reason"), one.text("told"), one.text_or_none("given")) for one in story.misses
    ]


def _in_ledger(service: Service, story: Story) -> MatchInfo | None:
    """The match as the ledger has it; None where it could not be appended: the one of its id is another."""
    try:
        found = service.ledger.match(story.match.pool, story.match.id)
    except UnknownError:
        return None
    return found if story.finished.is_in(found.content) else None
