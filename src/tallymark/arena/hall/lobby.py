"""Who waits and who may help: the queues of all games, and the house agents that are there."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from tallymark.arena.games.face import Game
from tallymark.arena.hall.beginning import Seating
from tallymark.arena.hall.connection import Connection, Said
from tallymark.arena.hall.moves import Answer, Drop, Join, Leave, Waits
from tallymark.arena.hall.playing import Listener
from tallymark.arena.hall.queues import Queue, Waiter
from tallymark.arena.hall.saying import Alone, Cancelled, Denial, Denied, Matched, Queued, brief
from tallymark.arena.hall.standing import Standing
from tallymark.arena.hall.writing import Batch
from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.pairing.waiting import House
from tallymark.arena.store.tickets import Ticket
from tallymark.checked import shortened
from tallymark.games.ids import Id


@dataclass(frozen=True)
class _Absent:
    """A ticket that waits for its agent to come back, until a time."""

    agent: str
    game: str
    until_ms: int


class Lobby:
    """`met`: how often agents have met others in a game; `utc`: microseconds since 1970. `return_ms`: how long an agent
    whose hall is gone may take to come back."""

    def __init__(
        self,
        games: Mapping[str, Game],
        rules: Callable[[Game], PairingRules],
        standing: Standing,
        met: Callable[[str, Collection[str]], Mapping[str, Mapping[str, int]]],
        utc: Callable[[], int],
        return_ms: int,
    ) -> None:
        self._games, self._standing, self._utc, self._return_ms = games, standing, utc, return_ms
        self.queues: Final = {
            name: Queue(rules(game), partial(standing.rating, game.pool), partial(met, name))
            for name, game in games.items()
        }
        self._house: dict[str, Connection] = {}
        self._absent: dict[int, _Absent] = {}
        self._shut: set[str] = set()

    def came(self, ms: int, by: Connection, tickets: Iterable[Ticket], batch: Batch) -> None:
        """An agent is there, with the tickets with which it waited before."""
        if by.plays:
            self._house[by.agent.id] = by
            self._touch(by.plays)
        for ticket in tickets:
            self._absent.pop(ticket.id, None)
            if ticket.game in self.queues:
                self._wait(ms, by, ticket, again=True, batch=batch)

    def joined(self, ms: int, by: Connection, game: str, batch: Batch) -> None:
        """An agent wants to play."""
        queue = self.queues.get(game)
        if queue is None or by.plays:
            batch.says.append((by, self._no_game(game)))
        elif game in self._shut:
            batch.says.append((by, _cannot_begin(game)))
        elif (waiter := queue.get(by.agent.id)) is not None:
            batch.says.append((by, Queued(game, waiter.ticket, ms - waiter.joined_ms, True)))
        else:
            batch.moves.append(Join(by, game, ms, self._utc(), self._games[game].kind == "benchmark"))

    def left(self, by: Connection, game: str, batch: Batch) -> None:
        """An agent wants to wait no longer. The database has the word on it."""
        if game in self.queues:
            batch.moves.append(Leave(by, game))
        else:
            batch.says.append((by, self._no_game(game)))

    def went(self, by: Connection, batch: Batch) -> None:
        """An agent is gone: nobody waits for who cannot be told."""
        if self._house.pop(by.agent.id, None) is not None:
            self._touch(by.plays)
        for game, queue in self.queues.items():
            waiter = queue.get(by.agent.id)
            if waiter is not None:
                queue.remove(by.agent.id, waiter.ticket)
                batch.moves.append(Drop(by.agent.id, game, waiter.ticket))

    def answered(self, done: Batch, answers: Sequence[Answer], then: Batch) -> None:
        """What became of the moves of a batch, now that it is on the disk. What is to be done of it, another does."""
        for move, answer in zip(done.moves, answers, strict=True):
            if isinstance(move, Join) and isinstance(answer, Waits):
                if not move.by.gone:
                    self._wait(move.ms, move.by, answer.ticket, again=answer.again, batch=done)
                else:  # it went meanwhile
                    then.moves.append(Drop(move.by.agent.id, move.game, answer.ticket.id))
            elif isinstance(move, Join) and isinstance(answer, Denied):
                done.says.append((move.by, answer))
            elif isinstance(move, Leave) and isinstance(answer, Cancelled | Matched | Denied):
                if not isinstance(answer, Denied):
                    self.queues[move.game].remove(move.by.agent.id, answer.ticket)
                done.says.append((move.by, answer))

    def house(self, game: str) -> list[House]:
        """The house agents of a game that are there."""
        pool = self._games[game].pool
        found = [one for one in self._house.values() if game in one.plays]
        ratings = [(one.agent.id, self._standing.rating(pool, one.agent.id)) for one in found]
        return [House(agent, rating.rating, rating.deviation) for agent, rating in ratings]

    def helper(self, agent: str, game: str) -> Connection | None:
        """The house agent of that name, if it is there and plays the game."""
        found = self._house.get(agent)
        return found if found is not None and game in found.plays else None

    def seatings(self, now_ms: int) -> list[Seating]:
        """Who is to play now."""
        found = []
        for game, queue in self.queues.items():
            if game in self._shut:
                continue
            for table in queue.tables(partial(self.house, game), now_ms):
                waiters = [waiter for one in table.waiting if (waiter := queue.get(one.agent)) is not None]
                agents = [*(one.by for one in waiters), *(self._house[one.agent] for one in table.house)]
                found.append(Seating(self._games[game], tuple(agents), tuple(one.ticket for one in waiters)))
        return found

    def alone(self, now_ms: int) -> list[tuple[Listener, Said]]:
        """What is said to those who have waited long enough in vain."""
        return [
            (waiter.by, Alone(game, now_ms - waiter.joined_ms))
            for game, queue in self.queues.items()
            for waiter in queue.alone(now_ms)
        ]

    def sat(self, seating: Seating) -> None:
        """A seating has become a match."""
        for connection in seating.agents:
            waiter = self.queues[seating.game.name].get(connection.agent.id)
            if waiter is not None and waiter.ticket in seating.tickets:
                self.queues[seating.game.name].remove(connection.agent.id, waiter.ticket)

    def lost(self, tickets: set[int], batch: Batch) -> None:
        """Tickets that wait here no more: they were cancelled, or moved with their agents, in another process."""
        for game, queue in self.queues.items() if tickets else ():
            for waiter in [one for one in queue if one.ticket in tickets]:
                queue.remove(waiter.by.agent.id, waiter.ticket)
                batch.says.append((waiter.by, Cancelled(game, waiter.ticket)))

    def moved(self, players: Iterable[Id]) -> None:
        """Players have other ratings now."""
        for player in players:
            for queue in self.queues.values():
                queue.moved(player)
            if isinstance(player, str) and player in self._house:
                self._touch(self._house[player].plays)

    def shut(self, games: Iterable[str], batch: Batch) -> None:
        """Nobody is paired for these games any more: they cannot be begun. Tickets are kept for an arena that can."""
        for game in games:
            self._shut.add(game)
            batch.says += [(waiter.by, _cannot_begin(game)) for waiter in self.queues[game]]

    def inherit(self, now_ms: int, tickets: Iterable[Ticket]) -> None:
        """Tickets of agents whose hall is gone: they go on waiting, and are cancelled where nobody comes back."""
        for one in tickets:
            waiter = self.queues[one.game].get(one.agent) if one.game in self.queues else None
            if waiter is None and one.id not in self._absent:
                self._absent[one.id] = _Absent(one.agent, one.game, now_ms + self._return_ms)

    def expire(self, now_ms: int, batch: Batch) -> None:
        """Who did not come back in time waits no longer."""
        for ticket, one in list(self._absent.items()):
            if now_ms >= one.until_ms:
                del self._absent[ticket]
                batch.moves.append(Drop(one.agent, one.game, ticket))

    def due(self) -> list[int]:
        """The milliseconds at which there is something to look at."""
        waits = [one.until_ms for one in self._absent.values()]
        queues = [queue.due() for game, queue in self.queues.items() if game not in self._shut]
        alone = [queue.alone_at() for queue in self.queues.values()]
        return waits + [due for due in (*queues, *alone) if due is not None]

    def _touch(self, games: Iterable[str]) -> None:
        for game in games:
            if game in self.queues:
                self.queues[game].touch()

    def _no_game(self, game: str) -> Denied:
        told = f"game is {shortened(game)}; expected one of {', '.join(self.queues)}"
        return Denied(Denial.NO_GAME, told, brief(game))

    def _wait(self, ms: int, by: Connection, ticket: Ticket, *, again: bool, batch: Batch) -> None:
        waited = max(0, (self._utc() - ticket.joined) // 1000) if again else 0
        self.queues[ticket.game].add(Waiter(ticket.id, by, ms - waited))
        batch.says.append((by, Queued(ticket.game, ticket.id, waited, again)))


def _cannot_begin(game: str) -> Denied:
    told = f"{game} fails when it is begun: nobody is paired for it until the arena is started anew"
    return Denied(Denial.NO_GAME, told, game)
