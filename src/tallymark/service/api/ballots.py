"""Ballots and votes: a voter asks for two items, and says which one it is to be."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from fastapi import APIRouter, Depends, Path
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.ids import Id as ItemId
from tallymark.ledger.matches import Json as Told
from tallymark.service.answers import Json, instant
from tallymark.service.api.bodies import ID_SCHEMA, described, object_of, text_in
from tallymark.service.api.models import Id
from tallymark.service.api.parameters import Body, PoolName, id_value, plain
from tallymark.service.api.turns import take
from tallymark.service.keys.access import Voter, key_of
from tallymark.service.problems import Problem
from tallymark.service.problems.documented import problems
from tallymark.service.state import Here, Service, service_of
from tallymark.service.votes.about import About
from tallymark.service.votes.ballots import CHOICES, Ballot
from tallymark.service.votes.voting import SCORES
from tallymark.service.web.origins import ours

router = APIRouter(tags=["votes"])
COOKIE: Final = "tallymark_voter"
_YEAR: Final = 365 * 24 * 3600
_BESIDES: Final = 2
_ASKS: Final = described(
    {
        "title": "BallotRequest",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "voter": {
                **ID_SCHEMA,
                "description": "With a key: what the site calls its user. Without one it is a cookie.",
            },
            "besides": {
                "type": "array",
                "maxItems": _BESIDES,
                "items": {"type": "string"},
                "description": "Ballots whose votes are held back for some seconds, so that they can be undone.",
            },
        },
    },
    site={"voter": "user-17"},
    page={"besides": ["0123456789abcdef0123456789abcdef"]},
)
_VOTES: Final = described(
    {
        "title": "VoteRequest",
        "type": "object",
        "additionalProperties": False,
        "required": ["choice"],
        "properties": {"choice": {"type": "string", "enum": list(CHOICES)}},
    },
    left={"choice": "left"},
)
_NAMES: Final = described(
    {
        "title": "VoterRequest",
        "type": "object",
        "additionalProperties": False,
        "required": ["voter"],
        "properties": {"voter": ID_SCHEMA},
    },
    site={"voter": "user-17"},
)


class Side(TypedDict):
    """An item on a ballot. Nothing is told of where it stands: that would be a hint."""

    id: Id
    name: Annotated[str | None, Field(description="Null where it has none.")]
    text: Annotated[str | None, Field(description="What else is to be seen of it.")]
    link: Annotated[str | None, Field(description="A page about it.")]


class CastVote(TypedDict):
    """A vote. It is the match whose id is the ballot's."""

    choice: Annotated[str, Field(examples=["left"])]
    at: datetime
    rated: Annotated[bool, Field(description="False for `skip` and `both-bad`, which are recorded as `no-result`.")]


class BallotAnswer(TypedDict):
    """Two items on the sides on which they are to be shown."""

    id: Annotated[str, Field(examples=["0123456789abcdef0123456789abcdef"])]
    pool: str
    voter: Annotated[str, Field(description="The voter's name in public entries; it says nothing about anybody.")]
    left: Side
    right: Side
    choices: Annotated[list[str], Field(description="`tie` only where the pool's rules rate draws.")]
    made: datetime
    expires: datetime
    vote: CastVote | None
    votes_left: Annotated[int, Field(description="Of this voter, until midnight UTC.")]
    replayed: Annotated[bool, Field(description="It was here before: nothing new was made.")]


class VoterName(TypedDict):
    """What entries call a voter, to void the voter's votes by."""

    voter: Annotated[str, Field(examples=["v-4uwkzlq7ex2fmn3bd6ytr5oa"])]


class Asker(NamedTuple):
    """Who asks: a site by its key, or a page by its cookie. `cookie` is the text, `voter` whose it is."""

    site: bool
    voter: str | None
    cookie: str | None = None


async def _asker(request: Request) -> Asker:
    key = await key_of(request)
    if key is not None:
        if not key.may("vote"):
            raise Problem("no-scope", f"the key {key.name!r} does not have the scope vote", scope="vote")
        return Asker(True, None)
    service = await service_of(request)
    if not service.settings.anonymous_votes:
        raise Problem("no-key", "this needs a key with the scope vote", scope="vote")
    if request.method != "GET":
        ours(request)
    cookie = request.cookies.get(COOKIE)
    voter = None if cookie is None else service.polling.voters.of_cookie(cookie)
    return Asker(False, voter, cookie)


Asking: TypeAlias = Annotated[Asker, Depends(_asker)]


async def _ballot(
    ballot: Annotated[str, Path(description="The id of a ballot.", examples=["0123456789abcdef"])],
) -> str:
    return plain(ballot)


BallotId: TypeAlias = Annotated[str, Depends(_ballot)]


