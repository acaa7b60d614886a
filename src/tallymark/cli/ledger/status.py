"""`tallymark ledger status`: the pools of a ledger, and how far each has come."""

from tallymark.cli.documents import Json, print_json
from tallymark.cli.endings import Ending
from tallymark.cli.ledger.opening import AsJson, Where, opened
from tallymark.cli.words import console, counted, say, shown_id


def status(ledger: Where = None, as_json: AsJson = False) -> int:
    """The pools: their rules, players, entries, what waits to be rated, and the head to note down.

    Whoever has a pool's head, POSITION:HASH, can tell later that nothing before it was changed or cut:
    tallymark verify --head.

    For example:

    $ tallymark ledger status --ledger club.db
    """
    with opened(ledger) as found:
        pools = found.pools()
        where = found.where
    if as_json:
        each: list[Json] = [
            {
                "pool": pool.pool,
                "methodology": pool.methodology,
                "players": pool.players,
                "entries": pool.position,
                "waiting": pool.waiting,
                "head": pool.head,
            }
            for pool in pools
        ]
        print_json({"ledger": where, "pools": each})
        return Ending.DONE
    out = console()
    say(out, f"{where}: {counted(len(pools), 'pool')}")
    for pool in pools:
        say(out)
        say(out, f"pool {shown_id(pool.pool)}: {pool.methodology}", style="bold")
        entries = f"{pool.position:,} {'entry' if pool.position == 1 else 'entries'}"
        say(out, f"{counted(pool.players, 'player')}, {entries}, {pool.waiting:,} waiting")
        say(out, f"head {pool.head}")
    return Ending.DONE
