"""What somebody decided about rows that could be games and yet not be wanted."""

from dataclasses import dataclass

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.times import parse_instant


@dataclass(frozen=True)
class Choices:
    """Which rows are taken: from `since` on and before `until` (microseconds since 1970 UTC), repeats or not."""

    since: int | None = None
    until: int | None = None
    dedupe: bool = False

    @classmethod
    def of(cls, since: str | None = None, until: str | None = None, dedupe: bool = False) -> "Choices":
        """The choices of these options; InputError for what is no ISO 8601 time, and for a range of nothing.

        >>> Choices.of(since="1970-01-02").since
        86400000000
        """
        first, end = _instant("since", since), _instant("until", until)
        if first is not None and end is not None and first >= end:
            raise InputError(
                f"since is {since} and until is {until}, and nothing lies between", hint="until is the end, left out"
            )
        if not isinstance(dedupe, bool):
            raise InputError(f"dedupe is {shortened(dedupe)}; expected True or False")
        return cls(first, end, dedupe)


EVERYTHING = Choices()
"""What nobody has decided about: all rows are taken."""


def _instant(name: str, text: str | None) -> int | None:
    if text is None:
        return None
    if not isinstance(text, str):
        raise InputError(f"{name} is {shortened(text)}; expected ISO 8601 text like 2026-01-31")
    try:
        return parse_instant(text)
    except InputError as error:
        raise InputError(f"{name}: {error.message}", hint=f"for example {name}='2026-01-31'") from None
