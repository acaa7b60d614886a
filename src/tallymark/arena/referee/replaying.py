"""A match played back from its records: the referee is told what they say has come, and must write the same again."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from tallymark.arena.chance import SEED_BYTES, commitment, seated
from tallymark.arena.games.face import Action, Game, Position, Seat
from tallymark.arena.referee.endings import Reason, aborted
from tallymark.arena.referee.finished import Finished, over_fields
from tallymark.arena.referee.match import Match
from tallymark.arena.referee.recalled import recalled
from tallymark.arena.referee.record import FORM, Opening, Record, Writer, entrants_read, is_number
from tallymark.arena.referee.saying import Entrant
from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.matches import Json


@dataclass(frozen=True)
class Played:
    """A record, and where it led."""

    record: Record
    look: Callable[[], str]

    @property
    def board(self) -> str:
        """The position behind it, for a terminal: to be asked for before the next record is."""
        return self.look()


class _Board:
    """A position of its own, for the match is ahead by all that its last step wrote; played on when somebody looks."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self.behind: list[tuple[Seat, Action]] = []

    def look(self) -> str:
        for seat, action in self.behind:
            self._position.apply(seat, action)
        self.behind.clear()
        return self._position.board()


class Replay:
    """A finished match that is played back. Making it checks what the seed decides; `steps` checks all the rest: every
    record is, byte for byte, the one that the referee writes when it is told what the records say has come.

    What only who was there can know is believed: that a connection broke, who the agents were, times that are all late
    by as much, what the ledger made of it. The hash in the ledger's entry holds that. `BrokenChainError` names the
    first record that does not follow from those before it.
    """

    def __init__(self, lines: Sequence[bytes], find: Callable[[str], Game]) -> None:
        """`find`: the game of a name. `InputError` where this version does not know it, or plays it by other rules."""
        self._lines: Final = lines
        self.records: Final = Record.all(lines)
        self.finished: Final = Finished.of(lines, self.records)
        self.opening: Final = self.records[0]
        self.entrants: Final[tuple[Entrant, ...]] = entrants_read(self.opening)
        if self.opening.whole("form") != FORM:
            raise InputError(f"the records are of form {self.opening.whole('form')}; this version reads form {FORM}")
        self.game: Final = find(self.finished.game)
        self.exhibition: Final = self.opening.flag("exhibition")
        self.states = 0
        """How many hashes were found equal so far."""
        self._drawn()

    def steps(self) -> Iterator[Played]:
        """The records in their order, each when it was checked."""
        match, step = Match.announced(self.game, self._begun(), 0)
        told = deque(step.records)
        board = _Board(self.game.start(self.finished.seed, len(self.entrants)))
        for record in self.records:
            if record.kind == "settled":
                told.append(self._settled(record))
            elif record.kind == "over" and record.text("reason") == Reason.DEFECT:
                told = deque([self._failed(record)])
            elif not told:
                for event in recalled(self.records, record.n, match):
                    step = match.take(event)
                    if step.failure is not None and self.finished.verdict.reason is not Reason.DEFECT:
                        raise step.failure
                    told += step.records
            if not told:
                raise record.broken("nothing of this kind could have come then")
            self.compare(record, told.popleft())
            if record.kind == "action":
                board.behind.append((record.whole("seat"), record.text("action")))
            yield Played(record, board.look)

    def _begun(self) -> Opening:
        """What the match began with, as far as only the first record tells it."""
        first = self.opening
        for one, entrant in zip(first.objects("seats"), self.entrants, strict=True):
            if entrant.kind not in ("agent", "house"):
                raise one.wrong("kind", "agent or house")
        versions = {name: first.object("versions").text(name) for name in first.mapping("versions")}
        at = first.whole("at")
        return Opening(self.finished.match, self.finished.seed, self.entrants, at, self.exhibition, versions)

    def _drawn(self) -> None:
        """What follows from the seed: the commitment and the seats."""
        last = self.records[self.finished.n - 1]
        seed, match, first = self.finished.seed, self.finished.match, self.opening
        if len(seed) != SEED_BYTES:
            raise last.wrong("seed", f"{SEED_BYTES} bytes in hexadecimal")
        if commitment(seed, match) != self.finished.commitment:
            raise first.wrong("commitment", f"{commitment(seed, match)}, the SHA-256 of the revealed seed and {match}")
        agents = self.finished.agents
        if len(set(agents)) != len(agents) or len(agents) not in self.game.seats:
            raise first.wrong("seats", f"different agents, {' or '.join(map(str, self.game.seats))} of them")
        order = seated(seed, agents)
        if order != agents:
            raise first.broken(f"seats are {', '.join(agents)}; expected {', '.join(order)}, as the seed has them")
        if self.finished.ruleset != self.game.ruleset.name:
            raise InputError(
                f"{match} was played by ruleset {self.finished.ruleset}; this version of {self.game.name} has "
                f"{self.game.ruleset.name}",
                hint="play it back with the version that its first record names",
            )
        if self.finished.kind != self.game.kind:
            raise first.wrong("pool_kind", self.game.kind)

    def _failed(self, record: Record) -> bytes:
        """The end of a match whose game or arena failed, which may be at any time, and need not fail again."""
        fields = over_fields(aborted(Reason.DEFECT), self.finished.seed, {}, {})
        return Writer.at(record.n).line("over", record.ms, fields)

    def _settled(self, record: Record) -> bytes:
        """What the ledger made of it is not to be known from records: it must be something that it might have made."""
        unrated = record.text_or_none("unrated")
        if self.finished.verdict.unrated is not None or unrated not in (None, Reason.RULES, Reason.ID_TAKEN):
            raise record.wrong("kind", "nothing more: the match is not rated")
        position, changes = record.whole_or_none("position"), record.fields.get("changes")
        if (position is None) != (unrated == Reason.ID_TAKEN) or position == 0:
            raise record.wrong("position", f"1 or more; null where unrated is {Reason.ID_TAKEN.value}, and only there")
        if changes is not None or unrated:  # null: its pool rates it later
            expected = 0 if unrated else len(self.entrants)
            if not isinstance(changes, list) or len(changes) != expected:
                raise record.wrong("changes", f"a list of {expected}")
            for one in changes:
                if not (one is None or (isinstance(one, Mapping) and _is_change(one))):
                    raise record.wrong("changes", f"of each seat null, or {', '.join(_CHANGE)} in numbers")
        fields: dict[str, Json] = {"position": position, "unrated": unrated, "changes": changes}
        return Writer.at(record.n).line("settled", record.ms, fields)

    def compare(self, record: Record, line: bytes, note: str = "") -> None:
        """That the record is the one that the referee writes; `note` says why it would."""
        self.states += "hash" in record.fields
        if self._lines[record.n] == line:
            return
        expected: dict[str, Json] = orjson.loads(line)
        kind, illegal = expected["kind"], expected.get("reason") == Reason.ILLEGAL
        if (record.kind, kind, illegal) == ("action", "missed", True):
            raise record.broken(str(expected["told"]))
        if (record.kind, kind, record.fields.get("reason")) == ("missed", "action", Reason.ILLEGAL):
            raise record.wrong("given", "an action that the game does not allow")
        if record.kind != kind:
            raise record.wrong("kind", f"{kind}: {expected['told']}" if kind == "over" else str(kind))
        for name, value in expected.items():
            if name not in record.fields:
                raise record.wrong(name, shortened(value))
            if not _same(record.fields[name], value):
                why = _DRAWN if name == "action" and expected["default"] else _NOTES.get(name, note)
                where, found, value = _differing(name, record.fields[name], value)
                raise record.broken(f"{where} is {found}; expected {value}{why}")
        for name in record.fields.keys() - expected.keys():
            raise record.wrong(name, f"nothing: {kind} has no such field")
        raise record.broken("its line is spelt in another way than the referee spells it, which gives another hash")


_CHANGE: Final = ("rating_before", "deviation_before", "rating", "deviation")
_DRAWN: Final = ", which the seed draws"
_NOTES: Final = {"hash": ", as the position is when it is played again"}


def _is_change(one: Mapping[str, Json]) -> bool:
    return one.keys() == set(_CHANGE) and all(map(is_number, one.values()))


def _same(one: Json, other: Json) -> bool:
    """Whether they are equal, and true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _differing(where: str, found: Json, expected: Json) -> tuple[str, str, str]:
    """Where they differ, as deep as they would be cut when they are told, and what is found and expected there."""
    told = shortened(found), shortened(expected)
    if told != (repr(found), repr(expected)):
        parts: list[tuple[str, Json, Json]] = []
        if isinstance(found, Mapping) and isinstance(expected, Mapping) and found.keys() == expected.keys():
            parts = [(f"{where}.{name}", found[name], expected[name]) for name in expected]
        elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
            parts = [(f"{where}.{n}", *both) for n, both in enumerate(zip(found, expected, strict=True))]
        for part in parts:
            if not _same(part[1], part[2]):
                return _differing(*part)
    return where, *told
