"""`tallymark ledger annul`, `restore`, `change`, `merge` and `adjust`: corrections, each an entry with its reason."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeAlias

from typer import Argument, Option

from tallymark.cli.endings import Ending, usage
from tallymark.cli.ledger.opening import PANEL, Where, chosen, opened
from tallymark.cli.words import console, say, shown_id

if TYPE_CHECKING:
    from tallymark import Ledger
    from tallymark.games.ids import Id
    from tallymark.ledger.inbox import Receipt

OnePool: TypeAlias = Annotated[
    str | None, Option("--pool", metavar="NAME", rich_help_panel=PANEL, help="The pool (default: the only one).")
]
Matches: TypeAlias = Annotated[list[str], Argument(metavar="MATCH...", help="The ids of the matches.")]
Reason: TypeAlias = Annotated[str, Option("--reason", metavar="TEXT", help="Why; it is public, and for ever.")]
Case: TypeAlias = Annotated[str | None, Option("--case", metavar="TEXT", help="The case that it was decided in.")]
By: TypeAlias = Annotated[list[str] | None, Option("--by", metavar="NAME", help="Who approved; again for each.")]
Name: TypeAlias = Annotated[
    str | None,
    Option("--id", metavar="ID", help="The id of the correction: sent again, it counts once (default: a new one)."),
]


def annul(
    matches: Matches, reason: Reason, case: Case = None, by: By = None, name: Name = None, pool: OnePool = None,
    ledger: Where = None,
) -> int:  # fmt: skip
    """Matches that do not count. What that changes is the methodology's business: tallymark ledger rate shows it.

    Look first at who would stand where: tallymark ledger without.

    For example:

    $ tallymark ledger annul 1 --reason 'not played' --ledger club.db
    """

    def tell(found: "Ledger", of: str, id_: str) -> "Receipt":
        ids = [match_id(found, of, one) for one in matches]
        return found.annul(ids, pool=of, id=id_, reason=reason, case=case, approvers=by or ())

    return _told("annul", tell, name, pool, ledger)


def restore(
    matches: Matches, reason: Reason, case: Case = None, by: By = None, name: Name = None, pool: OnePool = None,
    ledger: Where = None,
) -> int:  # fmt: skip
    """Annulled matches that count again.

    For example:

    $ tallymark ledger restore 1 --reason 'played after all' --ledger club.db
    """

    def tell(found: "Ledger", of: str, id_: str) -> "Receipt":
        ids = [match_id(found, of, one) for one in matches]
        return found.restore(ids, pool=of, id=id_, reason=reason, case=case, approvers=by or ())

    return _told("restore", tell, name, pool, ledger)


def change(
    match: Annotated[str, Argument(metavar="JSON", help="The whole match as it should be, under its own id.")],
    reason: Reason,
    case: Case = None,
    by: By = None,
    name: Name = None,
    pool: OnePool = None,
    ledger: Where = None,
) -> int:
    """Another content for a match: the result, or who played. Its time stays.

    For example:

    $ tallymark ledger change '{"id":1,"player_a":"ann","player_b":"bob","score_a":0}' --reason typo --ledger club.db
    """

    def tell(found: "Ledger", of: str, id_: str) -> "Receipt":
        return found.change(match, pool=of, id=id_, reason=reason, case=case, approvers=by or ())

    return _told("change", tell, name, pool, ledger)


def merge(
    player: Annotated[str, Argument(metavar="PLAYER", help="Whose results are another's.")],
    into: Annotated[str, Argument(metavar="INTO", help="Whose they are.")],
    reason: Reason,
    case: Case = None,
    by: By = None,
    name: Name = None,
    pool: OnePool = None,
    ledger: Where = None,
) -> int:
    """Two ids of one player: the results of one are the other's, from the beginning.

    For example:

    $ tallymark ledger merge bobby bob --reason 'one person' --ledger club.db
    """

    def tell(found: "Ledger", of: str, id_: str) -> "Receipt":
        one, other = (player_id(found, of, each) for each in (player, into))
        return found.merge(one, other, pool=of, id=id_, reason=reason, case=case, approvers=by or ())

    return _told("merge", tell, name, pool, ledger)


def adjust(
    player: Annotated[str, Argument(metavar="PLAYER", help="Who gets another state.")],
    rating: Annotated[float, Argument(metavar="RATING", help="The rating from here on.")],
    deviation: Annotated[float, Argument(metavar="RD", min=0.0, help="Its deviation.")],
    reason: Reason,
    case: Case = None,
    by: By = None,
    name: Name = None,
    pool: OnePool = None,
    ledger: Where = None,
) -> int:
    """A rating that people who answer for it set; the record stays.

    For example:

    $ tallymark ledger adjust ann 1800 80 --reason 'rated elsewhere' --by board --ledger club.db
    """

    def tell(found: "Ledger", of: str, id_: str) -> "Receipt":
        from tallymark import Rating

        initial = found.rules(of).initial()
        states = {player_id(found, of, player): Rating(rating, deviation, initial.volatility)}
        return found.adjust(states, pool=of, id=id_, reason=reason, case=case, approvers=by or ())

    return _told("adjust", tell, name, pool, ledger)


def one_pool(ledger: "Ledger", pool: str | None) -> str:
    """The pool that a command is about."""
    pools = chosen(ledger, pool)
    if len(pools) != 1:
        raise usage(f"the ledger has {len(pools)} pools", "one of them: --pool NAME")
    return pools[0]


def match_id(ledger: "Ledger", pool: str, text: str) -> "Id":
    """The id that was meant: the text, or else the number that it spells."""
    from tallymark.errors import UnknownError

    try:
        return ledger.receipt(pool, text).id
    except UnknownError:
        return ledger.receipt(pool, int(text)).id if text.isascii() and text.isdigit() else text


def player_id(ledger: "Ledger", pool: str, text: str) -> "Id":
    """The same for a player; who has no rating is meant as it stands."""
    from tallymark.errors import UnknownError

    number: list[Id] = [int(text)] if text.isascii() and text.isdigit() else []
    for meant in (text, *number):
        try:
            ledger.history(meant, pool, limit=1)
        except UnknownError:
            continue
        return meant
    return text


def _told(
    what: str, tell: "Callable[[Ledger, str, str], Receipt]", name: str | None, pool: str | None, ledger: str | None
) -> int:
    with opened(ledger) as found:
        of = one_pool(found, pool)
        # Whoever says the same twice before anything was rated in between says it once.
        receipt = tell(found, of, name or f"{what} after entry {found.head(of).position}")
    again = ", which was there" if receipt.again else ""
    say(console(), f"pool {shown_id(of)}: {shown_id(receipt.id)}{again}; tallymark ledger rate does it")
    return Ending.DONE
