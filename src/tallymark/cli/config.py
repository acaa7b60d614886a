"""`tallymark config`: what the service is set to, and what can be set."""

from tallymark.cli.documents import print_json
from tallymark.cli.endings import Ending
from tallymark.cli.ledger.opening import AsJson
from tallymark.cli.service import settings_of
from tallymark.cli.words import console, say


def show(as_json: AsJson = False) -> int:
    """Every setting of the service: its value, where that is from, and what it means. Passwords are hidden.

    For example:

    $ tallymark config show

    $ tallymark config show --json
    """
    settings = settings_of()
    from tallymark.service.settings import told

    found = told(settings)
    if as_json:
        print_json([one._asdict() for one in found])
        return Ending.DONE
    out = console()
    for one in found:
        say(out, f"{one.name} = {one.value}", style="bold")
        say(out, f"  {one.meaning} ({one.source}; {one.variable})")
    return Ending.DONE
