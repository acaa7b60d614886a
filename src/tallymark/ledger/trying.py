"""Another methodology tried on a pool's own matches before it is announced: who moves, and are predictions better?"""

from dataclasses import dataclass

from tallymark.evidence.score import Score, score
from tallymark.games import GameLog
from tallymark.games.ids import Id
from tallymark.methodology import Methodology
from tallymark.replay import Replay, replay
from tallymark.tables import Table


@dataclass(frozen=True)
class Trial:
    """A pool under the methodology in force and under another one, both from the pool's first match on.

    `scores`: how well each predicted the games that it rates. `moves`: one row a player, those who move most first:
    player, rank and rating under each, change of rating, and of rank (positive: upwards); None where one of them does
    not rate the player.
    """

    now: Methodology
    new: Methodology
    games: int
    rated: tuple[int, int]
    scores: tuple[Score, Score]
    moves: Table

    @property
    def improves(self) -> bool:
        """Whether the other one predicts better: by log-loss, over the games that it rates."""
        return self.scores[1].log_loss < self.scores[0].log_loss


def try_rules(log: GameLog, now: Methodology, new: Methodology) -> Trial:
    """Replays the log under both.

    >>> from tallymark import GameLog, methodology
    >>> log = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1])
    >>> try_rules(log, methodology("elo"), methodology("elo").with_(k=40)).moves["change"].tolist()
    [10.0, -10.0]
    """
    ready = log.prepare()
    replays = [replay(ready, rules, predictions=True) for rules in (now, new)]
    places = [_places(one) for one in replays]
    rows = []
    for player in sorted(places[0].keys() | places[1].keys(), key=lambda one: (isinstance(one, str), one)):
        (rank, rating), (new_rank, new_rating) = (one.get(player, (None, None)) for one in places)
        change = None if rating is None or new_rating is None else new_rating - rating
        climbed = None if rank is None or new_rank is None else rank - new_rank
        rows.append((player, rank, new_rank, rating, new_rating, change, climbed))
    rows.sort(key=lambda row: -abs(row[5] or 0.0))
    names = ("player", "rank", "new_rank", "rating", "new_rating", "change", "climbed")
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    scores = [score(one.predictions) for one in replays]
    return Trial(
        now=now,
        new=new,
        games=len(log),
        rated=(replays[0].report.rated, replays[1].report.rated),
        scores=(scores[0], scores[1]),
        moves=Table({name: list(values) for name, values in zip(names, columns, strict=True)}),
    )


def _places(one: Replay) -> dict[Id, tuple[int | None, float | None]]:
    """Rank and rating of each player, by name."""
    ratings = one.ratings
    names, values = ratings["player"].tolist(), ratings["rating"].tolist()
    return {player: (rank, value) for rank, (player, value) in enumerate(zip(names, values, strict=True), 1)}