@router.post(
    "/pools/{pool}/ballots",
    operation_id="openBallot",
    summary="Ask for a ballot",
    status_code=201,
    response_model=BallotAnswer,
    responses={
        200: {"model": BallotAnswer, "description": "The ballot that is open already."},
        **problems(
            "bad-input", "no-key", "bad-key", "no-scope", "other-origin", "unknown-pool", "no-ballot", "daily-cap",
            "too-many-requests",
        ),
    },
    openapi_extra=_ASKS,
)  # fmt: skip
def open_ballot(pool: PoolName, body: Body, service: Here, asker: Asking, request: Request) -> Response:
    """Two items, chosen where a vote teaches most, in random order. A voter gets a pair once; until it is voted on, and
    as long as its time is not over, the same ballot comes again."""
    told = object_of(body, "voter", "besides")
    besides = _besides(told)
    voter, cookie = asker.voter, None
    if asker.site:
        voter = service.polling.voters.of_site(id_value(told, "voter"))
    elif told.get("voter") is not None:
        raise Problem("no-key", "a voter is named by a site, with a key that has the scope vote", scope="vote")
    elif voter is None:
        take(service.newcomers, request, "new voters")
        cookie = service.polling.voters.new_cookie(service.polling.chance)
        voter = service.polling.voters.of_cookie(cookie)
    assert voter is not None
    ballot, new = service.polling.ballots.open(pool, voter, besides)
    answer = Json(_answer(service, ballot, not new), 201 if new else 200)
    if cookie is not None:
        secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, cookie, max_age=_YEAR, path="/", secure=secure, httponly=True, samesite="strict")
    return answer


@router.get(
    "/pools/{pool}/ballots/{ballot}",
    operation_id="getBallot",
    summary="A ballot",
    response_model=BallotAnswer,
    responses=problems("no-key", "bad-key", "no-scope", "unknown-pool", "unknown-ballot"),
)
def get_ballot(pool: PoolName, ballot: BallotId, service: Here, asker: Asking) -> Response:
    """A ballot, and its vote where there is one. Who has no key sees those of their own cookie."""
    found = service.polling.ballots.find(pool, ballot)
    if not asker.site and found.voter != asker.voter:
        raise Problem("unknown-ballot", f"{pool!r} has no ballot {shortened(ballot)} of yours")
    return Json(_answer(service, found, True))


@router.put(
    "/pools/{pool}/ballots/{ballot}/vote",
    operation_id="putVote",
    summary="Vote",
    status_code=201,
    response_model=BallotAnswer,
    responses={
        200: {"model": BallotAnswer, "description": "The ballot has this vote already."},
        **problems(
            "bad-input", "no-key", "bad-key", "no-scope", "other-origin", "unknown-pool", "unknown-ballot", "conflict",
            "ballot-over", "daily-cap", "too-many-requests",
        ),
    },
    openapi_extra=_VOTES,
)  # fmt: skip
def put_vote(pool: PoolName, ballot: BallotId, body: Body, service: Here, asker: Asking) -> Response:
    """The vote of a ballot, which is on the disk when this answers, and counts once however often it is sent. Another
    choice later is a 409 that shows both: nothing recorded is taken back."""
    choice = text_in(object_of(body, "choice"), "choice")
    voter = None if asker.site else asker.voter or ""
    voted = service.polling.voting.vote(pool, ballot, choice, voter)
    return Json(_answer(service, voted.ballot, voted.again), 200 if voted.again else 201)


@router.post(
    "/voters",
    operation_id="nameVoter",
    summary="What entries call a voter",
    response_model=VoterName,
    responses=problems("bad-input", "no-key", "bad-key", "no-scope"),
    openapi_extra=_NAMES,
)
def name_voter(body: Body, service: Here, key: Voter) -> Response:
    """The name under which the votes of a site's user stand in entries, for `void` in a case. It follows from the id
    and a secret of the service, so that nobody else can tell."""
    return Json(VoterName(voter=service.polling.voters.of_site(id_value(object_of(body, "voter"), "voter"))))


def _besides(told: Mapping[str, Told]) -> list[str]:
    given = told.get("besides") or []
    if not isinstance(given, list) or len(given) > _BESIDES or not all(isinstance(one, str) for one in given):
        raise InputError(
            f"besides is {shortened(given)}; expected a list of up to {_BESIDES} ids of ballots", field="besides"
        )
    return [str(one) for one in given]


def _answer(service: Service, ballot: Ballot, replayed: bool) -> dict[str, Any]:
    ties = service.ledger.rules(ballot.pool).rated.draws
    left, right = _sides(service, ballot)
    vote = None
    if ballot.vote is not None:
        choice = ballot.vote.choice
        vote = CastVote(choice=choice, at=instant(ballot.vote.voted), rated=SCORES[choice] is not None)
    found = BallotAnswer(
        id=ballot.id,
        pool=ballot.pool,
        voter=ballot.voter,
        left=left,
        right=right,
        choices=[one for one in CHOICES if one != "tie" or ties],
        made=instant(ballot.made),
        expires=instant(ballot.expires),
        vote=vote,
        votes_left=service.polling.ballots.left_today(ballot.voter),
        replayed=replayed,
    )
    return {**found}


def _sides(service: Service, ballot: Ballot) -> tuple[Side, Side]:
    both = ballot.left, ballot.right
    names, abouts = service.ledger.names(both), service.polling.abouts.of(ballot.pool, both)

    def side(item: ItemId) -> Side:
        text, link = abouts.get(item, About())
        return Side(id=item, name=names.get(item), text=text, link=link)

    return side(ballot.left), side(ballot.right)
