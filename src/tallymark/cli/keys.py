"""`tallymark keys`: who may send results, vote, correct and decide."""

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from tallymark.cli.documents import Json, print_json
from tallymark.cli.endings import Ending
from tallymark.cli.ledger.opening import AsJson, Where
from tallymark.cli.service import opened
from tallymark.cli.words import console, say
from tallymark.service.keys.scopes import SCOPES

if TYPE_CHECKING:
    from tallymark import Ledger
    from tallymark.service.keys.keyring import Key, Keyring


def create(
    name: Annotated[str, Argument(metavar="NAME", help="Whose key it is: it stands beside what is done with it.")],
    scope: Annotated[
        list[str],
        Option("--scope", metavar="SCOPE", help=f"{', '.join(SCOPES[:-1])} or {SCOPES[-1]}. Repeatable."),
    ],
    ledger: Where = None,
    expires: Annotated[
        str | None, Option("--expires", metavar="TIME", help="It is good until then (default: until it is revoked).")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Make a key of the API. It is shown this once: only a hash of it is kept.

    For example:

    $ tallymark keys create "club secretary" --scope append --scope correct --ledger club.db
    """
    from tallymark.ledger.telling import instant_of

    with opened(ledger) as found:
        key, text = _keyring(found).make(name, scope, None if expires is None else instant_of(expires))
    if as_json:
        print_json(_document(key) | {"key": text})
        return Ending.DONE
    out = console()
    say(out, f"key {key.id} of {key.name}: {', '.join(sorted(key.scopes))}")
    say(out, text, style="bold")
    say(out, "it is not shown again", style="dim")
    return Ending.DONE


def list_(ledger: Where = None, as_json: AsJson = False) -> int:
    """The keys, those that have run out or were revoked too.

    For example:

    $ tallymark keys list --ledger club.db
    """
    with opened(ledger) as found:
        keys, now = _keyring(found).all(), found.now()
    if as_json:
        print_json([_document(key) for key in keys])
        return Ending.DONE
    out = console()
    if not keys:
        say(out, "no key yet")
    for key in keys:
        state = "" if key.lives(now) else "  revoked" if key.revoked is not None else "  run out"
        until = f"  until {_time(key.expires)}" if key.expires is not None and key.lives(now) else ""
        say(out, f"{key.id}  {','.join(sorted(key.scopes))}  {key.name}{until}{state}")
    return Ending.DONE


def revoke(
    id: Annotated[str, Argument(metavar="ID", help="The key's id, the part of it between the underscores.")],
    ledger: Where = None,
) -> int:
    """Take a key back, for ever. A service that is running takes it for some seconds more.

    For example:

    $ tallymark keys revoke 1f2e3d4c5b6a --ledger club.db
    """
    with opened(ledger) as found:
        key = _keyring(found).revoke(id)
    say(console(), f"key {key.id} of {key.name} is revoked")
    return Ending.DONE


def _keyring(ledger: "Ledger") -> "Keyring":
    from tallymark.service.keys.keyring import Keyring

    return Keyring(ledger.store, ledger.now, 0.0)


def _document(key: "Key") -> dict[str, Json]:
    return {
        "id": key.id,
        "name": key.name,
        "scopes": [*sorted(key.scopes)],
        "made": _time(key.made),
        "expires": _time(key.expires),
        "revoked": _time(key.revoked),
    }


def _time(at: int | None) -> str | None:
    from tallymark.games.times import format_instant

    return None if at is None else format_instant(at)
