"""What is answered about a case: its documents, and how a case is put into them."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from tallymark.service.answers import instant
from tallymark.service.api.matches import fate_of
from tallymark.service.api.models import Fate, Id
from tallymark.service.arena.known import was_played
from tallymark.service.cases.docket import told_id
from tallymark.service.cases.reading import Case, Happened
from tallymark.service.cases.states import OF_PEOPLE, Proposal
from tallymark.service.pages.links import arena_match_path, records_path
from tallymark.service.state import Service


class Flagged(TypedDict):
    """The case that a flag has opened, or was added to."""

    case: Annotated[str, Field(examples=["case-0123456789abcdef"])]


class ListedCase(TypedDict):
    """A line of the list of cases."""

    id: str
    pool: str
    kind: Annotated[str, Field(description="`flag`, or `volatility`: one that runs away.")]
    match: Id | None
    player: Id | None
    state: Annotated[str, Field(examples=["under-review"])]
    events: int
    at: Annotated[datetime, Field(description="When the last of them was.")]


class CaseList(TypedDict):
    """A page of cases, in the order of their ids."""

    cases: list[ListedCase]
    next: Annotated[str | None, Field(description="The `after` of the next page; null on the last.")]


class EvidenceMove(TypedDict):
    """Where a player stands, and would stand; null where there is no rating."""

    player: Id
    rating: float | None
    deviation: float | None
    rating_then: float | None
    deviation_then: float | None


class EvidenceMoved(TypedDict):
    """As of the entry `position`: how many players would have other numbers, and the first 100."""

    position: int
    players: int
    moves: list[EvidenceMove]


class EvidenceAnswer(EvidenceMoved):
    """What the ledger would make of an adjustment, if it were told it then. `players` and `moves` are whose published
    numbers it would change by its methodology, and to what, everything that waits done; `from_the_beginning` is a
    counterfactual replay: whose would be others, had it been so from the beginning."""

    effect: Annotated[
        str,
        Field(
            description="`recompute`, `open-period`, `set`, or, where published numbers stay as they are, `none` and "
            "`refused`.",
            examples=["none"],
        ),
    ]
    note: Annotated[str, Field(description="That in words, for who approves.")]
    from_the_beginning: EvidenceMoved


class EventAnswer(TypedDict):
    """What happened in a case."""

    n: int
    action: str
    at: datetime
    by: str
    why: str
    proposal: int | None
    adjustment: dict[str, Any] | None
    evidence: EvidenceAnswer | None


class ProposalAnswer(TypedDict):
    """An adjustment that was proposed: what it would change, who stands for it, and what became of it. `told`: what the
    ledger made of it, once it is told, under which id."""

    n: int
    approvers: list[str]
    needed: int
    state: Annotated[
        str,
        Field(
            description="`waiting`, `due` (approved, and the ledger has not said yet what it makes of it), `told`, "
            "`failed` or `withdrawn`."
        ),
    ]
    evidence_state: Annotated[
        str,
        Field(
            description="`computing`, and then `there`; `overtaken`, where the pool has moved on since for those whom "
            "it is about: who approves then gets 409 `not-now`, and new evidence. Nobody approves what is not shown.",
            examples=["there"],
        ),
    ]
    evidence: EvidenceAnswer | None
    told: Fate | None


class ArenaRecord(TypedDict):
    """The match of the arena that a case is about: its page, and its records as they were written."""

    match: str
    page: Annotated[str, Field(examples=["/arena/matches/hex-17"])]
    records: Annotated[str, Field(examples=["/v1/arena/matches/hex-17/records"])]


class CaseAnswer(TypedDict):
    """A case. `taken`: the actions that it takes now; `record`: what the ledger said when it was opened."""

    id: str
    pool: str
    kind: str
    match: Id | None
    player: Id | None
    state: str
    taken: list[str]
    record: dict[str, Any]
    arena: Annotated[ArenaRecord | None, Field(description="Where the match was played in the arena.")]
    events: list[EventAnswer]
    proposals: list[ProposalAnswer]
    evidence: Annotated[EvidenceAnswer | None, Field(description="Of `try`.")]


def answer_of(service: Service, case: Case) -> CaseAnswer:
    """A case as it stands now."""
    course = case.course
    played = None if case.match is None else was_played(service, case.pool, case.match)
    return CaseAnswer(
        id=case.id,
        pool=case.pool,
        kind=case.kind,
        match=case.match,
        player=case.player,
        state=str(course.state),
        taken=[one for one in course.taken() if one in OF_PEOPLE],
        record=dict(case.record),
        arena=None
        if played is None
        else ArenaRecord(match=played, page=arena_match_path(played), records=records_path(played)),
        events=[_event(one) for one in case.events],
        proposals=[
            ProposalAnswer(
                n=one.n,
                approvers=one.approvers,
                needed=service.settings.approvers,
                state=one.state,
                evidence_state=_evidence_state(service, case, one),
                evidence=case.evidence_of(one.n),
                told=fate_of(service, case.pool, told_id(case.id, one.n)) if one.state == "told" else None,
            )
            for one in course.proposals.values()
        ],
        evidence=None,
    )


def _evidence_state(service: Service, case: Case, one: Proposal) -> str:
    if service.cases.overtaken(case, one):
        return "overtaken"
    return "there" if one.shown else "computing"


def _event(one: Happened) -> EventAnswer:
    event, data = one
    return EventAnswer(
        n=event.n,
        action=event.action,
        at=instant(event.at),
        by=event.by,
        why=event.why,
        proposal=event.proposal,
        adjustment=None if data is None else data.get("adjustment"),
        evidence=None if data is None else data.get("evidence"),
    )
