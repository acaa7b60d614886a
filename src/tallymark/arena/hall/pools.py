"""The pools that games are rated in: those that are there are the arena's own, or none is made."""

from collections.abc import Iterable

from tallymark.arena.games.face import Game
from tallymark.errors import InputError
from tallymark.ledger.ledger import Ledger
from tallymark.methodology import methodology


def check(ledger: Ledger, games: Iterable[Game]) -> None:
    """`InputError` where a pool of a game was opened with other rules: it is for something else. What rules it has been
    given since is the operator's business."""
    there = {pool.pool for pool in ledger.pools()}
    for pool, rules in _wanted(games).items():
        if pool in there:
            _check(ledger, pool, rules)


def open_all(ledger: Ledger, games: Iterable[Game]) -> None:
    """Opens those that are not there yet; none where `check` refuses one."""
    games = list(games)
    check(ledger, games)
    there = {pool.pool for pool in ledger.pools()}
    for pool, rules in _wanted(games).items():
        if pool not in there:
            try:
                ledger.open_pool(pool, rules)
            except InputError:  # another process was first, or there is something wrong with it
                ledger.head(pool)
                _check(ledger, pool, rules)


def _wanted(games: Iterable[Game]) -> dict[str, str]:
    """The rules of each pool, by name."""
    return {game.pool: game.rules for game in games}


def _check(ledger: Ledger, pool: str, rules: str) -> None:
    opened, wanted = ledger.rules_history(pool)[0].methodology, methodology(rules).id
    if opened != wanted:
        raise InputError(
            f"pool {pool!r} was opened with {opened}; expected {wanted}, as agents are rated by",
            hint="it is for others: give the arena a ledger of its own",
        )
