"""What the arena answers: games and queues, matches, agents."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from tallymark.arena.chance import commitment
from tallymark.arena.games.face import Game, PoolKind, Ruleset
from tallymark.arena.referee.endings import Reason
from tallymark.arena.store.matches import LIVE, Match
from tallymark.service.answers import instant
from tallymark.service.api.models import Position

Name = Annotated[str, Field(description="The name of an agent.", examples=["house-hex-greedy"])]
MatchId = Annotated[str, Field(description="Its game and a number that is never used again.", examples=["hex-17"])]
Kind = Annotated[str, Field(description="`agent`, or `house`: one of the site's own.", examples=["house"])]
State = Annotated[
    str,
    Field(
        description="`playing`; `over`: it waits to be rated; `settled`: rated, or known not to be; `aborted`: by "
        "nobody's fault, not rated.",
        examples=["settled"],
    ),
]
Why = Annotated[str | None, Field(description="The public code of why it ended.", examples=["finished"])]


class Rules(TypedDict):
    """What belongs to a game's rules besides the game."""

    name: str
    action_ms: Annotated[int, Field(description="How long an agent may think.")]
    grace_ms: Annotated[int, Field(description="How long a broken connection may stay broken.")]
    pace_ms: Annotated[int, Field(description="House agents wait so long before each action of an exhibition.")]
    told: Annotated[str, Field(description="How it is won and scored, and what ends it.")]


class Queue(TypedDict):
    """Who waits for a game, without names."""

    waiting: int
    since: Annotated[datetime | None, Field(description="When the one who waits longest began to; null: nobody does.")]
    house_after_ms: Annotated[int, Field(description="House agents step in for who waited so long alone.")]


class PlayedGame(TypedDict):
    """A game that is played here."""

    game: Annotated[str, Field(examples=["connect-four"])]
    title: str
    pool: Annotated[str, Field(description="Where it is rated.")]
    kind: Annotated[
        PoolKind,
        Field(
            description="What its pool is for: agents meet each other (`arena`), or everybody meets the same house "
            "agents with one program for ever (`benchmark`)."
        ),
    ]
    seats: Annotated[list[int], Field(description="How many may play.")]
    ruleset: Rules
    queue: Queue
    playing: Annotated[int, Field(description="Matches that are played now.")]


class Seat(TypedDict):
    """Who sits at a seat of a match."""

    agent: Name
    kind: Kind
    version: Annotated[str, Field(description="Of its program, as it said.")]
    digest: Annotated[str, Field(description="Of its algorithm, where it tells that.")]
    rating: Annotated[float | None, Field(description="As shown when it began, for display alone; null: exhibition.")]
    deviation: float | None
    rank: Annotated[int | None, Field(description="1 is the best; ties share one; null: no result.")]
    misses: Annotated[int, Field(description="How often it failed.")]


class ListedMatch(TypedDict):
    """A match as it stands."""

    match: MatchId
    game: str
    pool: str
    exhibition: Annotated[bool, Field(description="Played for spectators, never rated.")]
    ruleset: Annotated[str, Field(examples=["hex-1"])]
    state: State
    started: datetime
    ended: datetime | None
    reason: Why
    told: Annotated[str | None, Field(description="The reason as a sentence.")]
    position: Annotated[Position | None, Field(description="Of its entry in the pool.")]
    commitment: Annotated[
        str, Field(description="SHA-256 of the seed and the id, in hexadecimal: published when the match began.")
    ]
    seed: Annotated[str | None, Field(description="In hexadecimal, when it is over.")]
    seats: Annotated[list[Seat], Field(description="From seat 0.")]


class MatchPage(TypedDict):
    """A page of matches, the latest first."""

    matches: list[ListedMatch]
    next: Annotated[str | None, Field(description="The `after` of the next page; null on the last.")]


class Home(TypedDict):
    """The arena now."""

    games: list[PlayedGame]
    live: Annotated[list[ListedMatch], Field(description="The latest of those that are played now, up to 100.")]


class Latency(TypedDict):
    """How fast a seat was, in milliseconds from request to receipt; a deadline that passed counts as the wait that it
    was."""

    actions: Annotated[int, Field(description="That it sent in time.")]
    median_ms: int
    max_ms: int
    total_ms: int


class Moved(TypedDict):
    """What the match made of a rating."""

    rating_before: float
    deviation_before: float
    rating: float
    deviation: float


