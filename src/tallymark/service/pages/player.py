"""A player's profile: the rating through time, its peak, the record, whom it was made against, and every change."""

from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.ledger.reading.changes import Change
from tallymark.methodology import Methodology
from tallymark.service.api.boards import Row, rows_of
from tallymark.service.api.parameters import PlayerId, PoolName
from tallymark.service.api.ratings import known, newcomer
from tallymark.service.arena.known import is_agent
from tallymark.service.pages.career import Career, Point, career_of, records_of
from tallymark.service.pages.frame import head_of, page
from tallymark.service.pages.links import api, player_path, with_query
from tallymark.service.pages.named import Names
from tallymark.service.pages.peaks import Peak, peak_of, rule_of
from tallymark.service.pages.titles import titles
from tallymark.service.shown import band
from tallymark.service.state import Here, Service

router = APIRouter()
SIZE: Final = 20
"""Changes of a page."""
OFTEN: Final = 8
"""Opponents that are shown: those met most often."""


class Standing(NamedTuple):
    """A player now. `row`: as on the board of all time; None for who has no match yet, but a rating. `last`: the
    position of the player's last entry."""

    row: Row | None
    shared: int | None
    change: Change

    @property
    def last(self) -> int:
        return self.change.position


@router.api_route("/pools/{pool}/players/{player}", methods=["GET", "HEAD"], include_in_schema=False)
def profile(
    pool: PoolName,
    player: PlayerId,
    service: Here,
    request: Request,
    before: Annotated[int | None, Query(ge=1)] = None,
) -> Response:
    """A profile; `before`: changes by entries before that one."""
    as_of = head_of(service, pool)
    rules = service.ledger.rules(pool)
    try:
        now = standing(service, pool, player)
    except UnknownError:
        if not known(service, pool, player):
            raise
        return _newcomer(service, request, pool, player, rules)
    career = career_of(service, pool, player, now.last)
    changes = service.ledger.history(player, pool, SIZE + 1, before)
    shown, more = changes[:SIZE], len(changes) > SIZE
    records = records_of(service, pool, player, now.last)
    often = records.records[:OFTEN]
    people = {player, *(one.opponent for one in often), *_met([now.change, *shown])}
    here = player_path(pool, player)
    who = service.ledger.player(player)
    return page(
        request,
        service,
        "player.html",
        pool=pool,
        as_of=as_of,
        twin=api(here),
        player=player,
        known=who,
        agent=is_agent(service, player),
        about=service.polling.abouts.of(pool, [player]).get(player),
        name=who.name or player,
        now=now,
        rules=rules,
        rating=now.change.after,
        band=band(now.change.after.rating, now.change.after.deviation, rules.published.interval),
        career=career,
        against=often,
        others=len(records.records) - len(often),
        records=records,
        counted=sum(one.games for one in records.records),
        peak=peak(rules, career),
        published_peak=None if now.row is None else now.row["shown"]["peak"],
        changes=shown,
        titles=titles(service.ledger, pool, _named(shown)),
        names=Names(service.ledger, people),
        older=with_query(here, before=shown[-1].position) if more else None,
        newest=None if before is None else here,
        history=with_query(api(here) + "/history", before=before, limit=SIZE),
    )


def _newcomer(service: Service, request: Request, pool: str, player: Id, rules: Methodology) -> Response:
    """The page of who has no result: name, text, and where newcomers begin."""
    row = newcomer(service, pool, player)
    return page(
        request,
        service,
        "newcomer.html",
        pool=pool,
        as_of=head_of(service, pool),
        twin=api(player_path(pool, player)),
        player=player,
        name=row["name"] or player,
        about=service.polling.abouts.of(pool, [player]).get(player),
        row=row,
        rules=rules,
    )


def standing(service: Service, pool: str, player: Id) -> Standing:
    """Where a player stands. `UnknownError` for who has no rating."""
    change = service.ledger.history(player, pool, 1)[0]
    try:
        found = service.ledger.board(pool, around=player, limit=1, shared=True)
    except UnknownError:
        return Standing(None, None, change)
    (row,) = rows_of(service.ledger, found.table, service.ledger.rules(pool).published.interval)
    return Standing(row, row.get("shared_rank"), change)


def peak(rules: Methodology, career: Career) -> Peak | None:
    """The peak, where deviations tell what counts and the whole career is there."""
    rule = rule_of(rules)
    if rule is None or not career.whole:
        return None
    return peak_of([(point.rating, point.deviation) for point in career.points], rule)


def peak_point(found: Peak | None, career: Career) -> Point | None:
    """Where on the chart it is."""
    return None if found is None or found.place is None else career.points[found.place]


def _named(changes: Sequence[Change]) -> set[Id]:
    """Matches that are named as causes of changes: the first few."""
    return {match for change in changes for cause in change.causes[:3] for match in cause.matches[:3]}


def _met(changes: Sequence[Change]) -> set[Id]:
    found: set[Id] = set()
    for change in changes:
        for match in change.matches:
            found.update(match.opponents, () if match.now is None else match.now.opponents)
        for cause in change.causes:
            found.update(cause.players)
    return found
