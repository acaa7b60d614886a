"""Random game logs for the laws of a replay."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from tallymark import GameLog, Methodology, shipped

METHODOLOGIES = shipped()
SCORES = (0.0, 0.5, 1.0)


@dataclass(frozen=True)
class Rows:
    """Games as columns of plain values, so that they can be shuffled, swapped and cut."""

    a: list[int]
    b: list[int]
    score: list[float]
    at: list[int]
    game: list[int]

    def __len__(self) -> int:
        return len(self.a)

    def taken(self, rows: list[int]) -> "Rows":
        a, b, at, game = ([column[r] for r in rows] for column in (self.a, self.b, self.at, self.game))
        return Rows(a, b, [self.score[r] for r in rows], at, game)

    def swapped(self) -> "Rows":
        return Rows(self.b, self.a, [1.0 - s for s in self.score], self.at, self.game)

    def log(self, ids: bool = True) -> GameLog:
        """The log, its games told apart by ids or by their order."""
        return GameLog.from_arrays(
            player_a=self.a,
            player_b=self.b,
            score_a=self.score,
            played_at=np.array(self.at, "datetime64[s]"),
            game=self.game if ids else None,
            order=None if ids else list(range(len(self))),
        )


@st.composite
def rows(draw: st.DrawFn, most: int = 60, scores: tuple[float, ...] = SCORES) -> Rows:
    """Up to `most` games among a few players, over a few months, several of them at one instant."""
    n = draw(st.integers(1, most))
    players = draw(st.integers(2, 7))
    pairs = draw(
        st.lists(
            st.tuples(st.integers(1, players), st.integers(1, players - 1)),
            min_size=n,
            max_size=n,
        )
    )
    at = draw(st.lists(st.integers(0, 200), min_size=n, max_size=n))
    return Rows(
        a=[a for a, _ in pairs],
        b=[b if b < a else b + 1 for a, b in pairs],
        score=draw(st.lists(st.sampled_from(scores), min_size=n, max_size=n)),
        at=sorted(1_600_000_000 + 43_200 * t for t in at),
        game=draw(st.permutations(range(n))),
    )


def methodologies() -> st.SearchStrategy[Methodology]:
    """The shipped ones, and two that no file has: Glicko-2 by game in whole periods, and Elo by the week."""
    others = [
        next(m for m in METHODOLOGIES if m.name == "paper").with_(period="game").with_({"ageing.whole": True}),
        next(m for m in METHODOLOGIES if m.name == "elo").with_(period="7d"),
    ]
    return st.sampled_from([*METHODOLOGIES, *others])


def bits(table_columns: list[np.ndarray]) -> bytes:
    """The columns' bytes: equal only where every bit is."""
    return b"".join(np.ascontiguousarray(c).tobytes() for c in table_columns)
