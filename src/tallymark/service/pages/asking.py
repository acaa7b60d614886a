"""What a board is asked for, and the links to others like it."""

from typing import Final, Literal, NamedTuple, TypeAlias

from tallymark.ledger.people import Kind
from tallymark.ledger.reading.boards import Provisional
from tallymark.ledger.windows import EARLIEST, LATEST, Rolling, Window, window_of
from tallymark.service.answers import instant
from tallymark.service.api.boards import DAYS
from tallymark.service.pages.links import pool_path, with_query
from tallymark.service.pages.words import window_words
from tallymark.service.state import Service

When: TypeAlias = Literal["all-time", "week", "month", "rolling"]
_WORDS: Final[dict[When, str]] = {"all-time": "All time", "week": "Week", "month": "Month", "rolling": "30 days"}
KIND_WORDS: Final[dict[Kind, str]] = {
    "person": "People",
    "agent": "Agents",
    "house": "House agents",
    "item": "Items",
}
PROVISIONAL_WORDS: Final[dict[Provisional, str]] = {
    "with": "with the others",
    "without": "left out",
    "apart": "alone",
}


class Asked(NamedTuple):
    """A board of a pool, without the page of it."""

    pool: str
    window: When = "all-time"
    at: str | None = None
    days: int | None = None
    kind: Kind | None = None
    provisional: Provisional = "with"
    search: str | None = None

    def path(self, **more: object) -> str:
        """Its address; what is as everybody has it is left out.

        >>> Asked("chess", "week", provisional="without").path(after="x")
        '/pools/chess?window=week&provisional=without&after=x'
        """
        return with_query(pool_path(self.pool), **self.query(), **more)

    def query(self) -> dict[str, object]:
        """Its parameters, None for those that are as everybody has them."""
        return {
            "window": None if self.window == "all-time" else self.window,
            "at": self.at if self.window in ("week", "month") else None,
            "days": self.days if self.window == "rolling" else None,
            "kind": self.kind,
            "provisional": None if self.provisional == "with" else self.provisional,
            "search": self.search,
        }


class Choice(NamedTuple):
    """A link beside others, one of which is taken."""

    words: str
    path: str
    taken: bool


class Neighbour(NamedTuple):
    """The week or month before or after."""

    words: str
    path: str


def choices(asked: Asked) -> list[Choice]:
    """The windows, with all else as it is."""
    return [
        Choice(
            words,
            asked._replace(window=name, at=None, days=DAYS if name == "rolling" else None).path(),
            name == asked.window,
        )
        for name, words in _WORDS.items()
    ]


def title_of(window: Window | Rolling | None) -> str:
    """What a window is called.

    >>> title_of(None), title_of(Rolling(7, 0, 1))
    ('All time', 'The last 7 days')
    """
    if window is None:
        return "All time"
    return f"The last {window.days} days" if isinstance(window, Rolling) else window_words(window)


def about(window: Window | Rolling | None, frozen: bool, now: int) -> str | None:
    """Whom a board of a window lists, and what its numbers are of; None for that of all time. `now`: in microseconds
    since 1970 UTC. A window that is over by it may still get what was received before its end and is not settled yet,
    until an entry that was settled later freezes it.

    >>> about(Rolling(7, 0, 1), False, 1)
    'Everybody with a match settled in the last 7 days. Ratings, games and records are of all time, up to now.'
    >>> about(Window("week", 0, 10), False, 10)[45:]
    'Ratings, games and records are of all time, up to its end. It is frozen with the next entry of the pool.'
    """
    if window is None:
        return None
    when = f"the last {window.days} days" if isinstance(window, Rolling) else f"this {window.span}"
    end = "now."
    if isinstance(window, Window) and frozen:
        end = f"the end of the {window.span}."
    elif isinstance(window, Window) and window.end <= now:
        end = "its end. It is frozen with the next entry of the pool."
    return f"Everybody with a match settled in {when}. Ratings, games and records are of all time, up to {end}"


def neighbour(
    service: Service, asked: Asked, window: Window | Rolling | None, step: Literal[-1, 1]
) -> Neighbour | None:
    """The week or month beside one; None beyond that of now, and where time begins."""
    if not isinstance(window, Window):
        return None
    at = window.start - 1 if step < 0 else window.end
    if not EARLIEST <= at <= LATEST:
        return None
    other = window_of(window.span, at)
    if other.start > service.ledger.now():
        return None
    return Neighbour(window_words(other), asked._replace(at=f"{instant(other.start).date()}").path())
