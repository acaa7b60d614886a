"""Games that nobody played, as many as one wants, for measuring how fast they are read."""

from pathlib import Path
from typing import Final

import numpy as np

SEED: Final = 20260101
PLAYERS: Final = 100_000

_AT_ONCE: Final = 500_000


def write_games(path: Path, rows: int, *, ids: bool = False, minutes: bool = False, seed: int = SEED) -> None:
    """A CSV of games in the order of time: players of 24 hexadecimal digits, instants in UTC, scores 0, 0.5 and 1.

    With `ids` each game has an id of 24 random digits too; with `minutes` instants are whole minutes. The same
    arguments give the same bytes.
    """
    rng = np.random.default_rng(seed)
    names = [rng.bytes(12).hex() for _ in range(PLAYERS)]
    scores = ("0", "0.5", "1")
    last = np.datetime64("2015-01-01T00:00:00", "s")
    unit, end = ("m", "Z") if minutes else ("s", "Z")
    with path.open("w", encoding="ascii", newline="") as file:
        file.write(("game," if ids else "") + "played_at,player_a,player_b,score_a\n")
        for start in range(0, rows, _AT_ONCE):
            count = min(_AT_ONCE, rows - start)
            at = last + np.cumsum(rng.integers(0, 60, count))
            last = at[-1]
            a = rng.integers(0, PLAYERS, count)
            b = (a + rng.integers(1, PLAYERS, count)) % PLAYERS
            texts = np.datetime_as_string(at.astype(f"datetime64[{unit}]")).tolist()
            won = rng.integers(0, 3, count).tolist()
            digits = rng.bytes(12 * count).hex() if ids else ""
            games = (digits[at : at + 24] + "," for at in range(0, len(digits), 24)) if ids else ("",) * count
            file.writelines(
                f"{game}{text}{end},{names[one]},{names[other]},{scores[score]}\n"
                for game, text, one, other, score in zip(games, texts, a.tolist(), b.tolist(), won, strict=True)
            )
