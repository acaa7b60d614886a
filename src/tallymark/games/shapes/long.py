"""Which columns of a file say who played, where a row is one player's entry, or a count of games, or a whole ballot."""

import re
from collections.abc import Sequence
from typing import Final

from tallymark.errors import ReadError
from tallymark.games.ids import is_missing
from tallymark.games.shapes.head import Choice, Head, choices
from tallymark.games.shapes.home import SEATS
from tallymark.games.shapes.spellings import (
    COUNTED,
    DRAWS,
    LOSSES,
    MATCHES,
    OPPONENTS,
    PLAYERS,
    POINTS,
    RANKS,
    SIDE,
    TEAMS,
    WINS,
    plain,
)

_WHOLE: Final = re.compile(r"[0-9]{1,12}(?:\.0+)?")
_PLACES: Final = 30
"""A place up to this is believed, be the others there or not."""
_NUMBERED: Final = re.compile(r"(.*?)([0-9]+)(.*)", re.DOTALL)


def who(head: Head) -> dict[str, list[int]]:
    """The columns that name a player of the long form: by id, plainly, by name.

    >>> who(Head(["team_id", "team_name", "set_won"], [], "x.csv"))
    {'id': [0], 'name': [1]}
    """
    for bases in (PLAYERS, TEAMS):
        found = {form: head.spelt(*(base + form for base in bases)) for form in ("id", "", "name")}
        found = {form: at for form, at in found.items() if at}
        if found:
            return found
    return {}


def is_long(head: Head) -> bool:
    """Whether a header has players, matches, and ranks or points.

    >>> is_long(Head(["race", "driver", "position"], [], "x.csv"))
    True
    """
    return bool(who(head) and _matches(head) and head.spelt(*RANKS, *POINTS))


def is_counts(head: Head) -> bool:
    """Whether a header has a player, an opponent and counts of wins and losses.

    >>> is_counts(Head(["player", "opponent", "wins", "losses"], [], "x.csv"))
    True
    """
    return bool(who(head) and head.spelt(*OPPONENTS) and head.spelt(*WINS) and head.spelt(*LOSSES, *COUNTED))


def find_entries(choice: Choice, head: Head) -> None:
    """Takes player, match, rank or points, and which side it was. ReadError where there are two to choose from."""
    _find_who(choice, head, "player")
    side = [at for at in head.spelt(*SIDE) if _is_side(head, at)]
    if choice.wants("match"):
        found = [at for at in _matches(head) if at not in side]
        if found:
            choice.take(head, "match", found[0])
    if choice.wants("rank", "points"):
        ranks = head.spelt(*RANKS)
        name, found = ("rank", ranks) if ranks else ("points", head.spelt(*POINTS))
        if name in head.names:
            found = [head.own(name)]
        if len(found) > 1:
            raise ReadError(
                f"{head.file} has several columns for {name}: {', '.join(head.names[at] for at in found)}",
                hint=f"say which one counts: {choices(head, [{name: at} for at in found])}",
            )
        if found and name == "rank":
            _ask_about_ratings(head, found[0])
        if found:
            choice.take(head, name, found[0])
            if name == "points":
                choice.notes.append("entries are ranked by points: more are better")
    if choice.wants("team"):
        for at in head.spelt(*TEAMS):
            if at not in {*choice.columns.get("player", ()), *choice.columns.get("name", ())}:
                _ask_about_teams(choice, head, at)
    if side and choice.wants("side"):
        choice.take(head, "side", side[0])
        choice.notes.append(f"player_a is the side that {head.names[side[0]]} names first: home before away")


def _ask_about_teams(choice: Choice, head: Head, at: int) -> None:
    """ReadError where all who are of one team share their rank in every match: team mates do not meet."""
    told = [choice.columns[name][0] for name in ("rank", "points") if name in choice.columns]
    match = choice.columns.get("match")
    if not told or match is None:
        return
    ranks: dict[tuple[str, str], list[str]] = {}
    for row in head.sample:
        if len(row) == len(head.names) and not any(is_missing(row[where]) for where in (match[0], at, told[0])):
            ranks.setdefault((str(row[match[0]]), str(row[at])), []).append(str(row[told[0]]))
    several = [mates for mates in ranks.values() if len(mates) > 1]
    one_rank = all(len(set(mates)) == 1 for mates in several)
    if several and one_rank and len(ranks) > len({one for one, _ in ranks}):
        name = head.names[at]
        raise ReadError(
            f"{head.file}: all of one {name} share their {head.names[told[0]]} in every match; do they play together?",
            hint=f"if they do, they do not meet: {choices(head, [{'team': at}])}; "
            "if each plays alone: columns={'team': ''}",
        )


