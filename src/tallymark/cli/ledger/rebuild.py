"""`tallymark ledger rebuild`: what a ledger shows, made again from its entries."""

from tallymark.cli.documents import Json, print_json
from tallymark.cli.endings import Ending
from tallymark.cli.ledger.opening import AsJson, Pool, Where, chosen, opened
from tallymark.cli.progress import Meter
from tallymark.cli.words import console, counted, say, shown_id

_NAMED = 10
"""So many differences are told."""


def rebuild(ledger: Where = None, pool: Pool = None, as_json: AsJson = False) -> int:
    """Make ratings and boards again from the entries alone, and say what stood there and did not follow from them.

    Exit code 4: something was not as it should be, and is now.

    For example:

    $ tallymark ledger rebuild --ledger club.db
    """
    meter = Meter(quiet=as_json)
    with opened(ledger) as found, meter.stage("rebuilding"):
        done = [found.rebuild(name) for name in chosen(found, pool)]
    meter.finish()
    if as_json:
        each: list[Json] = [
            {
                "pool": one.pool,
                "entries": one.position,
                "players": one.players,
                "differed": [str(difference) for difference in one.differed],
            }
            for one in done
        ]
        print_json({"pools": each})
    else:
        out = console()
        for one in done:
            say(
                out,
                f"pool {shown_id(one.pool)}: {counted(one.players, 'player')} from {one.position:,} entries",
                end="",
            )
            say(out, f"; {counted(len(one.differed), 'value')} differed" if one.differed else "; nothing differed")
            for difference in one.differed[:_NAMED]:
                say(out, f"  {difference}")
    return Ending.CHECK_FAILED if any(one.differed for one in done) else Ending.DONE
