"""How pages write things: numbers through `shown`, times in UTC, reasons and kinds in words."""

from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from tallymark.ledger.windows import Window
from tallymark.methodology.rules import Published
from tallymark.service.answers import instant
from tallymark.service.shown import DASH, digits, shown, shown_change, signed

MINUS: Final = "\N{MINUS SIGN}"
NBSP: Final = "\N{NO-BREAK SPACE}"
_DAY: Final = timedelta(days=1)
ENDED: Final = {
    "resignation": "ended by resignation",
    "timeout": "ended by a deadline that passed",
    "forfeit": "ended by forfeit",
    "illegal": "ended by an illegal action",
    "disconnect": "ended by a lost connection",
    "adjudicated": "decided by adjudication",
    "walkover": "a walkover",
    "bye": "a bye",
    "unfinished": "unfinished",
    "aborted": "aborted",
    "void": "void",
}
"""Endings of matches in words, but for the normal one, of which there is nothing to say."""


def whole(value: float | None) -> str:
    """A rating or deviation as it is shown; a dash where there is none.

    >>> whole(1499.5), whole(None) == DASH
    ('1500', True)
    """
    found = shown(value)
    return DASH if found is None else minus(digits(found))


def exact(value: float) -> str:
    """A number in full: the shortest digits that are this double and no other.

    >>> exact(1662.3108939062977), exact(1500.0)
    ('1662.3108939062977', '1500.0')
    """
    return minus(repr(float(value)))


def change(before: float, after: float) -> str:
    """A change as it is shown, always with its sign.

    >>> change(1970.4, 1970.996), change(1499.5, 1500.4)
    ('+1', '+0')
    """
    return minus(signed(shown_change(before, after)))


def exact_change(before: float, after: float) -> str:
    """The change itself, in hundredths.

    >>> exact_change(1970.4, 1970.996), exact_change(1499.5, 1500.4)
    ('+0.60', '+0.90')
    """
    moved = after - before
    return minus(f"{moved:+.2f}" if abs(moved) <= 2**53 else f"{moved:+.6g}")


def sentence(text: str) -> str:
    """A message of the program as a sentence.

    >>> sentence("there is no pool 'x'")
    "There is no pool 'x'."
    """
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def is_provisional(deviation: float, published: Published) -> bool:
    """Whether a rating with this deviation is provisional, as far as the deviation tells.

    >>> [is_provisional(deviation, Published(provisional_deviation=110)) for deviation in (110.0, 110.1)]
    [False, True]
    >>> is_provisional(110.0, Published(provisional_deviation=110, provisional_at="from"))
    True
    """
    bound = published.provisional_deviation
    return bound is not None and (deviation > bound or (deviation == bound and published.provisional_at == "from"))


def provisional_words(published: Published) -> str:
    """Which ratings are provisional, in words.

    >>> provisional_words(Published(provisional_deviation=110))
    'a deviation (RD) above 110'
    >>> provisional_words(Published(provisional_deviation=110, provisional_at="from", provisional_games=10))
    'a deviation (RD) of 110 or more, or fewer than 10 games'
    """
    found = []
    if published.provisional_deviation is not None:
        bound = f"{published.provisional_deviation:g}"
        found.append(
            f"a deviation (RD) {f'above {bound}' if published.provisional_at == 'above' else f'of {bound} or more'}"
        )
    if published.provisional_games is not None:
        found.append(f"fewer than {counted(published.provisional_games, 'game')}")
    return ", or ".join(found)


def minus(text: str) -> str:
    """With a true minus sign, which is as wide as a plus."""
    return text.replace("-", MINUS)


def count(number: int) -> str:
    """
    >>> count(49521)
    '49,521'
    """
    return f"{number:,}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """
    >>> counted(1, "match", "matches"), counted(1200, "player")
    ('1 match', '1,200 players')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def points(score: float) -> str:
    """A score in points, without digits that say nothing.

    >>> points(1.0), points(0.5), points(2.5)
    ('1', '½', '2½')
    """
    base, half = divmod(score, 1.0)
    if half == 0.5:
        return f"{int(base) or ''}½"
    return f"{score:g}"


def day(when: datetime | None) -> str:
    """
    >>> day(datetime(2026, 7, 5))
    '5 Jul 2026'
    """
    return DASH if when is None else f"{when.day} {when:%b} {when.year}"


def minute(when: datetime | None) -> str:
    """
    >>> minute(datetime(2026, 7, 5, 18, 30))
    '5 Jul 2026, 18:30 UTC'
    """
    return DASH if when is None else f"{day(when)}, {when:%H:%M} UTC"


def duration(ms: int) -> str:
    """Milliseconds in the unit that people would use, which stays on one line with its number.

    >>> [one.replace(NBSP, " ") for one in (duration(7), duration(1200), duration(45_000), duration(125_000))]
    ['7 ms', '1.2 s', '45 s', '2 min 5 s']
    """
    if ms < 1000:
        return f"{ms}{NBSP}ms"
    return f"{ms / 1000:.3g}{NBSP}s" if ms < 60_000 else f"{ms // 60_000}{NBSP}min {ms % 60_000 // 1000}{NBSP}s"


def host_of(link: str) -> str:
    """Where a link leads, in short: its host.

    >>> host_of("https://example.org/plum?x=1")
    'example.org'
    """
    return urlsplit(link).hostname or link


def window_words(window: Window) -> str:
    """A week or month in words.

    >>> from tallymark.ledger.windows import window_of
    >>> window_words(window_of("week", 0)), window_words(window_of("month", 0))
    ('Week 1 of 1970, 29 Dec to 4 Jan', 'January 1970')
    """
    start, last = instant(window.start), instant(window.end) - _DAY
    if window.span == "month":
        return f"{start:%B} {start.year}"
    year, week, _ = start.isocalendar()
    return f"Week {week} of {year}, {start.day} {start:%b} to {last.day} {last:%b}"
