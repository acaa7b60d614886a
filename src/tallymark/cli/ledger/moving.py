"""`tallymark export` and `import`: streams of a ledger as a file that anybody can recount, and back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from tallymark.cli.documents import Json, print_json
from tallymark.cli.endings import Ending
from tallymark.cli.ledger.opening import AsJson, Pool, Where, chosen, opened, other_file, place
from tallymark.cli.progress import Meter
from tallymark.cli.words import console, say, shown_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallymark.ledger.export import Exported


def export(
    file: Annotated[
        Path, Argument(metavar="FILE", readable=False, help="The export; packed where it ends in .gz or .zst.")
    ],
    ledger: Where = None,
    pool: Pool = None,
    as_json: AsJson = False,
) -> int:
    """Write the entries of a ledger, from which alone anybody can recount every rating: tallymark verify FILE.

    Each line is an entry behind its hash; names of players are in none. What waits to be rated is not in it.

    For example:

    $ tallymark export club.tally.zst --ledger club.db
    """
    other_file("FILE", file, ledger)
    meter = Meter(quiet=as_json)
    with opened(ledger) as found:
        chosen(found, pool)
        with meter.stage("exporting") as progress:
            done = found.export(file, pool, progress)
    meter.finish()
    return _tell(done, "written", str(file), as_json)


def import_(
    file: Annotated[Path, Argument(metavar="FILE", readable=False, help="What tallymark export wrote.")],
    ledger: Where = None,
    as_json: AsJson = False,
) -> int:
    """Take the pools of an export into a ledger, which is made where there is none. All of it is recounted first.

    For example:

    $ tallymark import club.tally.zst --ledger copy.db
    """
    from tallymark.ledger.importing import import_anew

    other_file("FILE", file, ledger)
    meter = Meter(quiet=as_json)
    with meter.stage("importing") as progress:
        where, done = import_anew(place(ledger), file, "auto", progress)
    meter.finish()
    return _tell(done, "ledger", where, as_json)


def _tell(done: "Sequence[Exported]", what: str, where: str, as_json: bool) -> int:
    if as_json:
        pools: list[Json] = [
            {"pool": one.pool, "entries": one.position, "head": f"{one.position}:{one.hash}"} for one in done
        ]
        print_json({what: where, "pools": pools})
    else:
        out = console()
        for one in done:
            say(out, f"pool {shown_id(one.pool)}: {one.position:,} entries, head {one.position}:{one.hash}")
        say(out, f"{what}: {where}")
    return Ending.DONE
