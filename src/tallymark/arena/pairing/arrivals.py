"""Who comes to a queue, and when: as somebody recorded it, or made up from a seed."""

import csv
import io
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from tallymark.arena.pairing.waiting import Waiting
from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError
from tallymark.games.times import parse_instant
from tallymark.systems.parameters import accept_all, parameter

COLUMNS: Final = ("joined_at", "agent", "rating", "deviation", "owner")
"""Of a file of arrivals. Without `owner` every agent is its own."""
_LINES: Final = (".jsonl", ".ndjson")
_OURS: Final = "simulate"


class Arrival(NamedTuple):
    """An agent joins a queue. `strength` decides how it plays: its true rating, which `rating` may not yet say."""

    at_ms: int
    agent: str
    owner: str
    rating: float
    deviation: float
    strength: float


@dataclass(frozen=True, slots=True)
class Crowd:
    """Made-up agents that come at random times, each as often as the others; a seed stands for the same everywhere.

    Strengths lie around 1500. A known rating is its strength but for an error as large as the deviation says; at a
    deviation of the spread or more nothing is known, and all are rated 1500. Only sums of uniform numbers are drawn, so
    that no library's logarithm decides. `InputError` for what is out of range.

    >>> [(one.at_ms, one.agent) for one in Crowd(agents=3, joins=2, minutes=1).arrivals()]
    [(2609, 'agent-3'), (42202, 'agent-2')]
    """

    agents: int = parameter(200, kind=int, unit="agents", source=_OURS, doc="how many there are", low=1, high=10**6)
    joins: int = parameter(2000, kind=int, unit="joins", source=_OURS, doc="how often one joins", low=1, high=10**7)
    minutes: int = parameter(60, kind=int, unit="minutes", source=_OURS, doc="in which they join", low=1, high=10**6)
    spread: float = parameter(300.0, unit="points", source=_OURS, doc="how far strengths lie apart", low=0, high=1e4)
    deviation: float = parameter(350.0, unit="points", source=_OURS, doc="of every rating at first", low=0, high=1e4)
    seed: int = parameter(1, kind=int, source=_OURS, doc="the same seed gives the same arrivals", low=0)

    def __post_init__(self) -> None:
        accept_all(self)

    def arrivals(self) -> Iterator[Arrival]:
        """The joins, in the order of time."""
        rng = random.Random(self.seed)
        known = max(0.0, self.spread**2 - self.deviation**2) ** 0.5
        unknown = min(self.spread, self.deviation)
        digits = len(str(self.agents))
        agents: list[tuple[str, float, float]] = []
        for n in range(1, self.agents + 1):
            rating = 1500.0 + known * _bell(rng)
            agents.append((f"agent-{n:0{digits}}", rating, rating + unknown * _bell(rng)))
        for at in sorted(int(rng.random() * self.minutes * 60_000) for _ in range(self.joins)):
            agent, rating, strength = agents[int(rng.random() * self.agents)]
            yield Arrival(at, agent, agent, rating, self.deviation, strength)


def read_arrivals(file: Path) -> tuple[Arrival, ...]:
    """The joins of a file in the order of time, which begins with the first of them.

    CSV with a head, or JSON lines where its name ends in `.jsonl` or `.ndjson`: `joined_at` (an ISO 8601 time, or whole
    milliseconds), `agent`, `rating`, `deviation`, perhaps `owner`. What is recorded of an agent's rating is its
    strength. Raises `ReadError` for a file that cannot be read, and `InputError` that names the row for a wrong cell.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")  # which makes LF of CR LF and CR, and ends lines nowhere else
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ReadError(f"{file} cannot be read: {why}") from error
    found: list[Arrival] = []
    for row, cells in _json_rows(text, file) if file.suffix.lower() in _LINES else _csv_rows(text, file):
        try:
            found.append(_arrival(cells))
        except InputError as error:
            raise InputError(f"{file}, row {row}: {error.message}", hint=error.hint) from None
    if not found:
        raise InputError(f"{file} has no row; expected one for each time that an agent joins")
    first = min(one.at_ms for one in found)
    return tuple(sorted(one._replace(at_ms=one.at_ms - first) for one in found))


def _csv_rows(text: str, file: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    rows = csv.DictReader(io.StringIO(text))
    missing = [name for name in COLUMNS[:-1] if name not in (rows.fieldnames or ())]
    if missing:
        raise InputError(f"{file} has no column {missing[0]}; expected {', '.join(COLUMNS[:-1])}, and perhaps owner")
    for cells in rows:
        yield rows.line_num, {name: cell for name, cell in cells.items() if cell is not None}


def _json_rows(text: str, file: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    for row, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                cells = json.loads(line)
            except ValueError as error:
                raise InputError(f"{file}, row {row}: {shortened(line)} is not JSON: {error}") from None
            if not isinstance(cells, dict):
                raise InputError(f"{file}, row {row}: {shortened(line)} is no object; expected one with {COLUMNS[0]}")
            yield row, cells


def _arrival(cells: Mapping[str, object]) -> Arrival:
    agent = _text(cells, "agent")
    owner = _text(cells, "owner") if cells.get("owner") not in (None, "") else agent
    rating, deviation = _number(cells, "rating"), _number(cells, "deviation")
    Waiting(0, agent, owner, rating, deviation, 0)  # refuses what no rating may be
    return Arrival(_milliseconds(cells.get("joined_at")), agent, owner, rating, deviation, rating)


def _text(cells: Mapping[str, object], name: str) -> str:
    value = cells.get(name)
    if not isinstance(value, str) or not value:
        raise InputError(f"{name} is {shortened(value)}; expected a text")
    return value


def _number(cells: Mapping[str, object], name: str) -> float:
    value = cells.get(name)
    try:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return float(value)
    except (ValueError, OverflowError):
        pass
    raise InputError(f"{name} is {shortened(value)}; expected a number")


def _milliseconds(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 20:
        return int(value)
    if isinstance(value, str):
        return parse_instant(value) // 1000
    raise InputError(f"joined_at is {shortened(value)}; expected a time, or whole milliseconds")


def _bell(rng: random.Random) -> float:
    """Nearly normal, mean 0 and deviation 1: the sum of twelve uniform numbers."""
    return sum(rng.random() for _ in range(12)) - 6.0