class Ended(TypedDict):
    """How a match ended, and what its records come to."""

    reason: Annotated[str, Field(examples=["finished"])]
    told: Annotated[str, Field(description="In a few words: `four in a row`, `black wins by 3.5`.")]
    seat: Annotated[int | None, Field(description="Whose failure ended it.")]
    unrated: Annotated[str | None, Field(description="The public code of why it is not rated.")]
    ms: Annotated[int, Field(description="From its beginning to its end.")]
    actions: Annotated[int, Field(description="Actions that were applied.")]
    records: Annotated[int, Field(description="How many there are.")]
    hash: Annotated[
        str, Field(description="SHA-256 of the records up to the end, each with a line feed: the ledger has it too.")
    ]
    revealed: Annotated[dict[str, Any], Field(description="What was hidden: roles, cards.")]
    latency: Annotated[list[Latency | None], Field(description="By seat; null: it was never waited for.")]
    changes: Annotated[
        list[Moved | None] | None,
        Field(
            description="By seat; empty where it is not rated, or waits to be; null where its pool rates it later, by "
            "period or by recomputation: the pool's match has the change then."
        ),
    ]


class OneMatch(ListedMatch):
    """A match with everything that is public of it."""

    rules: Annotated[Rules | None, Field(description="Of its ruleset; null where this version has another one.")]
    end: Annotated[Ended | None, Field(description="Null while it is played.")]


class Step(TypedDict):
    """A position: what is other than in the one before, and the action that led to it."""

    n: Annotated[int, Field(description="The record behind which it stands.")]
    ms: Annotated[int, Field(description="Since the match began.")]
    seat: int | None
    action: str | None
    default: Annotated[bool, Field(description="The action was taken in the seat's place.")]
    latency: int | None
    set: Annotated[dict[str, Any], Field(description="Members of the position that are other ones now.")]
    add: Annotated[dict[str, Any], Field(description="What is added to members that are lists.")]


class Positions(TypedDict):
    """Every position of a match so far."""

    match: MatchId
    game: str
    revealed: Annotated[dict[str, Any], Field(description="What was hidden: roles, cards.")]
    steps: list[Step]


class Release(TypedDict):
    """A program of an agent."""

    version: str
    algorithm: str
    digest: Annotated[str, Field(description="SHA-256 of the algorithm, where it tells that.")]
    since: datetime


class Locked(TypedDict):
    """The program that an agent plays a benchmark with: the one that it joined with first."""

    game: Annotated[str, Field(examples=["hex-benchmark"])]
    configuration: Annotated[
        str,
        Field(
            description="SHA-256, in hexadecimal, of `algorithm`, `configuration` (here: `digest`) and `version` as "
            "JSON, keys in order and no spaces."
        ),
    ]
    version: str
    algorithm: str
    digest: Annotated[str, Field(description="SHA-256 of its algorithm or configuration, where it tells that.")]
    since: datetime


class Missed(TypedDict):
    """How often an agent failed, by how."""

    timeout: int
    illegal: int
    disconnect: int


class OneAgent(TypedDict):
    """An agent."""

    agent: Name
    kind: Kind
    owner: Annotated[
        str,
        Field(description="The name of the key that it says hello with; `house` of the site's own.", examples=["ann"]),
    ]
    since: datetime
    releases: Annotated[list[Release], Field(description="The first one first; the last one is in force.")]
    locked: Annotated[list[Locked], Field(description="The benchmarks that it has joined.")]
    matches: int
    misses: Missed


def rules_of(ruleset: Ruleset) -> Rules:
    """A ruleset as it is answered."""
    return Rules(
        name=ruleset.name,
        action_ms=ruleset.action_ms,
        grace_ms=ruleset.grace_ms,
        pace_ms=ruleset.pace_ms,
        told=ruleset.told,
    )


def match_of(one: Match) -> ListedMatch:
    """A match as it is answered: its seed when it is over, and not before."""
    return ListedMatch(
        match=one.id,
        game=one.game,
        pool=one.pool,
        exhibition=not one.rated,
        ruleset=one.ruleset,
        state=one.state,
        started=instant(one.started),
        ended=None if one.ended is None else instant(one.ended),
        reason=one.reason,
        told=None if one.reason is None else Reason(one.reason).told,
        position=one.position,
        commitment=commitment(one.seed, one.id),
        seed=None if one.state == LIVE else one.seed.hex(),
        seats=[
            Seat(
                agent=seat.agent,
                kind=seat.kind,
                version=seat.version,
                digest=seat.digest,
                rating=seat.rating,
                deviation=seat.deviation,
                rank=seat.rank,
                misses=seat.misses,
            )
            for seat in one.seats
        ],
    )


def rules_now(game: Game | None, ruleset: str) -> Rules | None:
    """The rules of a match, where this version still has them by that name."""
    return rules_of(game.ruleset) if game is not None and game.ruleset.name == ruleset else None
