"""Which games are rated, and what is said about a rating beside its number."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from tallymark.errors import MethodologyError
from tallymark.methodology.section import Contradiction, Section, accepted
from tallymark.systems.parameters import Parameter, parameter

# The words of a game log. Games and methodologies know nothing of each other; a test holds the two lists together.
ENDINGS: Final = (
    "normal",
    "resignation",
    "timeout",
    "forfeit",
    "illegal",
    "disconnect",
    "adjudicated",
    "walkover",
    "bye",
    "unfinished",
    "aborted",
    "void",
)
SOURCES: Final = ("queue", "table", "tournament", "casual")
RULES: Final = "spec go-onchain.md, Rules"
STATES: Final = "spec glicko2.md, Shipped methodologies"
_BOARD: Final = Parameter(int, "lines", RULES, "Board size.", low=1, high=1000)
_KOMI: Final = Parameter(float, "points of the game", RULES, "Komi.", low=-1000.0, high=1000.0)


class Komi(Mapping[int, float]):
    """Board size to komi: a mapping that cannot change, in the order of the boards.

    >>> Komi({19: 7.5, 9: 7.0})[9]
    7.0
    """

    __slots__ = ("_table",)

    def __init__(self, table: Mapping[int, float] | None = None) -> None:
        self._table = tuple(sorted((table or {}).items()))

    def __getitem__(self, board: int) -> float:
        return dict(self._table)[board]

    def __iter__(self) -> Iterator[int]:
        return iter(dict(self._table))

    def __len__(self) -> int:
        return len(self._table)

    def __hash__(self) -> int:
        return hash(self._table)

    def __repr__(self) -> str:
        return repr(dict(self._table))


@dataclass(frozen=True)
class Rated(Section):
    """Which games count. What is not rated is reported with its reason, never dropped in silence.

    >>> Rated(endings=["timeout", "normal"]).endings
    ('normal', 'timeout')
    """

    section: ClassVar[str] = "rated"

    endings: tuple[str, ...] = parameter(
        ENDINGS[:7],
        kind=tuple,
        choices=ENDINGS,
        source="spec arena.md, Endings",
        doc="Endings that are rated; a game without one counts as normal.",
    )
    sources: tuple[str, ...] = parameter(
        SOURCES, kind=tuple, choices=SOURCES, source=RULES, doc="Sources that are rated; a game without one is."
    )
    minimum_steps: int = parameter(
        0, kind=int, unit="steps", low=0, high=10**6, source=RULES, doc="Shorter games are not rated."
    )
    short_loss: tuple[str, ...] = parameter(
        (),
        kind=tuple,
        choices=ENDINGS,
        source=RULES,
        doc="Endings with which a shorter game still counts, against the loser only. Needs minimum_steps.",
    )
    draws: bool = parameter(
        True, kind=bool, source="spec votes.md", doc="Whether scores strictly between 0 and 1 are rated."
    )
    teams: str = parameter(
        "pairwise",
        kind=str,
        choices=("pairwise", "refuse"),
        source="spec arena.md, R2",
        doc="pairwise: one result against every opposing player, all in one period; refuse: not rated.",
    )
    unequal_teams: bool = parameter(
        True, kind=bool, source="spec arena.md, R2", doc="Whether teams of different sizes are rated."
    )
    even_games: bool = parameter(False, kind=bool, source=RULES, doc="Rate even games only: handicap 0 or not stated.")
    boards: tuple[int, ...] = parameter(
        (), kind=tuple, each=int, unit="lines", low=1, high=1000, source=RULES, doc="Board sizes rated; empty: any."
    )
    komi: Mapping[int, float] = parameter(
        Komi(), kind=dict, unit="points of the game", source=RULES, doc="Komi required by board; empty: not checked."
    )

    def accept(self, name: str, described: Parameter, value: object) -> object:
        return _accept_komi(value) if name == "komi" else super().accept(name, described, value)

    def contradictions(self) -> Iterator[Contradiction]:
        if not self.endings:
            yield "endings", "is empty; nothing would be rated"
        if not self.sources:
            yield "sources", "is empty; nothing but games without a source would be rated"
        if self.teams == "refuse" and not self.unequal_teams:
            yield "unequal_teams", 'is false; rated.teams is "refuse", so no team is rated at all'
        if self.short_loss and not self.minimum_steps:
            yield "short_loss", "says how short games count; no game is short while rated.minimum_steps is 0"
        if extra := [ending for ending in self.short_loss if ending not in self.endings]:
            yield "short_loss", f"has {', '.join(extra)}; rated.endings has not"
        if self.boards and self.komi and set(self.boards) != set(self.komi):
            yield "komi", f"is for boards {sorted(self.komi)}; rated.boards is {list(self.boards)}"


def _accept_komi(komi: object) -> Komi:
    if not isinstance(komi, Mapping):
        raise MethodologyError(
            f"rated.komi is {komi!r}; expected a table from board to komi, like {{9 = 7.0, 19 = 7.5}}",
            field="rated.komi",
        )
    table: dict[int, float] = {}
    for key, value in komi.items():
        field = f"rated.komi.{key}"
        # TOML and JSON write keys as text.
        board = int(key) if isinstance(key, str) and key.isascii() and key.isdigit() and key[0] != "0" else key
        accepted(field, _BOARD, board)
        points = accepted(field, _KOMI, value)
        assert isinstance(board, int)
        assert isinstance(points, float)
        table[board] = points
    return Komi(table)


@dataclass(frozen=True)
class Published(Section):
    """What is shown beside a rating: provisional, rankable, established, peak, interval.

    >>> Published(provisional_deviation=110).provisional_at
    'above'
    """

    section: ClassVar[str] = "published"

    provisional_deviation: float | None = parameter(
        None,
        unit="points",
        low=0.0,
        high=1e6,
        optional=True,
        source=STATES,
        doc="A rating is provisional while its deviation is above this.",
    )
    provisional_at: str = parameter(
        "above",
        kind=str,
        choices=("above", "from"),
        source=STATES,
        doc="above: provisional where deviation > provisional_deviation; from: where >=.",
    )
    provisional_games: int | None = parameter(
        None,
        kind=int,
        unit="games",
        low=1,
        high=10**6,
        optional=True,
        source=STATES,
        doc="A rating is provisional with fewer games than this.",
    )
    rankable_deviation: float | None = parameter(
        None,
        unit="points",
        low=0.0,
        high=1e6,
        optional=True,
        source=STATES,
        doc="A rating takes a rank where its deviation is at most this.",
    )
    established_deviation: float | None = parameter(
        None,
        unit="points",
        low=0.0,
        high=1e6,
        optional=True,
        source=RULES,
        doc="Established for good once the deviation after a game is at most this, with a win and a loss.",
    )
    peak: str = parameter(
        "none",
        kind=str,
        choices=("none", "rating", "lower-bound"),
        source=RULES,
        doc="The best rating, or the best rating minus two deviations, after a game.",
    )
    peak_deviation: float | None = parameter(
        None,
        unit="points",
        low=0.0,
        high=1e6,
        optional=True,
        source=RULES,
        doc="A peak counts where the deviation after the game is at most this; with peak_games, both before it too.",
    )
    peak_games: int = parameter(
        0,
        kind=int,
        unit="games",
        low=0,
        high=10**6,
        source=RULES,
        doc="A peak moves only in games between players with at least so many before.",
    )
    peak_sources: tuple[str, ...] = parameter(
        SOURCES, kind=tuple, choices=SOURCES, source=RULES, doc="A peak moves only in games of these sources."
    )
    interval: float = parameter(
        2.0, unit="deviations", low=0.0, high=10.0, source="spec votes.md", doc="Deviations shown to either side."
    )

    def contradictions(self) -> Iterator[Contradiction]:
        if self.provisional_deviation is None and self.provisional_at != "above":
            yield "provisional_at", f"is {self.provisional_at!r}; published.provisional_deviation is absent"
        if self.peak == "none":
            for name, default in (("peak_deviation", None), ("peak_games", 0), ("peak_sources", SOURCES)):
                if getattr(self, name) != default:
                    yield name, 'limits a peak; published.peak is "none"'
