"""Which column is which: what somebody said, and what the header says where nobody did."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Final

from tallymark.errors import InputError, ReadError
from tallymark.games.shapes.counts import is_enough
from tallymark.games.shapes.head import Choice, Head
from tallymark.games.shapes.long import find_counts, find_entries, find_wide, is_counts, is_long, who
from tallymark.games.shapes.names import COUNTS, ENTRIES, GAMES, ONLY_WHEN_MAPPED, SHARED, TELLING_NAMES
from tallymark.games.shapes.own import find_own, note_match
from tallymark.games.shapes.plan import Plan, Row
from tallymark.games.shapes.positions import by_number, positions, refuse_headless
from tallymark.games.shapes.results import known_word, plainly
from tallymark.games.shapes.sides import find_sides, has_sides
from tallymark.games.shapes.spellings import plain
from tallymark.games.shapes.square import SQUARE, find_square
from tallymark.games.shapes.telling import shape_of
from tallymark.games.shapes.ways import find_shared, find_way

_OF: Final = {"games": GAMES, "entries": ENTRIES, "counts": COUNTS}
_LATER: Final = (*TELLING_NAMES, *ENTRIES, *COUNTS, "match", "played_at", "ending", "pairing")
"""Canonical names that are taken by those who know what else could be meant."""


def recognised(first: Sequence[str], sample: Sequence[Row], mapping: Mapping[str, str], file: str) -> Plan:
    """The plan of a file with this first row. ReadError where a column that is needed is missing or there twice.

    >>> recognised(["date", "home_team", "away_team", "result"], [], {}, "x.csv").notes
    ('home and away: player_a = home_team, player_b = away_team, played_at = date',)
    """
    numbers = by_number(mapping, first)
    head = Head(list(first), sample, file)
    if not mapping:
        refuse_headless(head)
    choice = Choice(frozenset(mapping), positions(mapping, head, numbers))
    if numbers:
        head = Head([f"#{at + 1}" for at in range(len(first))], [first, *sample], file)
        choice.notes.append("no header: the first row is a game")
    kind = _kind(choice, head)
    for name in mapping:
        if name not in (*_OF[kind], *SHARED):
            other = next(of for of, names in _OF.items() if name in names)
            raise InputError(f"{name} is a column of {other}, and the other columns are those of {kind}")
    for name in (*_OF[kind], *SHARED):
        if choice.wants(name) and name not in _LATER and name not in ONLY_WHEN_MAPPED:
            find_own(choice, head, name)
    needed = _find(choice, head, kind)
    for name in needed:
        if name not in choice.columns:
            raise ReadError(
                f"{file} has no column {name!r}; it has {head.listing()}", hint=_missing_hint(name, choice, head)
            )
    if "player_a" in choice.columns and "player_b" in choice.columns:
        one, two = (head.names[choice.columns[name][0]] for name in ("player_a", "player_b"))
        choice.sides = (plain(one), plain(two))
    if "pool" in head.names and choice.wants("pool"):
        choice.notes.append("column pool is not read; columns={'pool': 'pool'} keeps pools apart")
    if "order" in head.names and choice.wants("order"):
        choice.notes.append("column order is not read; columns={'order': 'order'} orders games of one time by it")
    return choice.plan(not numbers)


def _find(choice: Choice, head: Head, kind: str) -> tuple[str, ...]:
    """Takes the columns of a kind of file; the names that it must have."""
    if kind == "counts":
        find_counts(choice, head)
        find_shared(choice, head, games=False)
        if "wins" in choice.columns and not is_enough(choice.columns):
            return "player", "opponent", "wins", "losses"
        return "player", "opponent", "wins"
    several = any(len(at) > 1 for at in choice.columns.values())
    several = several or (not choice.mapped & {*GAMES, *ENTRIES} and find_wide(choice, head))
    if "match" in head.names and (several or kind == "games") and choice.wants("match"):
        choice.take(head, "match", head.own("match"))
    if several:
        find_shared(choice, head, games=kind == "games")
        if kind == "entries":
            return ("player", "points") if "points" in choice.columns else ("player", "rank")
        return find_way(choice, head)
    if kind == "entries":
        find_entries(choice, head)
        find_shared(choice, head, games=False)
        return ("match", "player", "points") if "points" in choice.columns else ("match", "player", "rank")
    if not choice.mapped and not has_sides(head) and find_square(choice, head):
        return (SQUARE,)
    find_sides(choice, head)
    way = find_way(choice, head)
    find_shared(choice, head, games=True)
    note_match(choice, head)
    return tuple(name for name in way if "pairing" not in choice.columns or not name.startswith("player_"))


def _kind(choice: Choice, head: Head) -> str:
    """What a row is: a game, an entry of a player, or a count of games."""
    mapped = choice.mapped
    if mapped & {"opponent", "wins", "losses", "draws", "games"}:
        return "counts"
    if mapped & set(ENTRIES):
        return "entries"
    if mapped & set(GAMES) or shape_of(dict.fromkeys(head.names)) or "player_a" in head.names:
        return "games"
    if "player" in head.names and "rank" in head.names:
        return "entries"
    if is_counts(head):
        return "counts"
    trial = Choice(frozenset(), {})
    if find_wide(trial, head):
        return "entries" if "player" in trial.columns else "games"
    return "entries" if is_long(head) and not has_sides(head) else "games"


def _missing_hint(name: str, choice: Choice, head: Head) -> str:
    """What to do about a column that is missing."""
    if len(head.names) == 1:
        for delimiter, word in ((";", "';'"), ("\t", "a tab"), ("|", "'|'")):
            if delimiter in head.names[0]:
                return f"the delimiter seems to be {word}"
    if "preference" in head.names and name == "score_a":
        return (
            "if preference goes from 1 (player_a is better) to 2 (player_b): columns={'preference': 'preference'}; "
            "other results are mapped by columns={'result': '...'}"
        )
    if name == "score_a" and "player_a" in choice.columns:
        result = _column_of_results(choice, head)
        if result is not None:
            return f"map what tells the result: columns={{'result': {result!r}}}"
        return (
            "map what tells the result: columns={'result': '...'} for words or 1-0, "
            "columns={'points_a': '...', 'points_b': '...'} for two scores"
        )
    if name in ("wins", "losses"):
        return (
            "counts need the games won and lost: columns={'wins': '...', 'losses': '...'}, and draws where there are; "
            "if a row is one game, map player_a, player_b and its result"
        )
    if name in ("winner", "loser", "points_a", "points_b"):
        return f"map it: columns={{{name!r}: '...'}}"
    if name == "player_a" and head.names and head.texts(0) and set(head.texts(0)) <= set(head.names[1:]):
        return "in a table of everybody against everybody, each player has a row and a column; else write a row a game"
    if name == "player_a" and who(head):
        return (
            f"if a row is one player's part in a match: columns={{'player': {head.names[_who(head)]!r}, "
            "'match': '...', 'rank': '...'}"
        )
    close = difflib.get_close_matches(name, head.names, n=1)
    if name == "player_a" and not close:
        return (
            "say who played: columns={'player_a': '...', 'player_b': '...'} and what tells the result, "
            "or columns={'winner': '...', 'loser': '...'}"
        )
    return f"map it: columns={{{name!r}: {close[0] if close else '...'!r}}}"


def _who(head: Head) -> int:
    """The column of players of the long form."""
    return next(iter(who(head).values()))[0]


def _column_of_results(choice: Choice, head: Head) -> str | None:
    """A column whose cells all are words for a result, 1-0 or the like."""
    taken = {position for at in choice.columns.values() for position in at}
    for at, name in enumerate(head.names):
        if at in taken:
            continue
        cells = set(map(plainly, head.texts(at)))
        if cells and all(known_word(cell) is not None for cell in cells) and not all(map(str.isdecimal, cells)):
            return name
    return None
