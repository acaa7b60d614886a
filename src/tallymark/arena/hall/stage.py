"""The matches that are played here, and those that wait to be rated."""

from collections.abc import Iterable
from heapq import heappop, heappush

from tallymark.arena.hall.connection import Connection
from tallymark.arena.hall.inbox import Did, Took, Watching
from tallymark.arena.hall.playing import Playing, Watcher
from tallymark.arena.hall.saying import Closed, Denial, Denied, brief
from tallymark.arena.hall.settling import Settling
from tallymark.arena.hall.writing import Batch, left_out
from tallymark.arena.referee.endings import Reason
from tallymark.arena.referee.events import Aborted, Acted, Delivered, Disconnected, Event, Expired, Reconnected
from tallymark.arena.referee.match import State
from tallymark.checked import shortened


class Stage:
    """Hands events to the referees of matches, and what comes of it to a batch."""

    def __init__(self) -> None:
        self.playing: dict[str, Playing] = {}
        self.settling = Settling()
        self._due: list[tuple[int, str]] = []

    def begin(self, playing: Playing) -> None:
        """A match has begun: it is on the disk."""
        self.playing[playing.id] = playing
        for seat, connection in enumerate(playing.seats):
            if connection is not None:
                connection.matches[playing.id] = seat
        self._note(playing)

    def end(self, ended: Iterable[Playing], batch: Batch) -> None:
        """Matches are over: their results are on the disk, and in the ledger's inbox."""
        for playing in ended:
            self.playing.pop(playing.id, None)
            for connection in playing.seats:
                if connection is not None:
                    connection.matches.pop(playing.id, None)
            self.settling.add(playing)
            batch.say(playing, left_out(playing).says)

    def did(self, ms: int, one: Did, batch: Batch) -> None:
        """An agent has answered."""
        found = self._of(one.by, one.match)
        if found is None:
            told = f"you play no match {shortened(one.match)}: it is over, or another's, or never was"
            batch.says.append((one.by, Denied(Denial.NO_MATCH, told, brief(one.match))))
        else:
            playing, seat = found
            self._take(playing, Acted(ms, seat, one.request, one.action), batch)

    def took(self, ms: int, one: Took, batch: Batch) -> None:
        """A request has left for its agent: of each match the first one counts."""
        found = self._of(one.by, one.match)
        if found is not None and found[0].match.state is State.ANNOUNCED:
            self._take(found[0], Delivered(ms, found[1], one.request), batch)

    def came(self, ms: int, by: Connection, batch: Batch) -> None:
        """An agent is back: in time, where rulesets give it some."""
        for playing in self.playing.values():
            if not playing.match.game.ruleset.grace_ms:
                continue
            for seat, entrant in enumerate(playing.match.entrants):
                if entrant.agent == by.agent.id and playing.seats[seat] is None:
                    playing.seats[seat] = by
                    by.matches[playing.id] = seat
                    self._take(playing, Reconnected(ms, seat), batch)

    def went(self, ms: int, by: Connection, batch: Batch) -> None:
        """A connection is gone."""
        for match in list(by.matches):
            playing = self.playing[match]
            seat = playing.leave(by)
            if seat is not None:
                self._take(playing, Disconnected(ms, seat), batch)
        by.matches.clear()

    def watch(self, ms: int, one: Watching, batch: Batch) -> None:
        """Somebody begins to watch, or watches no more."""
        playing = self.playing.get(one.match)
        if playing is None:
            if one.watcher.open:
                batch.says.append((one.watcher, Closed("the match is over")))
        elif one.watcher.open:
            playing.watching.append(one.watcher)
            batch.says += [(one.watcher, said) for said in playing.shown(ms)]
        elif one.watcher in playing.watching:
            playing.watching.remove(one.watcher)

    def watchers(self) -> list[Watcher]:
        """Everybody who watches, also what is over and not yet settled."""
        return [one for playing in (*self.playing.values(), *self.settling.playing()) for one in playing.watching]

    def expire(self, now_ms: int, batch: Batch) -> None:
        """Deadlines that have passed."""
        while self._due and self._due[0][0] <= now_ms:
            playing = self.playing.get(heappop(self._due)[1])
            if playing is not None and playing.match.due is not None and playing.match.due <= now_ms:
                self._take(playing, Expired(now_ms), batch)

    def abort(self, now_ms: int, reason: Reason, batch: Batch) -> None:
        """All that is played is aborted."""
        for playing in self.playing.values():
            self._take(playing, Aborted(now_ms, reason), batch)

    def due(self) -> list[int]:
        """The first deadline, if there is one."""
        return [self._due[0][0]] if self._due else []

    def _of(self, by: Connection, match: str) -> tuple[Playing, int] | None:
        seat = by.matches.get(match)
        return None if seat is None else (self.playing[match], seat)

    def _take(self, playing: Playing, event: Event, batch: Batch) -> None:
        before = playing.match.due
        batch.take(playing, playing.match.take(event))
        if playing.match.due != before:
            self._note(playing)

    def _note(self, playing: Playing) -> None:
        if playing.match.due is not None:
            heappush(self._due, (playing.match.due, playing.id))
