"""A match: who played, how it ended, what it did to whom and why, its entry, and how to check it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tallymark.games.ids import Id
from tallymark.ledger.entries import is_late
from tallymark.ledger.fold.played import read_match
from tallymark.ledger.reading.matches import MatchInfo
from tallymark.ledger.reading.notable import Corrected
from tallymark.ledger.reading.seats import Seat, Side
from tallymark.ledger.rules import rules_in
from tallymark.service.api.parameters import MatchId, PoolName
from tallymark.service.arena.known import was_played
from tallymark.service.pages.checking import checks
from tallymark.service.pages.explained import explained
from tallymark.service.pages.frame import head_of, page
from tallymark.service.pages.links import api, match_path
from tallymark.service.pages.named import Names
from tallymark.service.pages.titles import changed, result_of, title_of, told_of
from tallymark.service.state import Here

router = APIRouter()
LATE: Final = {
    "ledger-order": "These rules rate matches in the order in which they come, and leave what is published as it is: "
    "the correction is on record, and changes no rating. People who answer for it can set states (adjust).",
    "refuse": "These rules leave what is published as it is once a period is over: the correction is on record, and "
    "changes no rating.",
    "next-period": "These rules leave what is published as it is once a period is over: the correction is on record, "
    "and changes no rating.",
}
"""Why a correction has no effect, by the rules' `late`."""


class Line(NamedTuple):
    """A seat as it is shown: the side's number from 1, and why the rating changed."""

    side: int
    seat: Seat
    why: list[str]


class Entered(NamedTuple):
    """A correction, and what came of it: `done` (it is in the ratings), `waits`, or `record` (it changes none); and the
    entry of the recomputation that took it in. `said`: of one that changed what the match says, what it was and
    became."""

    one: Corrected
    became: str
    recomputed: int | None
    said: tuple[str, str] | None


@router.api_route("/pools/{pool}/matches/{match}", methods=["GET", "HEAD"], include_in_schema=False)
def match(pool: PoolName, match: MatchId, service: Here, request: Request) -> Response:
    """A match of a pool."""
    as_of = head_of(service, pool)
    found = service.ledger.match(pool, match)
    names = Names(service.ledger, people_of(found))
    entry = None if found.position is None else service.ledger.entry(pool, found.position)
    corrections = entered(found, names)
    rules = None if found.rules is None else rules_in(service.ledger.entry(pool, found.rules).body, found.rules)
    shown = found.sides if found.counts or found.state != "annulled" or found.first is None else found.first.sides
    return page(
        request,
        service,
        "match.html",
        pool=pool,
        as_of=as_of,
        twin=api(match_path(pool, match)),
        match=found,
        played=was_played(service, pool, match),
        title=title_of(shown, names),
        result=result_of(shown, names),
        was=None if found.first is None else told_of(found.first.sides, names),
        now=told_of(found.sides, names),
        recorded=None if found.recorded is None else told_of(found.recorded, names),
        lines=lines_of(shown, by_period=found.period is not None),
        first=[] if found.first is None else lines_of(found.first.sides, by_period=found.period is not None),
        teams=any(len(side.seats) > 1 for side in shown) or len(shown) > 2,
        names=names,
        corrections=corrections,
        last=corrections[-1] if corrections else None,
        unchanged=LATE.get(found.late or ""),
        rules=None if rules is None else rules.id,
        published=(rules or service.ledger.rules(pool)).published,
        entry=entry,
        late=entry is not None and is_late(entry.body),
        checks=checks(str(request.base_url), pool, found.position),
    )


def people_of(found: MatchInfo) -> list[Id]:
    """Everybody whom its page names."""
    sides = [*found.sides, *(found.recorded or ()), *(found.first.sides if found.first else ())]
    people = [seat.player for side in sides for seat in side.seats]
    people += read_match(found.content).people
    people += [seat.player for seat in found.anew.seats] if found.anew else []
    for one in found.corrections:
        people += one.says.merged or ()
        people += () if one.match is None else one.match.people
        people += () if one.says.parted is None else (one.says.parted,)
    return people


def entered(found: MatchInfo, names: Names) -> list[Entered]:
    """The corrections of a match, what each said, and what came of them."""
    before, told = read_match(found.content), []
    for one, done, recomputed in zip(found.corrections, found.done, found.recomputed, strict=True):
        became = "done" if done else "record" if one.effect == "none" else "waits"
        said = None if one.match is None else changed(before, one.match, names)
        before = one.match or before
        told.append(Entered(one, became, recomputed, said))
    return told


def lines_of(sides: Sequence[Side], by_period: bool) -> list[Line]:
    """Its seats, side by side. Of a match that is rated with its period, the change is the whole period's."""
    everybody = sum(len(side.seats) for side in sides)
    return [
        Line(n, seat, [] if by_period else explained(seat, everybody - len(side.seats)))
        for n, side in enumerate(sides, 1)
        for seat in side.seats
    ]
