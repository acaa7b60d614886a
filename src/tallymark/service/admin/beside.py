"""What an adjustment says, in words: a match as it was beside what it will be, and names that nobody has heard of."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import orjson

from tallymark.errors import UnknownError
from tallymark.games.ids import Id
from tallymark.ledger.fold.played import Match, read_match
from tallymark.ledger.ids import key_of
from tallymark.ledger.matches import match_item
from tallymark.service.admin.adjusting import content_of
from tallymark.service.pages.named import Names
from tallymark.service.pages.titles import Title, titled, titles
from tallymark.service.pages.words import minute
from tallymark.service.shown import DASH
from tallymark.service.state import Service

_SAID: Final = ("id", "player_a", "player_b", "score_a", "sides", "played_at", "ending")
"""Fields of a match that are said in words; others are shown as they are."""
_MOST: Final = 1000
"""Names among which close ones are looked for: the first of a board, and those that begin so."""
_NAMED: Final = 20
"""Matches that are named."""


class Line(NamedTuple):
    """Something of a match, as it was and as it will be."""

    what: str
    was: str
    will: str


class Unheard(NamedTuple):
    """A player of whom nothing is known, and the names closest to it."""

    player: Id
    close: list[tuple[Id, str]]


class Compared(NamedTuple):
    """An adjustment in words: the `matches` that it names, what it changes of one, and whom nobody has heard of."""

    matches: dict[Id, Title]
    others: int
    lines: list[Line]
    unheard: list[Unheard]

    @property
    def changes(self) -> bool:
        """Whether it changes anything of a match."""
        return any(line.was != line.will for line in self.lines)


def compared(service: Service, pool: str, adjustment: Mapping[str, Any], before: int | None = None) -> Compared:
    """An adjustment in words; `before`: the entry that says it, where there is one."""
    do = adjustment["do"]
    if do == "change":
        id = adjustment["match"]["id"]
        was, will = content_of(service, pool, id, before), adjustment["match"]
        old, new = _match(was), _match(will)
        known = () if before is not None else unheard(service, pool, set(new.people) - set(old.people))
        names = Names(service.ledger, {*old.people, *new.people})
        return Compared(titles(service.ledger, pool, [id]), 0, _lines(was, will, old, new, names), list(known))
    if do in ("annul", "restore"):
        ids = adjustment["matches"]
        return Compared(titles(service.ledger, pool, ids[:_NAMED]), max(0, len(ids) - _NAMED), [], [])
    people = {adjustment["player"], adjustment["into"]} if do == "merge" and before is None else set()
    return Compared({}, 0, [], list(unheard(service, pool, people)))


def unheard(service: Service, pool: str, people: Iterable[Id]) -> Iterable[Unheard]:
    """Those of some people who have neither a rating in a pool nor a name."""
    for player in sorted(people, key=key_of):
        try:
            service.ledger.history(player, pool, 1)
        except UnknownError:
            if service.ledger.player(player).name is None:
                yield Unheard(player, _close(service, pool, player))


def _close(service: Service, pool: str, player: Id) -> list[tuple[Id, str]]:
    """Who is called almost so."""
    text = str(player)
    known: dict[str, tuple[Id, str]] = {}
    for beginning in (None, text[:1].lower(), text[:1].upper()):
        table = service.ledger.board(pool, search=beginning, limit=_MOST).table
        found = table["player"].tolist()
        names = service.ledger.names(found)
        for one in found:
            for called in (str(one), names.get(one, str(one))):
                known[called.lower()] = (one, names.get(one, str(one)))
    close = difflib.get_close_matches(text.lower(), known, n=4)
    return list(dict.fromkeys(known[one] for one in close))[:3]


def _match(content: Mapping[str, Any]) -> Match:
    return read_match(match_item(content).body)


def _lines(was: Mapping[str, Any], will: Mapping[str, Any], old: Match, new: Match, names: Names) -> list[Line]:
    """Who and the result always, the rest where it changes."""
    before, after = titled(old, names), titled(new, names)
    lines = [Line("Players", before.who, after.who), Line("Result", _how(before, old), _how(after, new))]
    others = [
        Line("Ended by", old.ending or "not said", new.ending or "not said"),
        Line("Played", minute(before.day), minute(after.day)),
    ]
    for name in [*was, *(name for name in will if name not in was)]:
        if name not in _SAID:
            others.append(Line(name, _plain(was.get(name)), _plain(will.get(name))))
    return lines + [line for line in others if line.was != line.will]


def _how(title: Title, match: Match) -> str:
    """How it ended; where a score is none of a win, a draw and a loss, that too."""
    odd = not match.sides and match.score not in (None, 0.0, 0.5, 1.0)
    return f"{title.how} ({match.score:g})" if odd else title.how


def _plain(value: object) -> str:
    return DASH if value is None else value if isinstance(value, str) else orjson.dumps(value).decode()
