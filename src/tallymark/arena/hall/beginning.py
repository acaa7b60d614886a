"""Matches that begin: tickets that still wait become one, with a number that no other match has."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from tallymark import __version__
from tallymark.arena.games.face import Game
from tallymark.arena.hall.connection import Connection
from tallymark.arena.hall.playing import LOG, Playing
from tallymark.arena.hall.standing import Standing
from tallymark.arena.hall.writing import Batch
from tallymark.arena.referee.match import Match
from tallymark.arena.referee.record import Opening
from tallymark.arena.referee.saying import Entrant
from tallymark.arena.store import matches, met, tickets
from tallymark.errors import UnknownError
from tallymark.ledger.beside import Beside
from tallymark.ledger.ledger import Ledger


@cache
def versions() -> dict[str, str]:
    """The programs that a match is played by: other ones might play it otherwise."""
    found = {"tallymark": __version__}
    with suppress(PackageNotFoundError):
        found["open-spiel"] = version("open-spiel")
    return found


@dataclass(frozen=True)
class Seating:
    """Who is to play: connections, and the tickets with which those of them wait who came by a queue."""

    game: Game
    agents: tuple[Connection, ...]
    tickets: tuple[int, ...] = ()
    exhibition: bool = False


@dataclass(frozen=True)
class Begun:
    """Seatings that are matches now, and the tickets that were asked for and wait here no more (`lost`)."""

    matches: Sequence[tuple[Seating, Playing]]
    lost: set[int]
    broken: set[str]
    """Games that fail when they are begun."""


class _UnplayableError(Exception):
    """The game itself failed."""


class Beginner:
    """Begins matches in the transaction of a batch."""

    def __init__(self, ledger: Ledger, hall: str, standing: Standing, seeds: Callable[[], bytes]) -> None:
        self._ledger, self._hall, self._standing, self._seeds = ledger, hall, standing, seeds

    def begin(self, own: Beside, batch: Batch, seatings: Sequence[Seating], ms: int) -> Begun:
        """The matches of those seatings whose tickets all wait here; the others of a seating where one does not go on
        waiting."""
        wanted = {ticket for one in seatings for ticket in one.tickets}
        free = tickets.claimable(own.connection, wanted, self._hall)
        found: list[tuple[Seating, Playing]] = []
        broken: set[str] = set()
        for one in seatings:
            if free.issuperset(one.tickets) and one.game.name not in broken:
                try:
                    found.append((one, self._begun(own, batch, one, ms)))
                except _UnplayableError as error:
                    told = "%s cannot be begun: nobody is paired for it any more"
                    LOG.error(told, one.game.name, exc_info=error.__cause__)
                    broken.add(one.game.name)
        return Begun(found, wanted - free, broken)

    def _begun(self, own: Beside, batch: Batch, seating: Seating, ms: int) -> Playing:
        game, now, rated = seating.game, self._ledger.now(), not seating.exhibition
        number = matches.number(own.connection, game.name)
        while self._used(game, number):
            number = matches.number(own.connection, game.name)
        name = f"{game.name}-{number}"
        here = {one.agent.id: one for one in seating.agents}
        ratings = {agent: self._standing.rating(game.pool, agent) if rated else None for agent in here}
        entrants = tuple(
            Entrant(
                agent,
                one.agent.kind,
                one.agent.program.version,
                None if (rating := ratings[agent]) is None else rating.rating,
                None if rating is None else rating.deviation,
                one.agent.program.configuration if game.kind == "benchmark" else None,
            )
            for agent, one in here.items()
        )
        opening = Opening(name, self._seeds(), entrants, now, seating.exhibition, versions())
        try:
            match, step = Match.announced(game, opening, ms)
        except Exception as error:  # a game's own failure, of whatever kind, keeps no other game from being begun
            raise _UnplayableError from error
        playing = Playing(match, game.pool, rated, [here[one.agent] for one in match.entrants])
        sittings = []
        for seat, one in enumerate(match.entrants):
            agent = here[one.agent].agent
            program = agent.program
            sittings.append(
                matches.Sitting(seat, agent.id, agent.kind, program.version, program.digest, one.rating, one.deviation)
            )
        batch.begun.append(
            matches.Match(
                name,
                game.name,
                number,
                game.pool,
                rated,
                game.ruleset.name,
                "playing",
                self._hall,
                opening.seed,
                now,
                None,
                None,
                None,
                tuple(sittings),
            )
        )
        batch.claims.append(tickets.Claim(seating.tickets, name))
        if game.kind == "benchmark":
            batch.meetings += [
                met.Meeting(one, game.name, other)
                for one in here
                for other in here
                if here[one].agent.kind == "agent" and one != other
            ]
        batch.take(playing, step)
        return playing

    def _used(self, game: Game, number: int) -> bool:
        """Whether the public history has a match of that id, from somewhere else."""
        try:
            self._ledger.receipt(game.pool, f"{game.name}-{number}")
        except UnknownError:
            return False
        return True