def find_counts(choice: Choice, head: Head) -> None:
    """Takes player, opponent and the counts of games."""
    _find_who(choice, head, "player")
    for name, spellings in (
        ("opponent", OPPONENTS),
        ("wins", WINS),
        ("losses", LOSSES),
        ("draws", DRAWS),
        ("games", COUNTED),
    ):
        if choice.wants(name):
            for at in head.spelt(*spellings)[:1]:
                choice.take(head, name, at)


def find_wide(choice: Choice, head: Head) -> bool:
    """Takes the columns of rows that seat several: winner1 and winner2, or system1 to system5 with their ranks."""
    families: dict[tuple[str, str], dict[int, int]] = {}
    for at, name in enumerate(head.names):
        if match := _NUMBERED.fullmatch(name):
            families.setdefault((match[1], match[3]), {})[int(match[2])] = at
    whole = {
        f"{before}#{behind}": [at for _, at in sorted(numbered.items())]
        for (before, behind), numbered in families.items()
        if len(numbered) > 1 and sorted(numbered) == list(range(1, len(numbered) + 1))
    }
    for form in ("id", "", "name"):
        winners = {plain(name): (name, at) for name, at in whole.items()}
        if f"winner{form}" in winners and f"loser{form}" in winners:
            for role in ("winner", "loser"):
                name, several = winners[f"{role}{form}"]
                choice.take(head, role, *several, shown=name)
            choice.labels.append("teams of winners and losers")
            return True
    if not choice.wants("player", "rank", "points"):
        return False
    ranks = _family(whole, RANKS) or _family(whole, POINTS)
    players = [
        (name, at)
        for form in ("id", "", "name")
        for base in (*PLAYERS, *TEAMS)
        for name, at in whole.items()
        if plain(name) == base + form
    ]
    if ranks is None or not players or len(players[0][1]) != len(ranks[1]) or len(ranks[1]) < 2:
        return False
    role = "rank" if any(plain(ranks[0]).endswith(word) for word in RANKS) else "points"
    if role == "points" and len(ranks[1]) == 2:  # two sides and their scores
        return False
    choice.take(head, "player", *players[0][1], shown=players[0][0])
    choice.take(head, role, *ranks[1], shown=ranks[0])
    choice.labels.append("several entries a row")
    return True


def _family(whole: dict[str, list[int]], words: Sequence[str]) -> tuple[str, list[int]] | None:
    return next(((name, at) for name, at in whole.items() if plain(name).endswith(tuple(words))), None)


def _ask_about_ratings(head: Head, at: int) -> None:
    """ReadError for ranks that are all higher than there are rows to hold them: they seem to be ratings, or points."""
    cells = head.texts(at)
    places = [float(cell) for cell in cells if _WHOLE.fullmatch(cell.strip())]
    if places and len(places) == len(cells) and min(places) > max(len(head.sample), _PLACES):
        column = head.names[at]
        raise ReadError(
            f"{head.file}: column {column} has {min(places):g} and more, which may be no places",
            hint=f"if more is better: {choices(head, [{'points': at}])}; if they are places: "
            f"{choices(head, [{'rank': at}])}",
        )


def _find_who(choice: Choice, head: Head, name: str) -> None:
    if not choice.wants(name):
        return
    if name in head.names:
        choice.take(head, name, head.own(name))
        return
    found = who(head)
    for several in found.values():
        if len(several) > 1:
            raise ReadError(
                f"{head.file} has several columns for {name}: {', '.join(head.names[at] for at in several)}",
                hint=f"say which one plays: {choices(head, [{name: at} for at in several])}",
            )
    order = [form for form in ("id", "", "name") if form in found]
    if order:
        choice.take(head, name, found[order[0]][0])
        if len(order) > 1 and choice.wants("name"):
            choice.take(head, "name", found[order[1]][0])


def _matches(head: Head) -> list[int]:
    found = [at for at in head.spelt(*MATCHES) if not _is_side(head, at)]
    own = [at for at in found if head.names[at] == "match"]
    return own or found


def _is_side(head: Head, at: int) -> bool:
    cells = {cell.strip().casefold() for cell in head.texts(at)}
    return bool(cells) and cells <= {word for word in SEATS if not word.isdecimal()}
