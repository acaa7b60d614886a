"""What commands of the service share: its settings, and that its libraries are there."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tallymark.cli.ledger.opening import place
from tallymark.errors import MissingLibraryError

if TYPE_CHECKING:
    from tallymark import Ledger
    from tallymark.service.settings import Settings


def settings_of(**given: object) -> "Settings":
    """The settings, with what options say. MissingLibraryError where the extra is not installed."""
    try:
        from tallymark.service.settings import load
    except ModuleNotFoundError as error:
        raise MissingLibraryError(f"{error.name} is not installed", hint="pip install 'tallymark[service]'") from error
    return load(**given)


@contextmanager
def opened(ledger: str | None) -> "Iterator[Ledger]":
    """The ledger with the service's tables in it, as long as the block lasts."""
    settings_of()
    from tallymark import Ledger
    from tallymark.service import schema

    with Ledger.open(place(ledger)) as found:
        schema.upgraded(found.store)
        yield found
