"""A table of ratings is the same whether its players are told by kinds or one by one, from rows or from columns."""

import numpy as np
import pytest

from tallymark import GameLog, Table, methodology, replay
from tallymark.replay.standing import Standing

from .ways import SEED, equal, plain, same_bits


def season(games: int, players: int, days: int = 20) -> GameLog:
    """Games of one month; one of ten is not rated, and leaves some players without a rating."""
    chance = np.random.default_rng(SEED)
    a = chance.integers(0, players, games)
    return GameLog.from_arrays(
        player_a=a,
        player_b=(a + chance.integers(1, players, games)) % players,
        score_a=chance.choice([0.0, 0.5, 1.0], games),
        played_at=np.sort(chance.integers(0, days * 86_400, games)),
        ending=np.where(chance.random(games) < 0.1, "walkover", "normal"),
    )


def same_tables(one: Table, two: Table) -> None:
    assert one.columns == two.columns
    for column in one.columns:
        assert same_bits(one[column], two[column]), column


@pytest.mark.parametrize(("games", "players"), [(1_000, 900), (30_000, 20_000), (40_000, 18_000)])
@pytest.mark.parametrize("name", ["paper", "elo"])
def test_kinds_of_newcomers(games: int, players: int, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    log = season(games, players)
    by_kinds = replay(log, name, engine="compiled")
    table = by_kinds.ratings
    if name == "paper":
        assert by_kinds._machine.standing.kinds() is not None
        assert len(table) == by_kinds.report.players < len(log.players)
    monkeypatch.setattr(Standing, "kinds", lambda standing: None)
    same_tables(table, replay(log, name, engine="compiled").ratings)
    same_tables(table, replay(log, name, engine="interpreted").ratings)


def test_kinds_that_the_order_does_not_tell_apart() -> None:
    """A win and a loss, or two draws, against equals: one rating, and other counts; by their ids all the same."""
    n = 30_000  # groups of six: two pairs that draw twice, one that wins and loses
    first = np.arange(0, n, 6)
    a = np.concatenate([first, first, first + 2, first + 2, first + 4, first + 4])
    log = GameLog.from_arrays(
        player_a=a,
        player_b=a + 1,
        score_a=np.repeat([0.5, 0.5, 1.0, 0.0, 0.5, 0.5], len(first)),
        played_at=np.full(len(a), 86_400),
    )
    done = replay(log, methodology("paper"), engine="compiled")
    assert done._machine.standing.kinds() is not None
    table = done.ratings
    assert len(np.unique(table.rating)) == 1
    assert table.player.tolist() == list(range(n))
    assert table.draws.tolist() == [0 if 2 <= player % 6 < 4 else 2 for player in range(n)]


@pytest.mark.parametrize("name", ["paper", "arena", "go-float"])
def test_from_a_snapshot_and_after_all_has_become_columns(name: str) -> None:
    log = season(6_000, 500, 100)
    start = replay(log.taken(np.arange(3_000)), name, engine="compiled").snapshot()
    rest = log.taken(np.arange(3_000, len(log)))
    one, two = (replay(rest, name, start=start, engine="compiled") for _ in range(2))
    two._machine.standing.columns()
    equal(one, two, kept=False)
    with plain():
        equal(one, replay(rest, name, start=start, engine="compiled"), kept=False)
