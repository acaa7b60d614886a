"""`tallymark ledger init`: a ledger is made, or brought up to date, and pools are opened."""

from typing import Annotated

from typer import Option

from tallymark.cli.completion import methodology_names
from tallymark.cli.endings import Ending, usage
from tallymark.cli.inputs import RULES, Settings
from tallymark.cli.ledger.opening import PANEL, Where, opened
from tallymark.cli.options import rules_of
from tallymark.cli.words import console, say, shown_id


def init(
    ledger: Where = None,
    pool: Annotated[
        str | None, Option("--pool", metavar="NAME", rich_help_panel=PANEL, help="Open this pool in it.")
    ] = None,
    methodology: Annotated[
        str | None,
        Option(
            "--methodology",
            "-m",
            metavar="NAME|FILE.toml",
            autocompletion=methodology_names,
            rich_help_panel=RULES,
            help="The rules of the pool: their whole text is its first entry.",
        ),
    ] = None,
    settings: Settings = None,
) -> int:
    """Make a ledger, or bring an older one up to date, and open a pool in it. What is there stays as it is.

    For example:

    $ tallymark ledger init --ledger new.db --pool ladder -m lichess
    """
    if (pool is None) != (methodology is None):
        raise usage("a pool and its rules go together", "for example --pool ladder -m lichess")
    if settings and methodology is None:
        raise usage("--set changes the rules of -m", "for example --pool ladder -m elo --set k=32")
    rules = None if methodology is None else rules_of(methodology, settings or [])
    with opened(ledger, create=True) as found:
        if pool is not None and rules is not None:
            found.open_pool(pool, rules)
        out = console()
        say(out, f"{found.where}: {', '.join(shown_id(one.pool) for one in found.pools()) or 'no pool yet'}")
        if rules is not None:
            say(out, f"pool {shown_id(str(pool))}: {rules.id} (hash {rules.hash[:12]})")
    return Ending.DONE
