"""Matches of the arena: lists of them, one with all that is public of it, its records, its positions."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.arena.hall.hall import Hall
from tallymark.arena.referee.finished import Finished
from tallymark.arena.referee.record import Record
from tallymark.arena.store import matches
from tallymark.arena.store.matches import LIVE, Match, Place, State
from tallymark.checked import as_float
from tallymark.service.answers import Json, has, tag
from tallymark.service.arena.documents import (
    Ended,
    MatchPage,
    Moved,
    OneMatch,
    Positions,
    Step,
    match_of,
    rules_now,
)
from tallymark.service.arena.here import NAME, After, Arena, MatchName, game_named, match_named, told_place
from tallymark.service.arena.story import FINAL, Frame, Story, frames, is_open, lines_of, steps, story_of
from tallymark.service.arena.story import Step as New
from tallymark.service.problems import Problem
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here, Service

router = APIRouter(tags=["arena"])
NDJSON: Final = "application/x-ndjson"
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_RECORDS: Final[dict[str, Any]] = {
    "description": "A line of JSON each, as `tallymark arena replay` reads them.",
    "content": {NDJSON: {"schema": {"type": "string"}}},
}


@router.get(
    "/arena/matches",
    operation_id="listArenaMatches",
    summary="Matches, the latest first",
    response_model=MatchPage,
    responses=problems("bad-input"),
)
def list_matches(
    service: Here,
    after: After,
    game: Annotated[str | None, Query(description="Of this game.", examples=["connect-four"])] = None,
    agent: Annotated[str | None, Query(description="Of this agent.", examples=["house-hex-greedy"])] = None,
    state: Annotated[State | None, Query(description="That stand so.")] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="Matches of a page.")] = 50,
) -> Response:
    """Pages that follow each other, each by the `next` of the one before, have every match once, whatever begins
    meanwhile; how a match stands is as of its page."""
    found, more = page_of(service, game=game, agent=agent, state=state, after=after, limit=limit)
    return Json(MatchPage(matches=[match_of(one) for one in found], next=more), headers={"Cache-Control": "no-cache"})


def page_of(
    service: Service,
    *,
    game: str | None = None,
    agent: str | None = None,
    state: State | None = None,
    over: bool = False,
    after: Place | None = None,
    limit: int = 50,
) -> tuple[list[Match], str | None]:
    """A page of matches, and the place from which the next one goes on."""
    if not all(NAME.fullmatch(one) for one in (game, agent) if one is not None):
        return [], None
    with service.ledger.store.reading() as connection:
        found = matches.listed(connection, game=game, agent=agent, state=state, over=over, after=after, limit=limit + 1)
    return found[:limit], told_place(found[limit - 1]) if len(found) > limit else None


@router.get(
    "/arena/matches/{match}",
    operation_id="getArenaMatch",
    summary="A match",
    response_model=OneMatch,
    responses=problems("unknown-match"),
)
def get_match(match: MatchName, service: Here, hall: Arena) -> Response:
    """Who plays, the commitment, how it stands; when it is over, why, the seed, how fast everybody was, and what it
    made of the ratings."""
    found = match_named(service, match)
    return Json(one_match(hall, found, story_of(service, found)), headers={"Cache-Control": "no-cache"})


def one_match(hall: Hall, match: Match, story: Story | None) -> OneMatch:
    """A match as it is answered; `story`: None while it is played."""
    return OneMatch(
        **match_of(match),
        rules=rules_now(hall.games.get(match.game), match.ruleset),
        end=None if story is None else _ended(story),
    )


def _ended(story: Story) -> Ended:
    """How a match ended, as it is answered."""
    finished, settled = story.finished, story.settled
    verdict = finished.verdict
    unrated = None if verdict.unrated is None else verdict.unrated.value
    return Ended(
        reason=verdict.reason.value,
        told=verdict.told,
        seat=verdict.seat,
        unrated=unrated or (None if settled is None else settled.text_or_none("unrated")),
        ms=finished.ms,
        actions=len(story.actions),
        records=len(story.lines),
        hash=finished.hash,
        revealed=dict(finished.revealed),
        latency=story.latency(),
        changes=[] if settled is None else changes_of(settled),
    )


def changes_of(settled: Record) -> list[Moved | None] | None:
    """What a match made of each rating, by its last record; None where its pool rates it later."""
    told = settled.fields.get("changes")
    return [_moved(one) if isinstance(one, dict) else None for one in told] if isinstance(told, list) else None


def _moved(told: Mapping[str, Json]) -> Moved:
    before, deviation_before, after, deviation = (as_float(told[name]) for name in Moved.__annotations__)
    return Moved(rating_before=before, deviation_before=deviation_before, rating=after, deviation=deviation)


@router.get(
    "/arena/matches/{match}/records",
    operation_id="getRecords",
    summary="The records of a match",
    response_class=Response,
    responses={200: _RECORDS, **problems("unknown-match", "still-played")},
)
def get_records(match: MatchName, service: Here, request: Request) -> Response:
    """All that happened, when it is over, as it was written at the time: what `tallymark arena replay` checks. The last
    line that may come is that it was rated; from then on it never changes."""
    found = match_named(service, match)
    lines = lines_of(service, found)

    def answer() -> Response:
        name = f'attachment; filename="{found.id}.jsonl"'
        body = b"".join(line + b"\n" for line in lines)
        return Response(body, media_type=NDJSON, headers={"Content-Disposition": name})

    return _unchanging(request, found, len(lines), answer)


@router.get(
    "/arena/matches/{match}/positions",
    operation_id="getPositions",
    summary="The positions of a match",
    response_model=Positions,
    responses=problems("unknown-match", "unknown-game", "still-played"),
)
def get_positions(match: MatchName, service: Here, hall: Arena, request: Request) -> Response:
    """Every position that the match went through, as spectators see them: each as what is new in it against the one
    before. While it is played: of games in which nothing is hidden, those so far."""
    found = match_named(service, match)
    game = game_named(hall, found.game)
    if game.ruleset.name != found.ruleset:
        was = f"{found.id} was played by ruleset {found.ruleset}"
        raise Problem("unknown-game", f"{was}; this version of {game.name} has {game.ruleset.name}")
    live = found.state == LIVE
    lines = lines_of(service, found, live=live and is_open(found, game))

    def answer() -> Response:
        read = [Record.read(line, n) for n, line in enumerate(lines)] if live else Record.all(lines)
        all_ = list(frames(found, read, game))
        new = steps(frame.seen for frame in all_)
        told = [_step(frame, one) for frame, one in zip(all_, new, strict=True)]
        revealed = {} if live else dict(Finished.of(lines, read).revealed)
        return Json(Positions(match=found.id, game=game.name, revealed=revealed, steps=told))

    return _unchanging(request, found, len(lines), answer)


def _step(frame: Frame, new: New) -> Step:
    one, acted = frame.record, frame.record.kind == "action"
    return Step(
        n=one.n,
        ms=one.ms,
        seat=one.whole("seat") if acted else None,
        action=one.text("action") if acted else None,
        default=acted and one.flag("default"),
        latency=one.whole_or_none("latency"),
        set=new.set,
        add=new.add,
    )


def _unchanging(request: Request, match: Match, records: int, answer: Callable[[], Response]) -> Response:
    """What follows from so many records: made where the client does not have it."""
    etag = tag(match.id, records)
    # A match without an entry of its own (an exhibition) is settled when it is over.
    headers = {"ETag": etag, "Cache-Control": _FOR_EVER if match.state in FINAL else "no-cache"}
    if has(request, etag):
        return Response(status_code=304, headers=headers)
    made = answer()
    made.headers.update(headers)
    return made
