"""`tallymark verify`: the chain and a full recount."""

from typing import Annotated

from typer import Argument, Option

from tallymark.cli.documents import Json, print_json
from tallymark.cli.endings import Ending
from tallymark.cli.ledger.opening import AsJson, place
from tallymark.cli.progress import Meter
from tallymark.cli.rate import EngineName
from tallymark.cli.words import console, counted, say, shown_id


def verify(
    where: Annotated[
        str | None,
        Argument(
            metavar="FILE|URL",
            show_default=False,
            help="An export, or a ledger: a file or a URL. Without it, the ledger that TALLYMARK_LEDGER names.",
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        Option(metavar="POSITION:HASH", help="A head noted before, which a stream has to go through. Repeatable."),
    ] = None,
    engine: Annotated[
        EngineName, Option(help="The bits are the same; compiled is faster where there are many entries.")
    ] = EngineName.auto,
    as_json: AsJson = False,
) -> int:
    """Recount every entry from nothing but the stream itself, and name the first that does not follow.

    Of a ledger, what it shows is compared with the recount too. Exit code 4: something does not follow. A stream that
    was cut short and ended anew is found by a head noted before alone: tallymark ledger status tells it.

    For example:

    $ tallymark verify club.tally.zst

    $ tallymark verify club.db
    """
    from tallymark.ledger.verify import verify as verified

    at = place(where)
    meter = Meter(quiet=as_json)
    with meter.stage("verifying", f" {at}") as progress:
        found = verified(at, head or [], engine.value, progress)
    meter.finish()
    if as_json:
        pools: list[Json] = [
            {
                "pool": one.pool,
                "entries": one.position,
                "players": one.players,
                "head": f"{one.position}:{one.hash}",
            }
            for one in found.pools
        ]
        print_json({"entries": found.entries, "pools": pools})
        return Ending.DONE
    out = console()
    for one in found.pools:
        players = counted(one.players, "player")
        say(
            out,
            f"pool {shown_id(one.pool)}: {one.position:,} entries follow, {players}, head {one.position}:{one.hash}",
        )
    say(out, f"{found.entries:,} entries recounted: every one follows from those before it")
    return Ending.DONE
